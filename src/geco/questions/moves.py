"""Moves: what many people are told to do, counted over their nearest answers, with the typical size of the change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from geco.answers.explanation import Action, Counterfactual
from geco.answers.speech import Speech
from geco.answers.values import is_missing, plain, shorten

MOST_MOVES = 20


@dataclass(frozen=True)
class Move:
    """What many are told to do.

    Attributes
    ----------
    feature, verb : such as income and "raise"; for categories "change" and ``to`` what.
    people : whose nearest answer has it.
    typical : the median size of the change; None for categories.
    """

    feature: str
    verb: str
    to: Any
    people: int
    typical: float | None

    def words(self, speech: Speech) -> str:
        """``raise income (by 450 €)``."""
        title, unit = speech.title(self.feature), speech.wording.label(self.feature).unit
        if self.verb in ("raise", "lower"):
            return f"{self.verb} {title} (by {shorten(self.typical)}{f' {unit}' if unit else ''})"
        if self.verb == "leave blank":
            return f"{self.verb} {title}"
        to = self.to.removesuffix("T00:00:00") if isinstance(self.to, str) else self.to  # a day is told as one
        return f"{self.verb} {title} to {speech.value(self.feature, to)}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "feature": self.feature,
            "verb": self.verb,
            "to": plain(self.to),
            "people": self.people,
            "typical": plain(self.typical),
        }


def moves_of(found: Sequence[Counterfactual]) -> tuple[Move, ...]:
    """The most frequent first."""
    sizes: dict[tuple[str, str, Any], list[float]] = defaultdict(list)
    for cf in found:
        for action in cf.changes:
            verb, to, size = _move(action)
            sizes[action.feature, verb, to].append(size)
    ordered = sorted(sizes.items(), key=lambda item: (-len(item[1]), item[0][0], item[0][1], str(item[0][2])))
    return tuple(
        Move(feature, verb, to, len(each), float(np.median(each)) if verb in ("raise", "lower") else None)
        for (feature, verb, to), each in ordered[:MOST_MOVES]
    )


def _move(action: Action) -> tuple[str, Any, float]:
    """The verb, what to, and by how much."""
    before, after = action.before, action.after
    if is_missing(after):
        return "leave blank", None, 0.0
    numeric = all(isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in (before, after))
    if action.categorical or is_missing(before) or not numeric:
        return ("state" if is_missing(before) else "change"), plain(after), 0.0
    return ("raise" if after > before else "lower"), None, abs(float(after) - float(before))
