"""How far the values of one feature lie apart in D, counted with multiplicity: what distances are divided by."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from geco.data.columns import Array


@dataclass(frozen=True)
class Spread:
    """Over the values of D that are not missing; all 0 if there are none.

    Attributes
    ----------
    range : maximum - minimum; 1 for a categorical feature.
    mad : median of the distances to the median; 1 for a categorical feature.
    std : standard deviation of the population; 1 for a categorical feature.
    minimum, maximum : of the numbers; 0 for text without an order.
    """

    range: float
    mad: float
    std: float
    minimum: float
    maximum: float


def spread_of(numbers: Array, counts: Array) -> Spread:
    """The spread of numbers that occur ``counts`` times each; NaN is missing.

    Examples
    --------
    >>> spread_of(np.array([1.0, 2.0, 9.0]), np.array([1, 2, 1]))
    Spread(range=8.0, mad=0.5, std=3.2015621187164243, minimum=1.0, maximum=9.0)
    """
    known = ~np.isnan(numbers)
    numbers, counts = numbers[known], counts[known]
    if not len(numbers):
        return Spread(0.0, 0.0, 0.0, 0.0, 0.0)
    minimum, maximum = float(numbers.min()), float(numbers.max())
    if minimum == maximum:
        return Spread(0.0, 0.0, 0.0, minimum, maximum)
    # Squares of numbers above 1e150 would overflow, those of numbers below 1e-150 would be 0.
    largest = max(abs(minimum), abs(maximum))
    unit = 1.0 if 1e-150 <= largest <= 1e150 else largest
    scaled = numbers / unit
    mad = weighted_median(np.abs(scaled - weighted_median(scaled, counts)), counts)
    std = float(np.sqrt(np.average((scaled - np.average(scaled, weights=counts)) ** 2, weights=counts)))
    return Spread(_finite(maximum - minimum), _finite(mad * unit), _finite(std * unit), minimum, maximum)


def _finite(number: float) -> float:
    return min(number, sys.float_info.max)


def weighted_median(numbers: Array, counts: Array) -> float:
    """The median of the sequence in which each number is repeated ``counts`` times."""
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(counts[order])
    total = int(ends[-1])
    low, high = np.searchsorted(ends, [(total - 1) // 2, total // 2], side="right")
    return float((numbers[order[low]] + numbers[order[high]]) / 2)
