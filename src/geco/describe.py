"""describe: what an Explainer is made of, for a person who wants to see what will happen."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from geco.answers.speech import Speech
from geco.data.domain import GroupTable
from geco.errors import report
from geco.parts import Parts
from geco.plaf.printer import print_rule
from geco.whole import counted

Fact = tuple[str, str]
_WIDTH = 10


def describe(parts: Parts) -> str:
    """One text: model path and why, target, groups with domain sizes, rules, memory."""
    lines = [f"{name:<{_WIDTH}}{text}" for name, text in _facts(parts)]
    lines += [f"  {name}: {text}" for name, text in _groups(parts)]
    lines.append(f"{'rules':<{_WIDTH}}{len(parts.program.rules)}")
    lines += [f"  {print_rule(rule)}" for rule in parts.program.rules]
    if parts.program.warnings:
        lines.append(report(parts.program.warnings, "warnings"))
    return "\n".join(lines)


def describe_shortly(parts: Parts) -> str:
    """One line, for the prompt."""
    domain, program = parts.domain, parts.program
    counts = [(domain.rows, "row"), (len(domain.schema), "feature"), (len(program.rules), "rule")]
    counts += [(len(program.warnings), "warning")] if program.warnings else []
    told = ", ".join(counted(n, what) for n, what in counts)
    return f"<Explainer of {parts.model.called.name}: {parts.model.goal.words}; {told}>"


def describe_html(parts: Parts) -> str:
    """The same as `describe`, for notebooks."""
    facts = "".join(_row(name, text) for name, text in _facts(parts))
    groups = "".join(_row(name, text) for name, text in _groups(parts))
    rules = "".join(f"<div><code>{escape(print_rule(rule))}</code></div>" for rule in parts.program.rules)
    warned = f"<pre>{escape(report(parts.program.warnings, 'warnings'))}</pre>" if parts.program.warnings else ""
    return f"<div><table>{facts}</table><table>{groups}</table>{rules}{warned}</div>"


def _row(name: str, text: str) -> str:
    return f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(text)}</td></tr>'


def _facts(parts: Parts) -> Iterator[Fact]:
    domain = parts.domain
    first, *others = [member.box for member in parts.panel.members]
    yield "model", first.describe()
    for other in others:
        yield "and", other.describe()
    yield "target", first.goal.words
    yield "method", str(parts.method)
    size = f"{counted(len(domain.schema), 'feature')} in {counted(len(domain.tables), 'group')}"
    yield "database", f"{counted(domain.rows, 'row')}, {size}, {domain.memory_bytes / 1e6:.1f} MB"


def _groups(parts: Parts) -> Iterator[Fact]:
    for table in parts.domain.tables:
        cut = f", cut from {table.sampled_from:,} by weight" if table.sampled_from else ""
        yield table.name, f"{counted(table.rows, 'row')}, {_kinds(parts, table)}{cut}{_unread(parts, table)}"


def _kinds(parts: Parts, table: GroupTable) -> str:
    """What its features are: once if all are alike, else feature by feature."""
    kinds = {f: _kind(parts, f) for f in table.features}
    if table.onehot:
        return f"one category over {len(kinds)} columns"
    if len(kinds) == 1:
        return next(iter(kinds.values()))
    return "; ".join(f"{f} {kind}" for f, kind in kinds.items())


def _kind(parts: Parts, name: str) -> str:
    """Its kind, and from where to where its values go."""
    domain, feature = parts.domain, parts.domain.features[name]
    values = [v for v in domain.tables[domain.group_of[name]].values[name][1:] if v is not None]
    if feature.type in ("text", "boolean") or feature.kind == "categorical" or not values:
        return feature.kind
    if name in parts.wording.flags:
        return f"{feature.kind}, 0 or 1"
    speech = Speech(parts.wording)
    return f"{feature.kind}, {speech.value(name, min(values))} to {speech.value(name, max(values))}"


def _unread(parts: Parts, table: GroupTable) -> str:
    unread = [f for f in table.features if f not in parts.panel.used]
    if len(unread) == len(table.features):
        return ", not read by the model"
    return f", {', '.join(unread)} not read by the model" if unread else ""
