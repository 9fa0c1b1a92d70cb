"""describe: what an Explainer is made of, for a person who wants to see what will happen."""

from __future__ import annotations

from geco.errors import report
from geco.parts import Parts
from geco.plaf.printer import print_rule


def describe(parts: Parts) -> str:
    """One text: model path and why, target, groups with domain sizes, rules, memory."""
    domain, program, used = parts.domain, parts.program, parts.panel.used
    first, *others = [member.box for member in parts.panel.members]
    lines = [
        f"model     {first.describe()}",
        *(f"and       {other.describe()}" for other in others),
        f"target    {first.goal.words}",
        f"method    {parts.method}",
        f"database  {domain.rows:,} rows, {len(domain.schema)} features in {len(domain.tables)} groups, "
        f"{domain.memory_bytes / 1e6:.1f} MB",
    ]
    for table in domain.tables:
        kinds = ", ".join(sorted({domain.schema[f].kind for f in table.features}))
        cut = f", cut from {table.sampled_from:,} by weight" if table.sampled_from else ""
        unused = "" if used & {*table.features} else ", not read by the model"
        lines.append(f"  {table.name}: {table.rows:,} rows, {kinds}{cut}{unused}")
    lines.append(f"rules     {len(program.rules)}")
    lines += [f"  {print_rule(rule)}" for rule in program.rules]
    if program.warnings:
        lines.append(report(program.warnings, "warnings"))
    return "\n".join(lines)
