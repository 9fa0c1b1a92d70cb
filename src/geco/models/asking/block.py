"""Block: the columns of a table side by side, so that few ``take``s give many rows of all of them.

To take each column by itself, and to join what that gives, costs more than the few rows of a confirmation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from geco import _core
from geco.models.asking.layouts import ArrayLayout, Layout, PandasLayout
from geco.population.base import Rows


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
        self._groups = np.array([groups[f] for f in order], np.int32)
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

    def table(self, rows: Sequence[Rows], like_x: Sequence[Rows]) -> Any:
        """Candidates of one x or of several, for each of which the rows that equal it take the place of slot 0."""
        at = _core.places(rows, like_x, self._groups, self._starts)
        taken, begin = [], 0
        for joined in self._joined:
            taken += joined.taken(at[begin : begin + len(joined.places)])
            begin += len(joined.places)
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

    def taken(self, at: Any) -> list[tuple[Any, Any]]:
        """Blocks of a table, and where they stand in it; ``at`` has a row of numbers for each column."""
        if self._plain:
            return [(self._values.take(at), self.places)]
        rows = at.shape[1]
        values = self._values.take(at.ravel())
        return [(values[i * rows : (i + 1) * rows], place) for i, place in enumerate(self._alone)]


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
