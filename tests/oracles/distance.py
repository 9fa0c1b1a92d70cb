"""Eq. 2 spelled out: δ per feature, then α·ℓ0/n + β·ℓ1/n + γ·ℓ∞, on exact fractions; only the sum is rounded.

A ONEHOT set is one feature with δ 0 or 1. Missing against a value is 1. A weight multiplies δ and the 1 that a change
counts in ℓ0; a cost multiplies δ by its direction.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pandas as pd

from geco.plaf.syntax import Program

from .exact import number_of, plain, rounded
from .rules import Values, as_program, orders_of, plain_column


@dataclass
class Distance:
    """What Eq. 2 needs to know of D and of the program."""

    frame: pd.DataFrame
    program: str | Program
    kinds: Mapping[str, Any] = field(default_factory=dict)
    alpha: float = 0.0
    beta: float = 1.0
    gamma: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    costs: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    scale: str = "range"

    def __post_init__(self) -> None:
        program = as_program(self.program)
        self.orders = orders_of(program)
        self.onehots = {g.onehot: g.features for g in program.groups if g.onehot is not None}
        inside = {f for g in self.onehots.values() for f in g}
        self.singles = [f for f in self.frame.columns if f not in inside]
        self.ranges = {f: self._range(f) for f in self.singles}
        self.n = len(self.singles) + len(self.onehots)

    def __call__(self, x: Values, x_cf: Values) -> float:
        """As a float, cut at FARTHEST."""
        added, largest = self.terms(x, x_cf, self.frame.columns)
        return rounded(added + largest)

    def terms(self, x: Values, x_cf: Values, features: Any) -> tuple[Fraction, Fraction]:
        """What features (and ONEHOT sets) among ``features`` add: their part of ℓ0 and ℓ1, and γ times their ℓ∞."""
        deltas = self._deltas(x, x_cf, set(features))
        weights = {f: Fraction(self.weights.get(f, 1)) for f in deltas}
        weighted = {f: d * weights[f] for f, d in deltas.items()}
        l0 = sum(weights[f] for f, d in weighted.items() if d > 0)
        added = Fraction(self.alpha) * l0 + Fraction(self.beta) * sum(weighted.values())
        return added / self.n, Fraction(self.gamma) * max(weighted.values(), default=Fraction(0))

    def _deltas(self, x: Values, x_cf: Values, wanted: set[str]) -> dict[str, Fraction]:
        result = {f: self._delta(f, plain(x[f]), plain(x_cf[f])) for f in self.singles if f in wanted}
        for name, onehot in self.onehots.items():
            if wanted.issuperset(onehot):
                result[name] = Fraction(any(plain(x[f]) != plain(x_cf[f]) for f in onehot))
        return result

    def _delta(self, feature: str, a: Any, b: Any) -> Fraction:
        if a == b:
            return Fraction(0)
        spread = self.ranges[feature]
        if a is None or b is None or spread is None:
            return Fraction(1)
        difference = self._number(feature, b) - self._number(feature, a)
        raising, lowering = self.costs.get(feature, (1, 1))
        size = abs(difference) / spread if spread else Fraction(1)
        return size * Fraction(raising if difference > 0 else lowering)

    def _range(self, feature: str) -> Fraction | None:
        """The spread of a quantity or of ordered text over D, None for a category."""
        values = [v for v in plain_column(self.frame, feature) if v is not None]
        ordered = feature in self.orders or isinstance(self.kinds.get(feature), list)
        if self.kinds.get(feature) == "categorical":
            return None
        if not ordered and (not values or isinstance(values[0], (str, bool))):
            return None
        numbers = [self._number(feature, v) for v in values]
        if not numbers:
            return Fraction(0)
        return self._spread(numbers) or max(numbers) - min(numbers)

    def _spread(self, numbers: list[Fraction]) -> Fraction:
        """As a float, which matters where that has few digits: half of 5e-324 is none."""
        if self.scale == "mad":
            middle = statistics.median(numbers)
            return Fraction(float(statistics.median(abs(v - middle) for v in numbers)))
        return Fraction(statistics.pstdev(numbers)) if self.scale == "std" else Fraction(0)

    def _number(self, feature: str, value: Any) -> Fraction:
        if isinstance(value, str):
            order = self.orders.get(feature) or self.kinds[feature]
            return Fraction(list(order).index(value))
        return number_of(value)
