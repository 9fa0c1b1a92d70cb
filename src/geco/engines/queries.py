"""A query on DuckDB or SQLite ▶ rows, fetched some at a time."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import duckdb

from geco.data.connection import sealed_connection
from geco.data.relation import types_of
from geco.data.sqltext import cannot_run, check_one_select, check_query, from_clause
from geco.errors import DataError
from geco.given import path_of

FETCHED = 4096
_INTEGERS = frozenset(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"))
Read = Callable[[], Iterator[tuple[Any, ...]]]


def query_rows(query: Any, connection: Any, key: str | None) -> tuple[list[str], str, Read]:
    """The names of the columns, the type of the key, and what gives the rows."""
    check_query(query)
    opened = _opened(connection)
    relation = from_clause(query)
    try:
        if isinstance(opened, sqlite3.Connection):
            cursor = opened.execute(f"SELECT * FROM {relation}")
            return [column[0] for column in cursor.description], "string", lambda: _fetched(cursor, query)
        check_one_select(query, opened)
        names = [row[0] for row in opened.sql(f"SELECT * FROM {relation} AS t LIMIT 0").description]
        types = dict(zip(names, types_of(opened, relation), strict=True))
        whole = key is not None and types.get(key) in _INTEGERS
        sql = f"SELECT * FROM {relation} AS t"
        return names, "int64" if whole else "string", lambda: _fetched(opened.execute(sql), query)
    except (duckdb.Error, sqlite3.Error, sqlite3.Warning, UnicodeDecodeError) as error:
        raise cannot_run(query, error) from error


def _opened(connection: Any) -> Any:
    if isinstance(connection, (sqlite3.Connection, duckdb.DuckDBPyConnection)):
        return connection
    if not isinstance(connection, (str, os.PathLike)):
        raise DataError(
            f"expected a DuckDB connection or the path of a DuckDB or SQLite file, not {type(connection).__name__}"
        )
    path = path_of(connection)
    try:
        with open(path, "rb") as file:
            is_sqlite = file.read(16) == b"SQLite format 3\0"
        if is_sqlite:
            return sqlite3.connect(f"file:{quote(os.fsencode(path))}?mode=ro", uri=True)
        return sealed_connection(path)
    except OSError as error:
        raise DataError(f"cannot open {path!r}: {error.strerror}") from error
    except (duckdb.Error, sqlite3.Error) as error:
        raise DataError(f"cannot open {path!r}: {error}") from error


def _fetched(cursor: Any, query: str) -> Iterator[tuple[Any, ...]]:
    try:
        while rows := cursor.fetchmany(FETCHED):
            yield from rows
    except (duckdb.Error, sqlite3.Error, sqlite3.Warning, UnicodeDecodeError) as error:
        raise cannot_run(query, error) from error
