"""doubts: what is allowed and probably not meant, in the program, the table and the model together.

The checker (plaf/) knows the schema; here it is what D holds and what the model reads.
"""

from __future__ import annotations

from collections.abc import Iterator

from geco.data.domain import Domain
from geco.data.sentinels import sentinels
from geco.errors import DataError, PlafError, report
from geco.models.compiling.inside import readable_inside
from geco.models.scoring.panel import Panel
from geco.params import Params
from geco.plaf.checker import CheckedProgram
from geco.plaf.dead import dead_rules
from geco.plaf.diagnostics import Diagnostic
from geco.plaf.syntax import FeatureList, Group, Order, Rule, Span, refs_of

DATA, MODEL = Span("data", 0, 0, 0, 0), Span("model", 0, 0, 0, 0)


def doubts_about_data(checked: CheckedProgram, domain: Domain, params: Params) -> tuple[Diagnostic, ...]:
    """Of the checker, of rules that say nothing about D, and of columns whose range is not theirs."""
    rules = sorted((*checked.warnings, *dead_rules(checked, domain)), key=lambda d: (d.span.line, d.span.col))
    return (*rules, *_stretched(checked, domain, params))


def doubts_about_model(checked: CheckedProgram, panel: Panel) -> Iterator[Diagnostic]:
    """Columns that it does not read, and a model that could be read."""
    mentioned = _mentioned(checked)
    unread = [n for n in checked.schema.names if n not in panel.used and n not in mentioned]
    for name in unread:
        message = f"your model does not read {name!r}; is it the label?"
        help_line = f"exclude it: exclude=[{name!r}]; then x needs no value for it"
        yield Diagnostic("unread", message, DATA, "", help_line, "warning")
    for member in panel.members:
        inside = readable_inside(member.box.own)
        if inside is not None and member.compiled is None:
            message = f"the model is a function that only asks a {inside}, which geco could read"
            help_line = "give the model itself, with target=…, and only the confirmation is asked of it"
            yield Diagnostic("function", message, MODEL, "", help_line, "warning")


def refuse(warnings: tuple[Diagnostic, ...]) -> None:
    """For strict: a warning is an error."""
    if any(warning.span.line for warning in warnings):
        raise PlafError(warnings)
    if warnings:
        raise DataError(report(warnings, "warnings"))


def _stretched(checked: CheckedProgram, domain: Domain, params: Params) -> Iterator[Diagnostic]:
    lists = [s for s in checked.program.statements if isinstance(s, FeatureList)]
    fixed = {f for s in lists if s.word == "FIXED" for f in s.features}
    if params.scale != "range":
        return
    for name in domain.names:
        found = None if name in fixed else sentinels(domain, name)
        if found is not None:
            codes, times = found
            told = " and ".join(f"{code:,.15g}" for code in codes)
            message = f"the range of {name!r} is {times:,.0f} times larger because of {told}; is that a code?"
            help_line = 'mark codes as missing, or divide by the usual spread: params=geco.Params(scale="mad")'
            yield Diagnostic("sentinel", message, DATA, "", help_line, "warning")


def _mentioned(checked: CheckedProgram) -> set[str]:
    names: set[str] = set()
    for statement in checked.program.statements:
        match statement:
            case Rule():
                names |= {r.feature for p in (*statement.antecedents, statement.consequent) for r in refs_of(p)}
            case Order():
                names.add(statement.feature)
            case Group() | FeatureList():
                names.update(statement.features)
    return names
