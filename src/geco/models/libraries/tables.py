"""Tables as numbers: what a user's frame, array or sparse matrix is to a model that reads float64 columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

FloatMatrix = npt.NDArray[np.float64]

SLICE = 20_000  # rows of a sparse table that are made dense at a time


def dense(table: Any, absent: float = 0.0) -> FloatMatrix:
    """An array or sparse matrix as float64; ``absent`` is what a sparse matrix does not store."""
    if not hasattr(table, "tocsr"):
        return np.ascontiguousarray(table, np.float64)
    rows = table.tocsr()
    filled = np.full(rows.shape, absent, np.float64)
    for start in range(0, rows.shape[0], SLICE):
        part = rows[start : start + SLICE].tocoo()
        part.sum_duplicates()
        filled[start + part.row, part.col] = part.data
    return filled


def frame(table: Any) -> Any:
    """The table as a pandas frame; None if it is an array or a sparse matrix."""
    if hasattr(table, "to_pandas"):  # polars, pyarrow
        table = table.to_pandas()
    return table if hasattr(table, "iloc") else None


def is_category(column: Any) -> bool:
    """A pandas column of the category dtype."""
    return getattr(column.dtype, "name", "") == "category"


def codes(column: Any, categories: Sequence[Any] | None) -> FloatMatrix:
    """The position of each value among these categories (None: its own); NaN where it has none."""
    if categories is not None and list(column.cat.categories) != list(categories):
        column = column.cat.set_categories(categories)
    positions = column.cat.codes.to_numpy().astype(np.float64)
    return np.where(positions < 0, np.nan, positions)


def numbers(column: Any) -> FloatMatrix:
    """A pandas column that is not of categories as float64, missing as NaN."""
    if isinstance(column.dtype, np.dtype):
        return np.asarray(column.to_numpy(), np.float64)
    return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
