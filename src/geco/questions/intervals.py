"""Differences between groups with intervals by bootstrap: people are drawn anew, with replacement, by a fixed seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.answers.values import plain, shorten

SAMPLES = 1_000
LEVEL = 0.95
MOST_DRAWN = 20_000_000  # numbers drawn for one median; larger groups get fewer samples

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Difference:
    """How much a measure of one group is above that of another, and where 95 % of the bootstrap's samples lie.

    ``measure`` is "helped" (a share of those asking) or "cost" (the median distance of the nearest answers).
    """

    measure: str
    group: str
    than: str
    value: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "measure": self.measure,
            "group": self.group,
            "than": self.than,
            "value": plain(self.value),
            "low": plain(self.low),
            "high": plain(self.high),
        }

    def __str__(self) -> str:
        if self.measure == "helped":
            figures = [f"{100 * number:+.1f}" for number in (self.value, self.low, self.high)]
            return f"helped, {self.group} against {self.than}: {figures[0]} points (95 %: {figures[1]} to {figures[2]})"
        figures = [f"{'+' if number >= 0 else ''}{shorten(number)}" for number in (self.value, self.low, self.high)]
        return f"median cost, {self.group} against {self.than}: {figures[0]} (95 %: {figures[1]} to {figures[2]})"


def differences(costs: Mapping[str, Sequence[float | None]], seed: int) -> tuple[Difference, ...]:
    """Of each group to the first one; per person who asks the distance of the nearest answer, None if there is none."""
    groups = {name: each for name, each in costs.items() if each}
    if len(groups) < 2:
        return ()
    rng = np.random.default_rng(seed)
    drawn = {name: _Drawn(each, rng) for name, each in groups.items()}
    than, *others = groups
    told = []
    for name in others:
        told.append(_difference("helped", name, than, drawn[name].helped, drawn[than].helped))
        if len(drawn[name].known) and len(drawn[than].known):
            told.append(_difference("cost", name, than, drawn[name].cost, drawn[than].cost))
    return tuple(told)


class _Drawn:
    """One group: each measure, and what it was in the samples."""

    def __init__(self, costs: Sequence[float | None], rng: np.random.Generator) -> None:
        self.known = np.array([cost for cost in costs if cost is not None], float)
        share = len(self.known) / len(costs)
        self.helped = share, rng.binomial(len(costs), share, SAMPLES) / len(costs)
        if len(self.known):
            samples = max(100, min(SAMPLES, MOST_DRAWN // len(self.known)))
            medians = np.array([np.median(rng.choice(self.known, len(self.known))) for _ in range(samples)])
            self.cost = float(np.median(self.known)), medians


def _difference(
    measure: str, group: str, than: str, mine: tuple[float, Floats], theirs: tuple[float, Floats]
) -> Difference:
    samples = min(len(mine[1]), len(theirs[1]))
    apart = mine[1][:samples] - theirs[1][:samples]
    low, high = np.quantile(apart, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Difference(measure, group, than, mine[0] - theirs[0], float(low), float(high))
