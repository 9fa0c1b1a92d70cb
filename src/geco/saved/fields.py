"""A dataclass as plain values and arrays, and back by its type hints; so a new kind of model needs no code here.

In a state a dataclass is {"is": its class, field: …}, a mapping a list of pairs, and a tuple of vectors two arrays:
all of them end to end, and where each ends. Names that a user chose are never keys. Fields that do not count when two
are compared (where in its source a rule stands) are left out.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from geco.errors import SavedFileError

Reader = Callable[[Any, int], Any]
DEEPEST = 150  # PLAF allows a hundred operators in an expression


def value_of(hint: Any, state: Any) -> Any:
    """What the hint says, made from a state; raises SavedFileError where the state is something else."""
    return _reader(hint)(state, 0)


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
def _reader(hint: Any) -> Reader:
    """How a state becomes what the hint says; worked out once for each hint."""
    hint = _without_alias(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _one_of(inner)
    if origin is Literal:
        return _plain(lambda state: isinstance(state, bool | int | str) and state in inner, f"one of {inner}")
    if origin is np.ndarray:
        dtype = np.dtype(get_args(inner[1])[0])
        return _plain(lambda state: isinstance(state, np.ndarray) and state.dtype == dtype, f"an array of {dtype}")
    if origin is tuple and inner[-1] is not Ellipsis:
        return _fixed(inner)
    if origin in (tuple, frozenset):
        return _many(origin, inner[0])
    if origin is not None and issubclass(origin, Mapping):
        return lambda state, depth: dict(_many(tuple, tuple[inner])(state, depth))  # type: ignore[valid-type]
    if is_dataclass(hint) and isinstance(hint, type):
        return _dataclass(hint)
    return _scalar(hint)


def _without_alias(hint: Any) -> Any:
    """What stands behind an alias as Python has them since 3.12, and newer NumPy for NDArray."""
    origin = get_origin(hint)
    return origin.__value__[get_args(hint)] if hasattr(origin, "__value__") else hint


def _dataclass(cls: type) -> Reader:
    hints = get_type_hints(cls)
    names = [f.name for f in fields(cls) if f.init and f.compare]

    def read(state: Any, depth: int) -> Any:
        if depth > DEEPEST:
            raise wrong("something nested less deeply", cls.__name__)
        kind, *values = entries(state, "is", *names)
        if kind != cls.__name__:
            raise wrong(cls.__name__, kind)
        return cls(**{n: _reader(hints[n])(v, depth + 1) for n, v in zip(names, values, strict=True)})

    return read


def _one_of(hints: tuple[Any, ...]) -> Reader:
    tagged = {h.__name__: h for h in hints if is_dataclass(h) and isinstance(h, type)}
    plain = [h for h in hints if not is_dataclass(h)]

    def read(state: Any, depth: int) -> Any:
        if isinstance(state, dict) and state.get("is") in tagged:
            return _reader(tagged[state["is"]])(state, depth)
        for hint in plain:
            try:
                return _reader(hint)(state, depth)
            except SavedFileError:
                continue
        raise wrong(" or ".join((*tagged, *map(str, plain))), state)

    return read


def _many(origin: Any, hint: Any) -> Reader:
    def read(state: Any, depth: int) -> Any:
        if isinstance(state, dict) and get_origin(_without_alias(hint)) is np.ndarray:
            return _vectors(hint, state)
        one = _reader(hint)
        return origin([one(value, depth) for value in items(state)])

    return read


def _fixed(hints: tuple[Any, ...]) -> Reader:
    def read(state: Any, depth: int) -> Any:
        values = items(state)
        if len(values) != len(hints):
            raise wrong(f"{len(hints)} values", len(values))
        return tuple(_reader(hint)(value, depth) for hint, value in zip(hints, values, strict=True))

    return read


def _vectors(hint: Any, state: Any) -> tuple[Any, ...]:
    flat, ends = entries(state, "flat", "ends")
    value_of(hint, flat)
    if not isinstance(ends, np.ndarray) or ends.dtype != np.int64 or ends.ndim != 1 or flat.ndim != 1 or not len(ends):
        raise wrong("where each vector ends", ends)
    if ends[0] < 0 or (np.diff(ends) < 0).any() or ends[-1] != len(flat):
        raise wrong("vectors end to end", "others")
    return tuple(np.split(flat, ends[:-1]))


def _scalar(hint: Any) -> Reader:
    if hint is float:
        return _number
    if hint is Any:
        return _plain(lambda state: state is None or isinstance(state, bool | int | float | str), "a plain value")
    if hint is type(None):
        return _plain(lambda state: state is None, "nothing")
    return _plain(lambda state: type(state) is hint, hint.__name__)


def _number(state: Any, depth: int) -> float:
    if type(state) is str and state in ("inf", "-inf"):
        return float(state)
    if type(state) not in (int, float) or not abs(state) <= sys.float_info.max:
        raise wrong("a number", state)
    return float(state)


def _plain(fits: Callable[[Any], bool], expected: object) -> Reader:
    def read(state: Any, depth: int) -> Any:
        if not fits(state):
            raise wrong(expected, state)
        return state

    return read
