"""δ per feature and the terms of dist (Eq. 2), as columns of the group tables.

Eq. 2 is a sum over features of α·[δ > 0]/n + β·δ/n, plus γ times the largest δ; so each row of a group's table has an
additive term and a largest term, and the distance of a candidate is look-up, add and max.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from geco.data.domain import Domain, GroupTable
from geco.errors import SettingsError, did_you_mean
from geco.params import Params

Floats = npt.NDArray[np.float64]


class Distance:
    """Eq. 2 for one Domain: what each difference is divided by and how much it counts."""

    def __init__(self, domain: Domain, params: Params) -> None:
        self.params = params
        _check_names(domain, params)
        self.n = sum(1 if table.onehot else len(table.features) for table in domain.tables)
        self.gaps = {f for t in domain.tables for f in t.features if np.isnan(t.numbers[f][1:]).any()}
        self.categorical = {f.name: f.kind == "categorical" for f in domain.schema}
        self.divisor = {f.name: self._divisor(domain, f.name) for f in domain.schema}

    def columns(self, table: GroupTable, numbers: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """The additive and the largest term per row; slot 0 of ``numbers`` is x."""
        p = self.params
        deltas = [self.delta(f, numbers[f]) for f in table.features]
        if table.onehot:  # read as one categorical feature
            weight = p.weights.get(table.onehot, 1.0)
            deltas = [np.where(np.logical_or.reduce([d > 0 for d in deltas]), weight, 0.0)]
        additive = p.beta * sum(deltas[1:], start=deltas[0])
        if p.alpha:
            names = (table.onehot,) if table.onehot else table.features
            changed = sum((d > 0) * p.weights.get(f, 1.0) for f, d in zip(names, deltas, strict=True))
            additive = p.alpha * changed + additive
        largest = p.gamma * np.maximum.reduce(deltas) if p.gamma else np.zeros(len(additive))
        return additive / self.n, largest

    def delta(self, feature: str, numbers: Floats) -> Floats:
        """Weighted δ between each row and x (slot 0): 1 between a value and missing, 0 between two missing."""
        x = numbers[0]
        difference = numbers - x
        if self.divisor[feature] == 0:  # a category, or an x that differs from a constant
            delta: Floats = (difference != 0).astype(np.float64)
        else:
            delta = np.abs(difference) / self.divisor[feature]
        if feature in self.params.costs:
            raising, lowering = self.params.costs[feature]
            delta *= np.where(difference > 0, raising, lowering)
        if feature in self.gaps or np.isnan(x):
            missing = np.isnan(numbers)
            delta[missing] = 0.0 if np.isnan(x) else 1.0
            if np.isnan(x):
                delta[~missing] = 1.0
        return delta * self.params.weights[feature] if feature in self.params.weights else delta

    def _divisor(self, domain: Domain, feature: str) -> float:
        """The spread the user asked for, or the range where most rows are alike; 0 for a category and a constant."""
        if self.categorical[feature]:
            return 0.0
        spread = domain.spread[feature]
        return float(getattr(spread, self.params.scale) or spread.range)


def _check_names(domain: Domain, params: Params) -> None:
    onehot_of = {f: table.onehot for table in domain.tables if table.onehot for f in table.features}
    known = [*(name for name in domain.schema.names if name not in onehot_of), *dict.fromkeys(onehot_of.values())]
    for option in ("weights", "costs", "steps"):
        for name in getattr(params, option):
            if name in onehot_of:
                raise SettingsError(f"{option}: {name!r} is a column of the ONEHOT set {onehot_of[name]!r}; name that")
            if name not in known:
                raise SettingsError(f"{option}: D has no feature {name!r}{did_you_mean(name, known)}")
    for name in (*params.costs, *params.steps):
        if name not in domain.schema or domain.schema[name].kind == "categorical" or not domain.schema[name].ordered:
            raise SettingsError(f"{name!r} is categorical: it has no up, down or step; use weights")
