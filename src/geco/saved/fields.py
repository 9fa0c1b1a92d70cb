"""A dataclass as plain values and arrays, and back by its type hints; so a new kind of model needs no code here.

In a state a dataclass is {"is": its class, field: …}, a mapping a list of pairs, and a tuple of vectors two arrays:
all of them end to end, and where each ends. Names that a user chose are never keys. Fields that do not count when two
are compared (where in its source a rule stands) are left out.
"""

from __future__ import annotations

import math
import sys
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from geco.errors import SavedFileError

DEEPEST = 150  # PLAF allows a hundred operators in an expression


def state_of(value: Any) -> Any:
    """The value as plain values and arrays."""
    if is_dataclass(value) and not isinstance(value, type):
        own = {f.name: state_of(getattr(value, f.name)) for f in fields(value) if f.init and f.compare}
        return {"is": type(value).__name__, **own}
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


def value_of(hint: Any, state: Any, depth: int = 0) -> Any:
    """What the hint says, made from a state; raises SavedFileError where the state is something else."""
    if depth > DEEPEST:
        raise wrong("something nested less deeply", "more")
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _one_of(inner, state, depth)
    if origin is Literal:
        return _plain(state, state in inner and type(state) in map(type, inner), hint)
    if origin is np.ndarray:
        dtype = np.dtype(get_args(inner[1])[0])
        return _plain(state, isinstance(state, np.ndarray) and state.dtype == dtype, f"an array of {dtype}")
    if origin in (tuple, frozenset) or (isinstance(origin, type) and issubclass(origin, Mapping)):
        return _many(origin, inner, state, depth)
    if is_dataclass(hint) and isinstance(hint, type):
        return _dataclass(hint, state, depth)
    return _scalar(hint, state)


def items(state: Any) -> list[Any]:
    """The state of a list."""
    if not isinstance(state, list):
        raise wrong("a list", state)
    return state


def entries(state: Any, *names: str) -> list[Any]:
    """The values under exactly these names."""
    if not isinstance(state, dict) or state.keys() != set(names):
        raise wrong(f"the fields {', '.join(names)}", list(state) if isinstance(state, dict) else state)
    return [state[name] for name in names]


def wrong(expected: object, found: object) -> SavedFileError:
    return SavedFileError(f"expected {expected}, found {str(found)[:60]}")


@cache
def _hints(cls: type) -> dict[str, Any]:
    known = get_type_hints(cls)
    return {f.name: known[f.name] for f in fields(cls) if f.init and f.compare}


def _dataclass(cls: type, state: Any, depth: int) -> Any:
    hints = _hints(cls)
    kind, *values = entries(state, "is", *hints)
    if kind != cls.__name__:
        raise wrong(cls.__name__, kind)
    return cls(**{n: value_of(h, v, depth + 1) for (n, h), v in zip(hints.items(), values, strict=True)})


def _one_of(hints: tuple[Any, ...], state: Any, depth: int) -> Any:
    if isinstance(state, dict) and "is" in state:
        for hint in hints:
            if getattr(hint, "__name__", None) == state["is"]:
                return value_of(hint, state, depth)
    for hint in hints:
        if not is_dataclass(hint):
            try:
                return value_of(hint, state, depth + 1)
            except SavedFileError:
                continue
    raise wrong(" or ".join(getattr(h, "__name__", str(h)) for h in hints), state)


def _many(origin: Any, inner: tuple[Any, ...], state: Any, depth: int) -> Any:
    if isinstance(state, dict):
        return _vectors(inner[0], state)
    values = items(state)
    if origin is frozenset:
        return frozenset(value_of(inner[0], v, depth + 1) for v in values)
    if origin is tuple and inner[-1] is Ellipsis:
        return tuple(value_of(inner[0], v, depth + 1) for v in values)
    if origin is tuple:
        if len(values) != len(inner):
            raise wrong(f"{len(inner)} values", len(values))
        return tuple(value_of(h, v, depth + 1) for h, v in zip(inner, values, strict=True))
    pairs = [value_of(tuple[inner], v, depth + 1) for v in values]  # type: ignore[valid-type]
    return dict(pairs)


def _vectors(hint: Any, state: Any) -> tuple[Any, ...]:
    flat, ends = entries(state, "flat", "ends")
    value_of(hint, flat)
    if not isinstance(ends, np.ndarray) or ends.dtype != np.int64 or ends.ndim != 1 or flat.ndim != 1 or not len(ends):
        raise wrong("where each vector ends", ends)
    if ends[0] < 0 or (np.diff(ends) < 0).any() or ends[-1] != len(flat):
        raise wrong("vectors end to end", "others")
    return tuple(np.split(flat, ends[:-1]))


def _scalar(hint: Any, state: Any) -> Any:
    if hint is Any:
        return _plain(state, state is None or isinstance(state, bool | int | float | str), "a plain value")
    if hint is float:
        if state in ("inf", "-inf"):
            return float(state)
        return float(_plain(state, type(state) in (int, float) and abs(state) <= sys.float_info.max, "a number"))
    if hint is type(None):
        return _plain(state, state is None, "nothing")
    return _plain(state, type(state) is hint, getattr(hint, "__name__", hint))


def _plain(state: Any, fits: bool, expected: object) -> Any:
    if not fits:
        raise wrong(expected, state)
    return state
