"""Eq. 2 spelled out: δ per feature, then α·ℓ0/n + β·ℓ1/n + γ·ℓ∞, on plain Python values.

A ONEHOT set is one feature with δ 0 or 1. Missing against a value is 1. A weight multiplies δ and the 1 that a change
counts in ℓ0; a cost multiplies δ by its direction.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from geco.plaf.syntax import Program

from .rules import Values, as_program, orders_of, plain, plain_column


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
        return float(self.combine(*self.terms(x, x_cf, self.frame.columns)))

    def combine(self, l0: Any, l1: Any, linf: Any) -> Any:
        return self.alpha * l0 / self.n + self.beta * l1 / self.n + self.gamma * linf

    def terms(self, x: Values, x_cf: Values, features: Any) -> tuple[float, float, float]:
        """ℓ0, ℓ1 and ℓ∞ over the features (and ONEHOT sets) among ``features``."""
        deltas = self._deltas(x, x_cf, set(features))
        weighted = {f: d * self.weights.get(f, 1) for f, d in deltas.items()}
        counted = sum(self.weights.get(f, 1) for f, d in weighted.items() if d > 0)
        return counted, sum(weighted.values()), max(weighted.values(), default=0.0)

    def _deltas(self, x: Values, x_cf: Values, wanted: set[str]) -> dict[str, float]:
        result = {f: self._delta(f, plain(x[f]), plain(x_cf[f])) for f in self.singles if f in wanted}
        for name, onehot in self.onehots.items():
            if wanted.issuperset(onehot):
                result[name] = float(any(plain(x[f]) != plain(x_cf[f]) for f in onehot))
        return result

    def _delta(self, feature: str, a: Any, b: Any) -> float:
        if a == b:
            return 0.0
        if a is None or b is None or self.ranges[feature] is None:
            return 1.0
        difference = self._number(feature, b) - self._number(feature, a)
        raising, lowering = self.costs.get(feature, (1, 1))
        size = abs(difference) / self.ranges[feature] if self.ranges[feature] else 1
        return size * (raising if difference > 0 else lowering)

    def _range(self, feature: str) -> float | None:
        """The spread of a quantity or of ordered text over D, None for a category."""
        values = [v for v in plain_column(self.frame, feature) if v is not None]
        ordered = feature in self.orders or isinstance(self.kinds.get(feature), list)
        if self.kinds.get(feature) == "categorical":
            return None
        if not ordered and (not values or isinstance(values[0], (str, bool))):
            return None
        numbers = [self._number(feature, v) for v in values]
        if not numbers:
            return 0
        spread = {
            "range": 0,
            "mad": statistics.median(abs(v - statistics.median(numbers)) for v in numbers),
            "std": statistics.pstdev(numbers),
        }[self.scale]
        return spread or max(numbers) - min(numbers)

    def _number(self, feature: str, value: Any) -> float:
        if isinstance(value, str):
            order = self.orders.get(feature) or self.kinds[feature]
            return list(order).index(value)
        return value
