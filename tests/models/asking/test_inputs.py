"""The user's input form: when x is put into the columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import geco
from geco.models.asking.block import Block
from geco.models.asking.inputs import InputForm, InputOfX
from geco.models.asking.layouts import PandasLayout
from geco.models.asking.stack import stack


def inputs() -> InputForm:
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [5, 15, 25]})  # of one dtype, so that older pandas joins them, too
    return geco.Explainer(lambda table: 0.9 * (table["a"] > 2), geco.Database.from_frame(frame)).model.inputs


class Watching:
    """A layout that notes how long the columns are that x is put into."""

    def __init__(self, layout):
        self.layout, self.filled = layout, []

    def __getattr__(self, name):
        return getattr(self.layout, name)

    def with_x(self, column, value, feature):
        self.filled.append(len(column))
        return self.layout.with_x(column, value, feature)


@pytest.mark.parametrize(("value", "filled"), [(7, [1, 1]), (7.5, [1, 1, 4, 4])])
def test_columns_are_copied_for_x_only_where_a_wider_dtype_must_be_and_then_once(value, filled):
    form = inputs()
    layout = Watching(form._layout)
    of_x = InputOfX(layout, form._columns, form._groups, {"a": value, "b": 2}, np.zeros(2, np.int32), form._block)
    before = list(layout.filled)
    tables = [of_x.table(np.zeros((1, 2), np.int32)) for _ in range(2)]

    assert (before, layout.filled) == ([], filled)
    assert [table.to_dict("records") for table in tables] == [[{"a": value, "b": 2}]] * 2


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


@pytest.mark.parametrize("plain", ["number", "word", "both"])
@pytest.mark.parametrize("own", ["none", "text", "level", "gap", "day"])
def test_a_table_of_blocks_is_the_one_that_pandas_makes_column_by_column(plain, own):
    columns = {
        "text": pd.array(["b", "a", "c"], "string"),
        "count": np.array([3, 1, 2]),
        "word": np.array(["b", None, "c"], object),
        "level": pd.Categorical(["low", "high", "low"], ["low", "high"], ordered=True),
        "share": np.array([0.5, np.nan, 0.75], np.float32),
        "gap": pd.array([1, None, 2], "Int64"),
        "day": np.array(["2024-01-01", "2024-02-01", "NaT"], "datetime64[us]"),
        "other count": np.array([30, 10, 20]),
    }
    shown = {"number": ["count", "share", "other count"], "word": ["word"], "both": ["count", "word", "other count"]}
    chosen = {f: column for f, column in columns.items() if f in (*shown[plain], own)}
    made = PandasLayout({}, {}).table(chosen)
    expected = pd.DataFrame({f: pd.Series(column, dtype=column.dtype) for f, column in chosen.items()})

    pd.testing.assert_frame_equal(made, expected)
    pd.testing.assert_frame_equal(made.iloc[[2, 0]], expected.iloc[[2, 0]])
    assert made.assign(more=1).groupby("more").size().tolist() == [3]


def test_a_zero_of_the_other_sign_is_shown_as_it_was_given():
    frame = pd.DataFrame({"a": [0, 1, 2], "b": [0.0, 1.5, 2.5]})
    form = geco.Explainer(lambda table: 0.9 * (table["a"] > 2), geco.Database.from_frame(frame)).model.inputs
    shown = [form.of({"a": 0, "b": zero}, [1, 1]).table(np.zeros((1, 2), np.int32))["b"][0] for zero in (-0.0, 0.0)]

    assert np.signbit(shown).tolist() == [True, False]


@pytest.mark.parametrize(
    "values",
    [
        np.arange(6),
        np.array([0.5, np.nan, 1.5, 2.5, 3.5, 4.5], np.float32),
        np.array(["b", None, "c", "d", "e", "f"], object),
        np.arange("2024-01", "2024-07", dtype="datetime64[M]").astype("datetime64[us]"),
    ],
)
@pytest.mark.parametrize("input", ["frame", "array"])
def test_a_table_of_one_dtype_taken_at_once_is_the_one_taken_column_by_column(values, input):
    frame = pd.DataFrame({"a": values, "b": values[::-1], "c": np.roll(values, 2)}, dtype=values.dtype)
    explainer = geco.Explainer(
        lambda table: np.full(len(table), 0.9),
        geco.Database.from_frame(frame),
        geco.parse_plaf("GROUP a, c"),
        input=input,
    )
    form, like_x = explainer.model.inputs, np.array([2, 3], np.int32)
    rows = np.array([[0, 0], [1, 0], [6, 2], [0, 5]], np.int32)
    at_once = form.of(dict(frame.iloc[0]), like_x.tolist())
    by_column = InputOfX(form._layout, form._columns, form._groups, rows_like_x=like_x)
    made, expected = at_once.table(rows), by_column.table(rows)

    assert form._block is not None
    pd.testing.assert_frame_equal(pd.DataFrame(made), pd.DataFrame(expected))
    assert input == "frame" or made.flags.c_contiguous


def test_columns_of_one_dtype_are_taken_together_and_the_table_is_the_one_made_column_by_column():
    columns = {
        "text": pd.array(["b", "a", None, "c"], "str"),
        "count": np.array([3, 1, 2, 5]),
        "level": pd.Categorical(["low", "high", "low", "high"], ["low", "high"]),
        "note": pd.array(["y", "x", "x", "z"], "string"),
        "other text": pd.array(["u", "v", "w", "u"], "str"),
        "gap": pd.array([1, None, 2, 4], "Int64"),
        "word": np.array(["b", None, "c", "d"], object),
        "level turned": pd.Categorical(["low", "high", "low", "low"], ["high", "low"]),
        "other count": np.array([30, 10, 20, 50]),
        "other gap": pd.array([None, 7, 8, 9], "Int64"),
    }
    layout, groups = PandasLayout({}, {}), {f: i // 2 for i, f in enumerate(columns)}
    block = Block.of(layout, columns, groups)
    rows = np.array([[1, 2, 3, 1, 2], [3, 3, 2, 1, 1], [2, 1, 1, 3, 3]], np.int32)
    expected = layout.table({f: column.take(rows[:, groups[f]]) for f, column in columns.items()})

    assert block is not None or layout._made_of is None  # an older pandas makes no table of blocks
    if block is not None:
        made = block.table([rows], [np.zeros(5, np.int32)], [None])
        pd.testing.assert_frame_equal(made, expected)
        assert list(made["level turned"].cat.categories) == ["high", "low"]
        assert len(block._joined) == 7  # not one for each of the ten columns
        assert list(block.columns) == list(columns)
        assert all(pd.Series(block.columns[f]).equals(pd.Series(column)) for f, column in columns.items())


def test_a_table_with_dates_beside_other_dtypes_is_made_column_by_column():
    columns = {"day": np.array(["2024-01-01", "2024-02-01"], "datetime64[us]"), "count": np.array([3, 1])}

    assert Block.of(PandasLayout({}, {}), columns, {"day": 0, "count": 1}) is None


MIXED = pd.DataFrame(
    {
        "count": [3, 1, 2, 5],
        "word": np.array(["b", "a", None, "c"], object),
        "share": [0.5, 0.25, np.nan, 0.0],
        "code": np.array([7, 8, 9, 1], np.int8),
        "level": pd.Categorical(["low", "high", "low", "high"], ["low", "high", "unused"]),
        "other word": pd.Series(["x", "y", "z", "x"], dtype="str"),
        "single": np.array([0.5, 1.5, 2.5, 3.5], np.float32),
        "gap": pd.array([1, None, 2, 3], "Int64"),
    }
)
NEW = {
    "count": [3, 9, 2.5],
    "word": ["a", "new", None],
    "share": [0.25, 0.125, -0.0, None],
    "code": [7, 77, 1000],
    "level": ["low", "unused", "new", None],
    "other word": ["x", "new", None],
    "single": [0.5, 0.75],
    "gap": [2, 7, None],
}
ONE = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in NEW.items()})
FORM: list[InputForm] = []


def form_of_mixed() -> InputForm:
    if not FORM:
        explainer = geco.Explainer(lambda table: np.full(len(table), 0.9), geco.Database.from_frame(MIXED))
        FORM.append(explainer.model.inputs)
    return FORM[0]


@settings(deadline=None)
@given(instances=st.lists(ONE, min_size=1, max_size=3), seed=st.integers(0, 99))
def test_x_among_the_columns_of_d_is_shown_as_in_columns_of_its_own(instances, seed):
    form = form_of_mixed()
    domain, rng = form.domain, np.random.default_rng(seed)
    like = [[domain.find(g, x) for g in range(len(domain.tables))] for x in instances]
    among = [form.of(x, rows) for x, rows in zip(instances, like, strict=True)]
    apart = [InputOfX(form._layout, form._columns, form._groups, x) for x in instances]
    rows = [rng.integers(0, [t.rows + 1 for t in domain.tables], (4, len(domain.tables)), np.int32) for _ in among]
    tables = [of_x.table(of) for of_x, of in zip(among, rows, strict=True)]

    assert [of_x.widened for of_x in among] == [of_x.widened for of_x in apart]
    for table, of_x, of in zip(tables, apart, rows, strict=True):
        expected = of_x.table(of)
        pd.testing.assert_frame_equal(table, expected)
        assert np.array_equal(np.signbit(table["share"]), np.signbit(expected["share"]))
    narrow = [i for i, of_x in enumerate(among) if not of_x.widened]
    if narrow:
        together = stack([among[i] for i in narrow], [rows[i] for i in narrow])
        pd.testing.assert_frame_equal(together, pd.concat([tables[i] for i in narrow], ignore_index=True))
