"""Shown: how the answer of a question reads: lines of any width, plain data, JSON, and a table for notebooks."""

from __future__ import annotations

import json
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Sequence
from html import escape
from itertools import zip_longest
from typing import Any

from geco.answers.explanation import Action
from geco.answers.labels import Wording
from geco.answers.speech import Speech

ARROW = "▶"
NARROWEST = 12  # that a column is folded to


class Shown(ABC):
    """What all answers have in common; each says what its lines, its table and its plain data are."""

    wording: Wording

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: dates are ISO text, missing values are None."""

    @abstractmethod
    def _lines(self, width: int | None) -> list[str]:
        """Lines for a terminal; tables are as wide as this, the rest is folded here."""

    @abstractmethod
    def _table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], Sequence[str]]:
        """Head, rows, and what is said below them."""

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int | None = None) -> str:
        """Lines for a terminal, none longer than ``width`` if one is given."""
        lines = self._lines(width)
        return "\n".join(lines if width is None else [part for line in lines for part in _folded(line, width)])

    @property
    def _speech(self) -> Speech:
        return Speech(self.wording)

    def to_json(self, indent: int | None = None) -> str:
        """``to_dict`` as standard JSON."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def _repr_html_(self) -> str:
        head, rows, below = self._table()
        top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        told = "".join(f"<div>{escape(line)}</div>" for line in below)
        table = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>" if rows else ""
        return f"<div>{table}{told}</div>"


def change(action: Action, speech: Speech) -> str:
    """``income 2,000 ▶ 2,400``."""
    before, after = (speech.value(action.feature, value) for value in (action.before, action.after))
    return f"{speech.title(action.feature)} {before} {ARROW} {after}"


def changes(actions: Sequence[Action], speech: Speech) -> str:
    """All of them in one line."""
    return ", ".join(change(action, speech) for action in actions) or "nothing changes"


def before_after(actions: Sequence[Action], speech: Speech) -> list[list[str]]:
    """Name, value before and value after, a row each."""
    return [
        [speech.title(a.feature), speech.value(a.feature, a.before), speech.value(a.feature, a.after)] for a in actions
    ]


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = (), width: int | None = None) -> list[str]:
    """Rows as lines whose cells stand under each other, numbers to the right; the widest columns fold to the width.

    Examples
    --------
    >>> columns([["1", "age 30 ▶ 31, income 2 ▶ 3"], ["10", "age"]], right=[0], width=20)
    [' 1  age 30 ▶ 31,', '    income 2 ▶ 3', '10  age']
    """
    if not rows:
        return []
    widths = _widths([max(len(row[i]) for row in rows) for i in range(len(rows[0]))], width)
    lines = []
    for row in rows:
        folded = [textwrap.wrap(cell, widths[i]) or [""] for i, cell in enumerate(row)]
        for cells in zip_longest(*folded, fillvalue=""):
            padded = [cell.rjust(widths[i]) if i in right else cell.ljust(widths[i]) for i, cell in enumerate(cells)]
            lines.append("  ".join(padded).rstrip())
    return lines


def _widths(natural: list[int], width: int | None) -> list[int]:
    """The widest give way first, none below the narrowest."""
    widths = [max(1, each) for each in natural]
    left = sum(widths) + 2 * (len(widths) - 1) - (width or 10**9)
    while left > 0 and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1
        left -= 1
    return widths


def _folded(line: str, width: int) -> list[str]:
    """A line that is too long goes on below, a little to the right."""
    if len(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(line, max(width, NARROWEST), subsequent_indent=indent + "  ", drop_whitespace=True)
