"""Block: the columns of a table side by side in one array, so that one ``take`` gives many rows of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from geco.models.asking.layouts import ArrayLayout, Layout, PandasLayout


class Block:
    """Columns of one NumPy dtype, one after the other.

    To take each column, and to join what that gives, costs more than the few rows of a confirmation.
    """

    def __init__(
        self, layout: PandasLayout | ArrayLayout, columns: Mapping[str, Any], groups: Mapping[str, int]
    ) -> None:
        self._layout, self._groups = layout, [groups[f] for f in columns]
        starts = np.cumsum([0, *map(len, columns.values())])[:-1]
        self._values, self._starts = np.concatenate(list(columns.values())), starts[:, None]
        self.columns = dict(zip(columns, np.split(self._values, starts[1:]), strict=True))  # the same memory

    @classmethod
    def of(cls, layout: Layout, columns: Mapping[str, Any], groups: Mapping[str, int]) -> Block | None:
        """None where the columns are not all of one dtype of NumPy's."""
        if not columns or not isinstance(layout, PandasLayout | ArrayLayout):
            return None
        alike = len({column.dtype for column in columns.values()}) == 1
        plain = all(isinstance(column, np.ndarray) for column in columns.values())
        return cls(layout, columns, groups) if alike and plain else None

    def table(self, rows: Any) -> Any:
        """The candidates with these row numbers, none of them 0."""
        taken = self._values.take(rows.T.take(self._groups, axis=0) + self._starts)
        return self._layout.of_block(taken, self.columns)
