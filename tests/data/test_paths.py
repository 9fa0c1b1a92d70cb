"""A path is a path, whatever signs are in it; nothing leaves this machine."""

import os
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from geco.data.connection import private_connection, sealed_connection, temporary_connection
from geco.data.database import Database
from geco.errors import DataError, GecoError

NAMES = ["data[1]", "d*", "d?", "**", "a[!b]", "it's [1]*?", "back\\slash[1]", "{x,y}", "~", "$HOME", "%41", "é [日]"]


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".csv":
        path.write_text(f"a,b\n{value},x\n")
    else:
        pq.write_table(pa.table({"a": [value], "b": ["x"]}), path)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", ["file", "folder"])
def test_signs_of_a_pattern_in_a_path_mean_nothing(tmp_path, kind, name, place):
    def file(stem):
        return tmp_path / (f"{stem}.{kind}" if place == "file" else f"{stem}/d.{kind}")

    for i, decoy in enumerate(["data1", "d", "dx", "ac", "x", "y", "A", "backslash1", "back\\slash1"]):
        write(file(decoy), i)
    write(file(name), 99)
    database = Database.from_file(file(name))

    assert (database.rows, database.distinct(["a"])[0][0].tolist()) == (1, [99])


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_folder_called_like_a_column_changes_nothing(tmp_path, kind):
    path = tmp_path / "a=5" / "year=2020" / f"d.{kind}"
    write(path, 1)
    database = Database.from_file(path)

    assert (database.schema.names, database.row(0)) == (("a", "b"), {"a": 1, "b": "x"})


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_name_that_is_not_utf8_is_read(tmp_path, kind):
    path = tmp_path / f"d.{kind}"
    write(path, 1)
    odd = path.rename(tmp_path / os.fsdecode(b"\xff." + kind.encode()))

    assert Database.from_file(odd).row(0) == {"a": 1, "b": "x"}


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("start", ["s3:", "http:", "https:", "gcs:", "hf:", "file:"])
def test_an_address_is_refused_in_our_own_words(kind, start):
    for path in (f"{start}//bucket/d.{kind}", Path(f"{start}//bucket/d.{kind}")):
        with pytest.raises(DataError, match="geco reads files of this machine only; download it first"):
            Database.from_file(path)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("start", ["s3:", "http:", "md:"])
def test_a_local_folder_may_be_called_like_an_address(tmp_path, monkeypatch, kind, start):
    write(tmp_path / start / "bucket" / f"d.{kind}", 1)
    monkeypatch.chdir(tmp_path)

    assert Database.from_file(f"{start}//bucket/d.{kind}").row(0) == {"a": 1, "b": "x"}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (7, "path must be text or a pathlib.Path, got 7"),
        ("a\0.csv", "cannot be the name of a file"),
        ("", "there is no file ''"),
        (".", "is a folder, not a file"),
    ],
)
def test_what_is_not_a_path_of_a_file_is_refused(path, expected):
    with pytest.raises(GecoError, match=expected):
        Database.from_file(path)


def test_a_file_that_may_not_be_read_is_our_error(tmp_path, monkeypatch):
    write(tmp_path / "d.csv", 1)

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(DataError, match=r"cannot read .*d\.csv': Permission denied"):
        Database.from_file(tmp_path / "d.csv")


def connections(tmp_path):
    duckdb.connect(tmp_path / "d.duckdb").close()
    return [private_connection(), temporary_connection(), sealed_connection(str(tmp_path / "d.duckdb"))]


def test_no_connection_installs_or_loads_an_extension_by_itself(tmp_path):
    query = "SELECT value FROM duckdb_settings() WHERE name LIKE 'auto%_known_extensions'"

    assert [c.execute(query).fetchall() for c in connections(tmp_path)] == [[("false",), ("false",)]] * 3


def test_no_connection_sees_the_variables_around_it(tmp_path):
    people = pa.table({"a": [1]})
    for connection in connections(tmp_path):
        with pytest.raises(duckdb.CatalogException):
            connection.execute("SELECT * FROM people")

    assert people.num_rows == 1
