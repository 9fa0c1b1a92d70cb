"""A column of D in memory: a flat array, a mask of missing values, and a dictionary if the values are text.

Everything read from a frame, a cursor or DuckDB becomes a Column; one raw Python value exists only at the two ends,
where the user gave it and where it is shown again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from geco.data.schema import Kind, Type
from geco.errors import DataError, shown

Array = np.ndarray[Any, Any]

NANOSECONDS_PER_DAY = 86_400 * 10**9
TICKS_PER_DAY = {"us": 86_400 * 10**6, "ns": NANOSECONDS_PER_DAY}
LONGEST = 2**53  # a float holds every whole number up to here
_CALENDAR = (np.datetime64("0001-01-01"), np.datetime64("9999-12-31"))


@dataclass(frozen=True, eq=False)
class Column:
    """Values of one feature.

    Parameters
    ----------
    type : what the raw values are.
    data : int64 or uint64 (integer), float64 (number), bool (boolean), datetime64[D] (date), datetime64[us] or
        datetime64[ns] (datetime), or int32 positions in ``dictionary`` (text). What stands at a missing position means
        nothing.
    missing : which positions have no value.
    dictionary : the distinct texts, sorted; None unless the type is text.
    kind, order : known only if the source says so (categories).
    mark : what stands for missing in the source, where that is a column of objects: None, NaN or pandas.NA.
    """

    type: Type
    data: Array
    missing: Array
    dictionary: Array | None = None
    kind: Kind | None = None
    order: tuple[str, ...] | None = None
    mark: object = None

    def __len__(self) -> int:
        return len(self.data)

    def take(self, positions: Array) -> Column:
        return replace(self, data=self.data[positions], missing=self.missing[positions])

    def values(self) -> Array:
        """The raw Python values, None where missing."""
        if self.dictionary is not None:
            return np.asarray(object_array([*self.dictionary, None])[np.where(self.missing, -1, self.data)])
        raw = moments(self.data) if self.type == "datetime" else self.data.astype(object)
        raw[self.missing] = None
        return np.asarray(raw)

    def texts(self) -> list[str]:
        """The dictionary of a text column; after `take` it may hold texts that no longer occur."""
        return [] if self.dictionary is None else list(self.dictionary)

    def compact(self) -> Column:
        """The same column with a dictionary of the texts that occur."""
        if self.dictionary is None:
            return self
        used, data = np.unique(np.where(self.missing, -1, self.data), return_inverse=True)
        first = int(self.missing.any())
        return replace(self, data=(data - first).astype(np.int32), dictionary=self.dictionary[used[first:]])

    def numbers(self) -> Array:
        """The values as numbers (see schema.py); text gives its position in ``dictionary``."""
        if self.type == "datetime":
            days, rest = np.divmod(self.data.astype(np.int64), ticks_per_day(self.data))
            flat = days + rest / ticks_per_day(self.data)
        elif self.type == "date":
            flat = self.data.astype(np.int64).astype(np.float64)
        else:
            flat = self.data.astype(np.float64)
        flat[self.missing] = np.nan
        return np.asarray(flat)

    @property
    def rounds(self) -> bool:
        """True where numbers may round the values or an x that is one off: datetimes, whole numbers from 2**53 on."""
        if self.type == "datetime":
            return True
        known = self.data[~self.missing] if self.type == "integer" else self.data[:0]
        return len(known) > 0 and (int(known.max()) >= LONGEST or int(known.min()) <= -LONGEST)


def moments(data: Array) -> Array:
    """Datetimes as Python has them; one with nanoseconds is a pandas.Timestamp, without pandas a numpy.datetime64."""
    raw = data.astype("datetime64[us]").astype(object)
    finer = data != data.astype("datetime64[us]")
    if finer.any():
        raw[finer] = [moment(value) for value in data[finer]]
    return np.asarray(raw)


def moment(value: np.datetime64) -> Any:
    """One datetime that has nanoseconds."""
    try:
        from pandas import Timestamp
    except ImportError:
        return value
    return Timestamp(value)


def ticks_per_day(data: Array) -> int:
    return TICKS_PER_DAY[np.datetime_data(data.dtype)[0]]


def blank_column(rows: int) -> Column:
    """A column without any value; it counts as numbers, as in pandas."""
    return Column("number", np.full(rows, np.nan), np.ones(rows, dtype=bool))


def integer_column(data: Array, missing: Array) -> Column:
    return Column("integer", data if data.dtype == np.uint64 else data.astype(np.int64), missing)


def number_column(name: str, data: Array, missing: Array) -> Column:
    """Floats; NaN is missing, and 0.0 and -0.0 are one value, which keeps its sign."""
    flat = data.astype(np.float64)
    if np.isinf(flat).any():
        raise infinite(name)
    return Column("number", flat, missing | np.isnan(flat))


def date_column(name: str, data: Array, missing: Array) -> Column:
    return Column("date", _in_calendar(name, data, missing).astype("datetime64[D]"), missing | np.isnat(data))


def datetime_column(name: str, data: Array, missing: Array) -> Column:
    """Datetimes of any unit: in microseconds, or in nanoseconds where one has a part of a microsecond."""
    missing = missing | np.isnat(data)
    micro = _in_calendar(name, data, missing).astype("datetime64[us]")
    finer = np.datetime_data(data.dtype)[0] == "ns" and bool((data != micro)[~missing].any())
    return Column("datetime", data.astype("datetime64[ns]") if finer else micro, missing)


def _in_calendar(name: str, data: Array, missing: Array) -> Array:
    days = data[~(missing | np.isnat(data))].astype("datetime64[D]")
    if len(days) and (days.min() < _CALENDAR[0] or days.max() > _CALENDAR[1]):
        raise DataError(f"column {name!r} has dates outside the years 1 to 9999; mark them as missing or exclude it")
    return data


def text_column(texts: Sequence[str | None] | Array) -> Column:
    """Dictionary-encode texts; None is missing."""
    found: set[Any] = set(texts)
    found.discard(None)
    dictionary = sorted(found)
    position: dict[str | None, int] = {text: i for i, text in enumerate(dictionary)}
    position[None] = -1
    codes = np.fromiter(map(position.__getitem__, texts), dtype=np.int32, count=len(texts))
    return Column("text", codes, codes < 0, object_array(dictionary))


def object_array(values: Sequence[object]) -> Array:
    """An object array of exactly these elements, whatever they are."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def shorten(value: object) -> str:
    return shown(value, limit=40)


def unusable(name: str, what: str) -> DataError:
    return DataError(
        f"column {name!r} has {what}, which geco cannot use; convert it to numbers, text, booleans or dates, "
        f"or exclude it: exclude=[{name!r}]"
    )


def infinite(name: str) -> DataError:
    return DataError(f"column {name!r} has infinite values; mark them as missing, replace them, or exclude the column")


def time_zone(name: str) -> DataError:
    return DataError(f"column {name!r} has datetimes with a time zone; convert them to local time without one first")


def wide_integers(name: str) -> DataError:
    return DataError(f"column {name!r} has integers beyond 64 bits; convert them to text or to floats, or exclude it")
