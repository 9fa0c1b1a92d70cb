"""The bytes of a CSV ▶ whether DuckDB will read it as it is written, and how many rows that must give.

DuckDB reads fast and in parallel, but forgives what must not be forgiven (an empty field too many, spaces before a
quote, a blank line above the header), and not in every version the same. So the whole file is looked at first, as
arrays of bytes: plain is a file of one kind of line end whose quotes all open or close a field and whose lines all have
the same number of fields. Any other is rewritten record by record (csvtext.py), which takes longer.
"""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

from geco.data.columns import Array

BLOCK = 1 << 19  # bytes; arrays of this size stay in the processor's cache, which makes all of this three times faster
LONGEST_RECORD = 100_000_000
BOM = b"\xef\xbb\xbf"
_TAB, _NEWLINE, _RETURN, _SPACE, _QUOTE = b'\t\n\r "'


class NotPlain(Exception):
    """DuckDB might read something else than what is written."""


class PlainCount:
    """What is known of a plain file.

    Attributes
    ----------
    lines : how many hold anything; the header is one.
    longest : bytes of the longest.
    multiline : whether a field has a line end in it.
    """

    def __init__(self, delimiter: str, width: int) -> None:
        self.lines = 0
        self.longest = 0
        self.multiline = False
        self._delimiter, self._width = ord(delimiter), width
        self._returns: bool | None = None  # whether lines end in \r\n
        self._before_quotes = _table(self._delimiter, _NEWLINE, _QUOTE)
        self._after_quotes = _table(self._delimiter, _NEWLINE, _RETURN, _QUOTE)

    def read(self, file: BinaryIO) -> None:
        """Count all of the file, or raise NotPlain."""
        rest = file.read(len(BOM)).removeprefix(BOM)
        while read := file.read(max(BLOCK, len(rest))):  # more and more, so that a long record is not quadratic
            block = rest + read
            rest = block[self._add(block) :]
            if len(rest) > LONGEST_RECORD:
                raise NotPlain
        if rest:
            rest += b"\r\n" if self._returns else b"\n"  # the last line of a file need not have an end
            if self._add(rest) < len(rest):
                raise NotPlain

    def _add(self, block: bytes) -> int:
        """Count the lines of a block, which begins with one; return how many bytes they take."""
        data = np.frombuffer(block, dtype=np.uint8)
        special = data == _QUOTE
        for sign in (self._delimiter, _NEWLINE, _RETURN):
            special |= data == sign
        at: Array = np.flatnonzero(special)
        signs: Array = data[at]
        outside = np.cumsum(signs == _QUOTE) & 1 == 0
        ends = np.flatnonzero((signs == _NEWLINE) & outside)
        if not len(ends):
            return 0
        at, signs, outside = (array[: ends[-1] + 1] for array in (at, signs, outside))
        self._check_quotes(data, at[signs == _QUOTE])
        breaks = (signs == _NEWLINE) | (signs == _RETURN)
        self.multiline |= bool((breaks & ~outside).any())
        lengths = self._lengths(data, at[ends], int(np.count_nonzero((signs == _RETURN) & outside)))
        fields = np.diff(np.cumsum((signs == self._delimiter) & outside)[ends], prepend=0) + 1
        self._check_lines(data, at[ends], lengths, fields)
        return int(at[-1]) + 1

    def _check_quotes(self, data: Array, quotes: Array) -> None:
        """Each opens or closes a field, or is one of two inside a field that stand for one."""
        opening, closing = quotes[::2], quotes[1::2]
        before = data[opening[1 if len(opening) and opening[0] == 0 else 0 :] - 1]
        if not (self._before_quotes[before].all() and self._after_quotes[data[closing + 1]].all()):
            raise NotPlain

    def _lengths(self, data: Array, ends: Array, returns: int) -> Array:
        """Of lines without their ends, which must all be of one kind."""
        if self._returns is None:
            self._returns = returns > 0
        if returns != (len(ends) if self._returns else 0):
            raise NotPlain
        if self._returns and (ends[0] == 0 or (data[ends - 1] != _RETURN).any()):
            raise NotPlain
        return np.asarray(np.diff(ends, prepend=-1) - 1 - int(self._returns))

    def _check_lines(self, data: Array, ends: Array, lengths: Array, fields: Array) -> None:
        blank = lengths == 0
        if blank[0] and not self.lines:
            raise NotPlain
        first = data[np.concatenate([[0], ends[:-1] + 1])]
        if self._width == 1 and (blank | (first == _SPACE) | (first == _TAB)).any():
            raise NotPlain  # a line of spaces is no row, but DuckDB would make it one
        if (fields[~blank] != self._width).any():
            raise NotPlain
        self.lines += len(ends) - int(np.count_nonzero(blank))
        self.longest = max(self.longest, int(lengths.max()))


def _table(*signs: int) -> Array:
    allowed = np.zeros(256, dtype=bool)
    allowed[list(signs)] = True
    return allowed
