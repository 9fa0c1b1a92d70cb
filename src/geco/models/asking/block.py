"""Block: the columns of a table side by side, so that few ``take``s give many rows of all of them.

To take each column by itself, and to join what that gives, costs more than the few rows of a confirmation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from geco import _core
from geco.models.asking.layouts import ArrayLayout, Layout, PandasLayout
from geco.population.base import Rows

Heads = list[Any]  # what stands for slot 0, array by array: a value for each column, or some columns of one value


class Block:
    """Columns joined to one array per dtype, one after the other; those of dates stay with their layout."""

    def __init__(
        self, layout: PandasLayout | ArrayLayout, columns: Mapping[str, Any], groups: Mapping[str, int]
    ) -> None:
        position = {f: i for i, f in enumerate(columns)}
        kinds = _kinds(columns)
        self._layout = layout
        self._joined = [_Joined([columns[f] for f in alike], np.array([position[f] for f in alike])) for alike in kinds]
        order = [f for alike in kinds for f in alike]
        self._features, self._groups = order, np.array([groups[f] for f in order], np.int32)
        self._starts = np.concatenate([joined.starts for joined in self._joined])
        apart = dict(zip(order, (column for joined in self._joined for column in joined.columns()), strict=True))
        self.columns = {f: apart[f] for f in columns}  # the same memory

    @classmethod
    def of(cls, layout: Layout, columns: Mapping[str, Any], groups: Mapping[str, int]) -> Block | None:
        """None where the layout cannot put such pieces together."""
        if not columns or not isinstance(layout, PandasLayout | ArrayLayout):
            return None
        joins = isinstance(layout, ArrayLayout) or layout.joins(columns)
        return cls(layout, columns, groups) if joins else None

    def heads(self, new: Mapping[str, Any]) -> Heads:
        """Of columns of one value, in the dtypes of these."""
        features = iter(self._features)
        return [joined.heads([new.get(next(features)) for _ in joined.places]) for joined in self._joined]

    def table(self, rows: Sequence[Rows], like_x: Sequence[Rows], heads: Sequence[Heads | None]) -> Any:
        """Candidates of one x or of several, for each of which the rows that equal it take the place of slot 0.

        ``heads`` : for each x what slot 0 stands for where D has no such row; None where D has all of them.
        """
        at = _core.places(rows, like_x, self._groups, self._starts)
        ends = accumulate(map(len, rows))
        parts = ((slice(end - len(part), end), own) for end, part, own in zip(ends, rows, heads, strict=True))
        own = [(part, of_x) for part, of_x in parts if of_x is not None]
        slot0 = at == self._starts[:, None] if own else at
        taken, begin = [], 0
        for i, joined in enumerate(self._joined):
            columns = slice(begin, begin := begin + len(joined.places))
            taken += joined.taken(at[columns], slot0[columns], [(part, heads[i]) for part, heads in own])
        return self._layout.of_blocks(taken, self.columns)


class _Joined:
    """Columns of one dtype."""

    def __init__(self, columns: Sequence[Any], places: Any) -> None:
        """``places``: the numbers of these columns in the table."""
        self.places, self._alone = places, [np.array([place]) for place in places]
        ends = np.cumsum([0, *map(len, columns)])
        self.starts, self._ends = ends[:-1], ends
        self._plain = isinstance(columns[0], np.ndarray)
        self._values = np.concatenate(columns) if self._plain else _concatenated(columns)

    def columns(self) -> list[Any]:
        """Each of them, in the memory of all."""
        return [self._values[begin:end] for begin, end in pairwise(self._ends)]

    def heads(self, new: Sequence[Any]) -> Any:
        """``new`` has a column of one value, or None, for each of these."""
        if not self._plain:
            return {i: column[0] for i, column in enumerate(new) if column is not None}
        heads = self._values.take(self.starts)
        for i, column in enumerate(new):
            if column is not None:
                heads[i] = column[0]
        return heads[:, None]

    def taken(self, at: Any, slot0: Any, x: Sequence[tuple[slice, Any]]) -> list[tuple[Any, Any]]:
        """Blocks of a table, and where they stand in it; ``at`` has a row of numbers for each column."""
        if self._plain:
            values = self._values.take(at)
            for part, heads in x:
                np.copyto(values[:, part], heads, where=slot0[:, part])
            return [(values, self.places)]
        rows = at.shape[1]
        values = self._values.take(at.ravel())
        pieces = [values[i * rows : (i + 1) * rows] for i in range(len(self.places))]
        for part, heads in x:
            for i, value in heads.items():
                pieces[i][np.arange(rows)[part][slot0[i, part]]] = value
        return list(zip(pieces, self._alone, strict=True))


def _kinds(columns: Mapping[str, Any]) -> list[list[str]]:
    """The features that can be joined, by dtype. Categories stay apart: in another order they are of an equal dtype."""
    kinds: dict[Any, list[str]] = {}
    for f, column in columns.items():
        dtype = f if hasattr(column, "categories") else column.dtype
        kinds.setdefault((type(column), dtype), []).append(f)
    return list(kinds.values())


def _concatenated(columns: Sequence[Any]) -> Any:
    """In one piece: what pandas holds in chunks is slow to take from."""
    joined = type(columns[0])._concat_same_type(columns)
    return joined.take(np.arange(len(joined)))
