"""An Explanation as text for a terminal. Values are printed exactly as they are; only distances and outcomes are
shortened.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from geco.answers.values import shorten, show

if TYPE_CHECKING:
    from geco.answers.explanation import Counterfactual, Explanation

ARROW = "▶"


def as_text(explanation: Explanation) -> str:
    """Several lines for a terminal; the first shows the model's answer for x."""
    lines = [f"M(x) {shorten(explanation.outcome)}, wanted {explanation.target}"]
    lines += _ways(explanation.counterfactuals)
    if explanation.status != "found":
        lines.append(f"{explanation.status.replace('_', ' ')} ({explanation.stopped_by}): {explanation.reason}")
    if explanation.proven is not None and explanation.status == "found":
        lines.append(proof_in_words(explanation))
    if explanation.nearest_miss is not None:
        lines.append(f"nearest miss: {_way(explanation.nearest_miss)}")
    lines += [f"note: {note}" for note in explanation.notes]
    return "\n".join(lines)


def _ways(cfs: Sequence[Counterfactual]) -> list[str]:
    width = max((len(changes_in_words(cf)) for cf in cfs), default=0)
    lines = []
    for number, cf in enumerate(cfs, 1):
        # Past this width a terminal wraps anyway, and padding would push the figures off the line.
        lines.append(f"{number}. {_way(cf, min(width, 60))}")
        lines += [f"   * {a.feature}: required by {rule_in_words(a.required_by)}" for a in cf.changes if a.required_by]
        lines += [f"   at its limit: {rule_in_words(rule)}" for rule in cf.binding]
    return lines


def _way(cf: Counterfactual, width: int = 0) -> str:
    doubt = "" if cf.confirmed else "   not confirmed"
    return f"{changes_in_words(cf):<{width}}   dist {shorten(cf.distance)}   M {shorten(cf.outcome)}{doubt}"


def changes_in_words(cf: Counterfactual) -> str:
    """``income 4587 ▶ 4787, housing rent ▶ own``; a change that a rule requires has a star."""
    return ", ".join(
        f"{a.feature} {show(a.before)} {ARROW} {show(a.after)}{'*' if a.required_by else ''}" for a in cf.changes
    )


def rule_in_words(rule: str) -> str:
    """The rule without its leading keyword."""
    return rule.removeprefix("PLAF ")


def proof_in_words(explanation: Explanation) -> str:
    """Whether a nearer answer may exist."""
    if explanation.proven:
        return "proved: nothing allowed is nearer"
    return f"not proved: an answer nearer by at most {shorten(explanation.gap)} may exist ({explanation.stopped_by})"
