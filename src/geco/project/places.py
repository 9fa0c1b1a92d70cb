"""Where in a TOML text each table and key stands; tomllib gives values, and says places of syntax errors only."""

from __future__ import annotations

import re

Path = tuple[str, ...]

_PART = r"""\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*"""
_DOTTED = rf"{_PART}(?:\.{_PART})*"
_HEADER = re.compile(rf"\s*\[\[?({_DOTTED})\]\]?\s*(?:#.*)?$")
_KEY = re.compile(rf"({_DOTTED})=")
_QUOTES = ('"""', "'''", '"', "'")


def places(text: str) -> dict[Path, int]:
    """The line of every table and key that begins a line, by the names that lead to it.

    The text must be correct TOML: what stands inside of values is skipped, not checked.

    Examples
    --------
    >>> places('[data]\\nsource = "a.csv"\\n\\n[features."net pay"]\\nunit = "€"')[("features", "net pay", "unit")]
    5
    """
    found: dict[Path, int] = {}
    table: Path = ()
    within = Within()
    for number, line in enumerate(text.splitlines(), 1):
        if within.nothing:
            if header := _HEADER.match(line):
                table = _names(header[1])
                found.setdefault(table, number)
            elif key := _KEY.match(line):
                names = _names(key[1])
                for end in range(1, len(names) + 1):
                    found.setdefault((*table, *names[:end]), number)
        within.read(line)
    return found


class Within:
    """Whether a line ends inside of a value that goes on: a long text, a list or a table."""

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0

    @property
    def nothing(self) -> bool:
        return not self._quote and self._depth == 0

    def read(self, line: str) -> None:
        at = 0
        while at < len(line):
            at += self._step(line, at)
        if len(self._quote) == 1:  # a short text ends with its line
            self._quote = ""

    def _step(self, line: str, at: int) -> int:
        """Reads one sign, and says how long it is."""
        if self._quote:
            if line[at] == "\\" and self._quote[0] == '"':
                return 2
            if line.startswith(self._quote, at):
                width, self._quote = len(self._quote), ""
                return width
            return 1
        if line[at] == "#":
            return len(line)
        if quote := next((q for q in _QUOTES if line.startswith(q, at)), ""):
            self._quote = quote
            return len(quote)
        self._depth += (line[at] in "[{") - (line[at] in "]}")
        return 1


def _names(dotted: str) -> Path:
    return tuple("".join(parts) for parts in re.findall(_PART, dotted))
