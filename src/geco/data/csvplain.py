"""A CSV of any kind ▶ a file that DuckDB reads as it is written, the user's own or a copy, and what is known of it."""

from __future__ import annotations

import gzip
import os
import shutil
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from geco.data.csvbytes import NotPlain, PlainCount
from geco.data.csvtext import Head, copy_records, read_head
from geco.data.csvtypes import shapes_of
from geco.data.frames import check_names
from geco.data.parts import Part
from geco.errors import DataError


@dataclass(frozen=True)
class PlainFile:
    """What DuckDB reads.

    Parameters
    ----------
    part : what the user has.
    positions : the number of each column.
    shapes : per column the shapes of its first fields, or of all fields if ``complete``.
    path, delimiter, rows, longest, multiline : of the file to be read; ``longest`` line in bytes, ``multiline`` if a
        field has a line end in it.
    """

    part: Part
    positions: Mapping[str, int]
    shapes: Sequence[int]
    complete: bool
    path: str
    delimiter: str
    rows: int
    longest: int
    multiline: bool


def plain_file(part: Part, folder: str) -> PlainFile:
    """Look at all of the file, and put a copy into ``folder`` if it is not plain."""
    try:
        path = _unpacked(part, folder) if part.is_gzip else part.path
        with _open(path) as text:
            head = read_head(part.path, text)
        check_names(head.names)
        return _checked(part, head, path, folder)
    except UnicodeDecodeError:
        raise _not_utf8(part) from None
    except OSError as error:
        raise DataError(f"cannot read {part.path!r}: {error.strerror or error}") from error


def check_utf8(file: PlainFile) -> None:
    """DuckDB refuses other text, but in words of its own."""
    try:
        with _open(file.path) as text:
            while text.read(1_000_000):
                pass
    except UnicodeDecodeError:
        raise _not_utf8(file.part) from None


def _not_utf8(part: Part) -> DataError:
    return DataError(f"cannot read {part.path!r}: it is not UTF-8; convert it first")


def _unpacked(part: Part, folder: str) -> str:
    os.makedirs(folder)
    target = os.path.join(folder, "unpacked.csv")
    try:
        with gzip.open(part.path) as packed, open(target, "wb") as file:
            shutil.copyfileobj(packed, file, 1 << 20)
    except EOFError:
        raise DataError(f"cannot read {part.path!r}: the file is cut off; fetch or write it again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"cannot read {part.path!r}: it is not a sound gzip file ({error})") from None
    return target


def _open(path: str) -> TextIO:
    return open(path, encoding="utf-8-sig", newline="")


def _checked(part: Part, head: Head, path: str, folder: str) -> PlainFile:
    width = len(head.names)
    count = PlainCount(head.delimiter, width)
    read: tuple[str, str, int, int, bool]
    try:
        if any("\n" in name or "\r" in name for name in head.names):
            raise NotPlain  # of a name with another line end than the rest DuckDB makes an empty table
        with open(path, "rb") as file:
            count.read(file)
        read = (path, head.delimiter, count.lines - 1, count.longest, count.multiline)
    except NotPlain:
        os.makedirs(folder, exist_ok=True)
        copy = os.path.join(folder, "copy.csv")
        with _open(path) as text, open(copy, "w", encoding="utf-8", newline="") as target:
            rows, longest = copy_records(part.path, text, head.delimiter, width, target)
        read = (copy, ",", rows, longest, True)
    # Only now every record is known to have the same number of fields.
    shapes = [shapes_of(fields) for fields in zip(*head.records, strict=True)] or [0] * width
    return PlainFile(part, {name: i for i, name in enumerate(head.names)}, shapes, head.complete, *read)
