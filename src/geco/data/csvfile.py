"""CSV files ▶ a DuckDB table, with the values pandas.read_csv would have seen.

A model is usually fitted on what pandas.read_csv returns, so pandas' way of splitting (csvtext.py) and of typing
(csvtypes.py) is ours. DuckDB does the reading, with every option fixed, of a file that is known to be plain
(csvbytes.py), and the number of rows is checked.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any

import duckdb

from geco.data.connection import private_connection, temporary_connection
from geco.data.csvplain import PlainFile, check_utf8, plain_file
from geco.data.csvtypes import (
    MISSING,
    MISSING_MARKS,
    NO_TYPE,
    TEXT,
    cast_sql,
    check_type,
    column_type,
    shapes_of,
    shapes_sql,
    sql_string,
)
from geco.data.parts import Part, check_same_columns
from geco.data.paths import literal_path
from geco.errors import DataError

# Parsing text takes longer than anything else that is done to D, so it is done once. Above this size the table
# lies in a temporary file, not in memory.
IN_MEMORY_BYTES = 100_000_000
USUAL_LINE = 1_000_000  # bytes; of longer ones DuckDB must be told


@dataclass(frozen=True)
class CsvTable:
    """The table ``d`` of a connection: its column c<i> is the i-th of ``kept``, and has the i-th of ``types``.

    ``missing`` says where a value is missing, if that is known already.
    """

    connection: Any
    rows: int
    names: list[str]
    kept: list[str]
    types: list[str]
    missing: list[bool] | None


def load_csv(parts: Sequence[Part], keep: Callable[[list[str]], list[str]]) -> CsvTable:
    """Make the table of one file, or of several with the same columns; ``keep`` says which of the names stay."""
    connection, kind = _connection(parts)
    with tempfile.TemporaryDirectory(prefix="geco-") as folder:
        plain = [plain_file(part, os.path.join(folder, str(i))) for i, part in enumerate(parts)]
        files = [replace(file, path=literal_path(file.path, connection)) for file in plain]
        names = check_same_columns([(file.part, list(file.positions)) for file in files])
        kept = keep(names)
        try:
            types, missing = _Loading(connection, kind, files, kept).load()
        except duckdb.Error:
            for file in files:
                check_utf8(file)
            raise
    rows = connection.execute("SELECT count(*) FROM d").fetchall()[0][0]
    expected = sum(file.rows for file in files)
    if rows != expected:
        raise DataError(f"cannot read {parts[0].path!r}: it has {expected} rows, but DuckDB finds {rows}")
    return CsvTable(connection, rows, names, kept, types, missing)


def _connection(parts: Sequence[Part]) -> tuple[Any, str]:
    """A connection, and the kind of table to make there."""
    size = sum(os.path.getsize(part.path) * (8 if part.is_gzip else 1) for part in parts)
    return (private_connection(), "TEMP TABLE") if size <= IN_MEMORY_BYTES else (temporary_connection(), "TABLE")


@dataclass(frozen=True)
class _Loading:
    connection: Any
    kind: str
    files: Sequence[PlainFile]
    names: Sequence[str]

    def load(self) -> tuple[list[str], list[bool] | None]:
        """Make the table; return the types of its columns, and where a value is missing, if it is known.

        What the files look like at their beginning is nearly always what they look like to their end. So the table is
        made with these types at once, and the files are looked through only if a field does not fit.
        """
        shapes = {name: reduce(or_, (_first_shapes(file, name) for file in self.files)) for name in self.names}
        types = self._types(shapes)
        complete = all(file.complete for file in self.files)
        if not complete:
            if not set(types) & set(NO_TYPE) and self._fits(types):
                return types, None
            shapes = self._all_shapes(shapes)
            types = self._types(shapes)
        for name, cls in zip(self.names, types, strict=True):
            check_type(name, cls)
        self._fill(types, sure=True)
        return types, [bool(shapes[name] & MISSING) for name in self.names] if complete else None

    def _types(self, shapes: Mapping[str, int]) -> list[str]:
        return [column_type(shapes[name]) for name in self.names]

    def _fits(self, types: Sequence[str]) -> bool:
        """Try to make the table with these types."""
        try:
            self._fill(types, sure=False)
        except duckdb.Error:
            self.connection.execute("DROP TABLE IF EXISTS d")
            return False
        return True

    def _fill(self, types: Sequence[str], sure: bool) -> None:
        for i, file in enumerate(self.files):
            typed = zip(self.names, types, strict=True)
            columns = ", ".join(f"{cast_sql(_field(file, n), t, sure)} AS c{j}" for j, (n, t) in enumerate(typed))
            begin = "INSERT INTO d" if i else f"CREATE {self.kind} d AS"
            self.connection.execute(f"{begin} SELECT {columns} FROM {_reader(file)}")

    def _all_shapes(self, shapes: dict[str, int]) -> dict[str, int]:
        """From all fields of what may still be no text."""
        for file in self.files:
            unsure = [name for name in file.positions if not shapes.get(name, TEXT) & TEXT]
            if unsure and not file.complete:
                sql = ", ".join(shapes_sql(_field(file, name)) for name in unsure)
                found = self.connection.execute(f"SELECT {sql} FROM {_reader(file)}").fetchall()[0]
                shapes = {**shapes, **{name: shapes[name] | more for name, more in zip(unsure, found, strict=True)}}
        return shapes


def _first_shapes(file: PlainFile, name: str) -> int:
    return file.shapes[file.positions[name]] if name in file.positions else shapes_of([file.part.values[name]])


def _field(file: PlainFile, name: str) -> str:
    """The text of a column, NULL where it is missing."""
    if name in file.positions:
        return f"c{file.positions[name]}"
    value = file.part.values[name]
    return "CAST(NULL AS VARCHAR)" if shapes_of([value]) == MISSING else sql_string(value)


def _reader(file: PlainFile) -> str:
    """The file as a table of texts c0, c1, …"""
    columns = ", ".join(f"c{i}: 'VARCHAR'" for i in range(len(file.positions)))
    options = [
        f"{sql_string(file.path)}, auto_detect = false, columns = {{{columns}}}",
        f"delim = {sql_string(file.delimiter)}, quote = '\"', escape = '\"', comment = ''",
        f"nullstr = [{', '.join(map(sql_string, MISSING_MARKS))}]",
        "header = true, skip = 0, compression = 'none', hive_partitioning = false",
    ]
    if file.multiline:
        options.append("parallel = false")  # else a thread might begin to read in the middle of a field
    if file.longest > USUAL_LINE:
        options.append(f"max_line_size = {file.longest + 10}, buffer_size = {4 * file.longest}")
    return f"read_csv({', '.join(options)})"
