"""Inequalities and sums between columns of quantities that hold in every row.

Accidents are left out by what would be expected of columns that know nothing of each other: where a shuffled pair would
hardly ever break the inequality, that it holds says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt

from geco.plaf.printer import print_name
from geco.project.suggest.names import words_of
from geco.project.suggest.sheet import Floats, Sheet
from geco.project.suggest.suggestion import Suggestion, count

BROKEN_IF_SHUFFLED = 0.02  # share of rows
FEWEST_VALUES = 3
TRIED = 300
LITTLE_WORDS = {
    "of",
    "the",
    "in",
    "over",
    "with",
    "and",
    "is",
    "to",
    "last",
    "max",
    "min",
    "total",
    "number",
    "most",
    "recent",
    "amt",
    "amount",
}


def inequalities(sheet: Sheet) -> Iterator[Suggestion]:
    """``x_cf.a <= x_cf.b``, without those that follow from two others."""
    names = [n for n in sheet.numeric if sheet.distinct(n) >= FEWEST_VALUES]
    matrix = sheet.matrix(names)
    holds = _pairs_that_hold(matrix, [sheet.feature(n).type in ("date", "datetime") for n in names])
    for i, j in zip(*np.nonzero(holds), strict=True):
        if not any(holds[i, between] and holds[between, j] for between in range(len(names))):
            suggestion = _inequality(sheet, names[i], names[j], matrix[i], matrix[j])
            if suggestion is not None:
                yield suggestion


def _pairs_that_hold(matrix: Floats, dates: list[bool]) -> npt.NDArray[np.bool_]:
    """holds[i, j]: column i is at most column j wherever both are known, and below it somewhere."""
    size, is_date = len(matrix), np.array(dates, bool)
    holds = np.zeros((size, size), bool)
    known = ~np.isnan(matrix)
    with np.errstate(invalid="ignore"):
        for i in range(size):
            others = np.flatnonzero((is_date == is_date[i]) & (np.arange(size) != i))
            for j in others:
                above = matrix[i] > matrix[j]  # False where one of them is missing
                if not above.any():
                    below = int((matrix[i] < matrix[j]).sum())
                    holds[i, j] = below > 0 and int((known[i] & known[j]).sum()) > 0
    return holds


def _inequality(sheet: Sheet, low: str, high: str, a: Floats, b: Floats) -> Suggestion | None:
    known = ~(np.isnan(a) | np.isnan(b))
    a, b = a[known], b[known]
    broken = _broken_if_shuffled(a, b)
    if broken < BROKEN_IF_SHUFFLED or broken * len(a) < 20:
        return None
    equal = int((a == b).sum())
    shared = len({*words_of(low)} & {*words_of(high)} - LITTLE_WORDS)
    gap = (b - a)[b > a]
    touch = f"equal in {equal:,}, " if equal else "never equal, "
    evidence = f"{count(len(a), sheet.rows if known.all() else len(a))}; {touch}nearest miss {gap.min():,.6g}"
    score = 0.55 + 0.2 * min(1.0, broken / 0.2) + (0.15 if shared else 0.0) + (0.05 if equal > 0.001 * len(a) else 0.0)
    if not shared and not equal:
        score -= 0.25  # two columns that never meet are often of different things
    statement = f"PLAF x_cf.{print_name(low)} <= x_cf.{print_name(high)}"
    return Suggestion("inequality", statement, evidence, score, (low, high))


def _broken_if_shuffled(a: Floats, b: Floats) -> float:
    """How often a value of a is above an independent value of b."""
    ordered = np.sort(b)
    return float(np.searchsorted(ordered, a, side="left").mean() / max(1, len(b)))


def sums(sheet: Sheet) -> Iterator[Suggestion]:
    """``a = b + c``: tried on some rows, then checked on all."""
    names = [n for n in sheet.numeric if sheet.distinct(n) >= 10 and sheet.feature(n).type in ("integer", "number")]
    names = [n for n in names if not sheet.missing(n).any()]
    if len(names) < 3:
        return
    matrix = sheet.matrix(names)
    some = matrix[:, np.random.default_rng(0).permutation(sheet.rows)[:TRIED]]
    for i, j in combinations(range(len(names)), 2):
        total = some[i] + some[j]
        for k in np.flatnonzero(np.isclose(some, total, rtol=1e-9, atol=1e-9).all(axis=1)):
            if k not in (i, j) and _really_adds(matrix[i], matrix[j], matrix[k]):
                a, b, c = (print_name(names[n]) for n in (k, i, j))
                statement = f"PLAF x_cf.{a} = x_cf.{b} + x_cf.{c}"
                evidence = count(sheet.rows, sheet.rows)
                yield Suggestion("sum", statement, evidence, 0.94, (names[k], names[i], names[j]))


def _really_adds(b: Floats, c: Floats, a: Floats) -> bool:
    """In every row, and both parts matter in a tenth of them."""
    parts = min((b != 0).mean(), (c != 0).mean())
    return bool(np.isclose(a, b + c, rtol=1e-9, atol=1e-9).all()) and parts > 0.1
