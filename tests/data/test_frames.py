"""Every dtype that a frame may bring."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from geco.data.database import Database
from geco.errors import DataError

DAY, NOON = dt.date(2020, 2, 29), dt.datetime(1960, 3, 1, 12, 0, 0, 5)


def read(column, **kwargs):
    frame = column if hasattr(column, "columns") else pd.DataFrame({"f": column})
    database = Database.from_frame(frame, **kwargs)
    return database.schema["f"], database.distinct(["f"])[0][0].tolist(), database.dtypes["f"]


PANDAS = {
    "int8": (pd.Series([1, 2], dtype="int8"), "integer", [1, 2]),
    "uint64": (pd.Series([2**64 - 1, 1], dtype="uint64"), "integer", [1, 2**64 - 1]),
    "UInt64": (pd.Series([2**64 - 1, None], dtype="UInt64"), "integer", [2**64 - 1, None]),
    "exact int64": (pd.Series([2**53 + 1, 2**53]), "integer", [2**53, 2**53 + 1]),
    "Int64": (pd.Series([3, None, 1], dtype="Int64"), "integer", [1, 3, None]),
    "float32": (pd.Series([0.5, np.nan], dtype="float32"), "number", [0.5, None]),
    "whole floats": (pd.Series([2.0, np.nan, 1.0]), "number", [1.0, 2.0, None]),
    "Float64": (pd.Series([1.5, None], dtype="Float64"), "number", [1.5, None]),
    "bool": (pd.Series([True, False]), "boolean", [False, True]),
    "boolean": (pd.Series([True, None], dtype="boolean"), "boolean", [True, None]),
    "object bool": (pd.Series([True, None], dtype=object), "boolean", [True, None]),
    "str": (pd.Series(["b", None, "", "a"]), "text", ["", "a", "b", None]),
    "object str": (pd.Series(["b", np.nan, "a", pd.NA], dtype=object), "text", ["a", "b", None]),
    "string": (pd.Series(["b", None], dtype="string"), "text", ["b", None]),
    "pyarrow string": (pd.Series(["b", None], dtype=pd.ArrowDtype(pa.string())), "text", ["b", None]),
    "pyarrow int": (pd.Series([3, None], dtype=pd.ArrowDtype(pa.int16())), "integer", [3, None]),
    "pyarrow date": (pd.Series([DAY, None], dtype=pd.ArrowDtype(pa.date32())), "date", [DAY, None]),
    "category": (pd.Series(["b", None, "a"], dtype="category"), "text", ["a", "b", None]),
    "int category": (pd.Series([7, None, 3], dtype=pd.CategoricalDtype([7, 3])), "integer", [3, 7, None]),
    "bool category": (pd.Series([True, False]).astype("category"), "boolean", [False, True]),
    "datetime": (pd.Series([NOON, pd.NaT]), "datetime", [NOON, None]),
    "datetime ns": (pd.Series([NOON]).astype("datetime64[ns]"), "datetime", [NOON]),
    "object datetime": (pd.Series([NOON, None], dtype=object), "datetime", [NOON, None]),
    "object date": (pd.Series([DAY, None], dtype=object), "date", [DAY, None]),
    "object int": (pd.Series([2, None, 1], dtype=object), "integer", [1, 2, None]),
    "object int and float": (pd.Series([2, 1.5], dtype=object), "number", [1.5, 2.0]),
    "decimal": (pd.Series([Decimal("1.5"), None], dtype=object), "number", [1.5, None]),
    "all missing": (pd.Series([None, None], dtype=object), "number", [None]),
    "all missing text": (pd.Series([None, None], dtype="string"), "text", [None]),
    "minus zero": (pd.Series([-0.0, 0.0]), "number", [0.0]),
}


@pytest.mark.parametrize("case", PANDAS)
def test_pandas_dtypes_keep_type_and_values(case):
    series, expected_type, expected = PANDAS[case]
    feature, values, dtype = read(series)

    assert (feature.type, values, dtype) == (expected_type, expected, series.dtype)
    assert [type(v) for v in values] == [type(v) for v in expected]


@pytest.mark.parametrize("case", ["category", "int category", "bool category"])
def test_categories_are_categorical_whatever_they_hold(case):
    feature, _, _ = read(PANDAS[case][0])

    assert feature.kind == "categorical"


def test_ordered_text_categories_are_ordinal_in_their_order():
    dtype = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    feature, values, _ = read(pd.Series(["high", "low"], dtype=dtype))

    assert (feature.kind, feature.order, values) == ("ordinal", ("low", "mid", "high"), ["high", "low"])


def test_ordered_increasing_integer_categories_are_ordinal():
    feature, _, _ = read(pd.Series([3, 1], dtype=pd.CategoricalDtype([1, 2, 3], ordered=True)))

    assert (feature.type, feature.kind, feature.order) == ("integer", "ordinal", None)


def test_the_index_of_a_frame_does_not_matter():
    frame = pd.DataFrame({"f": ["a", "b"]}, index=[5, 5])

    assert read(frame)[1] == ["a", "b"]


POLARS = {
    "int": (pl.Series("f", [3, None, 1], dtype=pl.Int16), "integer", [1, 3, None]),
    "uint64": (pl.Series("f", [2**64 - 1], dtype=pl.UInt64), "integer", [2**64 - 1]),
    "float": (pl.Series("f", [0.5, None, float("nan")]), "number", [0.5, None]),
    "bool": (pl.Series("f", [True, None]), "boolean", [True, None]),
    "text": (pl.Series("f", ["b", "", None]), "text", ["", "b", None]),
    "categorical": (pl.Series("f", ["b", None, "a"], dtype=pl.Categorical), "text", ["a", "b", None]),
    "date": (pl.Series("f", [DAY, None]), "date", [DAY, None]),
    "datetime": (pl.Series("f", [NOON, None]), "datetime", [NOON, None]),
    "decimal": (pl.Series("f", [Decimal("1.5")]), "number", [1.5]),
    "null": (pl.Series("f", [None, None]), "number", [None]),
}


@pytest.mark.parametrize("case", POLARS)
def test_polars_dtypes_keep_type_and_values(case):
    series, expected_type, expected = POLARS[case]
    feature, values, dtype = read(pl.DataFrame([series]))

    assert (feature.type, values, dtype) == (expected_type, expected, series.dtype)
    assert [type(v) for v in values] == [type(v) for v in expected]


def test_a_polars_enum_is_ordinal_in_its_order():
    series = pl.Series("f", ["high", None], dtype=pl.Enum(["low", "high"]))
    feature, values, _ = read(pl.DataFrame([series]))

    assert (feature.kind, feature.order, values) == ("ordinal", ("low", "high"), ["high", None])


ARROW = {
    "int": (pa.array([3, None, 1], pa.int8()), "integer", [1, 3, None]),
    "float": (pa.array([0.5, None, float("nan")]), "number", [0.5, None]),
    "bool": (pa.array([True, None]), "boolean", [True, None]),
    "text": (pa.array(["b", "", None]), "text", ["", "b", None]),
    "large text": (pa.array(["b"], pa.large_string()), "text", ["b"]),
    "dictionary": (pa.array(["b", None, "a"]).dictionary_encode(), "text", ["a", "b", None]),
    "date32": (pa.array([DAY, None]), "date", [DAY, None]),
    "date64": (pa.array([DAY, None], pa.date64()), "date", [DAY, None]),
    "timestamp": (pa.array([NOON, None], pa.timestamp("us")), "datetime", [NOON, None]),
    "decimal": (pa.array([Decimal("1.5"), None]), "number", [1.5, None]),
    "null": (pa.nulls(2), "number", [None]),
}


@pytest.mark.parametrize("case", ARROW)
def test_arrow_types_keep_type_and_values(case):
    array, expected_type, expected = ARROW[case]
    feature, values, dtype = read(pa.table({"f": array}))

    assert (feature.type, values, dtype) == (expected_type, expected, array.type)
    assert [type(v) for v in values] == [type(v) for v in expected]


def test_arrow_dictionaries_that_differ_between_chunks_are_one_column():
    chunks = pa.chunked_array([pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", "b"]).dictionary_encode()])
    database = Database.from_frame(pa.table({"f": chunks}))
    values, counts = database.distinct(["f"])

    assert (values[0].tolist(), counts.tolist()) == (["a", "b", "c"], [1, 2, 1])


@pytest.mark.parametrize("form", ["pandas", "polars", "pyarrow"])
def test_the_library_of_the_frame_is_remembered(form):
    frame = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}[form]({"f": [1]})

    assert Database.from_frame(frame).form == form


REFUSED = {
    "text and integers": (["a", None, 1], "column 'f' mixes types: 'a' is text, 1 is integer; convert the column"),
    "booleans and integers": ([True, 2], "column 'f' mixes types: True is boolean, 2 is integer;"),
    "lists": ([[1], [2]], "column 'f' has values such as [1] (list), which geco cannot use; convert it"),
    "bytes": ([b"a"], "column 'f' has values such as b'a' (bytes)"),
    "infinity": ([1.0, np.inf], "column 'f' has infinite values; mark them as missing, replace them, or exclude"),
    "wide integers": ([2**70, 1], "column 'f' has integers beyond 64 bits; convert them"),
    "complex": ([1j], "column 'f' has the dtype complex128, which geco cannot use"),
    "durations": ([pd.Timedelta(1, "h")], "column 'f' has the dtype timedelta64"),
    "periods": (pd.period_range("2020", periods=1, freq="D"), "column 'f' has the dtype period[D]"),
    "intervals": (pd.cut(pd.Series([1, 2]), 2), "column 'f' has the dtype interval"),
    "time zone": (pd.to_datetime(["2020-01-01T00:00Z"]), "column 'f' has datetimes with a time zone; convert them"),
    "object time zone": (
        pd.Series([dt.datetime(2020, 1, 1, tzinfo=dt.UTC)], dtype=object),
        "column 'f' has datetimes with",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_columns_that_cannot_be_used_are_named(case):
    column, expected = REFUSED[case]
    with pytest.raises(DataError) as caught:
        read(column)

    assert str(caught.value).startswith(expected)


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"f": [[1], [2]]}),
        pl.DataFrame({"f": [dt.time(1)]}),
        pa.table({"f": [[1], [2]]}),
        pa.table({"f": [b"a"]}),
        pa.table({"f": [{"a": 1}]}),
    ],
)
def test_nested_and_binary_columns_say_how_to_leave_them_out(frame):
    with pytest.raises(DataError, match=r"or exclude it: exclude=\['f'\]"):
        read(frame)
