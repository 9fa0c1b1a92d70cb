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
FEWEST = 10  # people of a group of whom a difference says anything
MOST_DRAWN = 20_000_000  # numbers drawn for one median; larger groups get fewer samples

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Difference:
    """How much a measure of one group is above that of another, and where 95 % of the bootstrap's samples lie.

    ``measure`` is "helped" (a share of those asking) or "cost" (the median distance of the nearest answers).
    ``people`` are those that the smaller group's measure rests on. Where they are too few, there is no interval.
    """

    measure: str
    group: str
    than: str
    value: float
    low: float | None
    high: float | None
    people: int

    @property
    def too_few(self) -> bool:
        """Too few people to say anything."""
        return self.people < FEWEST

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "measure": self.measure,
            "group": self.group,
            "than": self.than,
            "value": plain(self.value),
            "low": plain(self.low),
            "high": plain(self.high),
            "people": self.people,
            "too_few": self.too_few,
        }

    def __str__(self) -> str:
        helped = self.measure == "helped"
        about = f"{'helped' if helped else 'median cost'}, {self.group} against {self.than}"
        if self.low is None or self.high is None:
            return f"{about}: too few people ({self.people})"
        value, low, high = (_signed(number, helped) for number in (self.value, self.low, self.high))
        return f"{about}: {value}{' points' if helped else ''} (95 %: {low} to {high})"


def _signed(number: float, percent: bool) -> str:
    return f"{100 * number:+.1f}" if percent else f"{'+' if number >= 0 else ''}{shorten(number)}"


def differences(costs: Mapping[str, Sequence[float | None]], seed: int) -> tuple[Difference, ...]:
    """Of each group to the first one; per person who asks the distance of the nearest answer, None if there is none."""
    groups = {name: each for name, each in costs.items() if each}
    if len(groups) < 2:
        return ()
    rng = np.random.default_rng(seed)
    drawn = {name: _Drawn(name, each, rng) for name, each in groups.items()}
    than, *others = groups
    told = []
    for name in others:
        told.append(_difference("helped", drawn[name], drawn[than]))
        if len(drawn[name].known) and len(drawn[than].known):
            told.append(_difference("cost", drawn[name], drawn[than]))
    return tuple(told)


class _Drawn:
    """One group: each measure, what it was in the samples, and how many people it rests on."""

    def __init__(self, name: str, costs: Sequence[float | None], rng: np.random.Generator) -> None:
        self.name = name
        self.known = np.array([cost for cost in costs if cost is not None], float)
        share = len(self.known) / len(costs)
        samples = rng.binomial(len(costs), share, SAMPLES) / len(costs)
        self.measures: dict[str, tuple[float, Floats, int]] = {"helped": (share, samples, len(costs))}
        if len(self.known):
            most = max(100, min(SAMPLES, MOST_DRAWN // len(self.known)))
            medians = np.array([np.median(rng.choice(self.known, len(self.known))) for _ in range(most)])
            self.measures["cost"] = float(np.median(self.known)), medians, len(self.known)


def _difference(measure: str, of: _Drawn, than: _Drawn) -> Difference:
    (mine, my_samples, me), (theirs, their_samples, them) = of.measures[measure], than.measures[measure]
    people, samples = min(me, them), min(len(my_samples), len(their_samples))
    low = high = None
    if people >= FEWEST:
        apart = my_samples[:samples] - their_samples[:samples]
        low, high = map(float, np.quantile(apart, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]))
    return Difference(measure, of.name, than.name, mine - theirs, low, high, people)
