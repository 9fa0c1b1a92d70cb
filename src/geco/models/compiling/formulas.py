"""Formulas: an x with values that D does not have, encoded without a call of the user's preprocessing.

In: what the reader of the model knows of its columns. Out: for each group whose columns are all known a formula per
column, tried by trial.py. Where a formula does not say, the user's preprocessing is called as ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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

    def fills(self, row: Floats, x: Mapping[str, Any]) -> bool:
        """Put x's value in; False if only the model can say, or if it moves what no value of D moves."""
        encoded = self.formula.of(x[self.formula.feature])
        if encoded is None:
            return False
        if self.moves:
            row[self.number] = encoded
            return True
        return bool(same(encoded, row[self.number]))


OfGroup = tuple[OfColumn, ...]


@dataclass(frozen=True, eq=False)
class Formulas:
    """Per group the formulas of all encoded columns that its features may move; None where one of them is not known."""

    by_group: tuple[OfGroup | None, ...] = ()

    def fill(self, row: Floats, groups: Sequence[int], x: Mapping[str, Any]) -> bool:
        """Put x's values of these groups into an encoded row; False if only the model can say."""
        known = self.by_group
        return all(g < len(known) and _filled(known[g], row, x) for g in groups)


def _filled(of_group: OfGroup | None, row: Floats, x: Mapping[str, Any]) -> bool:
    return of_group is not None and all(column.fills(row, x) for column in of_group)


def known_formulas(through: Through, inputs: InputForm, owned: Sequence[npt.NDArray[np.int32]], width: int) -> Formulas:
    """What is known of each group's columns, not yet tried; ``owned`` are those that D's values of it move."""
    columns = through(_table(inputs)).columns
    if columns is None or len(columns) != width:
        return Formulas()
    domain, moved = inputs.domain, [set(of.tolist()) for of in owned]
    found: list[list[OfColumn] | None] = [[] for _ in domain.tables]
    for number, column in enumerate(columns):
        for g in {domain.group_of[f] for f in features_of([column])}:
            of_group = found[g]
            if isinstance(column, Unknown) or column.kind == "text":
                found[g] = None
            elif of_group is not None:
                of_group.append(OfColumn(number, number in moved[g], column))
    whole = [of is not None and moved[g] <= {column.number for column in of} for g, of in enumerate(found)]
    return Formulas(tuple(tuple(of) if all_known and of else None for of, all_known in zip(found, whole, strict=True)))


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
