"""One raw value of x: its canonical Python form, and the number of everything that is not text."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Any

import numpy as np

from geco.data.columns import MICROSECONDS_PER_DAY, shorten
from geco.data.objects import is_missing
from geco.data.schema import Feature
from geco.errors import InstanceError

_EPOCH = dt.datetime(1970, 1, 1)
# Almost every value is of its feature's own class, plain or as a scalar of a frame: those go straight through.
_CLASS: dict[str, type] = {"integer": int, "number": float, "text": str, "boolean": bool}
_SCALARS = frozenset((np.int64, np.int32, np.float64, np.float32, np.bool_, np.str_))
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
    unwrapped = value.item() if type(value) in _SCALARS else value  # type: ignore[attr-defined]
    if type(unwrapped) is _CLASS.get(feature.type):
        if type(unwrapped) is not float:
            return unwrapped
        if math.isfinite(unwrapped):
            return unwrapped + 0.0
    if is_missing(value):
        return None
    unwrapped = _unwrap(value)
    converted = _CONVERSIONS[feature.type](unwrapped)
    if converted is None and feature.type == "integer" and feature.kind != "categorical":
        converted = _number(unwrapped)  # 37.5 hours where D happens to have whole ones
    if converted is None:
        raise InstanceError(f"{feature.name} = {shorten(value)}: expected {_EXPECTED[feature.type]}")
    return converted


def number_of(value: Any) -> float:
    """The number of a plain value other than text (see schema.py)."""
    if value is None:
        return math.nan
    if isinstance(value, dt.datetime):
        # As for a whole column, first rounded to a float, then divided: equal datetimes must have equal numbers.
        return float((value - _EPOCH) // dt.timedelta(microseconds=1)) / MICROSECONDS_PER_DAY
    if isinstance(value, dt.date):
        return float((value - _EPOCH.date()).days)
    return float(value) + 0.0


def _unwrap(value: object) -> object:
    """A NumPy scalar, a 0-d array or a pandas Timestamp as plain Python."""
    if isinstance(value, np.datetime64):
        return value.astype("datetime64[us]").item()
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value.item()
    if isinstance(value, dt.datetime) and type(value) is not dt.datetime:
        return dt.datetime.combine(value.date(), value.time(), value.tzinfo)
    return value


def _integer(value: object) -> int | None:
    if isinstance(value, int):
        return int(value)
    if isinstance(value, (float, Decimal)) and math.isfinite(value) and value == int(value):
        return int(value)
    return None


def _number(value: object) -> float | None:
    if not isinstance(value, (int, float, Decimal)):
        return None
    try:
        number = float(value) + 0.0
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _text(value: object) -> str | None:
    return str(value) if isinstance(value, str) else None


def _boolean(value: object) -> bool | None:
    return bool(value) if isinstance(value, (int, float)) and value in (0, 1) else None


def _datetime(value: object) -> dt.datetime | None:
    if isinstance(value, str):
        try:
            value = dt.datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, dt.datetime):
        return value if value.tzinfo is None else None
    if isinstance(value, dt.date):
        return dt.datetime.combine(value, dt.time())
    return None


def _date(value: object) -> dt.date | None:
    moment = _datetime(value)
    return moment.date() if moment is not None and moment.time() == dt.time() else None


_CONVERSIONS: dict[str, Any] = {
    "integer": _integer,
    "number": _number,
    "text": _text,
    "boolean": _boolean,
    "date": _date,
    "datetime": _datetime,
}
