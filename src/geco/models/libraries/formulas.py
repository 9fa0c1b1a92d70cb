"""What is known of encoded columns: formulas of one feature's value, read from what the libraries' steps hold.

A table on its way through the user's preprocessing is a Matrix of Columns. A step that geco knows to the letter makes
another Matrix of it; of all others no more is known than which features they may read. Only what holds for every value
is written down here: whether it holds in the installed version is tried (compiling/trial.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

EXACT = 2.0**53  # integers beyond are not told apart by a float
LARGEST_SINGLE = float(np.finfo(np.float32).max)

Kind = Literal["number", "text", "codes"]
Operation = Literal["minus", "over", "times", "plus", "at_least", "at_most", "single", "no_dust"]
Step = tuple[Operation, float]


@dataclass(frozen=True)
class Formula:
    """An encoded column as a function of one feature's value.

    Attributes
    ----------
    kind : ``number``: the steps, one after the other. ``codes``: all values that are not among ``known`` are encoded
        alike, as ``other``; whether a value is known is for who asks. ``text``: not encoded yet.
    missing : what a missing value becomes; ``nan`` if it stays missing, None if only the model can say.
    double : the numbers are float64, or integers that become float64; no step is known of others.
    whole : they may be integers to the one who is next.
    """

    feature: str
    kind: Kind
    steps: tuple[Step, ...] = ()
    known: tuple[str | float, ...] = ()
    other: float | Literal["nan"] | None = None
    missing: float | Literal["nan"] | None = None
    double: bool = True
    whole: bool = False

    def of(self, value: Any) -> float | None:
        """The encoded value; None if only the model can say: what is infinite or too large libraries refuse."""
        if value is None:
            return _number(self.missing)
        if self.kind == "codes":
            return _number(self.other)
        if self.kind == "text" or not -EXACT < value < EXACT:
            return None
        number = float(value)
        for operation, by in self.steps:
            if not -LARGEST_SINGLE <= number <= LARGEST_SINGLE:
                return None
            number = OPERATIONS[operation](number, by)
        return number if math.isfinite(number) else None

    def then(self, operation: Operation, by: float = 0.0) -> Formula:
        """The same with one more step; a code that is worked on becomes another number, which is asked for."""
        if self.kind == "codes":
            return replace(self, whole=False)
        return replace(self, steps=(*self.steps, (operation, float(by))), whole=False)


OPERATIONS: dict[Operation, Callable[[float, float], float]] = {
    "minus": lambda number, by: number - by,
    "over": lambda number, by: number / by,
    "times": lambda number, by: number * by,
    "plus": lambda number, by: number + by,
    "at_least": lambda number, by: by if number < by else number,
    "at_most": lambda number, by: by if number > by else number,
    "single": lambda number, by: float(np.float32(number)),
    "no_dust": lambda number, by: 0.0 if abs(number) <= by else number,
}


def _number(told: float | Literal["nan"] | None) -> float | None:
    return math.nan if told == "nan" else told


@dataclass(frozen=True)
class Unknown:
    """A column that may depend on any of these features, in whatever way."""

    features: frozenset[str]


Column = Formula | Unknown


@dataclass(frozen=True)
class Matrix:
    """A table between two steps.

    Attributes
    ----------
    columns : None where their number is not known.
    features : all that any of them may depend on.
    names : of a frame's columns.
    sparse : it may be a sparse matrix, which libraries scale otherwise.
    """

    columns: tuple[Column, ...] | None
    features: frozenset[str]
    names: tuple[str, ...] | None = None
    sparse: bool = False

    @classmethod
    def of(cls, columns: Iterable[Column], names: Sequence[str] | None = None, sparse: bool = False) -> Matrix:
        made = tuple(columns)
        return cls(made, features_of(made), None if names is None else tuple(names), sparse)

    def each(self, function: Callable[[int, Column], Column]) -> Matrix:
        """The same with something done to every column; the result is an array."""
        if self.columns is None:
            return self
        return Matrix.of([function(i, column) for i, column in enumerate(self.columns)], sparse=self.sparse)

    def unknown(self, width: int | None = None) -> Matrix:
        """Whatever may be made of this."""
        return Matrix(None if width is None else (Unknown(self.features),) * width, self.features, sparse=True)


Through = Callable[[Matrix], Matrix]  # what a model, or all before it, does to the columns


def features_of(columns: Iterable[Column]) -> frozenset[str]:
    found: set[str] = set()
    for column in columns:
        found |= {column.feature} if isinstance(column, Formula) else column.features
    return frozenset(found)


def as_numbers(matrix: Matrix) -> Matrix:
    """What a model reads that takes every number as it is."""
    return matrix.each(lambda _, column: column)


def as_singles(matrix: Matrix) -> Matrix:
    """What a model reads that takes float32."""
    return matrix.each(lambda _, column: column.then("single") if isinstance(column, Formula) else column)


def unread(matrix: Matrix) -> Matrix:
    """What a model reads whose own preprocessing is not known."""
    return matrix.unknown()
