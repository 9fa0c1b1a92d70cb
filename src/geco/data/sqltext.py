"""A user's query ▶ something that can follow FROM: one SELECT in brackets, or the quoted name of a table."""

from __future__ import annotations

import re
from typing import Any

import duckdb

from geco.data.paths import is_utf8
from geco.errors import DataError, shown

MOST_SAID = 2000  # characters of a query, and of what is said against it, in an error
_SPACE = r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*"
_SELECT = re.compile(rf"{_SPACE}(?:(?:select|with|from|values|table)\b|\()", re.IGNORECASE | re.DOTALL)
_PART = r'(?:[^\s".;]+|"(?:[^"]|"")+")'
_NAME = re.compile(rf"{_PART}(?:\.{_PART})*")


def check_query(query: object) -> None:
    """Refuse what is no text, or text that no database takes."""
    if not isinstance(query, str) or "\0" in query or not is_utf8(query):
        raise DataError(f"query must be text: a SELECT, or the name of a table, got {shown(query)}")


def from_clause(query: str) -> str:
    """``query`` for FROM; that a SELECT is one alone is for `check_one_select` or the database to see."""
    text = query.strip().rstrip(";").rstrip()
    if _SELECT.match(text):
        return f"({text}\n)"
    if _NAME.fullmatch(text):
        return ".".join(part if part.startswith('"') else _quoted(part) for part in re.findall(_PART, text))
    if not text or '"' in text:
        raise DataError(
            f"{shown(query)} is neither one SELECT nor the name of a table; quote each part of a name by itself"
        )
    return ".".join(map(_quoted, text.split(".")))


def check_one_select(query: str, connection: Any) -> None:
    """Refuse what DuckDB would run as several statements, or as one that is no SELECT.

    In brackets is not enough: the query may close them itself.
    """
    if not _SELECT.match(query.strip()):
        return
    statements = connection.extract_statements(query)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise DataError(f"cannot run {shown(query)}: expected one SELECT and nothing else")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def cannot_run(query: str, error: Exception) -> DataError:
    """What the database says against a query; neither is repeated if it is longer than a page."""
    why = str(error)
    return DataError(
        f"cannot run {shown(query, MOST_SAID)}: {why if len(why) <= MOST_SAID else why[:MOST_SAID] + ' …'}"
    )
