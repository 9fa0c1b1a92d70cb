"""Queries on DuckDB and SQLite."""

import sqlite3

import duckdb
import numpy as np
import pytest

from geco.data import readers
from geco.data.database import Database
from geco.errors import DataError


@pytest.fixture
def connection():
    connection = duckdb.connect()
    connection.execute("CREATE TEMP TABLE people AS SELECT * FROM (VALUES (1, 'x', 1.5), (2, NULL, 2.5)) t(a, b, c)")
    return connection


@pytest.fixture
def duckdb_file(tmp_path):
    with duckdb.connect(tmp_path / "d.duckdb") as connection:
        connection.execute("CREATE TABLE \"my people\" AS SELECT range AS a, 't' || range % 2 AS b FROM range(10)")
    return tmp_path / "d.duckdb"


@pytest.fixture
def sqlite_file(tmp_path):
    path = tmp_path / "d.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE people (a INTEGER, b TEXT, c REAL)")
        rows = [(i, f"t{i % 3}" if i % 4 else None, i / 2 if i > 4 else None) for i in range(10)]
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", rows)
    return path


def contents(database):
    return {name: database.distinct([name])[0][0].tolist() for name in database.schema.names}


@pytest.mark.parametrize("query", ["people", "SELECT * FROM people", "  select * from people;", "FROM people"])
def test_a_duckdb_connection_is_asked(connection, query):
    assert contents(Database.from_sql(query, connection)) == {"a": [1, 2], "b": ["x", None], "c": [1.5, 2.5]}


def test_sums_are_exact_integers(connection):
    database = Database.from_sql("SELECT b, sum(a) + 9007199254740992 AS s FROM people GROUP BY b", connection)

    assert contents(database)["s"] == [2**53 + 1, 2**53 + 2]


def test_integers_beyond_64_bits_are_refused(connection):
    with pytest.raises(DataError, match="column 's' has integers beyond 64 bits"):
        Database.from_sql("SELECT 170141183460469231731687303715884105727 AS s", connection)


def test_a_change_of_the_table_afterwards_changes_nothing(connection):
    database = Database.from_sql("people", connection)
    connection.execute("DROP TABLE people")

    assert contents(database)["a"] == [1, 2]


@pytest.mark.parametrize("query", ["my people", '"my people"', 'SELECT * FROM "my people"'])
def test_a_duckdb_file_is_scanned(duckdb_file, query):
    database = Database.from_sql(query, duckdb_file, exclude=["b"])

    assert (database.rows, contents(database)) == (10, {"a": list(range(10))})


def test_a_sqlite_file_is_read(sqlite_file):
    database = Database.from_sql("people", sqlite_file)

    assert [f.type for f in database.schema] == ["integer", "text", "number"]
    assert contents(database) == {
        "a": list(range(10)),
        "b": ["t0", "t1", "t2", None],
        "c": [2.5, 3.0, 3.5, 4.0, 4.5, None],
    }


@pytest.mark.parametrize("chunk", [1, 3, 4])
def test_the_size_of_the_chunks_changes_nothing(sqlite_file, monkeypatch, chunk):
    whole = Database.from_sql("people", sqlite_file)
    monkeypatch.setattr(readers, "SQLITE_CHUNK", chunk)
    pieces = Database.from_sql("people", sqlite_file)

    assert (pieces.schema, pieces.dtypes, contents(pieces)) == (whole.schema, whole.dtypes, contents(whole))


def test_integers_and_floats_of_different_chunks_are_numbers(sqlite_file, monkeypatch):
    monkeypatch.setattr(readers, "SQLITE_CHUNK", 1)
    database = Database.from_sql("SELECT CASE WHEN a < 5 THEN a ELSE a + 0.5 END AS v FROM people", sqlite_file)

    assert (database.schema["v"].type, contents(database)["v"][4:6]) == ("number", [4.0, 5.5])


@pytest.mark.parametrize("chunk", [1, 100])
def test_a_sqlite_column_of_mixed_types_is_refused(sqlite_file, monkeypatch, chunk):
    monkeypatch.setattr(readers, "SQLITE_CHUNK", chunk)
    with pytest.raises(DataError, match="column 'v' mixes types: 0 is integer, 't' is text"):
        Database.from_sql("SELECT CASE WHEN a < 5 THEN a ELSE 't' END AS v FROM people", sqlite_file)


def test_dtypes_of_a_query_are_those_of_pandas(sqlite_file):
    dtypes = Database.from_sql("SELECT a, c FROM people", sqlite_file).dtypes

    assert dtypes == {"a": np.dtype("int64"), "c": np.dtype("float64")}


def test_a_query_longer_than_a_page_is_not_repeated_in_full(connection, sqlite_file):
    for source in (connection, sqlite_file):
        with pytest.raises(DataError, match="cannot run 'xxx") as caught:
            Database.from_sql("x" * 100_000, source)

        assert len(str(caught.value)) < 5_000


@pytest.mark.parametrize("query", ["peple", "SELECT * FROM peple", "SELEC"])
def test_a_query_that_fails_is_quoted(connection, sqlite_file, query):
    for source in (connection, sqlite_file):
        with pytest.raises(DataError) as caught:
            Database.from_sql(query, source)

        assert str(caught.value).startswith(f"cannot run {query!r}: ")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match=r"cannot open .*nothing\.db"):
        Database.from_sql("people", tmp_path / "nothing.db")


def test_another_kind_of_connection_is_refused():
    with pytest.raises(
        DataError, match="expected a DuckDB connection or the path of a DuckDB or SQLite file, not object"
    ):
        Database.from_sql("people", object())


def test_a_query_without_rows_is_refused(connection, sqlite_file):
    for source in (connection, sqlite_file):
        with pytest.raises(DataError, match="the database has no rows"):
            Database.from_sql("SELECT * FROM people WHERE a > 100", source)


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize(
    "query",
    [
        '"my people"; COPY "my people" TO \'{file}\'; SELECT 1 AS a',
        'SELECT * FROM "my people"; COPY "my people" TO \'{file}\'',
        "SELECT 1 AS a) AS t; COPY \"my people\" TO '{file}'; SELECT * FROM (SELECT 2 AS a",
        "COPY \"my people\" TO '{file}'",
        'WITH t AS (SELECT 1 AS a) SELECT * FROM t; DROP TABLE "my people"',
        "ATTACH '{file}'",
        "SET threads = 1",
        "",
        ";",
        '"my people" WHERE a > 3',
    ],
)
def test_a_query_is_one_select_and_nothing_else(duckdb_file, tmp_path, query, opened):
    file = tmp_path / "written.csv"
    source = duckdb.connect(duckdb_file) if opened else duckdb_file
    with pytest.raises(DataError):
        Database.from_sql(query.format(file=file), source)

    assert not file.exists()
    assert Database.from_sql("my people", source).rows == 10


@pytest.mark.parametrize(
    "query", ['"people"; DROP TABLE people', "SELECT 1) ; DROP TABLE people; SELECT (1", "people;x"]
)
def test_a_query_on_sqlite_is_one_select_and_nothing_else(sqlite_file, query):
    with sqlite3.connect(sqlite_file) as connection:
        for source in (sqlite_file, connection):
            with pytest.raises(DataError):
                Database.from_sql(query, source)

    assert Database.from_sql("people", sqlite_file).rows == 10


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_csv('{file}')",
        "SELECT * FROM '{file}'",
        "SELECT * FROM read_text('{file}')",
        "SELECT * FROM read_parquet('s3://bucket/d.parquet')",
        "SELECT * FROM glob('/*')",
    ],
)
def test_a_query_on_a_duckdb_file_reaches_no_other_file_and_no_network(duckdb_file, tmp_path, query):
    file = tmp_path / "other.csv"
    file.write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match=r"disabled .*configuration"):
        Database.from_sql(query.format(file=file), duckdb_file)


@pytest.mark.parametrize(
    "query",
    [
        "-- all of them\nSELECT * FROM people",
        "/* all */ FROM people -- of them",
        "( SELECT * FROM people )",
        "WITH t AS (SELECT * FROM people) SELECT * FROM t;",
        "TABLE people",
        'temp."people"',
        '"temp".main.people',
    ],
)
def test_a_select_may_be_written_in_many_ways(connection, query):
    assert contents(Database.from_sql(query, connection))["a"] == [1, 2]


@pytest.mark.parametrize("query", [None, 5, b"people", "people\0", "\ud800"])
def test_what_is_not_a_query_is_refused(connection, sqlite_file, query):
    for source in (connection, sqlite_file):
        with pytest.raises(DataError, match="query"):
            Database.from_sql(query, source)


def test_signs_in_the_path_of_a_database_mean_nothing(duckdb_file, sqlite_file):
    for file in (duckdb_file, sqlite_file):
        odd = file.rename(file.with_name("[d]* #%41 " + file.name))
        table = "my people" if file is duckdb_file else "people"

        assert Database.from_sql(table, odd).rows == 10


def test_a_duckdb_file_whose_name_duckdb_cannot_take_is_refused(duckdb_file):
    for name in ("d?.duckdb", "\udcff"):
        duckdb_file = duckdb_file.rename(duckdb_file.with_name(name))
        with pytest.raises(DataError, match=r"DuckDB cannot open a path with '\?' or one that is not UTF-8; rename it"):
            Database.from_sql("my people", duckdb_file)
