"""The file: a tree of plain values and arrays, with a length and a digest so that any damage is noticed.

    magic, format version, length of the file, length of the header     32 bytes
    header: JSON in ASCII; an array is {"dtype", "shape", "offset"}     padded to a multiple of 64
    the arrays' bytes, little-endian, each padded to a multiple of 64
    SHA-256 of everything before it                                     32 bytes

Nothing in it is ever run. A file may be made by hand with a correct digest, so what the header says is checked too.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from geco.errors import SavedFileError
from geco.files import replace_file
from geco.given import path_of

MAGIC = b"\x89GECO\r\n\x1a"
VERSION = 2  # 1 had neither nanoseconds nor the bits of a float; it is still read
PREFIX = struct.Struct("<8sIIQQ")  # magic, version, nothing, length of the file, length of the header
DIGEST = 32
ALIGNED = 64
DTYPES = ("<f8", "<i8", "<u8", "<i4", "|b1", "|u1")
REFERENCE = frozenset(("dtype", "shape", "offset"))
FilePath = str | os.PathLike[str]


def write_file(path: FilePath, tree: Any) -> None:
    """Write the tree. The file is complete or absent: it replaces an older one only when it is whole."""
    target = Path(path_of(path))
    data = packed(tree)
    try:
        replace_file(target, data)
    except OSError as error:
        raise SavedFileError(f"cannot write {target}: {error.strerror or error}") from error
    except ValueError as error:  # a path without a name, such as "."
        raise SavedFileError(f"cannot write {target}: it is not the name of a file") from error


def read_file(path: FilePath) -> Any:
    """The tree, its arrays read-only views of the bytes read."""
    try:
        data = Path(path_of(path)).read_bytes()
    except OSError as error:
        raise SavedFileError(f"cannot read {path}: {error.strerror or error}") from error
    try:
        return unpacked(data)
    except SavedFileError as error:
        raise SavedFileError(f"{path} {error}") from None


def packed(tree: Any, version: int = VERSION) -> bytes:
    """The bytes of a file that holds this tree."""
    parts: list[bytes] = []
    end = 0

    def stored(array: Any) -> dict[str, Any]:
        nonlocal end
        if not isinstance(array, np.ndarray):
            raise TypeError(f"{type(array).__name__} is not a plain value")
        flat = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        reference = {"dtype": flat.dtype.str, "shape": list(flat.shape), "offset": end}
        parts.append(_padded(flat.tobytes()))
        end += len(parts[-1])
        return reference

    header = json.dumps(tree, default=stored, allow_nan=False, separators=(",", ":")).encode("ascii")
    body = _padded(b"\0" * PREFIX.size + header)[PREFIX.size :] + b"".join(parts)
    data = PREFIX.pack(MAGIC, version, 0, PREFIX.size + len(body) + DIGEST, len(header)) + body
    return data + hashlib.sha256(data).digest()


def unpacked(data: bytes) -> Any:
    """The tree in these bytes; raises SavedFileError, whose text goes on after the name of the file."""
    if data[: len(MAGIC)] != MAGIC:
        raise SavedFileError("is not a saved explainer; make one with explainer.save(path)")
    if len(data) < PREFIX.size + DIGEST:
        raise _damaged("it is cut short")
    _, version, _, length, header_length = PREFIX.unpack_from(data)
    whole = memoryview(data)
    if length != len(data):
        raise _damaged(f"it has {len(data):,} bytes where {length:,} were written")
    if hashlib.sha256(whole[:-DIGEST]).digest() != whole[-DIGEST:]:
        raise _damaged("its checksum is wrong")
    if not 1 <= version <= VERSION:  # only now: a damaged number is not a newer version
        raise SavedFileError(
            f"has format {version}, and this geco reads up to {VERSION}; upgrade geco, or save it again"
        )
    first = PREFIX.size + header_length + -(PREFIX.size + header_length) % ALIGNED
    if first > len(data) - DIGEST:
        raise _damaged("its header is longer than the file")
    try:
        header = bytes(whole[PREFIX.size : PREFIX.size + header_length]).decode("ascii")
        return json.loads(header, object_hook=_arrays_of(whole[first:-DIGEST]), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise _damaged(f"its header cannot be read ({error})") from None


def _arrays_of(body: memoryview) -> Callable[[dict[str, Any]], Any]:
    """What replaces a JSON object: the array it describes, or the object itself."""

    def array(found: dict[str, Any]) -> Any:
        if found.keys() != REFERENCE:
            return found
        dtype, shape, offset = found["dtype"], found["shape"], found["offset"]
        sizes = [*shape, offset] if isinstance(shape, list) and 1 <= len(shape) <= 2 else [None]
        # An array of nothing by a billion has no bytes, and would still be walked through.
        if dtype not in DTYPES or any(type(n) is not int or not 0 <= n <= len(body) for n in sizes):
            raise _damaged("it describes an impossible array")
        count, kind = math.prod(shape), np.dtype(dtype)
        if offset % ALIGNED or offset + count * kind.itemsize > len(body):
            raise _damaged("it describes an array beyond its end")
        flat = np.frombuffer(body, np.uint8 if kind == np.bool_ else kind, count, offset)
        if kind == np.bool_:
            if flat.max(initial=0) > 1:  # any other byte would be neither true nor false to the native core
                raise _damaged("it has a truth value that is neither true nor false")
            flat = flat.view(np.bool_)
        return flat.reshape(shape)

    return array


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % ALIGNED)


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is not a number")


def _damaged(why: str) -> SavedFileError:
    return SavedFileError(f"is damaged: {why}; save it again or fetch a new copy")
