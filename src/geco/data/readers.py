"""CSV, Parquet, data frame, SQL ▶ a relation in DuckDB that Database can group.

In: a path, columns of a frame, or a query. Out: `Loaded`, that is the connection, the SQL text of a relation with
columns c0, c1, … of a few plain types, and for each feature what the source says about it.
"""

from __future__ import annotations

import math
import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import duckdb
import numpy as np

from geco.data.columns import Array, Column
from geco.data.connection import private_connection, sealed_connection
from geco.data.csvfile import CsvTable, load_csv
from geco.data.frames import check_names
from geco.data.objects import concatenate, object_column
from geco.data.parquet import parquet_relation
from geco.data.parts import Part, find_parts
from geco.data.paths import existing_file
from geco.data.relation import ColumnFacts, column_facts, facts_of, plain_column, plain_expression, types_of
from geco.data.schema import Kind, Type
from geco.data.sqltext import cannot_run, check_one_select, check_query, from_clause
from geco.errors import DataError, did_you_mean, shown
from geco.given import path_of

SQLITE_CHUNK = 50_000


@dataclass(frozen=True)
class Source:
    """What the source says about one feature; ``dtype`` is the user's, or what pandas would have chosen.

    ``mark`` stands for missing where the dtype is object.
    """

    type: Type
    dtype: object
    kind: Kind | None = None
    order: tuple[str, ...] | None = None
    mark: object = None


@dataclass(frozen=True)
class Loaded:
    """D inside DuckDB: ``relation`` has the column c<i> for the i-th of ``names``."""

    connection: Any
    relation: str
    rows: int
    all_names: tuple[str, ...]
    names: tuple[str, ...]
    sources: Mapping[str, Source]
    dictionaries: Mapping[str, Array] = field(default_factory=dict)


def read_file(path: str, exclude: Sequence[str]) -> Loaded:
    """A CSV or Parquet file."""
    # A folder called "age=30" above the file says nothing about it: read_files is for partitions.
    return _read([Part(existing_file(path))], path, exclude)


def read_files(pattern: str, exclude: Sequence[str]) -> Loaded:
    """All CSV or all Parquet files of a folder or a pattern."""
    return _read(find_parts(pattern), pattern, exclude)


def _read(parts: Sequence[Part], path: str, exclude: Sequence[str]) -> Loaded:
    try:
        if parts[0].is_csv:
            return _csv(load_csv(parts, lambda names: keep(names, exclude)))
        if parts[0].is_parquet:
            connection = private_connection()
            relation, names = parquet_relation(connection, parts, lambda names: keep(names, exclude))
            return load_relation(connection, relation, names, exclude)
    except duckdb.Error as error:
        raise DataError(f"cannot read {path!r}: {error}") from error
    raise DataError(f"cannot read {path!r}: expected a name that ends in .csv, .csv.gz or .parquet")


def read_query(query: str, connection: Any, exclude: Sequence[str]) -> Loaded:
    """The result of a query on DuckDB or SQLite."""
    check_query(query)
    try:
        if isinstance(connection, (str, os.PathLike)):
            path = path_of(connection)
            if _is_sqlite(path):
                opened = sqlite3.connect(f"file:{quote(os.fsencode(path))}?mode=ro", uri=True)
                try:
                    return _copy_sqlite(query, opened, exclude)
                finally:
                    opened.close()
            return _scan(query, sealed_connection(path), exclude)
        if isinstance(connection, sqlite3.Connection):
            return _copy_sqlite(query, connection, exclude)
        if isinstance(connection, duckdb.DuckDBPyConnection):
            return _copy_duckdb(query, connection, exclude)
    except (duckdb.Error, sqlite3.Error, sqlite3.Warning, UnicodeDecodeError) as error:
        raise cannot_run(query, error) from error
    raise DataError(
        f"expected a DuckDB connection or the path of a DuckDB or SQLite file, not {type(connection).__name__}"
    )


def load_columns(dtypes: Mapping[str, object], read: Callable[[str], Column], exclude: Sequence[str]) -> Loaded:
    """Copy columns into a private DuckDB table; ``dtypes`` has every column of the source."""
    names = keep(list(dtypes), exclude)
    columns = {name: read(name) for name in names}
    rows = check_rows(len(columns[names[0]]))
    arrays: dict[str, Array] = {}
    selected = []
    for i, column in enumerate(columns.values()):
        days, moments = column.type == "date", column.data.dtype == np.dtype("datetime64[us]")
        arrays[f"v{i}"] = np.ascontiguousarray(column.data.astype(np.int64) if days or moments else column.data)
        arrays[f"m{i}"] = np.ascontiguousarray(column.missing)
        # DuckDB takes nanoseconds as they are; NumPy's microseconds it would make nanoseconds of, up to the year 2262.
        value = (
            f"DATE '1970-01-01' + CAST(v{i} AS INTEGER)" if days else f"make_timestamp(v{i})" if moments else f"v{i}"
        )
        selected.append(f"CASE WHEN m{i} THEN NULL ELSE {value} END AS c{i}")
    connection = private_connection()
    connection.register("arrays", arrays)
    connection.execute(f"CREATE TEMP TABLE d AS SELECT {', '.join(selected)} FROM arrays")
    connection.unregister("arrays")
    sources = {name: Source(c.type, dtypes[name], c.kind, c.order, c.mark) for name, c in columns.items()}
    dictionaries = {name: c.dictionary for name, c in columns.items() if c.dictionary is not None}
    return Loaded(connection, "d", rows, tuple(dtypes), tuple(names), sources, dictionaries)


def load_relation(connection: Any, relation: str, names: Sequence[str], exclude: Sequence[str]) -> Loaded:
    """Leave the rows where they are and describe them."""
    check_names(names)
    kept = keep(names, exclude)
    types = types_of(connection, relation)
    aliases = ", ".join(f"r{i}" for i in range(len(names)))
    positions = {name: i for i, name in enumerate(names)}
    selected = ", ".join(
        f"{plain_expression(name, f'r{positions[name]}', types[positions[name]])} AS c{i}"
        for i, name in enumerate(kept)
    )
    plain = f"(SELECT {selected} FROM {relation} AS t({aliases}))"
    rows, facts = facts_of(connection, plain, kept, [types[positions[name]] for name in kept], csv=False)
    check_rows(rows)
    sources = {name: Source(fact.type, fact) for name, fact in facts.items()}
    return Loaded(connection, plain, rows, tuple(names), tuple(kept), sources)


def _csv(table: CsvTable) -> Loaded:
    """The types of a CSV are plain already."""
    check_rows(table.rows)
    if table.missing is None:
        _, facts = facts_of(table.connection, "d", table.kept, table.types, csv=True)
    else:
        described = zip(table.kept, table.types, table.missing, strict=True)
        facts = {name: column_facts(cls, missing, csv=True) for name, cls, missing in described}
    sources = {name: Source(fact.type, fact, mark=math.nan) for name, fact in facts.items()}  # NaN as in read_csv
    return Loaded(table.connection, "d", table.rows, tuple(table.names), tuple(table.kept), sources)


def keep(names: Sequence[str], exclude: Sequence[str]) -> list[str]:
    """The column names without the excluded ones."""
    if isinstance(exclude, str):
        raise DataError(f"exclude must be a list of column names: exclude=[{shown(exclude)}]")
    try:
        excluded = list(exclude)
    except Exception:
        raise DataError(f"exclude must be a list of column names, got {shown(exclude)}") from None
    known = set(names)
    for name in excluded:
        if not isinstance(name, str) or name not in known:
            raise DataError(f"exclude: there is no column {shown(name)}{did_you_mean(name, names)}")
    gone = set(excluded)
    kept = [name for name in names if name not in gone]
    if not names:
        raise DataError("the database has no columns")
    if not kept:
        raise DataError("exclude leaves no feature; at least one column must stay")
    return kept


def check_rows(rows: int) -> int:
    if rows == 0:
        raise DataError("the database has no rows; at least one is needed")
    return rows


def _scan(query: str, connection: Any, exclude: Sequence[str]) -> Loaded:
    relation = from_clause(query)
    check_one_select(query, connection)
    names = [row[0] for row in connection.sql(f"SELECT * FROM {relation} AS t LIMIT 0").description]
    return load_relation(connection, relation, names, exclude)


def _copy_duckdb(query: str, connection: Any, exclude: Sequence[str]) -> Loaded:
    """Through NumPy, not through a cursor: tables and views that are temporary exist on the user's connection alone."""
    described = _scan(query, connection, exclude)
    fetched = connection.sql(f"SELECT * FROM {described.relation} AS t").fetchnumpy()
    columns = {
        name: plain_column(name, described.sources[name].type, fetched[f"c{i}"])
        for i, name in enumerate(described.names)
    }
    loaded = load_columns({name: described.sources[name].dtype for name in described.names}, columns.__getitem__, ())
    return Loaded(**{**loaded.__dict__, "all_names": described.all_names})


def _is_sqlite(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError as error:
        raise DataError(f"cannot open {path!r}: {error.strerror}") from error


def _copy_sqlite(query: str, connection: sqlite3.Connection, exclude: Sequence[str]) -> Loaded:
    """In chunks, because one Python object a cell would take ten times the room of the column."""
    cursor = connection.execute(f"SELECT * FROM {from_clause(query)}")
    names = [row[0] for row in cursor.description]
    check_names(names)
    kept = {name: names.index(name) for name in keep(names, exclude)}
    parts: dict[str, list[Column]] = {name: [] for name in kept}
    while rows := cursor.fetchmany(SQLITE_CHUNK):
        cells = list(zip(*rows, strict=True))
        for name, i in kept.items():
            parts[name].append(object_column(name, cells[i]))
    check_rows(sum(map(len, next(iter(parts.values())))))
    columns = {name: concatenate(name, pieces) for name, pieces in parts.items()}
    facts = {name: ColumnFacts.of_column(column) for name, column in columns.items()}
    loaded = load_columns({name: facts[name] for name in kept}, columns.__getitem__, ())
    return Loaded(**{**loaded.__dict__, "all_names": tuple(names)})
