"""Suggestion: one statement of PLAF, or a column to leave out, with what speaks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["exclude", "onehot", "group", "fixed", "increase", "order", "inequality", "sum", "range"]


@dataclass(frozen=True)
class Suggestion:
    """What may be written down.

    Attributes
    ----------
    kind : what it is about.
    statement : one line of PLAF; for ``exclude`` the name of the column.
    evidence : why, with counts: "holds in 29,623 of 29,623 rows".
    score : from 0 to 1, how likely somebody keeps it.
    features : the columns it names.
    """

    kind: Kind
    statement: str
    evidence: str
    score: float
    features: tuple[str, ...]


def count(part: int, whole: int) -> str:
    """``holds in 29,623 of 29,623 rows``."""
    return f"holds in {part:,} of {whole:,} rows"
