"""files: write a file that is whole or absent, whatever happens on the way."""

from __future__ import annotations

import os
import secrets
from os import PathLike
from pathlib import Path

from geco.errors import DataError
from geco.given import path_of


def replace_file(path: Path, data: bytes) -> None:
    """Write beside the file, then take its place: an older one is replaced only when the new one is whole."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with beside.open("xb") as file:
            file.write(data)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def write_text(path: str | PathLike[str], text: str) -> None:
    """Text that a user asked for, such as a page."""
    target = Path(path_of(path))
    try:
        replace_file(target, text.encode("utf-8", "replace"))
    except OSError as error:
        raise DataError(f"cannot write {target}: {error.strerror or error}") from error
    except ValueError as error:  # a path without a name, such as "."
        raise DataError(f"cannot write {target}: it is not the name of a file") from error
