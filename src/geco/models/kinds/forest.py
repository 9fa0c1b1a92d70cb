"""Forest: a sum of trees over encoded columns, with the semantics of the library they come from (Sec. 5.2).

In: encoded columns. Out: the answer of the user's method. ``predict`` is the reference in NumPy: all rows step
down one level at a time, tree by tree in order, so that sums round as the library's do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from geco.models.kinds.link import Link

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int64]

ZERO = float(np.float32(1e-35))  # LightGBM's kZeroThreshold: at most this far from 0 is 0


@dataclass(frozen=True, eq=False)
class Tree:
    """One tree with its own node numbers, the root first; the fields are those of Forest."""

    column: Ints
    threshold: Floats
    left: Ints
    right: Ints
    value: Floats  # [nodes, C]
    missing_left: Bools
    zero_missing: Bools | None = None
    categories: Ints | None = None  # into sets
    sets: tuple[Codes, ...] = ()
    output: int = -1  # the output it adds to; -1: one column of value per output


@dataclass(frozen=True, eq=False)
class Forest:
    """A sum of trees over encoded columns.

    A value goes left if it is ``<=`` the threshold (``<`` where ``strict``), or if it is a code of the node's set of
    categories; all other codes, unknown and negative ones too, go right. NaN goes where ``missing_left`` says.

    Attributes
    ----------
    roots : the node each tree begins with, [T].
    column : the encoded column a node tests; -1 at a leaf, [N].
    threshold : of a numeric test; 0 elsewhere, [N].
    left, right : node numbers within the forest; -1 at a leaf, [N].
    missing_left : NaN goes left, [N].
    zero_missing : a value at most ``ZERO`` away from 0 counts as missing at this node, [N].
    categories : -1 for a numeric test, else the number of a set, [N].
    sets : sorted codes.
    value : what a leaf adds, [N, C]; 0 at inner nodes.
    output : C = 1: the output a tree adds to, [T]; -1: one column per output.
    outputs : K, the number of sums.
    base : where the sums begin, [K].
    strict : ``<`` instead of ``<=``.
    single : values are cast to float32 before they are compared.
    single_sum : sums run in float32, tree by tree in order.
    divisor : the sum is divided by it: the number of trees of a random forest, else 1.
    link : from sums to the answer.
    """

    roots: Ints
    column: Ints
    threshold: Floats
    left: Ints
    right: Ints
    missing_left: Bools
    zero_missing: Bools
    categories: Ints
    sets: tuple[Codes, ...]
    value: Floats
    output: Ints
    outputs: int
    base: Floats
    strict: bool
    single: bool
    single_sum: bool
    divisor: float
    link: Link

    @classmethod
    def from_trees(
        cls,
        trees: Sequence[Tree],
        base: Floats,
        link: Link,
        *,
        strict: bool = False,
        single: bool = False,
        single_sum: bool = False,
        divisor: float = 1.0,
    ) -> Forest:
        """Trees laid end to end, in the order in which they are summed."""
        sizes = np.array([len(t.column) for t in trees])
        roots = np.cumsum(sizes) - sizes
        first_sets = np.cumsum([0, *(len(t.sets) for t in trees[:-1])])
        column = np.concatenate([t.column for t in trees]).astype(np.int32)
        categories = np.concatenate([_numbered(t, first) for t, first in zip(trees, first_sets, strict=True)])
        inner, shift = column >= 0, np.repeat(roots, sizes)
        value = np.concatenate([t.value for t in trees]).astype(np.float64)
        return cls(
            roots=roots.astype(np.int32),
            column=column,
            threshold=np.where(inner & (categories < 0), np.concatenate([t.threshold for t in trees]), 0.0),
            left=np.where(inner, np.concatenate([t.left for t in trees]) + shift, -1).astype(np.int32),
            right=np.where(inner, np.concatenate([t.right for t in trees]) + shift, -1).astype(np.int32),
            missing_left=inner & np.concatenate([t.missing_left for t in trees]),
            zero_missing=inner & np.concatenate([_or_none_of(t.zero_missing, len(t.column)) for t in trees]),
            categories=categories,
            sets=tuple(codes for t in trees for codes in t.sets),
            value=np.where(inner[:, None], 0.0, value),
            output=np.array([t.output for t in trees], np.int32),
            outputs=len(base),
            base=np.asarray(base, np.float64),
            strict=strict,
            single=single,
            single_sum=single_sum,
            divisor=float(divisor),
            link=link,
        )

    def sums(self, X: Floats) -> Floats:
        """[n, K] before the link, already divided."""
        with np.errstate(over="ignore"):  # what float32 cannot hold is infinite, as it is in the libraries
            compared = X.astype(np.float32).astype(np.float64) if self.single else np.asarray(X, np.float64)
        kind = np.float32 if self.single_sum else np.float64
        total = np.tile(self.base.astype(kind), (len(compared), 1))
        value = self.value.astype(kind)
        for tree, output in enumerate(self.output):
            leaf = self.leaves(compared, tree)
            if output < 0:
                total += value[leaf]
            else:
                total[:, output] += value[leaf, 0]
        return np.asarray(total / kind(self.divisor), np.float64)

    def linked(self, sums: Floats) -> Floats:
        """The raw answer for these sums."""
        return self.link(sums)

    def predict(self, X: Floats) -> Floats:
        """The user's method on encoded rows."""
        return self.linked(self.sums(X))

    def summed(self, columns: Sequence[int]) -> Forest:
        """The forest of one output: the sum of these columns, of trees that have a column per output."""
        one = Link("identity")
        value, base = self.value[:, columns].sum(axis=1)[:, None], self.base[list(columns)].sum(keepdims=True)
        return replace(self, value=value, output=np.full_like(self.output, -1), outputs=1, base=base, link=one)

    def leaves(self, compared: Floats, tree: int) -> Ints:
        """The leaf of one tree that each row ends in; the values are taken as they are, already cast."""
        node = np.full(len(compared), self.roots[tree], np.int32)
        moving = np.arange(len(compared))
        while len(moving := moving[self.column[node[moving]] >= 0]):
            here = node[moving]
            goes_left = self.goes_left(here, compared[moving, self.column[here]])
            node[moving] = np.where(goes_left, self.left[here], self.right[here])
        return node

    def goes_left(self, node: Ints, value: Floats) -> Bools:
        """Per value, already cast, which way it goes at its node."""
        threshold = self.threshold[node]
        goes_left = value < threshold if self.strict else value <= threshold
        categories = self.categories[node]
        for number in np.unique(categories[categories >= 0]):
            at = categories == number
            goes_left[at] = np.isin(np.trunc(value[at]), self.sets[number])
        missing = np.isnan(value) | (self.zero_missing[node] & (np.abs(value) <= ZERO))
        return np.where(missing, self.missing_left[node], goes_left)


def _or_none_of(marks: Bools | None, nodes: int) -> Bools:
    return np.zeros(nodes, np.bool_) if marks is None else marks


def _numbered(tree: Tree, first_set: int) -> Ints:
    """The tree's sets, numbered within the forest."""
    if tree.categories is None:
        return np.full(len(tree.column), -1, np.int32)
    by_category = (tree.categories >= 0) & (tree.column >= 0)
    return np.where(by_category, tree.categories + first_set, -1).astype(np.int32)
