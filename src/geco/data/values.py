"""One raw value of x: its canonical Python form, and the number of everything that is not text.

`ticks_of` is the one place that says what number a date is; `Column.numbers` does the same for whole columns.
"""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from geco.data.columns import NANOSECONDS_PER_DAY, moment, shorten
from geco.data.objects import is_missing
from geco.data.schema import Feature
from geco.errors import InstanceError

_EPOCH = dt.date(1970, 1, 1).toordinal()
LARGEST = 10**300  # a whole number far beyond has no float
# Almost every value is of its feature's own class, plain or as a scalar of a frame: those go straight through.
_CLASS: dict[str, type] = {"integer": int, "number": float, "text": str, "boolean": bool}
SCALARS = (np.int64, np.int32, np.float64, np.float32, np.bool_, np.str_)
_EXPECTED = {
    "integer": "an integer",
    "number": "a finite number",
    "text": "text",
    "boolean": "True or False",
    "date": "a date (datetime.date, or text such as '2024-05-31')",
    "datetime": "a datetime without time zone (datetime.datetime, or text such as '2024-05-31 12:00:00')",
}


def plain_value(feature: Feature, value: object) -> object:
    """The value as D has it: int, float, str, bool, date, datetime, or None if missing.

    A quantity that is whole in all of D may still be a fraction in x; a code may not.

    Examples
    --------
    >>> plain_value(Feature("age", "integer", "continuous"), 41.0)
    41
    """
    unwrapped = value.item() if type(value) in SCALARS else value  # type: ignore[attr-defined]
    if type(unwrapped) is _CLASS.get(feature.type):
        if type(unwrapped) is int and not -LARGEST < unwrapped < LARGEST:
            raise InstanceError(f"{feature.name} = {shorten(value)}: expected a whole number below 1e300")
        if type(unwrapped) is not float:
            return unwrapped
        if math.isfinite(unwrapped):
            return unwrapped if feature.bits == 64 else _narrow(feature, unwrapped)
    if is_missing(value):
        return None
    unwrapped = _unwrap(value)
    converted = _CONVERSIONS[feature.type](unwrapped)
    if converted is None and feature.type == "integer" and feature.kind != "categorical":
        converted = _number(unwrapped)  # 37.5 hours where D happens to have whole ones
    if converted is None:
        raise InstanceError(f"{feature.name} = {shorten(value)}: expected {_EXPECTED[feature.type]}")
    return _narrow(feature, converted) if feature.bits != 64 else converted


def number_of(value: Any) -> float:
    """The number of a plain value other than text (see schema.py)."""
    if value is None:
        return math.nan
    if isinstance(value, dt.date | np.datetime64):
        days, rest = divmod(ticks_of(value), NANOSECONDS_PER_DAY)
        return days + rest / NANOSECONDS_PER_DAY
    return float(value)


def exact_number(value: Any) -> Fraction:
    """The number of a plain value other than text and missing, which nothing has rounded."""
    if isinstance(value, dt.date | np.datetime64):
        return Fraction(ticks_of(value), NANOSECONDS_PER_DAY)
    return Fraction(value)


def ticks_of(value: dt.date | np.datetime64) -> int:
    """Nanoseconds since 1970-01-01.

    Examples
    --------
    >>> ticks_of(dt.date(1970, 1, 2)) == NANOSECONDS_PER_DAY, ticks_of(dt.datetime(1970, 1, 1, 0, 0, 0, 7))
    (True, 7000)
    """
    if isinstance(value, np.datetime64):
        return int(value.astype("datetime64[ns]").astype(np.int64))
    days = value.toordinal() - _EPOCH
    if not isinstance(value, dt.datetime):
        return days * NANOSECONDS_PER_DAY
    seconds = ((days * 24 + value.hour) * 60 + value.minute) * 60 + value.second
    return seconds * 10**9 + value.microsecond * 1000 + int(getattr(value, "nanosecond", 0))


def _narrow(feature: Feature, number: Any) -> Any:
    """As the column would hold it: D's 0.7 in 32 bits is not Python's 0.7. What is too large for it stays as it is."""
    with np.errstate(over="ignore"):
        narrow = float((np.float32 if feature.bits == 32 else np.float16)(number))
    return narrow if math.isfinite(narrow) else number


def _unwrap(value: object) -> object:
    """A NumPy scalar, a 0-d array or a pandas Timestamp as plain Python; nanoseconds are kept."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.datetime64):
        micro = value.astype("datetime64[us]")
        return micro.item() if micro == value else moment(value.astype("datetime64[ns]"))
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dt.datetime) and type(value) is not dt.datetime and not getattr(value, "nanosecond", 0):
        return dt.datetime.combine(value.date(), value.time(), value.tzinfo)
    return value


def _integer(value: object) -> int | None:
    if isinstance(value, int):
        return int(value) if -LARGEST < value < LARGEST else None
    if isinstance(value, (float, Decimal)) and _number(value) is not None and value == int(value):
        return int(value)
    return None


def _number(value: object) -> float | None:
    if not isinstance(value, (int, float, Decimal)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _text(value: object) -> str | None:
    return str(value) if isinstance(value, str) else None


def _boolean(value: object) -> bool | None:
    return bool(value) if isinstance(value, (int, float)) and value in (0, 1) else None


def _datetime(value: object) -> dt.datetime | np.datetime64 | None:
    if isinstance(value, str):
        try:
            value = dt.datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, dt.datetime):
        return value if value.tzinfo is None else None
    if isinstance(value, dt.date):
        return dt.datetime.combine(value, dt.time())
    return value if isinstance(value, np.datetime64) else None  # with nanoseconds, where there is no pandas


def _date(value: object) -> dt.date | None:
    found = _datetime(value)
    if not isinstance(found, dt.datetime) or ticks_of(found) % NANOSECONDS_PER_DAY:
        return None
    return found.date()


_CONVERSIONS: dict[str, Any] = {
    "integer": _integer,
    "number": _number,
    "text": _text,
    "boolean": _boolean,
    "date": _date,
    "datetime": _datetime,
}
