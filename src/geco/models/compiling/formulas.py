"""Formulas: an x with values that D does not have, encoded without a call of the user's preprocessing.

In: what the reader of the model knows of its columns. Out: for each group whose columns are all known a formula per
column, tried by trial.py. Where a formula does not say, the user's preprocessing is called as ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.data.domain import Domain
from geco.models.asking.inputs import InputForm
from geco.models.compiling.preprocessing import same
from geco.models.libraries.formulas import Column, Formula, Matrix, Through, Unknown, features_of
from geco.population.base import Floats


@dataclass(frozen=True)
class OfColumn:
    """One encoded column. D's values of the group ``move`` it, or it is the same for all of them."""

    number: int
    moves: bool
    formula: Formula


@dataclass(frozen=True)
class OfGroup:
    """All encoded columns that the features of one group may move, and per feature the values that an encoder knows."""

    columns: tuple[OfColumn, ...]
    known: tuple[tuple[str, tuple[str | float, ...]], ...]

    def fills(self, row: Floats, x: Mapping[str, Any]) -> bool:
        """Put x's values in; False if only the model can say, or if they move what no value of D moves."""
        for part in self._parts:
            numbers = part.of(x[part.feature])
            if numbers is None or not same(numbers[part.fixed], row[part.columns[part.fixed]]).all():
                return False
            row[part.columns] = numbers
        for column in self._numbers:
            number = column.formula.of(x[column.formula.feature])
            if number is None or not (column.moves or same(number, row[column.number])):
                return False
            row[column.number] = number
        return True

    @cached_property
    def encoders(self) -> Mapping[str, frozenset[str | float]]:
        """Per feature the values that an encoder knows."""
        return {feature: frozenset(values) for feature, values in self.known}

    @cached_property
    def _numbers(self) -> tuple[OfColumn, ...]:
        return tuple(column for column in self.columns if column.formula.kind == "number")

    @cached_property
    def _parts(self) -> tuple[_Codes, ...]:
        return tuple(_Codes(self, feature) for feature in self.encoders)


class _Codes:
    """The columns of one feature that an encoder makes: many of a text with many values."""

    def __init__(self, of_group: OfGroup, feature: str) -> None:
        own = [c for c in of_group.columns if c.formula.kind == "codes" and c.formula.feature == feature]
        self.feature, self._known = feature, of_group.encoders[feature]
        self.columns = np.array([column.number for column in own], np.int64)
        self.fixed = np.array([not column.moves for column in own], np.bool_)
        self._other, self._missing = (
            None if any(number is None for number in told) else np.array(told, np.float64)
            for told in ([c.formula.of("") for c in own], [c.formula.of(None) for c in own])
        )

    def of(self, value: Any) -> Floats | None:
        if value is None:
            return self._missing
        return None if value in self._known else self._other


@dataclass(frozen=True, eq=False)
class Formulas:
    """Per group its formulas; None where a column that it may move is not known."""

    by_group: tuple[OfGroup | None, ...] = ()

    def fill(self, row: Floats, groups: Sequence[int], x: Mapping[str, Any]) -> bool:
        """Put x's values of these groups into an encoded row; False if only the model can say."""
        known = self.by_group
        return all(g < len(known) and (of := known[g]) is not None and of.fills(row, x) for g in groups)


def known_formulas(through: Through, inputs: InputForm, owned: Sequence[npt.NDArray[np.int32]], width: int) -> Formulas:
    """What is known of each group's columns, not yet tried; ``owned`` are those that D's values of it move."""
    columns = through(_table(inputs)).columns
    if columns is None or len(columns) != width:
        return Formulas()
    domain, moved = inputs.domain, [set(of.tolist()) for of in owned]
    found: list[list[Formula | None]] = [[] for _ in domain.tables]
    places: list[list[int]] = [[] for _ in domain.tables]
    for number, column in enumerate(columns):
        for g in {domain.group_of[f] for f in features_of([column])}:
            places[g].append(number)
            found[g].append(None if isinstance(column, Unknown) or column.kind == "text" else column)
    every = zip(places, found, moved, strict=True)
    return Formulas(tuple(_of_group(at, formulas, own) for at, formulas, own in every))


def _of_group(places: Sequence[int], formulas: Sequence[Formula | None], moved: set[int]) -> OfGroup | None:
    whole = [formula for formula in formulas if formula is not None]
    if not whole or len(whole) < len(places) or not moved <= set(places):
        return None
    known: dict[str, set[str | float]] = {formula.feature: set() for formula in whole if formula.kind == "codes"}
    for feature, values in {(formula.feature, formula.known) for formula in whole if formula.kind == "codes"}:
        known[feature] |= set(values)
    columns = [OfColumn(n, n in moved, replace(f, known=())) for n, f in zip(places, whole, strict=True)]
    return OfGroup(tuple(columns), tuple((f, tuple(sorted(values, key=str))) for f, values in known.items()))


def _table(inputs: InputForm) -> Matrix:
    """The table that the model takes, feature by feature."""
    columns = [_column(inputs, inputs.domain, f) for f in inputs.features]
    return Matrix.of(columns, None if inputs.form == "array" else inputs.features)


def _column(inputs: InputForm, domain: Domain, feature: str) -> Column:
    """Numbers of NumPy's and text; of all other dtypes a library may make what it likes."""
    kind, form, dtypes = domain.schema[feature].type, inputs.form, inputs.source.dtypes
    if form not in ("array", "pandas") or (form == "pandas" and inputs.source.form != "pandas"):
        return Unknown(frozenset([feature]))
    if kind == "text":
        return Formula(feature, "text")
    dtype = np.dtype(np.float64) if form == "array" else dtypes[feature]
    if kind not in ("integer", "number") or not isinstance(dtype, np.dtype) or dtype.kind not in "iuf":
        return Unknown(frozenset([feature]))
    if feature in domain.exact:
        return Unknown(frozenset([feature]))
    return Formula(feature, "number", double=dtype.kind != "f" or dtype.itemsize == 8, whole=dtype.kind != "f")
