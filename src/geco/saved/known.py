"""The formulas of a compiled model from a file, checked: whoever can write the file may have made them by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.data.domain import Domain
from geco.models.compiling.formulas import Formulas, OfGroup
from geco.saved.fields import value_of, wrong


def formulas_of(state: Any, domain: Domain, owned: Sequence[npt.NDArray[np.int32]], width: int) -> Formulas:
    """For the columns that each group owns, and others that its features might move."""
    groups = value_of(tuple[OfGroup | None, ...], state)
    if groups and len(groups) != len(domain.tables):
        raise wrong("formulas for each group or for none", len(groups))
    for of, table, columns in zip(groups, domain.tables, owned, strict=False):
        if of is not None and not _fit(of, table.features, columns.tolist(), width):
            raise wrong(f"formulas of the features of {table.name!r}", of)
    return Formulas(groups)


def _fit(of: OfGroup, features: Sequence[str], owned: Sequence[int], width: int) -> bool:
    numbers = [column.number for column in of.columns]
    formulas = [column.formula for column in of.columns]
    moved = [column.number for column in of.columns if column.moves]
    coded = {formula.feature for formula in formulas if formula.kind == "codes"}
    by_zero = any(("over", 0.0) in formula.steps for formula in formulas)
    inside = all(0 <= number < width for number in numbers) and {formula.feature for formula in formulas} <= {*features}
    return (
        inside
        and not by_zero
        and len(set(numbers)) == len(numbers)
        and sorted(moved) == sorted(owned)
        and coded == {feature for feature, _ in of.known}
    )
