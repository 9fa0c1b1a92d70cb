"""CSV ▶ a DuckDB table, with the values pandas.read_csv would have seen.

A model is usually fitted on what pandas.read_csv returns, so where DuckDB's own detection differs (yes and no as
booleans, leading zeros as text, NA as text, a name changed because another differs in case only) pandas wins.
Exception: ISO dates become dates.
"""

from __future__ import annotations

import csv
import gzip
import io
import os
import shutil
import tempfile
import weakref
from typing import Any, TextIO

import duckdb

from geco.data.connection import private_connection, sql_string
from geco.errors import DataError

# Parsing text takes longer than anything else that is done to D, so it is done once. Above this size the table
# lies in a temporary file, not in memory.
IN_MEMORY_BYTES = 100_000_000

DELIMITERS = ",;\t|"

MISSING_MARKS = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"),
    *("N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)
_NUMBER = r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?"


def load_csv(path: str) -> tuple[Any, list[str]]:
    """Make the table ``d`` with columns c0, c1, … from the file; return its connection and the header."""
    delimiter, names = _header(path)
    connection, kind = _connection(path)
    columns = [f"c{i}" for i in range(len(names))]
    layout = (
        f"{sql_string(path)}, header = true, skip = 0, delim = {sql_string(delimiter)}, quote = '\"', escape = '\"'"
    )
    detected = (
        f"read_csv({layout}, sample_size = -1, nullstr = [{', '.join(map(sql_string, MISSING_MARKS))}], "
        "auto_type_candidates = ['BIGINT', 'DOUBLE', 'DATE', 'TIMESTAMP', 'VARCHAR'], dateformat = '%Y-%m-%d')"
    )
    try:
        connection.execute(f"CREATE {kind} d AS SELECT * FROM {detected} AS t({', '.join(columns)})")
    except duckdb.Error:
        # What the type detection says of a broken line is of no use; a plain read names the line.
        types = ", ".join(f"'{column}': 'VARCHAR'" for column in columns)
        connection.execute(
            f"SELECT count(*) FROM read_csv({layout}, auto_detect = false, columns = {{{types}}})"
        ).fetchall()
        raise
    for column, cls, *_ in connection.execute("DESCRIBE d").fetchall():
        if cls == "VARCHAR":
            _retype(connection, column)
    return connection, names


def _retype(connection: Any, column: str) -> None:
    """Turn text into what pandas would read, if every value allows it."""
    known, booleans, integers, numbers = connection.execute(
        f"SELECT count({column}), count_if({column} IN ('True', 'TRUE', 'true', 'False', 'FALSE', 'false')), "
        f"count_if(regexp_full_match({column}, '[+-]?[0-9]{{1,18}}')), "
        f"count_if(regexp_full_match({column}, '{_NUMBER}')) FROM d"
    ).fetchall()[0]
    fits = (("DOUBLE", 0), ("BOOLEAN", booleans), ("BIGINT", integers), ("DOUBLE", numbers))
    target = next((cls for cls, count in fits if count == known), None)
    if target:
        connection.execute(f"ALTER TABLE d ALTER COLUMN {column} TYPE {target} USING CAST({column} AS {target})")


def _header(path: str) -> tuple[str, list[str]]:
    """The delimiter, which is the one that makes the most of the header, and the names."""
    try:
        with _open(path) as file:
            start = file.read(1_000_000)
    except UnicodeDecodeError:
        raise DataError(f"cannot read {path!r}: it is not UTF-8; convert it first") from None
    headers = {d: next(csv.reader(io.StringIO(start, newline=""), delimiter=d), []) for d in DELIMITERS}
    delimiter = max(DELIMITERS, key=lambda d: len(headers[d]))
    if not headers[delimiter]:
        raise DataError(f"{path!r} is empty; expected a header line and at least one row")
    # A column without a name gets the one pandas gives it.
    return delimiter, [name or f"Unnamed: {i}" for i, name in enumerate(headers[delimiter])]


def _open(path: str) -> TextIO:
    if path.lower().endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return open(path, encoding="utf-8-sig", newline="")


def _connection(path: str) -> tuple[Any, str]:
    """A connection, and the kind of table to make there."""
    if os.path.getsize(path) * (8 if path.lower().endswith(".gz") else 1) <= IN_MEMORY_BYTES:
        return private_connection(), "TEMP TABLE"
    folder = tempfile.mkdtemp(prefix="geco-")
    connection = duckdb.connect(os.path.join(folder, "d.duckdb"))
    weakref.finalize(connection, shutil.rmtree, folder, ignore_errors=True)
    return connection, "TABLE"
