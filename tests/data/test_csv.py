"""CSV files with everything that tempts a reader to guess: no row is lost, none joined, no value changed."""

import datetime as dt
import gzip

import numpy as np
import pandas as pd
import pytest

from geco.data import csvbytes, csvfile, csvplain, csvtext
from geco.data.connection import private_connection
from geco.data.database import Database
from geco.errors import DataError


@pytest.fixture
def read(tmp_path):
    def make(text, **settings):
        path = tmp_path / "d.csv"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return Database.from_file(path, **settings)

    return make


@pytest.fixture
def short_head(monkeypatch):
    """The beginning of a file, from which types are guessed first, is 100 characters."""
    monkeypatch.setattr(csvtext, "HEAD", 100)
    monkeypatch.setattr(csvtext, "HEAD_LINES", 1)


def rows(database):
    return [tuple(database.row(i).values()) for i in range(database.rows)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("code,n\nb,20\n#1,y\n", [("b", "20"), ("#1", "y")]),
        ("#a,b\n#1,#\n", [("#1", "#")]),
        ("a,b\n1,x\r\n2,y\n3,z\r4,w\n", [(1, "x"), (2, "y"), (3, "z"), (4, "w")]),
        ("a,b\r1,x\r2,y", [(1, "x"), (2, "y")]),
        ("a,b\r\n1,x\r\n2,y", [(1, "x"), (2, "y")]),
        ("\n  \na,b\n1,x\n", [(1, "x")]),
        ("a,b\n\n1,x\n \t\n\n2,y\n\n", [(1, "x"), (2, "y")]),
        ("a\n1\n\n2\n \n", [(1,), (2,)]),
        ('a\n""\n"x"\n', [(None,), ("x",)]),
        ('a\n" "\nx\n', [(" ",), ("x",)]),
        ('a,b\n"x\ny","1\r\n2"\n"p\rq",\n', [("x\ny", "1\r\n2"), ("p\rq", None)]),
        ('a,b\r\n"x\ny",1\r\nz,2\r\n', [("x\ny", 1), ("z", 2)]),
        ('a,b\n"""x""",""""\ny"z,5"\n', [('"x"', '"'), ('y"z', '5"')]),
        ('a,b\n"x"y,1\n"p""q"r"s",2\n', [("xy", 1), ('p"qr"s"', 2)]),
        ('a,b\n "x",1\n"y" ,2\n', [(' "x"', 1), ("y ", 2)]),
        ("a,b\n'x,1\n'y,2\n", [("'x", 1), ("'y", 2)]),
        ('a,b\nx\\,1\n\\"y,2\n', [("x\\", 1), ('\\"y', 2)]),
        ("a;b\n1,5;x,y\n", [("1,5", "x,y")]),
        ("a\tb\n\t\n \t \n", [(None, None), (" ", " ")]),
        ('\ufeff"a",b\n1,x\n', [(1, "x")]),
        ('a,b\n"x\n\ny",1\n', [("x\n\ny", 1)]),
        ('"a\r\nb"\nx\ny\n', [("x",), ("y",)]),
        ('"a\nb",c\r\n"x",1\r\ny,2\r\n', [("x", 1), ("y", 2)]),
        ("a,b\n1,x\n\x1a,y\n", [("1", "x"), ("\x1a", "y")]),
    ],
)
def test_every_record_is_read_as_it_is_written(read, text, expected):
    assert rows(read(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1,2,\n", "line 2 has 3 fields, but the header has 2"),
        ("a,b\n1,2,\n3\n", "line 2 has 3 fields, but the header has 2"),
        ("a,b\n1,2\n3\n", "line 3 has 1 fields, but the header has 2"),
        ('a,b\n"x\ny",2\n3\n', "line 4 has 1 fields, but the header has 2"),
        ('a,b\n1,2\n"x,3\n4,5\n', "line 4: a quote is left open at the end of the file"),
        ('"a,b\n1,2\n', "the header line has no end; is a quote left open there?"),
        ('a,"b\n1,2\n', "the header line has no end; is a quote left open there?"),
        ('a,b\n1,"' + "x" * 200_000, "is a quote left open there?"),
        ("\n \n", "is empty; expected a header line"),
        (b"a,b\n1,\xff\n", "it is not UTF-8; convert it first"),
        (b"\xff\xfea\x00,\x00b\x00\n\x00", "it is not UTF-8; convert it first"),
    ],
)
def test_a_file_without_one_clear_meaning_is_refused_by_line(read, text, expected):
    with pytest.raises(DataError) as caught:
        read(text)

    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "cls", "values"),
    [
        (["0x10", "0X1F"], "text", ["0X1F", "0x10"]),
        (["1_000", "2"], "text", ["1_000", "2"]),
        (["+-1", "2"], "text", ["+-1", "2"]),
        (["0b1", "1"], "text", ["0b1", "1"]),
        (["5e", "1"], "text", ["1", "5e"]),
        (["- ", "1"], "text", ["- ", "1"]),
        (["9223372036854775807", "-9223372036854775808"], "integer", [-(2**63), 2**63 - 1]),
        (["9223372036854775808", "1"], "integer", [1, 2**63]),
        (["0009223372036854775807", "18446744073709551615"], "integer", [2**63 - 1, 2**64 - 1]),
        (["99999999999999999999", "1.5"], "number", [1.5, 1e20]),
        ([" 7 ", "+8\t"], "integer", [7, 8]),
        (["tRUE", "False"], "boolean", [False, True]),
        ([".5", "5."], "number", [0.5, 5.0]),
        (["Infinity", "one"], "text", ["Infinity", "one"]),
        (["2020-02-29", "2021-02-29"], "text", ["2020-02-29", "2021-02-29"]),
        (["2000-02-29", "1996-02-29"], "date", [dt.date(1996, 2, 29), dt.date(2000, 2, 29)]),
        (["1900-02-29"], "text", ["1900-02-29"]),
        (["0000-01-01"], "text", ["0000-01-01"]),
        (["2020-1-1"], "text", ["2020-1-1"]),
        (["2020-01-01 10:00:00+02:00"], "text", ["2020-01-01 10:00:00+02:00"]),
        (["2020-01-01T23:59", "2020-01-02"], "datetime", [dt.datetime(2020, 1, 1, 23, 59), dt.datetime(2020, 1, 2)]),
        (["2020-01-01 24:00:00"], "text", ["2020-01-01 24:00:00"]),
        (["2020-01-01 00:00:00.123456789"], "text", ["2020-01-01 00:00:00.123456789"]),
        (["2020-01-01 00:00:00.120000000"], "datetime", [dt.datetime(2020, 1, 1, 0, 0, 0, 120_000)]),
    ],
)
@pytest.mark.parametrize("sign", ["", '"'])
def test_only_plain_decimal_numbers_and_iso_dates_are_more_than_text(read, fields, cls, values, sign):
    database = read("a,b\n" + "".join(f"{sign}{field}{sign},x\n" for field in fields))

    assert (database.schema["a"].type, database.distinct(["a"])[0][0].tolist()) == (cls, values)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (["18446744073709551616", "1"], "column 'a' has integers beyond 64 bits"),
        (["9223372036854775808", "-1"], "column 'a' has integers beyond 64 bits"),
        (["-Infinity", "1.5"], "column 'a' has infinite values"),
        (["1e400", "1"], "column 'a' has infinite values"),
        (["9" * 400, "1.5"], "column 'a' has infinite values"),
    ],
)
@pytest.mark.parametrize("sign", ["", '"'])
@pytest.mark.parametrize("before", [0, 100])
def test_numbers_that_cannot_be_held_exactly_are_refused_unless_excluded(
    short_head, read, fields, expected, sign, before
):
    text = "a,b\n" + "3,x\n" * before + "".join(f"{sign}{field}{sign},x\n" for field in fields)
    with pytest.raises(DataError, match=expected):
        read(text)

    assert read(text, exclude=["a"]).rows == before + 2


@pytest.mark.parametrize(
    ("first", "last", "cls"),
    [
        ("1", "x", "text"),
        ("1", "0x10", "text"),
        ("1", " 2", "integer"),
        ("1", "2.5", "number"),
        ("1", "9223372036854775808", "integer"),
        ("1.5", ".25", "number"),
        ("1.5", "", "number"),
        ("", "7", "integer"),
        ("true", "yes", "text"),
        ("2020-01-01", "2020-01-01 10:00", "datetime"),
        ("2020-01-01", "2020-02-30", "text"),
        ("Infinity", "never", "text"),
    ],
)
def test_what_comes_late_in_a_large_file_decides_too(short_head, read, first, last, cls):
    database = read("a,b\n" + f"{first},x\n" * 200 + f"{last},y\n")
    small = read(f"a,b\n{first},x\n{last},y\n")

    assert (database.rows, database.schema["a"].type) == (201, cls)
    assert database.distinct(["a"])[0][0].tolist() == small.distinct(["a"])[0][0].tolist()
    assert database.dtypes["a"] == small.dtypes["a"]


def test_a_row_that_duckdb_loses_is_noticed(read, monkeypatch):
    reader = csvfile._reader
    monkeypatch.setattr(csvfile, "_reader", lambda file: f"(FROM {reader(file)} LIMIT 1)")
    with pytest.raises(DataError, match=r"it has 2 rows, but DuckDB finds 1"):
        read("a,b\n1,x\n2,y\n")


@pytest.mark.parametrize("block", [7, 64, 1000])
def test_where_a_block_of_the_file_ends_changes_nothing(read, monkeypatch, block):
    text = "a,b\n" + "".join(f'{i},"text {i}, ""quoted""\nand more"\n' for i in range(100))
    whole = read(text).distinct(["a", "b"])[0]
    monkeypatch.setattr(csvbytes, "BLOCK", block)
    monkeypatch.setattr(csvplain, "copy_records", None)  # the file is plain, so it is not copied
    pieces = read(text).distinct(["a", "b"])[0]

    assert [column.tolist() for column in pieces] == [column.tolist() for column in whole]


def test_fields_and_lines_may_be_long(read):
    long = "x" * 3_000_000
    database = read(f'a,b\n1,"{long}"\n2,y\n')

    assert rows(database) == [(1, long), (2, "y")]


def test_the_header_may_be_long(read):
    names = [f"{i}{'x' * 500}" for i in range(300)]
    database = read(",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")

    assert database.schema.names == tuple(names)


class Counting:
    def __init__(self, connection):
        self.connection, self.statements = connection, 0

    def __getattr__(self, name):
        self.statements += name in ("execute", "sql")
        return getattr(self.connection, name)


def test_more_columns_take_no_more_statements(read, monkeypatch):
    """20,000 columns took half a minute, because each column of text was changed by a statement of its own."""
    counted = []
    for width in (3, 60):
        counted.append(Counting(private_connection()))
        monkeypatch.setattr(csvfile, "private_connection", lambda: counted[-1])
        cells = ["x", "1", "0.5"] * (width // 3)
        read(",".join(f"a{i}" for i in range(width)) + "\n" + ",".join(cells) + "\n")

    assert counted[0].statements == counted[1].statements > 0


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (gzip.compress(b"a,b\n1,x\n" * 1000, mtime=0)[:-20], "the file is cut off"),
        (gzip.compress(b"a,b\n1,x\n", mtime=0)[:-4] + b"\0\0\0\0", "it is not a sound gzip file"),
        (b"a,b\n1,x\n", "it is not a sound gzip file"),
        (gzip.compress(b"a,b\n1,x\n", mtime=0) + b"more", "it is not a sound gzip file"),
        (b"", "is empty"),
        (b"\x1f\x8b\x08\x00" + b"\xff" * 40, "it is not a sound gzip file"),
    ],
    ids=["cut off", "wrong sum", "no gzip", "more at its end", "empty", "noise"],
)
def test_a_damaged_gzip_file_is_our_error(tmp_path, data, expected):
    path = tmp_path / "d.csv.gz"
    path.write_bytes(data)
    with pytest.raises(DataError) as caught:
        Database.from_file(path)

    assert expected in str(caught.value)


def test_all_members_of_a_gzip_file_are_read(tmp_path):
    path = tmp_path / "d.CSV.GZ"
    path.write_bytes(gzip.compress(b"a,b\n1,x\n") + gzip.compress(b"2,y\n"))

    assert rows(Database.from_file(path)) == [(1, "x"), (2, "y")]


@pytest.mark.parametrize("name", ["a\udc80", "\ud800"])
def test_a_column_name_with_half_a_surrogate_pair_is_refused(name):
    with pytest.raises(DataError, match="holds half of a surrogate pair; rename the column"):
        Database.from_frame(pd.DataFrame([[1], [2]], columns=pd.Index([name], dtype=object)))


def test_missing_values_are_known_of_small_and_large_files_alike(short_head, read):
    expected = {"a": np.dtype(float), "b": np.dtype(object), "c": np.dtype("datetime64[ns]")}

    assert read("a,b,c\n1,true,2020-01-01\nNA,,\n").dtypes == expected
    assert read("a,b,c\n" + "1,true,2020-01-01\n" * 50 + "NA,,\n").dtypes == expected


def test_text_that_is_not_utf8_is_found_wherever_it_is(short_head, read):
    with pytest.raises(DataError, match="it is not UTF-8; convert it first"):
        read(b"a,b\n" + b"1,x\n" * 100 + b"2,\xff\n")
