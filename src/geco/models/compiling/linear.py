"""A linear model as a forest, for proofs alone: one tree per encoded column, one leaf per value that D has.

In: a compiled linear model or the first layer of a network. Out: bounds over boxes of rows. A sum over columns is a sum
over such trees, so what bounds forests (native/core/factors.hpp) bounds it, too. A value of x that D does not have
stands in the leaf of its neighbour; what that adds or takes away makes the conditions weaker, and candidates are judged
by the model itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from geco import _core
from geco.models.compiling.compiled import Compiled
from geco.models.compiling.conditions import Conditions, Floats, conditions_of
from geco.models.compiling.encode import Encoding
from geco.models.kinds.forest import Forest, Tree
from geco.models.kinds.linear import Linear
from geco.models.kinds.link import Link

MOST_VALUES = 500_000  # of all columns together
FEW_VALUES = 2_000  # the same, for proofs that are made by default


@dataclass(frozen=True, eq=False)
class Columns:
    """Weighted sums of encoded columns as a forest: per column a tree, per value of D a leaf."""

    forest: _core.Forest
    columns: tuple[int, ...]
    values: tuple[Floats, ...]
    coefficient: Floats

    @property
    def few(self) -> bool:
        """A proof over all values takes long where there are many."""
        return sum(map(len, self.values)) <= FEW_VALUES

    def anchor(self, x: Floats) -> tuple[Any, Floats]:
        """The encoded row of one x among the leaves, and per column what its sums are off by."""
        nearest = x.copy()
        for column, values in zip(self.columns, self.values, strict=True):
            at = int(np.searchsorted(values, x[column]).clip(1, max(1, len(values) - 1)))
            near = values[max(0, at - 1) : at + 1]
            nearest[column] = near[np.argmin(np.abs(near - x[column]))]
        return self.forest.anchor(nearest), (x - nearest)[:, None] * self.coefficient


@dataclass(frozen=True, eq=False)
class LinearBounds:
    """Once per model: its sums, and what is good."""

    sums: Columns
    conditions: Conditions

    single, sets = False, True

    @property
    def quick(self) -> bool:
        return self.sums.few

    def of(self, x: Floats) -> _core.Bounds:
        """For the encoded row of one x."""
        anchor, off = self.sums.anchor(x)
        good = self.conditions
        apart = bool(off.any())
        if apart:
            # A candidate may keep some of x's values and change others: what helps, column by column.
            weaker = np.maximum(0.0, good.weights @ off.T).sum(axis=-1)
            good = replace(good, needs=good.needs - weaker, sure=np.full_like(good.sure, np.inf))
        return _core.Bounds(self.sums.forest, anchor, good.weights, good.needs, good.sure, x_apart=apart)


def linear_bounds(compiled: Compiled) -> LinearBounds | None:
    """None where a value is missing or there are too many of them."""
    assert isinstance(compiled.kind, Linear)
    sums = columns_of(compiled.encoding, compiled.kind.coefficient, compiled.kind.intercept)
    return None if sums is None else LinearBounds(sums, conditions_of(compiled))


def columns_of(encoding: Encoding, coefficient: Floats, intercept: Floats) -> Columns | None:
    """Sums [outputs] of these encoded columns; None where a value is missing or there are too many of them."""
    columns, values = [], []
    for owned, encoded in zip(encoding.columns, encoding.encoded, strict=True):
        for position, column in enumerate(owned.tolist()):
            columns.append(column)
            values.append(np.unique(encoded[1:, position]))
    if not columns or sum(map(len, values)) > MOST_VALUES or not _finite(values, coefficient, intercept):
        return None
    base = intercept + _of_constants(encoding.constant, columns, coefficient)
    trees = [_tree(column, of, coefficient[column]) for column, of in zip(columns, values, strict=True)]
    forest = Forest.from_trees(trees, base, Link("identity"))
    tables: list[Any] = list(zip(encoding.columns, encoding.encoded, strict=True))
    core = _core.Forest.build(forest, tables, encoding.constant)
    return Columns(core, tuple(columns), tuple(values), coefficient)


def _finite(values: list[Floats], coefficient: Floats, intercept: Floats) -> bool:
    """No number is missing or infinite, and neither is their sum."""
    with np.errstate(all="ignore"):
        largest = max((np.abs(each).max() for each in values if len(each)), default=0.0) * np.abs(coefficient).max()
    return bool(np.isfinite(largest) and np.isfinite(intercept).all())


def _of_constants(constant: Floats, columns: list[int], coefficient: Floats) -> Floats:
    """What the columns give that no group owns."""
    left = np.setdiff1d(np.arange(len(constant)), columns)
    return np.asarray(constant[left] @ coefficient[left])


def _tree(column: int, values: Floats, weights: Floats) -> Tree:
    """A balanced tree with one leaf per value, each node before its children."""
    n = len(values)
    tested = np.full(2 * n - 1, -1, np.int32)
    threshold, value = np.zeros(2 * n - 1), np.zeros((2 * n - 1, len(weights)))
    left, right = np.full(2 * n - 1, -1, np.int32), np.full(2 * n - 1, -1, np.int32)
    waiting = [(0, n, 0)]  # values from, to; the node, whose subtree takes the next 2 · (to - from) - 1 numbers
    while waiting:
        low, high, node = waiting.pop()
        if high - low == 1:
            value[node] = values[low] * weights
            continue
        middle = (low + high) // 2
        tested[node], threshold[node] = column, values[middle - 1]
        left[node], right[node] = node + 1, node + 2 * (middle - low)
        waiting += [(low, middle, left[node]), (middle, high, right[node])]
    return Tree(tested, threshold, left, right, value, np.zeros(2 * n - 1, bool))
