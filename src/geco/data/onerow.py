"""One row of a CSV whose types are known, without the rest of it: a saved explainer knows them.

What is odd about it gives None; then the whole table is read, which says what is wrong.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from functools import partial
from itertools import islice
from typing import Any

from geco.data.csvtext import BrokenRecord, Records, read_head
from geco.data.csvtypes import MISSING_MARKS, column_type, shapes_of
from geco.data.frames import check_names
from geco.data.parts import Part
from geco.data.schema import Schema
from geco.errors import DataError

# Per type of a feature the types that one field of it may seem to have, and how it is read.
_READ: dict[str, tuple[frozenset[str], Callable[[str], Any]]] = {
    "integer": (frozenset({"BIGINT", "UBIGINT"}), int),
    "number": (frozenset({"BIGINT", "UBIGINT", "beyond 64 bits", "DOUBLE"}), float),
    "boolean": (frozenset({"BOOLEAN"}), lambda field: field.lower() == "true"),
    "date": (frozenset({"DATE"}), lambda field: date.fromisoformat(field.strip())),
    "datetime": (frozenset({"DATE", "TIMESTAMP"}), lambda field: datetime.fromisoformat(field.strip())),
}
_KEYS = {"BIGINT": "integer", "UBIGINT": "integer", "DOUBLE": "number", "BOOLEAN": "boolean", "VARCHAR": "text"}
_KEYS |= {"DATE": "date", "TIMESTAMP": "datetime"}
LONGEST = 100_000_000  # characters that are held at a time; farther down a file is read record by record
_MISSING = frozenset(MISSING_MARKS)
_ODD = (DataError, BrokenRecord, OSError, EOFError, ValueError, LookupError, zlib.error)


def row_of_csv(path: str, number: int, schema: Schema) -> dict[str, Any] | None:
    """The row of this number, from 0, as `Database.row` has it."""
    try:
        with _records(path) as (names, lines, split):
            fields = dict(zip(names, split(next(islice(lines, number, None), "")), strict=True))
        return {feature.name: _value(fields[feature.name], feature.type) for feature in schema}
    except _ODD:
        return None


def number_of_key(path: str, column: str, key: object) -> int | None:
    """The number of the only row that has this key."""
    try:
        with _records(path) as (names, lines, split):
            at = names.index(column)
            fields = [split(line)[at] for line in lines]
        cls, wanted = _KEYS[column_type(shapes_of(fields))], str(key)
        read = str if cls == "text" else _READ[cls][1]
        found = [n for n, field in enumerate(fields) if field not in _MISSING and str(read(field)) == wanted]
    except _ODD:
        return None
    return found[0] if len(found) == 1 else None


@contextmanager
def _records(path: str) -> Iterator[tuple[list[str], Iterator[Any], Callable[[Any], list[str]]]]:
    """The names, what stands below them, and how one of these becomes fields: most lines need not be split."""
    unpack = gzip.open if Part(path).is_gzip else open
    with unpack(path, "rt", encoding="utf-8-sig", newline="") as text:
        head = read_head(path, text)
        check_names(head.names)
        text.seek(0)
        whole = text.read(LONGEST)
        if len(whole) < LONGEST and '"' not in whole and "\r" not in whole.replace("\r\n", ""):
            blank = " \t\r".replace(head.delimiter, "")
            lines = (line for line in whole.split("\n") if line.strip(blank))
            yield head.names, islice(lines, 1, None), partial(_split, head.delimiter)
        else:
            text.seek(0)
            yield head.names, islice(Records(text, head.delimiter), 1, None), list


def _split(delimiter: str, line: str) -> list[str]:
    return line.removesuffix("\r").split(delimiter)


def _value(field: str, cls: str) -> Any:
    seems = column_type(shapes_of([field]))
    if seems == "NULL":
        return None
    if cls == "text":
        return field
    allowed, read = _READ[cls]
    if seems not in allowed:
        raise ValueError
    return read(field)
