"""What δ per feature and dist (Eq. 2) are made of: divisors, weights, costs, steps.

Eq. 2 is a sum over features of α·[δ > 0]/n + β·δ/n, plus γ times the largest δ; so each row of a group's table has an
additive term and a largest term, and the distance of a candidate is look-up, add and max. The core fills these columns
for each x (native/core/deployment.cpp).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from geco.data.columns import NANOSECONDS_PER_DAY
from geco.data.domain import Domain
from geco.data.grouptable import GroupTable
from geco.data.values import exact_number
from geco.errors import SettingsError, did_you_mean
from geco.params import Params


class Distance:
    """Eq. 2 for one Domain: what each difference is divided by and how much it counts."""

    def __init__(self, domain: Domain, params: Params) -> None:
        self.params = params
        _check_names(domain, params)
        self.n = sum(1 if table.onehot else len(table.features) for table in domain.tables)
        self.types = {f.name: f.type for f in domain.schema}
        self.categorical = {f.name: f.kind == "categorical" for f in domain.schema}
        self.divisor = {f.name: self._divisor(domain, f.name) for f in domain.schema}
        self.unit = {f: domain.spread[f].unit if divisor else 1.0 for f, divisor in self.divisor.items()}

    @property
    def norm(self) -> tuple[float, float, float, float, float]:
        """What Eq. 2 is made of and the least support, as the native core takes it."""
        p = self.params
        return float(p.alpha), float(p.beta), float(p.gamma), float(self.n), float(p.min_support)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know of it."""
        return () if self.params.note is None else (self.params.note,)

    def settings(self, feature: str, exact: bool = False) -> tuple[float, float, float, float, float, bool]:
        """Divisor, weight, costs of raising and lowering, smallest step offered; is it categorical?

        Of datetimes, divisor and step are in days, and where they are compared exactly in nanoseconds.
        """
        p, ticks = self.params, NANOSECONDS_PER_DAY if exact and self.types[feature] == "datetime" else 1
        raising, lowering = p.costs.get(feature, (1.0, 1.0))
        step = p.steps.get(feature, 0.0) * (1 - 1e-9)  # from 0.3 to 0.2 is a step of 0.1
        weight, unit = float(p.weights.get(feature, 1.0)), self.unit[feature]
        # A range above the largest float is given in a unit of its own, and what it divides is a multiple of that.
        divisor, categorical = self.divisor[feature] * ticks, self.categorical[feature]
        return divisor, weight, raising / unit, lowering / unit, step * ticks, categorical

    def between(self, domain: Domain, x: Mapping[str, Any], x_cf: Mapping[str, Any]) -> float:
        """dist(x, x_cf) of any values, also of such that D does not have; what the core does for rows of its tables."""
        p = self.params
        deltas = [delta for table in domain.tables for delta in self._deltas(domain, table, x, x_cf)]
        changed = sum(weight for weight, delta in deltas if delta > 0)
        largest = max((delta for _, delta in deltas), default=0.0)
        return float((p.alpha * changed + p.beta * sum(d for _, d in deltas)) / self.n + p.gamma * largest)

    def _deltas(
        self, domain: Domain, table: GroupTable, x: Mapping[str, Any], x_cf: Mapping[str, Any]
    ) -> list[tuple[float, float]]:
        """Weight and weighted δ of each feature; a ONEHOT set is one."""
        deltas = []
        for name in table.features:
            before, after = domain.number(name, x[name]), domain.number(name, x_cf[name])
            divisor, weight, raising, lowering, *_ = self.settings(name)
            if math.isnan(before) or math.isnan(after):
                delta = 0.0 if math.isnan(before) == math.isnan(after) else weight
            else:
                if name in domain.exact:  # numbers would round them
                    before, after = 0.0, float(exact_number(x_cf[name]) - exact_number(x[name]))
                apart = abs(after - before) / divisor if divisor else float(after != before)
                delta = apart * (raising if after > before else lowering) * weight
            deltas.append((weight, delta))
        if table.onehot is None:
            return deltas
        weight = float(self.params.weights.get(table.onehot, 1.0))
        return [(weight, weight if any(delta > 0 for _, delta in deltas) else 0.0)]

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
