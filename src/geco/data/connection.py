"""Connections to DuckDB.

All databases of a process share one DuckDB in memory, because starting one takes fifty times as long as grouping a
small D. Each has a connection of its own, and its table is temporary: no other connection sees it, and it goes when
the connection goes.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import duckdb


def private_connection() -> Any:
    """A connection whose temporary tables are its own."""
    return _in_memory(os.getpid()).cursor()


@cache
def _in_memory(process: int) -> Any:
    # By process: the threads of DuckDB do not survive a fork.
    return duckdb.connect()


def sql_string(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
