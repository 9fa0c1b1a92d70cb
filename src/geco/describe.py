"""describe: what an Explainer is made of, for a person who wants to know what will happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geco.plaf.printer import print_rule

if TYPE_CHECKING:
    from geco.explainer import Explainer


def describe(explainer: Explainer) -> str:
    """One text: model path and why, target, groups with domain sizes, rules, memory."""
    domain, program = explainer.domain, explainer.program
    used = explainer.model.used.union(*(model.used for model, _ in explainer.others))
    lines = [
        f"model     {explainer.model.describe()}",
        *(f"and       {model.describe()}" for model, _ in explainer.others),
        f"target    {explainer.model.goal.words}",
        f"method    {explainer.method}",
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
    lines += [str(warning) for warning in program.warnings]
    return "\n".join(lines)
