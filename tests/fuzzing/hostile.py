"""Values nobody should give, each with a name: None, NaN, infinities, wrong types, broken text, objects that raise."""

from __future__ import annotations

import datetime as dt
import enum
from collections import OrderedDict, UserDict
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

Rng = np.random.Generator


class Raising:
    """Whatever is asked of it, it raises."""

    def _raise(self, *_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("I always raise")

    __len__ = __iter__ = __getitem__ = __contains__ = __float__ = __int__ = __index__ = __bool__ = __call__ = _raise
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __ne__ = __str__ = __repr__ = __array__ = __fspath__ = _raise
    __hash__ = object.__hash__


class RaisingMapping(Mapping[str, Any]):
    """A mapping that breaks when it is read."""

    def __getitem__(self, key: str) -> Any:
        raise ZeroDivisionError("no value for you")

    def __iter__(self) -> Any:
        return iter(("age", "income"))

    def __len__(self) -> int:
        return 2


class Word(str):
    """Text that is not quite text."""


class Count(int):
    """An integer that is not quite one."""

    def __index__(self) -> int:
        raise ZeroDivisionError("no index")


class Colour(enum.IntEnum):
    RED = 1


def deep(levels: int) -> list[Any]:
    nested: list[Any] = []
    for _ in range(levels):
        nested = [nested]
    return nested


def itself() -> list[Any]:
    loop: list[Any] = []
    loop.append(loop)
    return loop


VALUES: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "NaN": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "-inf": lambda: float("-inf"),
    "0": lambda: 0,
    "-0.0": lambda: -0.0,
    "-1": lambda: -1,
    "1.5": lambda: 1.5,
    "1e308": lambda: 1e308,
    "5e-324": lambda: 5e-324,
    "2**31": lambda: 2**31,
    "2**63": lambda: 2**63,
    "2**64": lambda: 2**64,
    "-2**70": lambda: -(2**70),
    "10**400": lambda: 10**400,
    "True": lambda: True,
    "empty text": lambda: "",
    "text": lambda: "age",
    "number in text": lambda: "7",
    "surrogate": lambda: "\ud800",
    "NUL": lambda: "a\0b",
    "long text": lambda: "x" * 100_000,
    "text of its own": lambda: Word("rent"),
    "int of its own": lambda: Count(3),
    "enum": lambda: Colour.RED,
    "bytes": lambda: b"\xff\x00",
    "bytearray": lambda: bytearray(b"age"),
    "memoryview": lambda: memoryview(b"age"),
    "[]": list,
    "{}": dict,
    "()": tuple,
    "set": set,
    "frozenset": lambda: frozenset({1, "a", None}),
    "[None]": lambda: [None],
    "[1, 2]": lambda: [1, 2],
    "(1, 2, 3)": lambda: (1, 2, 3),
    "nested": lambda: {"age": {"age": [{}]}},
    "unhashable": lambda: [[{}], {"a": []}],
    "deep": lambda: deep(3_000),
    "itself": itself,
    "keys that are no text": lambda: {1: 2, None: 3, (4,): 5},
    "OrderedDict": lambda: OrderedDict(age=1),
    "UserDict": lambda: UserDict(age=1),
    "object": object,
    "class": lambda: dict,
    "function": lambda: deep,
    "module": lambda: dt,
    "generator": lambda: (i for i in range(3)),
    "iterator": lambda: iter([1, 2]),
    "range": lambda: range(3),
    "raising": Raising,
    "raising mapping": RaisingMapping,
    "Ellipsis": lambda: ...,
    "NotImplemented": lambda: NotImplemented,
    "complex": lambda: 1 + 2j,
    "Fraction": lambda: Fraction(1, 3),
    "Decimal": lambda: Decimal("0.1"),
    "Decimal NaN": lambda: Decimal("NaN"),
    "Decimal sNaN": lambda: Decimal("sNaN"),
    "Decimal 1e999": lambda: Decimal("1e999"),
    "date": lambda: dt.date(1, 1, 1),
    "datetime": lambda: dt.datetime.max,
    "aware": lambda: dt.datetime(2024, 1, 1, tzinfo=dt.UTC),
    "timedelta": lambda: dt.timedelta(days=-1),
    "time": lambda: dt.time(1, 2),
    "Path": lambda: Path("no/such/file.csv"),
    "np.int64": lambda: np.int64(3),
    "np.uint64": lambda: np.uint64(2**64 - 1),
    "np.float32": lambda: np.float32(0.7),
    "np.float16 inf": lambda: np.float16("inf"),
    "np.bool": lambda: np.True_,
    "np.str": lambda: np.str_("age"),
    "np.bytes": lambda: np.bytes_(b"age"),
    "np.void": lambda: np.void(b"abc"),
    "np.datetime64": lambda: np.datetime64("2024-01-01T00:00:00.123456789"),
    "NaT": lambda: np.datetime64("NaT"),
    "np.timedelta64": lambda: np.timedelta64(1, "D"),
    "0-d": lambda: np.array(5.0),
    "0-d object": lambda: np.array(None, dtype=object),
    "0-d datetime": lambda: np.array("2024-01-01T00:00:00.000000001", dtype="datetime64[ns]"),
    "1-d": lambda: np.array([1.0, 2.0]),
    "2-d": lambda: np.ones((2, 2)),
    "empty array": lambda: np.zeros((0, 3)),
    "record": lambda: np.zeros(2, dtype=[("age", int), ("income", float)]),
    "masked": lambda: np.ma.masked,
    "masked array": lambda: np.ma.masked_array([1.0, 2.0], mask=[True, False]),
    "0-d masked": lambda: np.ma.masked_array(1.0, mask=True),
    "NA": lambda: pd.NA,
    "pandas NaT": lambda: pd.NaT,
    "Timestamp": lambda: pd.Timestamp("2024-01-01 00:00:00.123456789"),
    "Period": lambda: pd.Period("2024-01"),
    "Interval": lambda: pd.Interval(0, 1),
    "Series": lambda: pd.Series([1, 2]),
    "Series of NA": lambda: pd.Series([pd.NA, 1], dtype="Int64"),
    "empty frame": pd.DataFrame,
    "frame": lambda: pd.DataFrame({"age": [1, 2], "income": [1.0, None]}),
    "frame of columns twice": lambda: pd.DataFrame([[1, 2]], columns=["age", "age"]),
    "frame of two levels": lambda: pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)])),
    "Index": lambda: pd.Index(["age"]),
    "Categorical": lambda: pd.Categorical(["a", None]),
}


def hostile(rng: Rng) -> tuple[str, Any]:
    """A name, and a fresh value."""
    name = list(VALUES)[int(rng.integers(len(VALUES)))]
    return name, VALUES[name]()
