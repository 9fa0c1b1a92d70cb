"""How far the values of one feature lie apart in D, counted with multiplicity: what distances are divided by."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

import numpy as np

from geco.data.columns import Array

CLOSE = 2.0**-20  # of the largest: numbers that are no farther apart than that


@dataclass(frozen=True)
class Spread:
    """Over the values of D that are not missing; all 0 if there are none.

    Attributes
    ----------
    range : maximum - minimum; 1 for a categorical feature.
    mad : median of the distances to the median; 1 for a categorical feature.
    std : standard deviation of the population; 1 for a categorical feature.
    minimum, maximum : of the numbers; 0 for text without an order.
    unit : what range, mad and std are multiples of: 1, but where a range may be above the largest float.
    """

    range: float
    mad: float
    std: float
    minimum: float
    maximum: float
    unit: float = 1.0


def spread_of(numbers: Array, counts: Array) -> Spread:
    """The spread of numbers that occur ``counts`` times each; NaN is missing.

    Examples
    --------
    >>> spread_of(np.array([1.0, 2.0, 9.0]), np.array([1, 2, 1]))
    Spread(range=8.0, mad=0.5, std=3.2015621187164243, minimum=1.0, maximum=9.0, unit=1.0)
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
    scale = 1.0 if 1e-150 <= largest <= 1e150 else math.ldexp(1.0, math.frexp(largest)[1] - 1)  # rounds nothing
    close = maximum / scale - minimum / scale < CLOSE * (largest / scale)
    scaled = numbers / scale - (minimum / scale if close else 0.0)  # the mean of close ones would be rounded
    unit = 1.0 if largest <= sys.float_info.max / 4 else 4.0
    mad = weighted_median(np.abs(numbers / unit - weighted_median(numbers / unit, counts)), counts)  # has no squares
    std = float(np.sqrt(np.average((scaled - np.average(scaled, weights=counts)) ** 2, weights=counts)))
    return Spread(maximum / unit - minimum / unit, mad, std * (scale / unit), minimum, maximum, unit)


def exact_spread(ticks: Array, counts: Array, per_unit: int, minimum: float, maximum: float) -> Spread:
    """The spread of integers, ``per_unit`` of them to 1, which floats would round.

    They are taken from the smallest on, so that what is rounded are differences.
    """
    if not len(ticks):
        return Spread(0.0, 0.0, 0.0, 0.0, 0.0)
    apart = ticks.astype(np.uint64) - ticks.min().astype(np.uint64)  # modulo 2**64, and never more than that
    near = spread_of(apart.astype(np.float64), counts)
    mad = near.mad
    if near.range > 2.0**53 and mad < near.range * 2.0**-20:  # most lie close together, and some very far away
        mad = _exact_mad(apart.astype(object), counts)
    return Spread(near.range / per_unit, mad / per_unit, near.std / per_unit, minimum, maximum)


def _exact_mad(apart: Array, counts: Array) -> float:
    middle = _middle(apart, counts)
    return float(_middle(np.array([abs(2 * v - middle) for v in apart], object), counts) / 4)


def _middle(numbers: Array, counts: Array) -> int:
    """Twice the median of Python's integers."""
    low, high, order = _halfway(numbers, counts)
    return int(numbers[order[low]] + numbers[order[high]])


def weighted_median(numbers: Array, counts: Array) -> float:
    """The median of the sequence in which each number is repeated ``counts`` times."""
    low, high, order = _halfway(numbers, counts)
    return float((numbers[order[low]] + numbers[order[high]]) / 2)


def _halfway(numbers: Array, counts: Array) -> tuple[int, int, Array]:
    """The positions of the one or two in the middle of an order, and that order."""
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(counts[order])
    total = int(ends[-1])
    low, high = np.searchsorted(ends, [(total - 1) // 2, total // 2], side="right")
    return int(low), int(high), order
