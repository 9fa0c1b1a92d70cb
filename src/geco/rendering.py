"""Rendering: how an Explanation reads as terminal text, as HTML, in plain words and as JSON values.

Values are printed exactly as they are; only distances and outcomes are shortened.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from geco.explanation import Action, Counterfactual, Explanation

ARROW = "▶"
_GERUND = {
    "raise": "raising",
    "lower": "lowering",
    "change": "changing",
    "move": "moving",
    "state": "stating",
    "leave": "leaving",
}


def as_text(explanation: Explanation) -> str:
    """Several lines for a terminal; the first says what the model said of x."""
    lines = [f"M(x) {shorten(explanation.outcome)}, wanted {explanation.target}"]
    lines += _ways(explanation.counterfactuals)
    if explanation.status != "found":
        lines.append(f"{explanation.status.replace('_', ' ')} ({explanation.stopped_by}): {explanation.reason}")
    if explanation.proven is not None and explanation.status == "found":
        lines.append(_proof(explanation))
    if explanation.nearest_miss is not None:
        lines.append(f"nearest miss: {_way(explanation.nearest_miss)}")
    lines += [f"note: {note}" for note in explanation.notes]
    return "\n".join(lines)


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
        told.append(_proof(explanation))
    told += [f"note: {note}" for note in explanation.notes]
    below = "".join(f"<div>{escape(line)}</div>" for line in told)
    return f"<div><table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{below}</div>"


def sentence(cf: Counterfactual) -> str:
    """What to do, in plain words.

    Examples
    --------
    >>> from geco.explanation import Action, Counterfactual
    >>> changes = (Action("income", 4587, 4787), Action("housing", "rent", "own"))
    >>> print(sentence(Counterfactual({}, changes, 0.1, 0.7, True)))
    Raise income by 200 to 4,787 and change housing from rent to own.
    """
    chosen = [" ".join(_words(action)) for action in cf.changes if action.required_by is None]
    required = [_needed(action) for action in cf.changes if action.required_by is not None]
    if not chosen and not required:
        return "Change nothing."
    if not chosen:
        return f"The rules require {_listed(required)}."
    text = _listed(chosen)
    tail = f"; this also needs {_listed(required)}" if required else ""
    return f"{text[0].upper()}{text[1:]}{tail}."


def show(value: Any) -> str:
    """A value as people write it, nothing rounded."""
    if is_missing(value):
        return "missing"
    if isinstance(value, datetime):
        midnight = (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0)
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    return str(value)


def shorten(number: Any) -> str:
    """An outcome or a distance in three significant digits, or more where 0.5004 would read as 0.5.

    Examples
    --------
    >>> shorten(0.83333), shorten(0.5004), shorten(0.012), shorten(999.7), shorten(250000.4)
    ('0.833', '0.5004', '0.012', '1,000', '250,000')
    """
    if is_missing(number) or isinstance(number, str):
        return show(number)
    value = float(number)
    if abs(value) >= 100:  # 999.7 in three digits would be 1e+03
        return f"{value:,.0f}"
    short = f"{value:.3g}"
    for digits in (4, 5, 6):
        if len(short.lstrip("-0.").replace(".", "")) >= 2:
            break
        short = f"{value:.{digits}g}"
    return short


def is_missing(value: Any) -> bool:
    """True for None, NaN, NaT and pandas' NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, float | np.floating):
        return math.isnan(value)
    return isinstance(value, np.datetime64 | np.timedelta64) and bool(np.isnat(value))


def plain(value: Any) -> Any:
    """The value as JSON knows it: NumPy scalars unwrapped, dates as ISO text, missing as None, infinity as text."""
    if is_missing(value):
        return None
    if isinstance(value, np.datetime64 | np.timedelta64):
        return str(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, date | time):
        return value.isoformat()
    return float(value) if isinstance(value, Decimal) else str(value)


def changes_in_words(cf: Counterfactual) -> str:
    """``income 4587 ▶ 4787, housing rent ▶ own``; a change that a rule requires has a star."""
    return ", ".join(
        f"{a.feature} {show(a.before)} {ARROW} {show(a.after)}{'*' if a.required_by else ''}" for a in cf.changes
    )


def rule_in_words(rule: str) -> str:
    """The rule without its leading keyword."""
    return rule.removeprefix("PLAF ")


def _proof(explanation: Explanation) -> str:
    """Whether a nearer answer may exist."""
    if explanation.proven:
        return "proved: nothing allowed is nearer"
    return f"not proved: an answer nearer by at most {shorten(explanation.gap)} may exist ({explanation.stopped_by})"


def _ways(cfs: Sequence[Counterfactual]) -> list[str]:
    width = max((len(changes_in_words(cf)) for cf in cfs), default=0)
    lines = []
    for number, cf in enumerate(cfs, 1):
        # Past this width a terminal wraps anyway, and padding would push the figures off the line.
        lines.append(f"{number}. {_way(cf, min(width, 60))}")
        lines += [f"   * {a.feature}: required by {rule_in_words(a.required_by)}" for a in cf.changes if a.required_by]
    return lines


def _way(cf: Counterfactual, width: int = 0) -> str:
    doubt = "" if cf.confirmed else "   not confirmed"
    return f"{changes_in_words(cf):<{width}}   dist {shorten(cf.distance)}   M {shorten(cf.outcome)}{doubt}"


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


def _needed(action: Action) -> str:
    verb, rest = _words(action)
    return f"{_GERUND[verb]} {rest} ({rule_in_words(action.required_by or '')})"


def _words(action: Action) -> tuple[str, str]:
    """The verb and what follows it."""
    name, before, after = action.feature, action.before, action.after
    if is_missing(after):
        return "leave", f"{name} blank"
    if is_missing(before):
        return "state", f"{name} as {_spoken(after)}"
    if isinstance(after, date | np.datetime64):
        return "move", f"{name} to {_spoken(after)}"
    if action.categorical or not (_is_quantity(before) and _is_quantity(after)):
        return "change", f"{name} from {show(before)} to {show(after)}"
    # Decimal of the printed digits: 0.3 is 0.1 more than 0.2, not 0.09999999999999998.
    step = Decimal(str(after)) - Decimal(str(before))
    return "raise" if step > 0 else "lower", f"{name} by {abs(step):,f} to {_spoken(after)}"


def _is_quantity(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _spoken(value: Any) -> str:
    return f"{value:,}" if _is_quantity(value) else show(value)


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
