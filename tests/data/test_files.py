"""CSV and Parquet files."""

import datetime as dt
import glob
import gzip
import os
import tempfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from geco.data import csvfile
from geco.data.database import Database
from geco.errors import DataError


@pytest.fixture
def write(tmp_path):
    def make(text, name="d.csv", encoding="utf-8"):
        path = tmp_path / name
        data = text.encode(encoding)
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return make


def column(database, name="a"):
    return database.distinct([name])[0][0].tolist()


@pytest.mark.parametrize(
    "values",
    [
        ["1", "2"],
        ["1", "", "3"],
        ["01", "02"],
        ["1.0", "2"],
        ["+1.5", "2"],
        ["1e5", "2"],
        ["true", "False"],
        ["TRUE", ""],
        ["yes", "no"],
        ["T", "F"],
        ["Y", "N"],
        ["NA", "1"],
        ["None", "x"],
        ["nan", "1.5"],
        ["", ""],
        ["?", "3"],
        ["10:00", "11:00"],
        ["01/02/2020", "03/02/2020"],
        [" 1", " 2"],
        [" a", "a"],
        ["1_000", "2"],
        ["5%", "1%"],
        ["20200101", "20200102"],
        ["9007199254740993", "1"],
        ["é", "日本"],
    ],
)
def test_a_csv_has_the_values_and_dtypes_that_pandas_reads(write, values):
    path = write("a,b\n" + "".join(f"{v},x\n" for v in values))
    database = Database.from_file(path)
    expected = pd.read_csv(path)["a"]
    known = sorted(expected.dropna().unique().tolist())
    if database.schema["a"].type == "integer":  # pandas makes floats of integers with missing values
        known = [int(v) for v in known]

    assert column(database) == known + [None] * bool(expected.isna().any())
    assert database.dtypes["a"] == expected.dtype


def test_a_number_in_a_csv_is_the_nearest_float_there_is(write):
    assert column(Database.from_file(write("a,b\n0.1,x\n0.30000000000000004,x\n"))) == [0.1, 0.30000000000000004]


def test_integers_with_missing_values_stay_integers(write):
    database = Database.from_file(write("a,b\n1,x\n,y\n"))

    assert (database.schema["a"].type, column(database), database.dtypes["a"]) == (
        "integer",
        [1, None],
        np.dtype(float),
    )


def test_a_csv_column_without_values_is_a_number(write):
    database = Database.from_file(write("a,b\n,1\n,2\n"))

    assert (database.schema["a"].type, column(database), database.dtypes["a"]) == ("number", [None], np.dtype(float))


def test_iso_dates_are_dates(write):
    database = Database.from_file(write("a,t\n2020-02-29,2020-01-01 10:00:00\n,2020-01-01 09:00:00.5\n"))

    assert column(database) == [dt.date(2020, 2, 29), None]
    assert column(database, "t") == [dt.datetime(2020, 1, 1, 9, 0, 0, 500_000), dt.datetime(2020, 1, 1, 10)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(write, delimiter):
    database = Database.from_file(write("a,b\n1,x\n2,y\n".replace(",", delimiter)))

    assert database.schema.names == ("a", "b")


def test_names_are_those_of_the_header(write):
    database = Database.from_file(write('\ufeffA,a,"say ""hi""","x, y",,größe\n1,2,3,4,5,6\n'))

    assert database.schema.names == ("A", "a", 'say "hi"', "x, y", "Unnamed: 4", "größe")
    assert [column(database, name) for name in database.schema.names] == [[1], [2], [3], [4], [5], [6]]


def test_quoted_text_may_hold_delimiters_quotes_and_lines(write):
    database = Database.from_file(write('a,b\n"x, ""y""\nz",1\nw,2\n'))

    assert column(database) == ["w", 'x, "y"\nz']


def test_a_compressed_csv_is_read(write):
    database = Database.from_file(write("a,b\n1,x\n2,y\n", name="d.csv.gz"))

    assert column(database) == [1, 2]


def test_one_column_is_enough(write):
    assert column(Database.from_file(write("a\nx\ny\n"))) == ["x", "y"]


def test_the_label_is_excluded(write):
    database = Database.from_file(write("a,label\n1,yes\n"), exclude=["label"])

    assert database.schema.names == ("a",)


def test_a_large_csv_lies_in_a_temporary_file_that_goes_away(write, monkeypatch, tmp_path):
    monkeypatch.setattr(csvfile, "IN_MEMORY_BYTES", 1)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where nobody else is writing
    before = set(glob.glob(os.path.join(tempfile.gettempdir(), "geco-*")))
    database = Database.from_file(write("a,b\n1,x\n2,y\n"))
    during = set(glob.glob(os.path.join(tempfile.gettempdir(), "geco-*"))) - before
    values = column(database)
    del database

    assert (values, len(during)) == ([1, 2], 1)
    assert not any(map(os.path.exists, during))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n", "the database has no rows"),
        ("", "is empty; expected a header line"),
        ("a,a\n1,2\n", "two columns are called 'a'"),
        ("a,b\n1,2\n1,2,3\n", "line 3 has 3 fields, but the header has 2"),
        ("a,b\n1,inf\n", "column 'b' has infinite values"),
    ],
)
def test_a_csv_that_cannot_be_used_is_refused(write, text, expected):
    with pytest.raises(DataError) as caught:
        Database.from_file(write(text))

    assert expected in str(caught.value)


def test_a_csv_that_is_not_utf8_is_refused(write):
    with pytest.raises(DataError, match=r"cannot read .*d\.csv"):
        Database.from_file(write("a,größe\n1,x\n", encoding="latin-1"))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match=r"there is no file .*nothing\.csv"):
        Database.from_file(tmp_path / "nothing.csv")


def test_another_kind_of_file_is_refused(write):
    with pytest.raises(DataError, match=r"expected a name that ends in \.csv, \.csv\.gz or \.parquet"):
        Database.from_file(write("a", name="d.xlsx"))


def test_a_file_that_is_not_parquet_is_refused(write):
    with pytest.raises(DataError, match=r"cannot read .*d\.parquet"):
        Database.from_file(write("a,b\n1,2\n", name="d.parquet"))


def test_a_path_may_hold_quotes_and_wildcards(write):
    database = Database.from_file(write("a,b\n1,x\n", name="it's [1]*?.csv"))

    assert column(database) == [1]


@pytest.fixture
def parquet(tmp_path):
    def make(columns):
        path = tmp_path / "d.parquet"
        pq.write_table(pa.table(columns), path)
        return path

    return make


def test_parquet_keeps_types_and_values(parquet):
    day, noon = dt.date(2020, 2, 29), dt.datetime(2020, 1, 1, 12)
    path = parquet(
        {
            "i": pa.array([2, None, 1], pa.int16()),
            "j": pa.array([1, 2, 3], pa.uint32()),
            "f": pa.array([0.5, float("nan"), None], pa.float32()),
            "t": ["b", "", None],
            "b": [True, None, False],
            "d": [day, None, day],
            "s": pa.array([noon, None, noon], pa.timestamp("ms")),
            "n": pa.nulls(3),
        }
    )
    database = Database.from_file(path)
    types = {f.name: f.type for f in database.schema}

    assert types.pop("n") in ("integer", "number")  # nothing known: what DuckDB calls it depends on its version
    assert types == {
        "i": "integer",
        "j": "integer",
        "f": "number",
        "t": "text",
        "b": "boolean",
        "d": "date",
        "s": "datetime",
    }
    assert {name: column(database, name) for name in database.schema.names} == {
        "i": [1, 2, None],
        "j": [1, 2, 3],
        "f": [0.5, None],
        "t": ["", "b", None],
        "b": [False, True, None],
        "d": [day, None],
        "s": [noon, None],
        "n": [None],
    }


def test_parquet_dtypes_are_those_of_pandas(tmp_path):
    frame = pd.DataFrame(
        {
            "i": pd.Series([1, 2], dtype="int16"),
            "f": pd.Series([1, 2], dtype="float32"),
            "t": ["a", "b"],
            "b": [True, False],
            "d": [dt.date(2020, 1, 1)] * 2,
            "s": pd.Series([dt.datetime(2020, 1, 1)] * 2).astype("datetime64[us]"),
        }
    )
    frame.to_parquet(tmp_path / "d.parquet")

    assert Database.from_file(tmp_path / "d.parquet").dtypes == dict(pd.read_parquet(tmp_path / "d.parquet").dtypes)


def test_parquet_names_that_differ_in_case_only_are_kept(parquet):
    database = Database.from_file(parquet({"s": [{"x": 1, "y": [2]}], "A": [1], "a": [2]}), exclude=["s"])

    assert (database.schema.names, column(database, "A"), column(database, "a")) == (("A", "a"), [1], [2])


def test_nested_parquet_columns_say_how_to_leave_them_out(parquet):
    with pytest.raises(DataError, match=r"column 'a' has the type BIGINT\[\].*exclude=\['a'\]"):
        Database.from_file(parquet({"a": [[1], [2]]}))


def test_times_with_a_zone_are_refused(parquet):
    with pytest.raises(DataError, match="column 'a' has datetimes with a time zone"):
        Database.from_file(parquet({"a": pa.array([0], pa.timestamp("us", tz="UTC"))}))


def test_infinite_values_in_parquet_are_refused(parquet):
    with pytest.raises(DataError, match="column 'a' has infinite values"):
        Database.from_file(parquet({"a": [1.0, float("-inf")]}))
