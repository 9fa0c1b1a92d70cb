"""Shown: how the answer of a question reads: plain data, JSON, and a table for notebooks."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from html import escape
from typing import Any

from geco.answers.explanation import Action
from geco.answers.values import show

ARROW = "▶"


class Shown(ABC):
    """What all answers have in common; each says what its lines, its table and its plain data are."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: dates are ISO text, missing values are None."""

    @abstractmethod
    def __str__(self) -> str:
        """Lines for a terminal."""

    @abstractmethod
    def _table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], Sequence[str]]:
        """Head, rows, and what is said below them."""

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


def change(action: Action) -> str:
    """``income 2,000 ▶ 2,400``."""
    return f"{action.feature} {show(action.before)} {ARROW} {show(action.after)}"


def changes(actions: Sequence[Action]) -> str:
    """All of them in one line."""
    return ", ".join(map(change, actions)) or "nothing changes"


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Rows as lines whose cells stand under each other; numbers to the right."""
    if not rows:
        return []
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        padded = [cell.rjust(widths[i]) if i in right else cell.ljust(widths[i]) for i, cell in enumerate(row)]
        lines.append("  ".join(padded).rstrip())
    return lines
