"""The user's input form: when x is put into the columns."""

from __future__ import annotations

import numpy as np
import pandas as pd

import geco
from geco.models.asking.inputs import InputForm, InputOfX


def inputs() -> InputForm:
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [0.5, 1.5, 2.5]})
    return geco.Explainer(lambda table: 0.9 * (table["a"] > 2), geco.Database.from_frame(frame)).model.inputs


class Counting:
    """A layout that counts how often x is put into a column."""

    def __init__(self, layout):
        self.layout, self.filled = layout, 0

    def __getattr__(self, name):
        return getattr(self.layout, name)

    def with_x(self, column, value, feature):
        self.filled += 1
        return self.layout.with_x(column, value, feature)


def test_no_column_is_copied_before_a_table_is_made_and_then_once():
    form = inputs()
    layout = Counting(form._layout)
    of_x = InputOfX(layout, form._columns, form._groups, {"a": 7, "b": 0.25})
    before = layout.filled
    tables = [of_x.table(np.zeros((1, 2), np.int32)) for _ in range(2)]

    assert (before, layout.filled) == (0, 2)
    assert [table.to_dict("records") for table in tables] == [[{"a": 7, "b": 0.25}]] * 2


def test_a_table_of_many_dtypes_has_the_columns_of_the_frame_in_their_order():
    frame = pd.DataFrame(
        {
            "count": [3, 1, 2],
            "word": np.array(["b", "a", "c"], object),
            "share": [0.5, 0.25, 0.75],
            "code": np.array([7, 8, 9], np.int8),
            "level": pd.Categorical(["low", "high", "low"], ["low", "high"], ordered=True),
            "other word": np.array(["x", "y", "z"], object),
            "flag": [True, False, True],
            "gap": pd.array([1, None, 2], "Int64"),
            "day": pd.to_datetime(["2024-01-01", "2024-02-01", "2024-03-01"]),
            "other count": [30, 10, 20],
        }
    )
    seen = []

    def model(table):
        seen.append(table)
        return np.full(len(table), 0.9)

    geco.Explainer(model, geco.Database.from_frame(frame)).explain(frame.iloc[1].to_dict())

    assert all(list(table.columns) == list(frame.columns) for table in seen)
    assert all((table.dtypes == frame.dtypes).all() for table in seen)
    x = seen[-1].iloc[[0]].reset_index(drop=True)
    pd.testing.assert_frame_equal(x, frame.iloc[[1]].reset_index(drop=True))


def test_a_zero_of_the_other_sign_is_shown_as_it_was_given():
    frame = pd.DataFrame({"a": [0, 1, 2], "b": [0.0, 1.5, 2.5]})
    form = geco.Explainer(lambda table: 0.9 * (table["a"] > 2), geco.Database.from_frame(frame)).model.inputs
    shown = [form.of({"a": 0, "b": zero}, [1, 1]).table(np.zeros((1, 2), np.int32))["b"][0] for zero in (-0.0, 0.0)]

    assert np.signbit(shown).tolist() == [True, False]
