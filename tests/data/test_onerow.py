"""One row of a CSV, read alone: the row of the whole table, or none."""

from __future__ import annotations

import gzip
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from geco.data.database import Database
from geco.data.onerow import number_of_key, row_of_csv
from geco.errors import DataError

FIELDS = {
    "whole": ["1", "-2", " +3 ", "007", "9223372036854775807", "NA", ""],
    "wide": ["18446744073709551615", "5", "nan"],
    "number": ["1", "-2.5", "1e-3", " .5 ", "7.", "1e300", "123456789012345678901234567890", "0.1"],
    "boolean": ["true", "FALSE", "True", "null"],
    "date": ["2020-02-29", " 1999-12-31", "N/A"],
    "datetime": ["2020-02-29", "2020-02-29 10:00", "1999-12-31T23:59:59.5", "1999-12-31T23:59:59.1234560", ""],
    "text": ["a", " b ", '"c, d"', '"say ""no"""', "#N/A", "Zoë", '"two\nlines"', "12a"],
}


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, int]:
    """The text of a CSV, and how many rows it has."""
    columns = draw(st.lists(st.sampled_from(list(FIELDS)), min_size=2, max_size=5))
    rows = draw(st.integers(1, 6))
    end, delimiter = draw(st.sampled_from(["\n", "\r\n"])), draw(st.sampled_from([",", ";"]))
    lines = [[f"f{i}" for i in range(len(columns))]]
    lines += [[draw(st.sampled_from(FIELDS[column])) for column in columns] for _ in range(rows)]
    return end.join(delimiter.join(line) for line in lines) + draw(st.sampled_from(["", end])), rows


@settings(max_examples=150, deadline=None)
@given(table=tables(), packed=st.booleans())
def test_a_row_read_alone_is_the_row_of_the_table(
    tmp_path_factory: pytest.TempPathFactory, table: tuple[str, int], packed: bool
) -> None:
    text, rows = table
    path = tmp_path_factory.mktemp("csv") / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    try:
        database = Database.from_file(path)
    except DataError:
        return
    for number in range(database.rows):
        alone, whole = row_of_csv(str(path), number, database.schema), database.row(number)

        assert alone == whole
        assert [type(v) for v in (alone or {}).values()] == [type(v) for v in whole.values()]
    assert number_of_key(str(path), "f0", None) is None
    assert row_of_csv(str(path), database.rows, database.schema) is None
    assert rows >= database.rows  # a line of nothing is none


@pytest.mark.parametrize(
    ("keys", "asked", "number"),
    [
        (["007", "8", "9"], "7", 0),
        (["007", "8", "9"], 8, 1),
        (["a7", "8", "9"], "8", 1),
        (["1.50", "2", "3"], "1.5", 0),
        (["1", "1", "3"], "1", None),
        (["1", "2", "3"], "4", None),
        (["2020-01-01", "2020-01-02", ""], "2020-01-02", 1),
    ],
)
def test_a_key_is_found_as_its_column_has_it(tmp_path: Path, keys: list[str], asked: object, number: int) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,age\n" + "".join(f"{key},{i}\n" for i, key in enumerate(keys)))

    assert number_of_key(str(path), "id", asked) == number


ODD = {
    "a field too few": "age,pay\n1,2\n4,5\n3\n",
    "an open quote": 'age,pay\n1,"2\n',
    "another name": "age,sum\n1,2\n4,5\n7,8\n",
    "a name twice": "age,age\n1,2\n4,5\n7,8\n",
    "nothing": "",
    "another type": "age,pay\n1,x\n1,x\n1,x\n",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_what_is_odd_is_left_to_who_reads_the_whole_table(tmp_path: Path, text: str) -> None:
    good, odd = tmp_path / "good.csv", tmp_path / "odd.csv"
    good.write_text("age,pay\n1,2\n")
    odd.write_text(text)

    assert row_of_csv(str(odd), 2, Database.from_file(good).schema) is None
    assert row_of_csv(str(tmp_path / "absent.csv"), 0, Database.from_file(good).schema) is None
