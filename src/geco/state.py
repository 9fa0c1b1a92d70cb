"""A dataclass, or any plain value, as plain values and arrays; and one digest for all that is made of them.

In a state a dataclass is {"is": its class, field: …}, a mapping a list of pairs, and a tuple of vectors two arrays:
all of them end to end, and where each ends. Names that a user chose are never keys. Fields that do not count when two
are compared (where in its source a rule stands) are left out. saved/fields.py reads it back.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from geco.errors import SavedFileError


def state_of(value: Any) -> Any:
    """The value as plain values and arrays."""
    if is_dataclass(value) and not isinstance(value, type):
        state = {f.name: state_of(getattr(value, f.name)) for f in fields(value) if f.init and f.compare}
        return {"is": type(value).__name__, **state}
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, np.generic):
        return state_of(value.item())
    if isinstance(value, tuple) and value and all(isinstance(v, np.ndarray) and v.ndim == 1 for v in value):
        return {"flat": np.concatenate(value), "ends": np.cumsum([len(v) for v in value]).astype(np.int64)}
    if isinstance(value, tuple | list):
        return [state_of(v) for v in value]
    if isinstance(value, frozenset | set):
        return [state_of(v) for v in sorted(value, key=repr)]
    if isinstance(value, Mapping):
        return [[state_of(k), state_of(v)] for k, v in value.items()]
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise SavedFileError(f"cannot be saved: {value!r} is a {type(value).__name__}, which has no place in such a file")


def digest(state: Any) -> str:
    """SHA-256 of plain values and arrays, whatever order their mappings are in."""
    sha = hashlib.sha256()

    def place(array: Any) -> dict[str, Any]:
        flat = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        sha.update(flat.tobytes())
        return {"dtype": flat.dtype.str, "shape": list(flat.shape)}

    sha.update(json.dumps(state, default=place, sort_keys=True, separators=(",", ":")).encode())
    return sha.hexdigest()
