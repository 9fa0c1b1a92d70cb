"""A CSV file ▶ rows, one at a time, each field read as its feature needs it.

D's own reader (data/csvfile.py) asks what all fields of a column have in common. A few applicants in a file may have
less variety than D: codes such as 1, 2 and A, of which only 1 and 2 occur. So here the feature says what a field is,
and a field that is not that fails its row alone.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TextIO

from geco.data.csvtext import BrokenRecord, Records, read_head
from geco.data.csvtypes import MISSING_MARKS
from geco.data.frames import check_names
from geco.data.parts import Part
from geco.data.schema import Schema
from geco.errors import DataError

_MISSING = frozenset(MISSING_MARKS)
_WHOLE = re.compile(r"[ \t]*[+-]?[0-9]+[ \t]*")
_DECIMAL = re.compile(r"[ \t]*[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?[ \t]*")
_TRUTH = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}


def csv_names(part: Part) -> list[str]:
    """The names in the header."""
    try:
        with _open(part) as file:
            names = read_head(part.path, file).names
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise _unreadable(part, error) from error
    check_names(names)
    return names


def csv_records(part: Part, names: Sequence[str]) -> Iterator[list[str]]:
    """The fields of these columns, record by record; nothing is read ahead."""
    try:
        with _open(part) as file:
            head = read_head(part.path, file)
            positions = [head.names.index(name) for name in names]
            file.seek(0)
            records = Records(file, head.delimiter)
            for number, record in enumerate(records):
                if len(record) != len(head.names):
                    raise BrokenRecord(
                        f"line {records.line} has {len(record)} fields, but the header has {len(head.names)}"
                    )
                if number:
                    yield [record[position] for position in positions]
    except BrokenRecord as error:
        raise DataError(f"cannot read {part.path!r}: {error}") from None
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise _unreadable(part, error) from error


def field_reader(features: Schema, name: str) -> Callable[[str], Any]:
    """What a field of this column says; a key that is no feature stays text.

    Examples
    --------
    >>> from geco.data.schema import Feature
    >>> read = field_reader(Schema((Feature("age", "integer", "continuous"),)), "age")
    >>> read("41"), read("41.5"), read("NA"), read("old")
    (41, 41.5, None, 'old')
    """
    if name in features and features[name].type in ("integer", "number", "boolean"):
        return _number_or_truth
    return text_or_missing


def text_or_missing(field: str) -> str | None:
    return None if field in _MISSING else field


def _number_or_truth(field: str) -> Any:
    if field in _MISSING:
        return None
    if _WHOLE.fullmatch(field):
        return int(field)
    return float(field) if _DECIMAL.fullmatch(field) else _TRUTH.get(field, field)


def _open(part: Part) -> TextIO:
    """As UTF-8, its mark at the beginning left out; line ends as they are."""
    if part.is_gzip:
        return gzip.open(part.path, "rt", encoding="utf-8-sig", newline="")
    return open(part.path, encoding="utf-8-sig", newline="")


def _unreadable(part: Part, error: Exception) -> DataError:
    if isinstance(error, UnicodeDecodeError):
        return DataError(f"cannot read {part.path!r}: it is not UTF-8; save it as UTF-8")
    return DataError(f"cannot read {part.path!r}: {getattr(error, 'strerror', None) or error}")
