"""A file that is whole or absent, whatever happens while it is written, and a folder that one run has to itself."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from geco.errors import BatchError

BLOCK = 1 << 20


def write_whole(path: Path, fill: Callable[[Path], None]) -> tuple[int, str]:
    """Let ``fill`` write a file of another name, have it on disk, then rename it; returns its length and SHA-256."""
    beside = temporary(path)
    try:
        fill(beside)
        with beside.open("rb+") as file:
            digest = hashlib.sha256()
            while block := file.read(BLOCK):
                digest.update(block)
            os.fsync(file.fileno())
            length = file.tell()
        os.replace(beside, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        remove(beside)
    return length, digest.hexdigest()


def write_text(path: Path, text: str) -> None:
    """The same of a short text."""

    def fill(to: Path) -> None:
        to.write_text(text, encoding="utf-8")

    write_whole(path, fill)


def temporary(path: Path) -> Path:
    """A hidden name beside it that nobody else has."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}")


def is_temporary(path: Path) -> bool:
    return path.name.startswith(".") and len(path.suffix) == 9


def remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error


def append_line(path: Path, line: str) -> None:
    """On disk when this returns; a line that was cut short by a crash has no end, and the next one begins after it."""
    try:
        with path.open("ab") as file:
            start = b"\n" if file.tell() and not _ends_a_line(path) else b""
            file.write(start + line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise cannot_write(path, error) from error


def digest_of(path: Path) -> tuple[int, str]:
    """Length and SHA-256 of a file."""
    digest, length = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
            length += len(block)
    return length, digest.hexdigest()


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Only one run at a time writes to this folder; the system gives it free when the process ends, however it does."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BatchError(f"another batch is writing to {folder}; wait for it, or choose another folder") from error
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        os.close(handle)


def cannot_write(path: Path, error: OSError) -> BatchError:
    """Disk full, no permission and the like."""
    what = os.strerror(error.errno) if error.errno else str(error)
    return BatchError(f"cannot write {path}: {what}; what is there stays, and resume goes on from it")


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _sync_folder(folder: Path) -> None:
    """So that the new name is on disk, too."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
