"""encode: run the model's preprocessing once over each group's table, not once per candidate.

In: the user's preprocessing as a function of a table, the input form and the Domain. Out: an Encoding, from which
the numbers that the final estimator sees are put together by look-up; or NotSeparable, with the reason.

An encoded column may depend on one group only. That is checked, not assumed: see separable.py for how, and for what
the check can miss.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from geco import _core
from geco.data.domain import Domain, GroupTable
from geco.errors import ModelError
from geco.models.asking.inputs import InputForm
from geco.models.compiling.formulas import Formulas, known_formulas
from geco.models.compiling.preprocessing import Preprocessing, lines, same
from geco.models.compiling.separable import check_separable, check_steady, mixes
from geco.models.compiling.trial import tried
from geco.models.libraries.formulas import Through, unread
from geco.population.base import Floats, Rows

Columns = npt.NDArray[np.int32]
Part = tuple[Rows, npt.NDArray[np.int64], Floats]  # rows of a group, the columns that move among them, their values

MAX_CELLS = 64_000_000  # numbers kept for all groups: 512 MB


@dataclass(frozen=True)
class NotSeparable:
    """Why the numbers cannot be put together group by group; the model is a black box then."""

    reason: str


@dataclass(frozen=True, eq=False)
class Encoding:
    """What the final estimator sees of each row of each group.

    Attributes
    ----------
    width : how many encoded columns there are.
    columns : per group the encoded columns that depend on it, sorted; no column is in two of them.
    encoded : per group its rows' values in these columns; slot 0 is NaN until x is known.
    constant : the values of the columns that no group moves; NaN elsewhere.
    preprocessing : the user's own, for values of x that D does not have.
    formulas : what is known of it, so that it need not be called for them.
    """

    width: int
    columns: tuple[Columns, ...]
    encoded: tuple[Floats, ...]
    constant: Floats
    preprocessing: Preprocessing
    formulas: Formulas = field(default_factory=Formulas)

    def of(self, rows_like_x: Sequence[int], x: Mapping[str, Any], table: Callable[[], Any]) -> Floats | NotSeparable:
        """The encoded row of x.

        Parameters
        ----------
        rows_like_x : per group the row of its table that x is equal to; 0 if D does not have it.
        x : as D has values.
        table : makes x as the model takes it; called only if D lacks values of x that the model reads, and no formula
            says what they become.

        Returns
        -------
        The row; or NotSeparable if a value that D lacks moves a column that D's values of that group do not move
        (the one-hot column of a category that D does not have): no look-up could undo it.
        """
        looked_up = self._core.row(rows_like_x)
        unseen = [g for g in self.preprocessing.read if rows_like_x[g] == 0]
        if not unseen:
            return looked_up
        if self.formulas.fill(looked_up, unseen, x):
            return looked_up
        numbers: Floats = self.preprocessing.of(table())[0]
        theirs = np.zeros(self.width, bool)
        for g in unseen:
            theirs[self.columns[g]] = True
        strange = np.flatnonzero(~theirs & ~same(numbers, looked_up))
        if len(strange):
            names = " or ".join(repr(self.preprocessing.groups[g]) for g in unseen)
            column = self.preprocessing.column(int(strange[0]))
            return NotSeparable(f"{column} depends on the value of {names} in x, which D does not have")
        return numbers

    @cached_property
    def _core(self) -> _core.Encoded:
        return _core.Encoded(self.constant, self.columns, tuple(map(np.ascontiguousarray, self.encoded)))

    def assemble(self, rows: Rows) -> Floats:
        """The encoded rows of these candidates, by look-up."""
        numbers = np.tile(self.constant, (len(rows), 1))
        for g, columns in enumerate(self.columns):
            numbers[:, columns] = self.encoded[g][rows[:, g]]
        return numbers


def encode(
    columns: Callable[[Any], Any],
    inputs: InputForm,
    domain: Domain,
    names: Sequence[str] = (),
    through: Through = unread,
) -> Encoding | NotSeparable:
    """Encode every group's table, and check that this is all there is to the preprocessing.

    Parameters
    ----------
    columns : the user's preprocessing: a table as the model takes it ▶ one row of numbers for each of its rows.
    inputs : row numbers ▶ such a table.
    domain : the group tables.
    names : of the encoded columns, where they are known; else they are numbered.
    through : what is known of them, so that values that D lacks need no call.
    """
    preprocessing = Preprocessing(columns, inputs, domain, names)
    tables = domain.tables
    try:
        check_steady(preprocessing, tables)
        frequent = np.array([np.argmax(t.counts[1:]) + 1 for t in tables], np.int32)
        encoding = _encoding(preprocessing, tables, frequent)
        check_separable(encoding, tables, frequent)
    except ModelError as error:
        return NotSeparable(str(error))
    known = known_formulas(through, inputs, encoding.columns, encoding.width)
    return replace(encoding, formulas=tried(known, preprocessing, inputs, encoding.encoded))


def _encoding(preprocessing: Preprocessing, tables: Sequence[GroupTable], frequent: Rows) -> Encoding:
    """Read every group's rows with all other groups at their most frequent row."""
    base = preprocessing.of_rows(np.stack([frequent, frequent]))[0]  # one row alone may be rounded otherwise
    owner = np.full(len(base), -1)
    parts: list[list[Part]] = [[] for _ in tables]
    for rows, group in lines(preprocessing, tables, frequent):
        numbers = preprocessing.of_rows(rows)
        moved = ~same(numbers, base)
        for g in np.unique(group):
            line = slice(*np.searchsorted(group, [g, g + 1]))
            columns = np.flatnonzero(moved[line].any(axis=0))
            _claim(preprocessing, owner, columns, int(g))
            parts[g].append((rows[line, g], columns, numbers[line][:, columns]))
        _check_size(owner, tables)
    owned = tuple(np.flatnonzero(owner == g).astype(np.int32) for g in range(len(tables)))
    encoded = tuple(_filled(base, t.rows, o, p) for t, o, p in zip(tables, owned, parts, strict=True))
    return Encoding(len(base), owned, encoded, np.where(owner < 0, base, np.nan), preprocessing)


def _filled(base: Floats, rows: int, owned: Columns, parts: Sequence[Part]) -> Floats:
    encoded = np.tile(base[owned], (rows + 1, 1))
    encoded[0] = np.nan
    for part, columns, numbers in parts:
        encoded[np.ix_(part, np.searchsorted(owned, columns))] = numbers
    return encoded


def _claim(
    preprocessing: Preprocessing, owner: npt.NDArray[np.int64], columns: npt.NDArray[np.int64], group: int
) -> None:
    taken = columns[(owner[columns] >= 0) & (owner[columns] != group)]
    if len(taken):
        raise ModelError(mixes(preprocessing, int(taken[0]), int(owner[taken[0]]), group))
    owner[columns] = group


def _check_size(owner: npt.NDArray[np.int64], tables: Sequence[GroupTable]) -> None:
    """Checked while columns are still being found: a large domain has as many one-hot columns as rows."""
    columns = np.bincount(owner[owner >= 0], minlength=len(tables))
    cells = columns * [table.rows for table in tables]
    if cells.sum() > MAX_CELLS:
        g = int(np.argmax(cells))
        raise ModelError(
            f"the preprocessing makes at least {columns[g]:,} columns of the {tables[g].rows:,} rows of "
            f"{tables[g].name!r}, too many to keep"
        )
