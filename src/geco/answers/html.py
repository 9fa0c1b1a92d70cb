"""An Explanation as one self-contained HTML table, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from geco.answers.text import proof_in_words, rule_in_words
from geco.answers.values import shorten, show

if TYPE_CHECKING:
    from geco.answers.explanation import Counterfactual, Explanation


def as_html(explanation: Explanation) -> str:
    """One self-contained table: x, then a row per counterfactual, changed values marked."""
    shown = explanation.counterfactuals or ((explanation.nearest_miss,) if explanation.nearest_miss else ())
    before = {action.feature: action.before for cf in shown for action in cf.changes}
    features = list(before)
    head = "".join(f"<th>{escape(name)}</th>" for name in ["", *features, "distance", "outcome"])
    own = "".join(f"<td>{escape(show(before[name]))}</td>" for name in features)
    rows = [f"<tr><th>x</th>{own}<td></td><td>{escape(shorten(explanation.outcome))}</td></tr>"]
    names = [str(i) for i in range(1, len(shown) + 1)] if explanation.counterfactuals else ["nearest miss"]
    rows += [_html_row(name, cf, features) for name, cf in zip(names, shown, strict=False)]
    told = [f"wanted: {explanation.target}"]
    if explanation.status != "found":
        told.append(f"{explanation.status.replace('_', ' ')} ({explanation.stopped_by}): {explanation.reason}")
    if explanation.proven is not None and explanation.status == "found":
        told.append(proof_in_words(explanation))
    told += [f"note: {note}" for note in explanation.notes]
    below = "".join(f"<div>{escape(line)}</div>" for line in told)
    return f"<div><table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{below}</div>"


def _html_row(number: str, cf: Counterfactual, features: Sequence[str]) -> str:
    changed = {action.feature: action for action in cf.changes}
    cells = [f"<th>{number}</th>"]
    for name in features:
        action = changed.get(name)
        if action is None:
            cells.append("<td></td>")
            continue
        title = f' title="required by {escape(rule_in_words(action.required_by))}"' if action.required_by else ""
        star = "*" if action.required_by else ""
        cells.append(f"<td><mark{title}>{escape(show(action.after))}{star}</mark></td>")
    doubt = "" if cf.confirmed else " (not confirmed)"
    cells.append(f"<td>{escape(shorten(cf.distance))}</td><td>{escape(shorten(cf.outcome) + doubt)}</td>")
    return f"<tr>{''.join(cells)}</tr>"
