"""GROUP: columns of which one tells the other, in both directions or in one, with the rows that are exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from geco.plaf.printer import print_name
from geco.project.suggest.sheet import Codes, Sheet
from geco.project.suggest.suggestion import Suggestion, count

TRIED = 2_000  # rows that a pair must pass before all are looked at
NEAR = 0.005  # share of rows that may be exceptions
ROWS_PER_VALUE = 8  # fewer rows for a value, and it tells everything by accident


class Dependency(NamedTuple):
    """``one`` tells ``other`` in all rows but some."""

    one: str
    other: str
    exceptions: int


def dependencies(sheet: Sheet, taken: set[str]) -> list[Dependency]:
    """All that hold, or nearly; columns that are ``taken`` by a ONEHOT set are left aside."""
    names = [name for name in sheet.names if name not in taken and _can_tell(sheet, name)]
    some = np.random.default_rng(0).permutation(sheet.rows)[:TRIED]
    found = []
    for one, other in permutations(names, 2):
        if sheet.distinct(one) < sheet.distinct(other):
            continue
        a, b = sheet.codes(one), sheet.codes(other)
        if _exceptions(a[some], b[some]).sum() > max(2, 2 * NEAR * len(some)):
            continue
        exceptions = int(_exceptions(a, b).sum())
        if exceptions <= NEAR * sheet.rows and exceptions < _without_knowing(b) / 20:
            found.append(Dependency(one, other, exceptions))
    return found


def groups(sheet: Sheet, found: list[Dependency]) -> Iterator[Suggestion]:
    """One GROUP for columns that tell each other; one for each that tells another of fewer values."""
    back = {(d.one, d.other): d.exceptions for d in found}
    for (one, other), exceptions in back.items():
        if (other, one) in back:
            if sheet.names.index(one) < sheet.names.index(other):
                a, b = sheet.codes(one), sheet.codes(other)
                both = int((_exceptions(a, b) | _exceptions(b, a)).sum())
                yield _group(sheet, one, other, exceptions=both, told="each tells the other", score=0.96)
        elif _is_worth(sheet, one, other):
            yield _group(sheet, one, other, exceptions=exceptions, told=f"{one} tells {other}", score=0.72)


def partners(found: list[Dependency]) -> dict[str, str]:
    """Columns that tell each other without exception."""
    exact = {(d.one, d.other) for d in found if not d.exceptions}
    return {one: other for one, other in exact if (other, one) in exact}


def _group(sheet: Sheet, one: str, other: str, exceptions: int, told: str, score: float) -> Suggestion:
    names = sorted((one, other), key=sheet.names.index)
    evidence = f"{told}: {count(sheet.rows - exceptions, sheet.rows)}"
    if exceptions:
        score -= 0.1
    return Suggestion("group", f"GROUP {', '.join(map(print_name, names))}", evidence, score, tuple(names))


def _can_tell(sheet: Sheet, name: str) -> bool:
    """Enough rows for each value, and not nearly always the same one."""
    distinct = sheet.distinct(name)
    if not 2 <= distinct <= sheet.rows / ROWS_PER_VALUE:
        return False
    return int(np.bincount(sheet.codes(name)).max()) < 0.99 * sheet.rows


def _is_worth(sheet: Sheet, one: str, other: str) -> bool:
    """A quantity of very many values tells a few classes too easily to mean anything."""
    return sheet.distinct(one) <= 200 and sheet.distinct(other) > 1


def _exceptions(a: Codes, b: Codes) -> npt.NDArray[np.bool_]:
    """Which rows have another b than the most frequent one for their a."""
    width = int(b.max()) + 1
    pairs, rows = np.unique(a * width + b, return_counts=True)
    by_count = np.argsort(rows, kind="stable")
    usual = np.zeros(int(a.max()) + 1, np.int64)
    usual[pairs[by_count] // width] = pairs[by_count] % width  # the last one written is the most frequent
    return np.asarray(b != usual[a])


def _without_knowing(b: Codes) -> int:
    """Rows that are wrong if the most frequent value is always said."""
    return int(len(b) - np.bincount(b).max())
