"""Connections to DuckDB.

All databases of a process share one DuckDB in memory, because starting one takes fifty times as long as grouping a
small D. Each has a connection of its own, and its table is temporary: no other connection sees it, and it goes when
the connection goes. None of them ever fetches or loads an extension, nor sees the variables of the Python around it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from functools import cache
from typing import Any

import duckdb

from geco.data.paths import is_utf8
from geco.errors import DataError

_CLOSED: dict[str, Any] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
}
# For a file of the user's, on which the user's query runs: it reads that file and nothing else.
_SEALED: dict[str, Any] = {**_CLOSED, "enable_external_access": False, "lock_configuration": True}


def private_connection() -> Any:
    """A connection whose temporary tables are its own."""
    return _in_memory(os.getpid()).cursor()


@cache
def _in_memory(process: int) -> Any:
    # By process: the threads of DuckDB do not survive a fork.
    return duckdb.connect(config=_CLOSED)


def temporary_connection() -> Any:
    """A database of its own in a temporary file, which goes when the connection goes."""
    folder = tempfile.mkdtemp(prefix="geco-")
    connection = duckdb.connect(os.path.join(folder, "d.duckdb"), config=_CLOSED)
    weakref.finalize(connection, shutil.rmtree, folder, ignore_errors=True)
    return connection


def sealed_connection(path: str) -> Any:
    """The DuckDB file, read only; a query on it can reach no other file and no network."""
    if "?" in path or not is_utf8(path):
        raise DataError(f"cannot open {path!r}: DuckDB cannot open a path with '?' or one that is not UTF-8; rename it")
    return duckdb.connect(os.path.abspath(path), read_only=True, config=_SEALED)
