"""Sheet: the whole table as arrays, each column made once; what all discoveries look at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.data.columns import Column
from geco.data.database import Database
from geco.data.schema import Feature

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]


class Sheet:
    """All rows of D, column by column."""

    def __init__(self, database: Database, label: Column | None = None) -> None:
        self.schema = database.schema
        self.names = list(database.schema.names)
        self.rows = database.rows
        self.label = label
        self._columns = {name: database.column(name) for name in self.names}
        self._codes: dict[str, Codes] = {}

    def column(self, name: str) -> Column:
        return self._columns[name]

    def feature(self, name: str) -> Feature:
        return self.schema[name]

    @cached_property
    def numeric(self) -> list[str]:
        """Columns of quantities or dates; flags of 0 and 1 are not among them."""
        kinds = ("integer", "number", "date", "datetime")
        return [name for name in self.names if self.schema[name].type in kinds and name not in self.flags]

    @cached_property
    def flags(self) -> list[str]:
        """Columns of 0 and 1 or of truth values, both of which occur."""
        return [name for name in self.names if self._is_flag(name)]

    @cached_property
    def _numbers(self) -> dict[str, Floats]:
        return {name: self._columns[name].numbers() for name in self.names if self.schema[name].type != "text"}

    def numbers(self, name: str) -> Floats:
        """The values as numbers, NaN where missing."""
        return self._numbers[name]

    def codes(self, name: str) -> Codes:
        """A number from 0 for each distinct value; missing is a value of its own."""
        if name not in self._codes:
            column = self._columns[name]
            values = column.data if column.dictionary is not None else self._numbers[name]
            found = np.unique(
                np.where(column.missing, -1, values) if column.dictionary is not None else values, return_inverse=True
            )
            self._codes[name] = found[1].reshape(-1).astype(np.int64)
        return self._codes[name]

    def distinct(self, name: str) -> int:
        return int(self.codes(name).max()) + 1

    def texts(self, name: str) -> list[str]:
        """The distinct values of a text column."""
        return self._columns[name].texts()

    def missing(self, name: str) -> npt.NDArray[np.bool_]:
        return np.asarray(self._columns[name].missing)

    def matrix(self, names: Sequence[str]) -> Floats:
        """A row for each of these columns."""
        return np.stack([self.numbers(name) for name in names]) if names else np.empty((0, self.rows))

    def _is_flag(self, name: str) -> bool:
        if self.schema[name].type == "boolean":
            return True
        if self.schema[name].type not in ("integer", "number"):
            return False
        numbers: Any = self.numbers(name)
        return bool((np.isnan(numbers) | (numbers == 0) | (numbers == 1)).all()) and np.nanmax(numbers) > np.nanmin(
            numbers
        )
