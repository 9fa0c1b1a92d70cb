"""The table of one group, and how a table with too many rows is cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from geco.data.columns import Array

MAX_ROWS = 200_000
_SAMPLE_SEED = 0


@dataclass(frozen=True, eq=False)
class GroupTable:
    """The rows of one group; every array has length rows + 1, and slot 0 is reserved for x.

    Attributes
    ----------
    features : the group's features.
    onehot : the name it is read and printed under if it is a ONEHOT set.
    values : feature ▶ raw Python values, None where missing and in slot 0.
    numbers : feature ▶ the numbers of the values (see schema.py), NaN where missing and in slot 0.
    exact : feature ▶ int64, uint64 or datetime64, for those features whose numbers may be rounded: datetimes, and
        integers beyond 2**53. Rows are in the order of these. What stands where a value is missing means nothing.
    counts : how often each row occurs in D; 0 in slot 0.
    sampled_from : how many distinct rows there were, if the table was cut to `MAX_ROWS`.
    """

    features: tuple[str, ...]
    onehot: str | None
    values: Mapping[str, Array]
    numbers: Mapping[str, Array]
    counts: Array
    sampled_from: int | None
    exact: Mapping[str, Array] = field(default_factory=dict)
    _distinct: dict[str, tuple[Array, Array]] = field(default_factory=dict, init=False, repr=False)
    _ends: dict[str, tuple[float, float]] = field(default_factory=dict, init=False, repr=False)

    @property
    def rows(self) -> int:
        return len(self.counts) - 1

    def codes(self, feature: str) -> Array:
        """Numbers that are equal where the values are: of values that numbers round, their rank among all."""
        if feature not in self.exact:
            return self.numbers[feature]
        codes = np.unique(self.exact[feature], return_inverse=True)[1].astype(np.float64)
        codes[np.isnan(self.numbers[feature])] = np.nan
        return np.asarray(codes)

    def distinct(self, feature: str) -> tuple[Array, Array]:
        """Every number of this feature in order, and the first row that has it; found once, at the first call."""
        if feature not in self._distinct:
            numbers, rows = np.unique(self.numbers[feature][1:], return_index=True)
            known = ~np.isnan(numbers)
            self._distinct[feature] = numbers[known], 1 + rows[known]
        return self._distinct[feature]

    def ends(self, feature: str) -> tuple[float, float]:
        """The lowest and the highest number of this feature; NaN if it has none."""
        if feature not in self._ends:
            numbers = self.numbers[feature][~np.isnan(self.numbers[feature])]
            self._ends[feature] = (float(numbers.min()), float(numbers.max())) if len(numbers) else (np.nan, np.nan)
        return self._ends[feature]

    @cached_property
    def name(self) -> str:
        return self.onehot or ", ".join(self.features)


def sample_rows(numbers: Sequence[Array], counts: Array, rows: int) -> Array:
    """Positions of so many rows, in order; the smallest keys E/count with E exponential (Efraimidis and Spirakis)."""
    keys = np.random.default_rng(_SAMPLE_SEED).exponential(size=len(counts)) / counts
    for column in numbers:
        if not np.isnan(column).all():
            keys[[np.nanargmin(column), np.nanargmax(column)]] = -1.0
    return np.sort(np.argpartition(keys, rows)[:rows])
