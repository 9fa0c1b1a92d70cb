"""How a single value reads: as people write it, an outcome or a distance shortened, and as JSON knows it."""

from __future__ import annotations

import math
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import numpy as np

from geco.errors import shown


def show(value: Any) -> str:
    """A value as people write it, nothing rounded."""
    if is_missing(value):
        return "missing"
    if isinstance(value, datetime):
        midnight = (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0)
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    return _text(value)


def shorten(number: Any, beyond: float | None = None) -> str:
    """An outcome or a distance in three significant digits, or more where 0.5004 would read as 0.5.

    It never reads as the number that it is ``beyond``, however near that is.

    Examples
    --------
    >>> shorten(0.83333), shorten(0.5004), shorten(0.012), shorten(999.7), shorten(250000.4), shorten(4e306)
    ('0.833', '0.5004', '0.012', '1,000', '250,000', '4e+306')
    """
    if is_missing(number) or isinstance(number, str):
        return show(number)
    value = float(number)
    if 100 <= abs(value) < 1e15:  # 999.7 in three digits would be 1e+03
        return f"{value:,.0f}"
    short = f"{value:.3g}"
    for digits in (4, 5, 6):
        if len(short.lstrip("-0.").replace(".", "")) >= 2:
            break
        short = f"{value:.{digits}g}"
    return repr(value) if value != beyond == float(short) else short


def is_missing(value: Any) -> bool:
    """True for None, NaN, NaT and pandas' NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, float | np.floating):
        return math.isnan(value)
    if isinstance(value, Decimal):
        return value.is_nan()
    return isinstance(value, np.datetime64 | np.timedelta64) and bool(np.isnat(value))


def plain(value: Any) -> Any:
    """The value as JSON knows it: NumPy scalars unwrapped, dates as ISO text, missing as None, infinity as text."""
    if is_missing(value):
        return None
    if isinstance(value, np.datetime64 | np.timedelta64):
        return str(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, date | time):
        return value.isoformat()
    return _text(value)


def plain_name(name: Any) -> str:
    """The name of a feature as JSON knows it: in a row that failed it may be anything."""
    return name if isinstance(name, str) else _text(name)


def _text(value: Any) -> str:
    """Of whatever a user gave in a row that failed."""
    try:
        return str(value)
    except Exception:
        return shown(value)
