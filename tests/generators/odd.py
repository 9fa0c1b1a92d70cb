"""Columns at the edges of their types: what each kind is called, its values, and how a user might hand one over.

Long integers, the least and the greatest floats, far dates, columns whose whole range is microseconds or nanoseconds,
-0.0, float32 and decimals. Neighbours lie as close together as the type allows.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

Rng = np.random.Generator

FAR = (dt.datetime(1, 1, 1), dt.datetime(2999, 5, 31), dt.datetime(9999, 12, 1))
MOMENTS = (*FAR, dt.datetime(2024, 2, 29, 23, 59, 59))
STARTS = (2**53 - 4, 2**53 + 2**40 + 1, 2**62, 2**63 - 60, -(2**63), -(2**53) - 30)
ANCHORS = (-(2**63), -(2**62), -(2**53), 0, 2**53, 2**62, 2**63 - 3)


@dataclass(frozen=True)
class Odd:
    """One kind of column: its type, its dtype (None lets pandas choose) and how to draw one value."""

    type: str
    dtype: str | None
    values: Callable[[Rng], Callable[[], Any]]
    """Given an rng, what draws a value; what all values of a column share is drawn first."""


def odd_values(kind: str, size: int, rng: Rng) -> list[Any]:
    """Different values of a kind, at least two and at most ``size``."""
    draw = KINDS[kind].values(rng)
    found: dict[Any, Any] = {}
    for _ in range(20 * size):
        if len(found) < size:
            value = draw()
            found.setdefault(value, value)
    return list(found.values())


def odd_unseen(kind: str, seen: list[Any], rng: Rng) -> Any:
    """A value that D most likely does not have: a neighbour of one that it has, or one far away."""
    value = seen[rng.integers(len(seen))]
    match KINDS[kind].type:
        case "integer":
            low, high = (0, 2**64 - 1) if kind == "unsigned" else (-(2**63), 2**63 - 1)
            return min(high, max(low, value + (1 if rng.random() < 0.5 else -1)))
        case "datetime" if kind == "nanoseconds":
            return value + pd.Timedelta(int(rng.integers(1, 9)), "ns")
        case "datetime" if kind != "seconds":
            return value + dt.timedelta(microseconds=int(rng.integers(1, 9)))
        case "date" | "datetime":
            return value + dt.timedelta(days=1)
    if kind == "float32":
        return float(np.float32(rng.integers(0, 90)) / np.float32(7))
    if kind == "decimal":
        return Decimal(int(rng.integers(0, 9000))) / 1000
    return float([1e20, -1e308, 5e-324, 1.7e308, 0.0, -0.0, 0.5][rng.integers(7)])


def handed_over(kind: str, value: Any, rng: Rng) -> Any:
    """The value as one of the objects a user may have for it."""
    if value is None or rng.random() < 0.4:
        return value
    match KINDS[kind].type:
        case "integer":
            return np.uint64(value) if kind == "unsigned" else np.int64(value)
        case "datetime":
            return pd.Timestamp(value) if rng.random() < 0.6 else pd.Timestamp(value).to_datetime64()
    if kind == "float32":  # 0.7 as it is written, or as the column has it
        return float(str(np.float32(value))) if rng.random() < 0.7 else np.float32(value)
    return np.float64(value) if KINDS[kind].type == "number" and not isinstance(value, Decimal) else value


def told_apart(value: Any) -> Any:
    """A key by which a model tells neighbours apart, -0.0 and 0.0 included."""
    if isinstance(value, float | Decimal):
        return float(value), math.copysign(1, value)
    return value


def _one_of(rng: Rng, choices: tuple[Any, ...]) -> Any:
    return choices[int(rng.integers(len(choices)))]


def _ids(rng: Rng) -> Callable[[], int]:
    start = _one_of(rng, STARTS)
    return lambda: int(start + int(rng.integers(30)))


def _unsigned(rng: Rng) -> Callable[[], int]:
    start = _one_of(rng, (2**63 - 9, 2**64 - 31, 0))
    return lambda: int(start + int(rng.integers(30)))


def _magnitude(rng: Rng) -> float:
    size = float(f"{int(rng.integers(1, 10))}e{int(rng.integers(-300, 308))}")
    return _one_of(rng, (size, -size, size, 0.0, 1.0))


def _moments(rng: Rng) -> Callable[[], dt.datetime]:
    return lambda: (
        _one_of(rng, FAR)
        + dt.timedelta(days=int(rng.integers(30)), seconds=int(rng.integers(86_400)), microseconds=_micro(rng))
    )


def _micro(rng: Rng) -> int:
    return int(rng.integers(1_000_000))


def _microseconds(rng: Rng) -> Callable[[], dt.datetime]:
    start = _one_of(rng, MOMENTS)
    return lambda: start + dt.timedelta(microseconds=int(rng.integers(30)))


def _nanoseconds(rng: Rng) -> Callable[[], pd.Timestamp]:
    start = pd.Timestamp(_one_of(rng, ("2024-02-29 23:59:59.999999", "1700-01-01", "2262-04-01"))).as_unit("ns")
    return lambda: start + pd.Timedelta(int(rng.integers(30)), "ns")


def _negative_zero(rng: Rng) -> Callable[[], float]:
    zero = _one_of(rng, (-0.0, -0.0, 0.0))
    return lambda: _one_of(rng, (zero, float(rng.integers(-40, 41)) / 8 or zero))


KINDS: dict[str, Odd] = {
    "ids": Odd("integer", None, _ids),
    "spans": Odd("integer", None, lambda rng: lambda: int(_one_of(rng, ANCHORS) + int(rng.integers(3)))),
    "unsigned": Odd("integer", "uint64", _unsigned),
    "tiny": Odd("number", None, lambda rng: lambda: int(rng.integers(30)) * 1e-300),
    "subnormal": Odd("number", None, lambda rng: lambda: int(rng.integers(30)) * 5e-324),
    "huge": Odd("number", None, lambda rng: lambda: float(rng.integers(-17, 18)) * 1e307),
    "magnitudes": Odd("number", None, lambda rng: lambda: _magnitude(rng)),
    "negative_zero": Odd("number", None, _negative_zero),
    "float32": Odd("number", "float32", lambda rng: lambda: float(np.float32(int(rng.integers(90)) / 10))),
    "decimal": Odd("number", "object", lambda rng: lambda: Decimal(int(rng.integers(2_000))) / 100),
    "dates": Odd(
        "date", "object", lambda rng: lambda: (_one_of(rng, FAR) + dt.timedelta(int(rng.integers(30)))).date()
    ),
    "moments": Odd("datetime", "datetime64[us]", _moments),
    "seconds": Odd("datetime", "datetime64[s]", lambda rng: lambda: _moments(rng)().replace(microsecond=0)),
    "microseconds": Odd("datetime", "datetime64[us]", _microseconds),
    "nanoseconds": Odd("datetime", "datetime64[ns]", _nanoseconds),
}
