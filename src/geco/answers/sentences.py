"""What to do, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from geco.answers.text import rule_in_words
from geco.answers.values import is_missing, show

if TYPE_CHECKING:
    from geco.answers.explanation import Action, Counterfactual

_GERUND = {
    "raise": "raising",
    "lower": "lowering",
    "change": "changing",
    "move": "moving",
    "state": "stating",
    "leave": "leaving",
}


def sentence(cf: Counterfactual) -> str:
    """What to do, in plain words.

    Examples
    --------
    >>> from geco.answers.explanation import Action, Counterfactual
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
