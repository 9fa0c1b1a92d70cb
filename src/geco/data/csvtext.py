"""The text of a CSV ▶ its records, as pandas.read_csv splits it; nothing is guessed but the delimiter.

RFC 4180, and for what it leaves open: a line may end in any of \\n, \\r\\n and \\r; lines of nothing but spaces are no
records; a quote that does not stand at the start of a field is text. Every record must have as many fields as the
header.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TextIO

from geco.errors import DataError

DELIMITERS = ",;\t|"
HEAD = 200_000  # characters, from which the delimiter, the names and the first types are taken
HEAD_LINES = 50  # at least, where lines are long
LONGEST_HEAD = 100_000_000


@dataclass(frozen=True)
class Head:
    """The beginning of a file: its delimiter, its names, and its first records, or all if it is ``complete``."""

    delimiter: str
    names: list[str]
    records: list[list[str]]
    complete: bool


class Records:
    """The records of a text, one list of fields each; ``line`` is the number of the line last read."""

    def __init__(self, text: Iterator[str], delimiter: str) -> None:
        self.line = 0
        self._text = text
        self._blank = " \t\r\n".replace(delimiter, "")
        self._inside = False
        self._reader = csv.reader(self._lines(), delimiter=delimiter)

    def __iter__(self) -> Iterator[list[str]]:
        try:
            for record in self._reader:
                self._inside = False
                yield record
        except csv.Error as error:
            raise BrokenRecord(f"line {self.line}: {error}; is a quote left open there?") from None

    def _lines(self) -> Iterator[str]:
        for line in self._text:
            self.line += 1
            if self._inside or line.strip(self._blank):
                self._inside = True
                yield line
        # The reader asks for another line in the middle of a record: without this it would take what it has.
        if self._inside:
            raise BrokenRecord(f"line {self.line}: a quote is left open at the end of the file")


class BrokenRecord(Exception):
    """The text is not a CSV from here on; the message says where and why."""


def read_head(path: str, file: TextIO) -> Head:
    """The delimiter is the one that makes the most of the header."""
    text, ended, whole = "", False, False
    records: list[list[str]] = []
    while not (ended or len(records) >= HEAD_LINES or len(text) > LONGEST_HEAD):
        wanted = max(HEAD, len(text))
        more = file.read(wanted)
        text, ended = text + more, len(more) < wanted
        start = text if ended else text[: max(text.rfind("\n"), text.rfind("\r")) + 1]
        headers = {d: _split(start, d, 1)[0] for d in DELIMITERS}
        delimiter = max(DELIMITERS, key=lambda d: sum(map(len, headers[d])))
        records, whole = _split(start, delimiter)
    # A single name may be the whole of a line in which the true delimiter meets an open quote.
    if text.strip() and (not records or (len(records[0]) == 1 and not all(headers.values()))):
        raise DataError(f"cannot read {path!r}: the header line has no end; is a quote left open there?")
    if not records:
        raise DataError(f"{path!r} is empty; expected a header line and at least one row")
    # A column without a name gets the one pandas gives it.
    names = [name or f"Unnamed: {i}" for i, name in enumerate(records[0])]
    return Head(delimiter, names, records[1:], ended and whole)


def _split(text: str, delimiter: str, most: int | None = None) -> tuple[list[list[str]], bool]:
    """The first records, and whether all could be read; what is wrong is found where all of the file is read."""
    records: list[list[str]] = []
    try:
        records.extend(islice(Records(io.StringIO(text, newline=""), delimiter), most))
    except BrokenRecord:
        return records, False
    return records, True


def copy_records(path: str, source: TextIO, delimiter: str, width: int, target: TextIO) -> tuple[int, int]:
    """Write all records in a form that leaves no doubt; return how many lie under the header, and the longest line.

    What the header says is known, so columns are numbered there.
    """
    write = csv.writer(target, lineterminator="\n", quoting=csv.QUOTE_ALL).writerow
    records = Records(source, delimiter)
    count, longest = -1, 0
    try:
        for record in records:
            if len(record) != width:
                raise BrokenRecord(f"line {records.line} has {len(record)} fields, but the header has {width}")
            count, longest = count + 1, max(longest, write(record if count >= 0 else range(width)))
    except BrokenRecord as error:
        raise DataError(f"cannot read {path!r}: {error}") from None
    return count, 4 * longest  # in bytes, of which a sign has at most four
