"""Minimal ways by enumeration, spelled out as they are defined, on exact fractions; nothing of geco's search is used.

Answers come in the order (distance, number of changed groups, row numbers). One whose changed groups contain those of a
nearer answer that stayed stays only if it at least halves every change the two share. The size of a change is the
group's sum of δ with weights and costs; categories, ONEHOT sets and what was missing never count as halved, and neither
does a change that costs nothing. Half is half as a table writes its numbers: 9.6 ▶ 17.3 is half of 9.6 ▶ 25, though the
binary fractions nearest to them miss that by their last digits. A group that no allowed candidate leaves as it is in x
is not compared, and if nothing else is shared the larger answer is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from .brute import Predict, allowed_mask, materialize, options_of
from .distance import Distance
from .exact import plain
from .rules import Values, as_program, groups_of

LAST_DIGITS = Fraction(1, 10**12)  # by which a binary fraction may miss the decimal number it stands for
Row = tuple[Any, ...]
Number = Callable[[Sequence[str], Row], int]


@dataclass(frozen=True)
class Way:
    """One answer: per changed group its row, and how far it is."""

    rows: tuple[int, ...]
    """Places among the options of each group, 0 for x."""
    values: Mapping[str, Any]
    distance: Fraction

    @property
    def changed(self) -> frozenset[int]:
        return frozenset(g for g, row in enumerate(self.rows) if row)


class Enumerated:
    """Every allowed candidate of a small problem, and which of them are good."""

    def __init__(
        self, frame: pd.DataFrame, program: str, x: Values, model: Predict, distance: Distance, number: Number
    ) -> None:
        parsed = as_program(program)
        self.x, self.distance = x, distance
        self.groups = groups_of(parsed, frame.columns)
        self.options = [options_of(frame, g, x, parsed) for g in self.groups]
        self.numbers = [
            [0, *(number(g, row) for row in table[1:])] for g, table in zip(self.groups, self.options, strict=True)
        ]
        mask = allowed_mask(parsed, self.groups, self.options, x)
        self.forced = {g for g in range(len(self.groups)) if not np.take(mask, 0, axis=g).any()}
        self.x_allowed = bool(mask[(0,) * len(self.groups)])
        chosen = np.argwhere(mask)
        said = model(materialize(frame, self.groups, self.options, chosen)) if len(chosen) else []
        good = np.asarray(said, float).ravel() > 0.5
        self.good = {tuple(map(int, rows)) for rows in chosen[good] if rows.any()}
        self.x_good = bool(good[~chosen.any(axis=1)].any()) if self.x_allowed else False
        self.terms = [self._terms(g) for g in range(len(self.groups))]

    def _terms(self, g: int) -> list[tuple[Fraction, Fraction, Fraction, bool]]:
        """Per option: its part of the sum, of the largest, its size, and whether it may count as halved."""
        group = self.groups[g]
        return [self._of_row(group, dict(zip(group, row, strict=True))) for row in self.options[g]]

    def _of_row(self, group: Sequence[str], values: Values) -> tuple[Fraction, Fraction, Fraction, bool]:
        x_cf = {**self.x, **values}
        deltas = self.distance._deltas(self.x, x_cf, set(group))
        weights = self.distance.weights
        size = sum((d * Fraction(weights.get(f, 1)) for f, d in deltas.items()), Fraction(0))
        graded = all(
            f in self.distance.ranges and self.distance.ranges[f] is not None and plain(self.x[f]) is not None
            for f in deltas
            if f in self.distance.onehots or plain(self.x[f]) != plain(x_cf[f])
        )
        return (*self.distance.terms(self.x, x_cf, group), size, graded)

    def way(self, rows: tuple[int, ...]) -> Way:
        parts = [self.terms[g][row] for g, row in enumerate(rows)]
        values = {f: v for g, o, r in zip(self.groups, self.options, rows, strict=True)
                  for f, v in zip(g, o[r], strict=True)}  # fmt: skip
        return Way(rows, values, sum(p[0] for p in parts) + max(p[1] for p in parts))

    def minimal(self, n: int | None = None) -> list[Way]:
        """The ways that stay, in order."""
        ways = [self.way(rows) for rows in self.good]
        ways.sort(key=lambda way: (way.distance, len(way.changed), self.row_numbers(way)))
        stayed: list[Way] = []
        for way in ways:
            if len(stayed) == n:
                break
            if not any(self.leaves_out(nearer, way) for nearer in stayed):
                stayed.append(way)
        return stayed

    def row_numbers(self, way: Way) -> tuple[int, ...]:
        return tuple(self.numbers[g][row] for g, row in enumerate(way.rows))

    def leaves_out(self, nearer: Way, larger: Way) -> bool:
        if not nearer.changed <= larger.changed:
            return False
        compared = nearer.changed - self.forced
        return not compared or not all(self._halved(g, larger.rows[g], nearer.rows[g]) for g in compared)

    def _halved(self, g: int, row: int, other: int) -> bool:
        _, _, size, graded = self.terms[g][row]
        whole = self.terms[g][other][2]
        return graded and whole > 0 and 2 * size <= whole * (1 + LAST_DIGITS)

    def good_parts(self, rows: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Parts of an answer, one change or several left out, that are good and allowed themselves."""
        changed = [g for g, row in enumerate(rows) if row]
        kept = (set(part) for n in range(1, len(changed)) for part in combinations(changed, n))
        parts = (tuple(row if g in part else 0 for g, row in enumerate(rows)) for part in kept)
        return [part for part in parts if part in self.good]
