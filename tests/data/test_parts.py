"""Several files as one table: folders, patterns, partitions."""

import datetime as dt
import gzip

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from geco.data import csvtext, parts
from geco.data.database import Database
from geco.errors import DataError

KINDS = ["csv", "parquet"]


@pytest.fixture
def write(tmp_path):
    def make(name, **columns):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        table = pa.table(columns)
        if name.endswith(".parquet"):
            pq.write_table(table, path)
            return
        rows = zip(*(["" if v is None else v for v in column.to_pylist()] for column in table.columns), strict=True)
        text = "\n".join([",".join(table.column_names), *(",".join(map(str, row)) for row in rows), ""])
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())

    return make


def rows(database):
    return [tuple(database.row(i).values()) for i in range(database.rows)]


@pytest.mark.parametrize("kind", KINDS)
def test_all_files_of_a_folder_are_one_table(write, tmp_path, kind):
    write(f"b.{kind}", a=[3], b=["z"])
    write(f"a.{kind}", a=[1, 2], b=["x", "y"])
    write(f"deep/er/c.{kind}", b=["w"], a=[4])
    write("_temporary/part.csv", other=[1])
    write(".hidden.parquet", other=[1])
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / "readme.txt").write_text("not a table")

    assert rows(Database.from_files(tmp_path)) == [(1, "x"), (2, "y"), (3, "z"), (4, "w")]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("d*", [1, 2, 10]),
        ("d?.{kind}", [1, 2]),
        ("d[2-9].{kind}", [2]),
        ("**/*.{kind}", [1, 2, 5, 10]),
        ("sub/*", [5]),
        ("s*", [5]),
        ("d1.{kind}", [1]),
    ],
)
def test_a_pattern_means_what_it_means_in_a_shell(write, tmp_path, kind, pattern, expected):
    for i, name in {1: "d1", 2: "d2", 10: "d10", 5: "sub/x"}.items():
        write(f"{name}.{kind}", a=[i])
    database = Database.from_files(tmp_path / pattern.format(kind=kind))

    assert database.distinct(["a"])[0][0].tolist() == expected


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_whose_name_looks_like_a_pattern_is_that_file(write, tmp_path, kind):
    write(f"d[1].{kind}", a=[1])
    write(f"d1.{kind}", a=[2])

    assert rows(Database.from_files(tmp_path / f"d[1].{kind}")) == [(1,)]
    assert rows(Database.from_files(tmp_path / f"d[[]1].{kind}")) == [(1,)]
    assert rows(Database.from_files(tmp_path / f"d[[0-9]*.{kind}")) == [(2,), (1,)]


@pytest.mark.parametrize("kind", KINDS)
def test_folders_called_key_equals_value_are_columns(write, tmp_path, kind):
    write(f"run=7/year=2024/city=New%20York/p.{kind}", a=[1])
    write(f"run=7/year=2025/city=it's/p.{kind}", a=[2])
    write(f"run=7/year=2025/city=__HIVE_DEFAULT_PARTITION__/p.{kind}", a=[3])
    database = Database.from_files(tmp_path / "run=7")

    assert database.schema.names == ("a", "year", "city")
    assert [f.type for f in database.schema] == ["integer", "integer", "text"]
    assert sorted(rows(database)) == [(1, 2024, "New York"), (2, 2025, "it's"), (3, 2025, None)]
    assert sorted(rows(Database.from_files(tmp_path / "run=*" / "year=2025"))) == [
        (2, 7, 2025, "it's"),
        (3, 7, 2025, None),
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_folders_date_is_a_date_and_signs_in_its_name_mean_nothing(write, tmp_path, kind):
    write(f"day=2024-01-31/tag=[a]*/p.{kind}", a=[1])
    write(f"day=2024-02-01/tag=a/p.{kind}", a=[2])

    assert rows(Database.from_files(tmp_path)) == [(1, dt.date(2024, 1, 31), "[a]*"), (2, dt.date(2024, 2, 1), "a")]


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_of_the_files_hides_the_value_of_a_folder(write, tmp_path, kind):
    write(f"a=9/p.{kind}", a=[1])
    write(f"a=8/p.{kind}", a=[2])

    assert sorted(rows(Database.from_files(tmp_path))) == [(1,), (2,)]


def test_the_columns_of_csv_files_are_typed_together(write, tmp_path, monkeypatch):
    write("a.csv", n=["1", "2"], t=["x", "y"])
    write("b.csv.gz", t=["z"], n=["2.5"])
    (tmp_path / "c.csv").write_bytes(b't;n\r\n"p;q";\r\n')
    whole = Database.from_files(tmp_path)
    monkeypatch.setattr(csvtext, "HEAD", 4)
    monkeypatch.setattr(csvtext, "HEAD_LINES", 1)
    in_pieces = Database.from_files(tmp_path)

    assert rows(whole) == rows(in_pieces) == [(1.0, "x"), (2.0, "y"), (2.5, "z"), (None, "p;q")]
    assert whole.dtypes == in_pieces.dtypes


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (pa.array([1], pa.int32()), pa.array([2], pa.int64()), [1, 2]),
        (pa.array([1], pa.int64()), pa.array([2.5], pa.float32()), [1.0, 2.5]),
        (pa.array([1], pa.int64()), pa.array([2**63 - 1], pa.uint64()), [1, 2**63 - 1]),
        (
            pa.array([dt.date(2020, 1, 2)]),
            pa.array([dt.datetime(2020, 1, 1)]),
            [dt.datetime(2020, 1, d) for d in (1, 2)],
        ),
        (pa.array(["x"]), pa.array(["y"]).dictionary_encode(), ["x", "y"]),
        (pa.array(["x"]), pa.nulls(1), ["x", None]),
        (pa.nulls(1), pa.array([True]), [True, None]),
        (pa.nulls(1), pa.nulls(1), [None]),
    ],
)
def test_parquet_types_that_mean_the_same_are_made_one(write, tmp_path, first, second, expected):
    write("a.parquet", v=first, b=[1])
    write("b.parquet", b=[2], v=second)
    database = Database.from_files(tmp_path)

    assert database.distinct(["v"])[0][0].tolist() == expected
    assert database.distinct(["b"])[0][0].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (["1"], [1], "column 'v' is .*VARCHAR in .*a.parquet' and BIGINT in .*b.parquet'; convert it to one type"),
        ([True], [1], "column 'v' is BOOLEAN in"),
        ([2**53 + 1], [0.5], "an integer beyond 2.53 in one file, fractions in another"),
        ([1], pa.array([2**64 - 1], pa.uint64()), "column 'v' has integers beyond 64 bits"),
    ],
)
def test_parquet_types_that_differ_are_refused_unless_excluded(write, tmp_path, first, second, expected):
    write("a.parquet", v=first, b=[1])
    write("b.parquet", v=second, b=[2])
    with pytest.raises(DataError, match=expected):
        Database.from_files(tmp_path)

    assert rows(Database.from_files(tmp_path, exclude=["v"])) == [(1,), (2,)]


def test_names_of_parquet_columns_may_be_of_any_kind(write, tmp_path):
    for i in (1, 2):
        write(f"k={i}/p.parquet", **{"filename": ["f"], "file": ["g"], "FILE": ["h"], 'say "hi"': [i], "K": [i]})

    assert rows(Database.from_files(tmp_path)) == [("f", "g", "h", i, i, i) for i in (1, 2)]


@pytest.mark.parametrize(
    ("files", "pattern", "expected"),
    [
        ({}, "", "has no file whose name ends in"),
        ({}, "nothing", "there is no file"),
        ({}, "*.csv", "there is no file"),
        ({"a.csv": {"a": [1]}, "b.parquet": {"a": [1]}}, "", "means CSV and Parquet files"),
        (
            {"a.csv": {"a": [1]}, "b.csv": {"b": [1]}},
            "",
            "differ in the column 'a'; all files must have the same columns",
        ),
        ({"a.parquet": {"a": [1]}, "b.parquet": {"a": [1], "b": [1]}}, "", "differ in the column 'b'"),
        ({"k=1/a.csv": {"a": [1]}, "b.csv": {"a": [1]}}, "", "differ in the column 'k'"),
        ({"k=1/a.parquet": {"a": [1]}, "j=1/b.parquet": {"a": [1]}}, "", "differ in the column 'j'"),
    ],
)
def test_files_that_are_not_tables_are_refused(write, tmp_path, files, pattern, expected):
    for name, columns in files.items():
        write(name, **columns)
    with pytest.raises(DataError, match=expected):
        Database.from_files(tmp_path / pattern)


def test_an_address_is_refused():
    with pytest.raises(DataError, match="geco reads files of this machine only"):
        Database.from_files("s3://bucket/*.parquet")


def test_many_files_are_grouped_by_their_partition(write, tmp_path):
    for i in range(60):
        write(f"year={2000 + i % 3}/{i}.parquet", a=np.arange(5) + i)
    database = Database.from_files(tmp_path)
    values, counts = database.distinct(["year"])

    assert (database.rows, values[0].tolist(), counts.tolist()) == (300, [2000, 2001, 2002], [100, 100, 100])


def test_a_folder_that_is_a_whole_disk_is_refused(write, tmp_path, monkeypatch):
    for name in ("a", "b", "c"):
        write(f"{name}.csv", a=[1])
    monkeypatch.setattr(parts, "MOST_FILES", 2)

    with pytest.raises(DataError, match="has more than 2 files below it; name the folder of the table"):
        Database.from_files(tmp_path)
