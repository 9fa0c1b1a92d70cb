"""Random small D: the tables against plain Python, and the same D from every source."""

import datetime as dt
import sqlite3
from collections import Counter

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geco.data.database import Database
from geco.data.domain import Domain

SMALL = settings(max_examples=40, deadline=None)  # each example opens a database or two
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
VALUES = {
    "integer": st.integers(-3, 3) | st.integers(-(2**63), 2**63 - 1),
    "number": st.sampled_from([0.0, 0.5, -1.0, 1e-300]) | st.floats(allow_nan=False, allow_infinity=False),
    "text": TEXT,
    "boolean": st.booleans(),
    "date": st.dates(),
    "datetime": st.datetimes(),
}
ARROW = {
    "integer": pa.int64(),
    "number": pa.float64(),
    "text": pa.string(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
}


@st.composite
def databases(draw, kinds=tuple(VALUES), text=TEXT):
    """Columns by name, their types, and a partition of the names into groups."""
    types = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))
    rows = draw(st.integers(1, 8))
    strategies = {**VALUES, "text": text}
    columns = {
        f"f{i}": draw(st.lists(st.none() | strategies[t], min_size=rows, max_size=rows)) for i, t in enumerate(types)
    }
    groups: list[list[str]] = []
    for name in columns:
        place = draw(st.integers(0, len(groups)))
        groups[place].append(name) if place < len(groups) else groups.append([name])
    return columns, dict(zip(columns, types, strict=True)), groups


def to_arrow(columns, types):
    return pa.table({name: pa.array(values, ARROW[types[name]]) for name, values in columns.items()})


def to_pandas(columns):
    return pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})


def contents(domain):
    """Everything of a Domain that must not depend on where D came from."""
    return [
        (
            t.features,
            [t.values[n].tolist() for n in t.features],
            [t.numbers[n].tobytes() for n in t.features],
            t.counts.tolist(),
        )
        for t in domain.tables
    ], domain.spread


def build(frame, groups):
    database = Database.from_frame(frame)
    return Domain.build(database, groups, database.schema)


@SMALL
@given(databases())
def test_rows_and_counts_are_those_of_a_counter(problem):
    columns, types, groups = problem
    domain = build(to_arrow(columns, types), groups)
    for group, table in zip(groups, domain.tables, strict=True):
        expected = Counter(zip(*(columns[name] for name in group), strict=True))
        rows = list(zip(*(table.values[name][1:] for name in group), strict=True))

        assert dict(zip(rows, table.counts[1:].tolist(), strict=True)) == expected
        assert len(rows) == len(expected)


@SMALL
@given(databases())
def test_rows_are_sorted_by_their_values_missing_last(problem):
    columns, types, groups = problem
    for table in build(to_arrow(columns, types), groups).tables:
        rows = list(zip(*(table.values[name][1:] for name in table.features), strict=True))

        assert rows == sorted(rows, key=lambda row: [(v is None, 0 if v is None else v) for v in row])


@SMALL
@given(databases())
def test_values_have_the_types_that_were_put_in(problem):
    columns, types, groups = problem
    domain = build(to_arrow(columns, types), groups)
    for name, values in columns.items():
        table = domain.tables[domain.group_of[name]]

        assert {type(v) for v in table.values[name][1:]} == {type(v) for v in values}


@SMALL
@given(databases())
def test_the_number_of_each_value_is_the_one_in_its_table(problem):
    columns, types, groups = problem
    domain = build(to_arrow(columns, types), groups)
    for table in domain.tables:
        for name in table.features:
            numbers = np.array([domain.number(name, value) for value in table.values[name][1:]])

            assert numbers.tobytes() == table.numbers[name][1:].tobytes()


@SMALL
@given(databases(), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(problem, random):
    columns, types, groups = problem
    rows = list(zip(*columns.values(), strict=True))
    random.shuffle(rows)
    shuffled = dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))

    assert contents(build(to_arrow(columns, types), groups)) == contents(build(to_arrow(shuffled, types), groups))


@SMALL
@given(databases())
def test_every_library_gives_the_same_domain(problem):
    columns, types, groups = problem
    table = to_arrow(columns, types)
    expected = contents(build(table, groups))

    assert contents(build(pl.from_arrow(table), groups)) == expected
    assert contents(build(table.to_pandas(types_mapper=pd.ArrowDtype), groups)) == expected
    if all(set(values) != {None} for values in columns.values()):  # an object column of None says nothing of its type
        assert contents(build(to_pandas(columns), groups)) == expected


@settings(SMALL, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(databases(kinds=("integer", "number", "text"), text=st.sampled_from(["a", "b c", "é", "Z,z", 'q"q'])))
def test_files_and_queries_give_the_same_domain(tmp_path, problem):
    columns, types, groups = problem
    # An empty line of a CSV is no row, and numbers that are all whole are integers there: keep them apart.
    columns = {
        "key": ["k"] * len(next(iter(columns.values()))),
        **{n: [v + 0.25 if types[n] == "number" and v is not None else v for v in c] for n, c in columns.items()},
    }
    columns = {n: [v if not isinstance(v, float) or v % 1 else 0.5 for v in c] for n, c in columns.items()}
    types, groups = {"key": "text", **types}, [["key"], *groups]
    known = {n for n, c in columns.items() if set(c) != {None}}
    columns = {n: c for n, c in columns.items() if n in known}
    groups = [kept for group in groups if (kept := [n for n in group if n in known])]
    table = to_arrow(columns, types)
    expected = contents(build(table, groups))

    to_pandas(columns).to_csv(tmp_path / "d.csv", index=False)
    pq.write_table(table, tmp_path / "d.parquet")
    (tmp_path / "d.sqlite").unlink(missing_ok=True)
    with sqlite3.connect(tmp_path / "d.sqlite") as lite:
        declared = {"integer": "INTEGER", "number": "REAL", "text": "TEXT"}  # older pandas calls some numbers TEXT
        to_pandas(columns).to_sql("d", lite, index=False, dtype={n: declared[types[n]] for n in columns})
    lite.close()
    connection = duckdb.connect()
    connection.register("source", table)
    for database in (
        Database.from_file(tmp_path / "d.csv"),
        Database.from_file(tmp_path / "d.parquet"),
        Database.from_sql("d", tmp_path / "d.sqlite"),
        Database.from_sql("source", connection),
    ):
        assert contents(Domain.build(database, groups, database.schema)) == expected


@SMALL
@given(st.datetimes(), st.dates())
def test_moments_are_numbered_in_days_since_1970(moment, day):
    domain = build(to_arrow({"m": [moment], "d": [day]}, {"m": "datetime", "d": "date"}), [["m"], ["d"]])
    seconds = (moment - dt.datetime(1970, 1, 1)).total_seconds()

    assert abs(domain.number("m", moment) - seconds / 86_400) < 1e-6
    assert domain.number("d", day) == day.toordinal() - dt.date(1970, 1, 1).toordinal()
