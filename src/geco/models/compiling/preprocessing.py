"""The user's preprocessing as geco calls it: tables or row numbers in, the numbers the final estimator sees out.

What it returns is checked for shape and type only; whether it acts group by group is for separable.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.data.domain import Domain
from geco.data.grouptable import GroupTable
from geco.errors import ModelError
from geco.models.asking.inputs import InputForm
from geco.population.base import Floats, Rows

CHUNK_ROWS = 20_000  # of one call
CHUNK_CELLS = 4_000_000  # numbers it may return at once: 32 MB


class Preprocessing:
    """The user's preprocessing; what it returns is checked for shape and type."""

    def __init__(self, columns: Callable[[Any], Any], inputs: InputForm, domain: Domain, names: Sequence[str]) -> None:
        self._columns, self._inputs, self._names = columns, inputs, names
        self.groups = tuple(table.name for table in domain.tables)
        self.read = tuple(sorted({domain.group_of[f] for f in inputs.features}))
        self.width: int | None = None

    def of(self, table: Any) -> Floats:
        """What the final estimator sees of this table."""
        rows = table.num_rows if hasattr(table, "num_rows") else len(table)
        try:
            given = self._columns(table)
        except Exception as error:
            first = (str(error).strip() or "no message").splitlines()[0][:300]
            raise ModelError(
                f"the model raised {type(error).__name__} on {rows} {'row' if rows == 1 else 'rows'}: {first}"
            ) from error
        numbers = self._numbers(np.asarray(given.toarray() if hasattr(given, "toarray") else given))
        if numbers.ndim != 2 or len(numbers) != rows:
            raise ModelError(f"the preprocessing returned an array of shape {numbers.shape} for {rows} rows")
        if self.width not in (None, numbers.shape[1]):
            raise ModelError(
                f"the preprocessing returned {self.width} columns for one table and {numbers.shape[1]} for another"
            )
        self.width = numbers.shape[1]
        return numbers

    def of_rows(self, rows: Rows) -> Floats:
        """The same for candidates made of D's values."""
        return self.of(self._inputs.probe(rows))

    def column(self, number: int) -> str:
        named = len(self._names) == self.width
        return f"encoded column {str(self._names[number])!r}" if named else f"encoded column {number}"

    def _numbers(self, given: npt.NDArray[Any]) -> Floats:
        if given.dtype.kind in "biuf":
            return given.astype(np.float64, copy=False)
        if given.dtype.kind != "O":
            raise ModelError(f"the preprocessing returns {given.dtype} values; expected numbers")
        try:
            return given.astype(np.float64)  # numbers and truth values side by side are objects
        except (TypeError, ValueError) as error:
            raise ModelError(f"the preprocessing returns values that are not numbers: {error}") from error


def lines(
    preprocessing: Preprocessing, tables: Sequence[GroupTable], baseline: Rows, most: int | None = None
) -> Iterator[tuple[Rows, Rows]]:
    """The rows of every group the model reads, all others at the baseline; and which group it is, in order.

    Of a table with more than ``most`` rows, so many spread evenly.
    """
    sizes = [tables[g].rows for g in preprocessing.read]
    chosen = [np.rint(np.linspace(1, n, n if most is None else min(n, most))).astype(np.int32) for n in sizes]
    row = np.concatenate(chosen)
    group = np.repeat(np.array(preprocessing.read, np.int32), [len(c) for c in chosen])
    for part in chunks(np.arange(len(row)), preprocessing):
        rows = np.tile(baseline, (len(part), 1))
        rows[np.arange(len(part)), group[part]] = row[part]
        yield rows, group[part]


def chunks(rows: npt.NDArray[Any], preprocessing: Preprocessing) -> Iterator[npt.NDArray[Any]]:
    widest = max(preprocessing.width or 1, len(preprocessing.groups))
    size = min(CHUNK_ROWS, max(1, CHUNK_CELLS // widest))
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def same(a: Any, b: Any) -> Any:
    """Equal, missing being equal to missing and -0.0 to 0.0."""
    return (a == b) | ((a != a) & (b != b))
