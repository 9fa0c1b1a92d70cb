"""What a user gives as a path ▶ files of this machine, and the name under which DuckDB reads exactly that file."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from typing import Any

from geco.errors import DataError

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # two letters at least: C:/ is a drive
_READ_AS_PATTERN = re.compile(r"[*?\[\\]")


def existing_file(path: str) -> str:
    """The path itself, if there is such a file."""
    if os.path.isfile(path):
        return path
    if os.path.isdir(path):
        raise DataError(f"{path!r} is a folder, not a file; to read all files in it use Database.from_files")
    raise nothing_there(path)


def nothing_there(path: str) -> DataError:
    if _ADDRESS.match(path):
        return DataError(
            f"cannot read {path!r}: geco reads files of this machine only; download it first, "
            "or read it with a library of yours and give the frame to Database.from_frame"
        )
    return DataError(f"there is no file {path!r}")


def literal_path(path: str, connection: Any) -> str:
    """A name of the file that DuckDB cannot take for a pattern, an address or a name without UTF-8.

    Signs of a pattern can be escaped for DuckDB, but then it lists whole folders, and fails on some of them. So such a
    file is read through a link, which lasts as long as the connection.
    """
    # Absolute, so that "s3:/bucket/d.csv" is the file d.csv in a folder called "s3:".
    full = os.path.abspath(path)
    if not _READ_AS_PATTERN.search(full if os.sep == "/" else full.replace("\\", "/")) and is_utf8(full):
        return full
    folder = tempfile.mkdtemp(prefix="geco-")
    weakref.finalize(connection, shutil.rmtree, folder, ignore_errors=True)
    link = os.path.join(folder, "d")
    try:
        os.symlink(full, link)
    except OSError as error:
        raise DataError(
            f"cannot read {path!r}: its name has signs of a pattern; rename it ({error.strerror})"
        ) from error
    return link


def is_utf8(text: str) -> bool:
    """False if the text holds half of a surrogate pair, as the name of a file or of a column may."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
