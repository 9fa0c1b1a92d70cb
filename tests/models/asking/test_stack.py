"""Candidates of several instances as one table: what each of them would be shown alone, one below the other."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import geco
from geco.data.domain import Domain
from geco.models.asking.inputs import Form, InputForm, InputOfX
from geco.models.asking.stack import stack

FRAME = pd.DataFrame(
    {
        "n": [1, 2, 3, 4],
        "t": pd.Series(["a", "b", "c", "d"], dtype="str"),
        "c": pd.Categorical(["u", "v", "u", "v"]),
        "z": [0.5, 1.5, 2.5, 3.5],
    }
)
KNOWN = {"n": 2, "t": "c", "c": "u", "z": 0.5}
ALSO_KNOWN = {"n": 4, "t": "a", "c": "v", "z": 3.5}
NEW = {"n": 3, "t": "b", "c": "v", "z": 9.25}  # z does not occur in D
ROWS = [np.array(rows, np.int32) for rows in ([[0, 0, 0, 0], [1, 0, 2, 4]], [[0, 3, 0, 0]], [[2, 0, 1, 0], [0] * 4])]


def input_of(form: InputForm, x: dict[str, object]) -> InputOfX:
    return form.of(x, [form.domain.find(g, x) for g in range(4)])


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "array"])
@pytest.mark.parametrize(
    "instances", [[KNOWN, ALSO_KNOWN, KNOWN], [KNOWN, NEW, ALSO_KNOWN], [NEW, KNOWN, ALSO_KNOWN], [NEW, NEW, KNOWN]]
)
def test_each_has_the_rows_that_it_would_have_alone(library: Form, instances: list[dict[str, object]]) -> None:
    frame = FRAME.astype({"c": "str"}) if library in ("polars", "pyarrow") else FRAME
    database = geco.Database.from_frame(_as(library, frame))
    groups = [[name] for name in FRAME]
    form = InputForm(library, database, Domain.build(database, groups, database.schema), list(FRAME))
    inputs = [input_of(form, x) for x in instances]

    together = _plain(stack(inputs, ROWS))

    assert together == [row for of_x, rows in zip(inputs, ROWS, strict=True) for row in _plain(of_x.table(rows))]
    assert together[0] == list(instances[0].values())


def _as(library: Form, frame: pd.DataFrame) -> object:
    if library == "polars":
        return pytest.importorskip("polars").from_pandas(frame)
    if library == "pyarrow":
        return pytest.importorskip("pyarrow").Table.from_pandas(frame)
    return frame


def _plain(table: object) -> list[list[object]]:
    if isinstance(table, pd.DataFrame):
        return table.astype(object).to_numpy().tolist()
    if isinstance(table, np.ndarray):
        return table.tolist()
    if hasattr(table, "to_pylist"):
        return [list(row.values()) for row in table.to_pylist()]
    return [list(row) for row in table.iter_rows()]  # type: ignore[attr-defined]
