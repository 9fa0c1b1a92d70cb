"""Values as exact numbers: whole numbers and fractions, dates as days. Nothing here is ever rounded to float64."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

FARTHEST = 1e300
NANOSECONDS = 86_400 * 10**9  # a day has
_EPOCH = dt.date(1970, 1, 1).toordinal()


def plain(value: Any) -> Any:
    """A value without NumPy or pandas around it; every form of missing is None, only nanoseconds stay a Timestamp."""
    if value is None or value is pd.NaT or value is pd.NA or value != value:
        return None
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    if isinstance(value, pd.Timestamp):
        return value if value.nanosecond else value.to_pydatetime()
    if isinstance(value, Decimal):  # D has decimals as floats
        return float(value)
    return value.item() if hasattr(value, "item") else value


def days_of(value: dt.date) -> Fraction:
    """Days since 1970, to the nanosecond."""
    nanoseconds = (value.toordinal() - _EPOCH) * NANOSECONDS
    if isinstance(value, dt.datetime):
        seconds = (value.hour * 60 + value.minute) * 60 + value.second
        nanoseconds += seconds * 10**9 + value.microsecond * 1000 + getattr(value, "nanosecond", 0)
    return Fraction(nanoseconds, NANOSECONDS)


def days_of_text(text: str) -> Fraction:
    return days_of(dt.datetime.fromisoformat(text))


def number_of(value: Any) -> Fraction:
    """The exact number of a plain value that is not text."""
    return days_of(value) if isinstance(value, dt.date) else Fraction(value)


def rounded(number: Fraction) -> float:
    """As a float, cut where distances can no longer be told apart (docs/costs.md)."""
    return float(min(number, Fraction(FARTHEST)))
