"""Does the preprocessing act group by group? Checked against the user's own, on rows mixed across groups.

In: an Encoding read with all groups but one at their most frequent row. The look-up must equal the user's own
preprocessing bit for bit on rows mixed across groups (of all rows of the tables alike, of frequent ones, and of
corners: smallest, largest, missing, rarest, most frequent), and on each group's rows again with all others at their
rarest.

So a dependence on two groups shows if it shows for a corner of either, or for one in a thousand pairs of rows.
What can be missed is one that needs a certain value in the middle of one large domain together with one in the
middle of another, or three such values at once; and chance or state that changes a number less than once in
tens of thousands of rows. An answer found by look-up is still confirmed by the user's model before it is returned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from geco.data.domain import GroupTable
from geco.errors import ModelError
from geco.models.compiling.preprocessing import Preprocessing, chunks, lines, same
from geco.population.base import Floats, Rows

if TYPE_CHECKING:
    from geco.models.compiling.encode import Encoding

MIXED_ROWS, CORNER_ROWS, RAREST_ROWS = 20_000, 2_000, 20_000  # the last: of each group
STEADY_ROWS, SINGLE_ROWS = 64, 8
UNSTEADY = (
    "the preprocessing gives other numbers when it is asked again about the same row: "
    "it is random, keeps state, or depends on the other rows of a table, if only in rounding"
)


def check_steady(preprocessing: Preprocessing, tables: Sequence[GroupTable]) -> None:
    """Raise ModelError if the same rows get other numbers when asked again, in another order, or alone.

    This is asked first, because noise would look like a dependence on every group. Among other rows they need only be
    roughly the same, as a product of matrices is rounded otherwise then; whether bits agree is for `check_separable`.
    """
    rows = _mixed(tables, STEADY_ROWS, np.random.default_rng(1), uniform=0.5)
    once, again = preprocessing.of_rows(rows), preprocessing.of_rows(rows)
    reverse = preprocessing.of_rows(rows[::-1])[::-1]
    alone = np.concatenate([preprocessing.of_rows(rows[i : i + 1]) for i in range(SINGLE_ROWS)])
    size = np.where(np.isfinite(once), np.abs(once), 0.0).max(axis=0, initial=0.0)
    with np.errstate(invalid="ignore"):  # inf - inf
        rough = [
            (same(a, b) | (np.abs(a - b) <= 1e-6 * size)).all()
            for a, b in ((once, reverse), (once[:SINGLE_ROWS], alone))
        ]
    if not same(once, again).all() or not all(rough):
        raise ModelError(UNSTEADY)


def check_separable(encoding: Encoding, tables: Sequence[GroupTable], frequent: Rows) -> None:
    """Raise ModelError, naming what mixes, unless the look-up agrees on all samples."""
    for rows in _samples(encoding.preprocessing, tables):
        _check(encoding, rows, frequent)


def _samples(preprocessing: Preprocessing, tables: Sequence[GroupTable]) -> Iterator[Rows]:
    """Rows on which the look-up must agree with the user's preprocessing."""
    rng = np.random.default_rng(0)
    corners = _mixed(tables, CORNER_ROWS, rng, uniform=0.0)
    for i in range(SINGLE_ROWS):  # x comes alone, too
        yield corners[i : i + 1]
    yield from chunks(corners, preprocessing)
    yield from chunks(_mixed(tables, MIXED_ROWS, rng, uniform=0.5), preprocessing)
    rarest = np.array([np.argmin(t.counts[1:]) + 1 for t in tables], np.int32)
    for rows, _ in lines(preprocessing, tables, rarest, RAREST_ROWS):
        yield rows


def _mixed(tables: Sequence[GroupTable], n: int, rng: np.random.Generator, uniform: float) -> Rows:
    """Rows drawn for each group alone.

    A share ``uniform`` is drawn from all rows of the table alike, each as often as every other, the rest half from its
    corners and half by count.
    """
    rows = np.empty((n, len(tables)), np.int32, order="F")
    for g, table in enumerate(tables):
        kind = rng.random(n)
        anywhere, frequent = kind < uniform, kind >= (1 + uniform) / 2
        rows[:, g] = rng.choice(_corners(table), n)
        rows[anywhere, g] = rng.permutation(max(n, table.rows))[: anywhere.sum()] % table.rows + 1
        rows[frequent, g] = np.searchsorted(
            np.cumsum(table.counts), rng.integers(table.counts.sum(), size=frequent.sum()), side="right"
        )
    return rows


def _corners(table: GroupTable) -> npt.NDArray[np.int64]:
    """The rows an interaction is most likely to hide in."""
    found = [1, table.rows, int(np.argmax(table.counts[1:])) + 1, int(np.argmin(table.counts[1:])) + 1]
    for numbers in table.numbers.values():
        missing = np.flatnonzero(np.isnan(numbers[1:])) + 1
        found += missing[:1].tolist()
        if len(missing) < table.rows:
            found += [int(np.nanargmin(numbers)), int(np.nanargmax(numbers))]
    return np.unique(found)


def _check(encoding: Encoding, rows: Rows, frequent: Rows) -> None:
    numbers = encoding.preprocessing.of_rows(rows)
    wrong = ~same(numbers, encoding.assemble(rows))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ModelError(_blame(encoding, rows[row], int(column), numbers[row, column], frequent))


def _blame(encoding: Encoding, row: Rows, column: int, number: float, frequent: Rows) -> str:
    """Go from the most frequent rows to this one, group by group: the steps that move the column name the groups."""
    preprocessing = encoding.preprocessing
    owner = next((g for g, columns in enumerate(encoding.columns) if column in columns), None)
    others = [g for g in preprocessing.read if g != owner]
    start = frequent.copy()
    if owner is not None:
        start[owner] = row[owner]
    walk, step = _walk(encoding, start, row, others, column)
    if step is None or not same(walk[-1], number):
        return UNSTEADY
    if owner is not None:
        return mixes(preprocessing, column, owner, others[step])
    last = others[step]
    start[last] = row[last]  # moves nothing alone, so one of the groups before it matters as well
    _, step = _walk(encoding, start, row, others[:step], column)
    return UNSTEADY if step is None else mixes(preprocessing, column, others[step], last)


def _walk(encoding: Encoding, start: Rows, end: Rows, groups: Sequence[int], column: int) -> tuple[Floats, int | None]:
    """The column's values from start on, and the first group whose step changes it."""
    rows = np.tile(start, (len(groups) + 1, 1))
    for i, g in enumerate(groups):
        rows[i + 1 :, g] = end[g]
    values = encoding.preprocessing.of_rows(rows)[:, column]
    steps = np.flatnonzero(~same(values[1:], values[:-1]))
    if not len(steps) or not same(values[0], encoding.assemble(rows[:1])[0, column]):
        return values, None
    return values, int(steps[0])


def mixes(preprocessing: Preprocessing, column: int, one: int, other: int) -> str:
    first, second = sorted((one, other))
    groups = preprocessing.groups
    return f"{preprocessing.column(column)} depends on {groups[first]!r} and on {groups[second]!r}"
