"""The user's input form: when x is put into the columns."""

from __future__ import annotations

import numpy as np
import pandas as pd

import geco
from geco.models.inputs import BoundInput, InputForm


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
    bound = BoundInput(layout, form._columns, form._groups, {"a": 7, "b": 0.25})
    before = layout.filled
    tables = [bound.table(np.zeros((1, 2), np.int32)) for _ in range(2)]

    assert (before, layout.filled) == (0, 2)
    assert [table.to_dict("records") for table in tables] == [[{"a": 7, "b": 0.25}]] * 2
