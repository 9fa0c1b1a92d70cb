"""Eq. 2 spelled out: δ per feature, then α·ℓ0/n + β·ℓ1/n + γ·ℓ∞, on plain Python values.

A ONEHOT set is one feature with δ 0 or 1. Missing against a value is 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from geco.plaf.syntax import Program
from oracles.rules import Values, as_program, orders_of, plain, plain_column


@dataclass
class Distance:
    """What Eq. 2 needs to know of D and of the program."""

    frame: pd.DataFrame
    program: str | Program
    kinds: Mapping[str, Any] = field(default_factory=dict)
    alpha: float = 0.0
    beta: float = 1.0
    gamma: float = 0.0

    def __post_init__(self) -> None:
        program = as_program(self.program)
        self.orders = orders_of(program)
        self.onehots = [g.features for g in program.groups if g.onehot is not None]
        inside = {f for g in self.onehots for f in g}
        self.singles = [f for f in self.frame.columns if f not in inside]
        self.ranges = {f: self._range(f) for f in self.singles}
        self.n = len(self.singles) + len(self.onehots)

    def __call__(self, x: Values, x_cf: Values) -> float:
        deltas = self.deltas(x, x_cf, self.frame.columns)
        return self.combine(sum(d > 0 for d in deltas), sum(deltas), max(deltas, default=0.0))

    def combine(self, l0: Any, l1: Any, linf: Any) -> Any:
        return self.alpha * l0 / self.n + self.beta * l1 / self.n + self.gamma * linf

    def deltas(self, x: Values, x_cf: Values, features: Any) -> list[float]:
        """δ of every feature (or ONEHOT set) among ``features``."""
        wanted = set(features)
        result = [self._delta(f, plain(x[f]), plain(x_cf[f])) for f in self.singles if f in wanted]
        for onehot in self.onehots:
            if wanted.issuperset(onehot):
                result.append(float(any(plain(x[f]) != plain(x_cf[f]) for f in onehot)))
        return result

    def _delta(self, feature: str, a: Any, b: Any) -> float:
        if a == b:
            return 0.0
        if a is None or b is None or self.ranges[feature] in (None, 0):
            return 1.0
        return abs(self._number(feature, a) - self._number(feature, b)) / self.ranges[feature]

    def _range(self, feature: str) -> float | None:
        """The range of a quantity or of ordered text over D, None for a category."""
        values = [v for v in plain_column(self.frame, feature) if v is not None]
        ordered = feature in self.orders or isinstance(self.kinds.get(feature), list)
        if self.kinds.get(feature) == "categorical":
            return None
        if not ordered and (not values or isinstance(values[0], (str, bool))):
            return None
        numbers = [self._number(feature, v) for v in values]
        return max(numbers) - min(numbers) if numbers else 0

    def _number(self, feature: str, value: Any) -> float:
        if isinstance(value, str):
            order = self.orders.get(feature) or self.kinds[feature]
            return list(order).index(value)
        return value
