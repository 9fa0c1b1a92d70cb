"""Writing files of a project: a new one never over another, a changed one whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from geco.errors import SettingsError, shown


def write_new(files: Mapping[Path, str | bytes]) -> None:
    """All of them, or none if one is there already or cannot be written."""
    for path in files:
        if path.exists():
            raise SettingsError(
                f"{path} is there already, and nothing was written; delete it, or work in another folder"
            )
    written: list[Path] = []
    try:
        contents = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    except UnicodeEncodeError as error:
        broken = shown(error.object[max(0, error.start - 20) : error.end])
        raise SettingsError(f"nothing was written: there is no such character in Unicode: {broken}") from error
    try:
        for path, content in contents.items():
            with path.open("xb") as file:
                written.append(path)
                file.write(content)
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        raise _cannot(path, error) from error
    except BaseException:
        for path in written:
            path.unlink(missing_ok=True)
        raise


def replace_text(path: Path, text: str) -> None:
    """Another text for a file; it is the old one until the new one is whole."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        try:
            beside.write_text(text, encoding="utf-8")
            if path.exists():
                beside.chmod(path.stat().st_mode)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise _cannot(path, error) from error


def _cannot(path: Path, error: OSError) -> SettingsError:
    return SettingsError(f"cannot write {path}: {error.strerror or error}; nothing was changed")
