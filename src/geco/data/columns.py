"""A column of D in memory: a flat array, a mask of missing values, and a dictionary if the values are text.

Everything read from a frame, a cursor or DuckDB becomes a Column; one raw Python value exists only at the two ends,
where the user gave it and where it is shown again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, NoReturn

import numpy as np

from geco.data.schema import Kind, Type
from geco.errors import DataError

Array = np.ndarray[Any, Any]

MICROSECONDS_PER_DAY = 86_400_000_000
_CALENDAR = (np.datetime64("0001-01-01"), np.datetime64("9999-12-31"))


@dataclass(frozen=True, eq=False)
class Column:
    """Values of one feature.

    Parameters
    ----------
    type : what the raw values are.
    data : int64 or uint64 (integer), float64 (number), bool (boolean), datetime64[D] (date), datetime64[us] (datetime),
        or int32 positions in ``dictionary`` (text). What stands at a missing position means nothing.
    missing : which positions have no value.
    dictionary : the distinct texts, sorted; None unless the type is text.
    kind, order : known only if the source says so (categories).
    """

    type: Type
    data: Array
    missing: Array
    dictionary: Array | None = None
    kind: Kind | None = None
    order: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return len(self.data)

    def take(self, positions: Array) -> Column:
        return replace(self, data=self.data[positions], missing=self.missing[positions])

    def values(self) -> Array:
        """The raw Python values, None where missing."""
        if self.dictionary is not None:
            return np.asarray(object_array([*self.dictionary, None])[np.where(self.missing, -1, self.data)])
        raw = self.data.astype(object)
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
            flat = self.data.astype(np.int64) / MICROSECONDS_PER_DAY
        elif self.type == "date":
            flat = self.data.astype(np.int64).astype(np.float64)
        else:
            flat = self.data.astype(np.float64)
        flat[self.missing] = np.nan
        return np.asarray(flat)


def blank_column(rows: int) -> Column:
    """A column without any value; it counts as numbers, as pandas has it."""
    return Column("number", np.full(rows, np.nan), np.ones(rows, dtype=bool))


def integer_column(data: Array, missing: Array) -> Column:
    return Column("integer", data if data.dtype == np.uint64 else data.astype(np.int64), missing)


def number_column(name: str, data: Array, missing: Array) -> Column:
    """Floats; NaN is missing, and 0.0 and -0.0 are one value."""
    flat = data.astype(np.float64) + 0.0
    if np.isinf(flat).any():
        raise infinite(name)
    return Column("number", flat, missing | np.isnan(flat))


def date_column(name: str, data: Array, missing: Array) -> Column:
    return Column("date", _in_calendar(name, data, missing).astype("datetime64[D]"), missing | np.isnat(data))


def datetime_column(name: str, data: Array, missing: Array) -> Column:
    """Datetimes of any unit, cut to microseconds: Python's datetime holds no more."""
    return Column("datetime", _in_calendar(name, data, missing).astype("datetime64[us]"), missing | np.isnat(data))


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


def object_column(name: str, values: Sequence[object] | Array) -> Column:
    """A column of Python objects, which must all be of one type that geco knows."""
    types = set(map(type, values))
    if types <= {str, type(None)} and str in types:
        return text_column(values)  # type: ignore[arg-type]
    known = [v for v in values if not is_missing(v)]
    families = {_family(name, t, known) for t in set(map(type, known))}
    if not families:
        return blank_column(len(values))
    if len(families) > 1 and families != {"integer", "number"}:
        refuse_mixture(name, known)
    missing = np.fromiter(map(is_missing, values), dtype=bool, count=len(values))
    if families == {"text"}:
        return text_column([None if gone else str(v) for v, gone in zip(values, missing, strict=True)])
    spread_out = np.cumsum(~missing) - 1
    column = _typed(name, "number" if "number" in families else families.pop(), known)
    column = column.take(np.maximum(spread_out, 0))
    return replace(column, missing=column.missing | missing)


def _typed(name: str, family: str, known: list[Any]) -> Column:
    nothing = np.zeros(len(known), dtype=bool)
    match family:
        case "boolean":
            return Column("boolean", np.array(known, dtype=bool), nothing)
        case "integer":
            try:
                return integer_column(np.array([int(v) for v in known], dtype=np.int64), nothing)
            except OverflowError:
                raise wide_integers(name) from None
        case "date":
            return date_column(name, np.array(known, dtype="datetime64[D]"), nothing)
        case "datetime":
            if any(v.tzinfo is not None for v in known):
                raise time_zone(name)
            return datetime_column(name, np.array(known, dtype="datetime64[us]"), nothing)
        case _:
            return number_column(name, np.array([float(v) for v in known]), nothing)


# Order matters: bool is an int, datetime is a date.
_FAMILIES: tuple[tuple[tuple[type, ...], Type], ...] = (
    ((str,), "text"),
    ((bool, np.bool_), "boolean"),
    ((int, np.integer), "integer"),
    ((float, np.floating, Decimal), "number"),
    ((dt.datetime,), "datetime"),
    ((dt.date,), "date"),
)


def _family(name: str, cls: type, known: Sequence[object]) -> Type:
    for classes, family in _FAMILIES:
        if issubclass(cls, classes):
            return family
    example = next(v for v in known if type(v) is cls)
    raise unusable(name, f"values such as {shorten(example)} ({cls.__name__})")


def refuse_mixture(name: str, known: Sequence[object]) -> NoReturn:
    first, family = known[0], _family(name, type(known[0]), known)
    other = next(v for v in known if _family(name, type(v), known) != family)
    raise DataError(
        f"column {name!r} mixes types: {shorten(first)} is {family}, {shorten(other)} is "
        f"{_family(name, type(other), known)}; convert the column to one type or exclude it"
    )


def concatenate(name: str, parts: Sequence[Column]) -> Column:
    """One column from consecutive pieces of it, which may differ in type only where that loses nothing."""
    known = [p for p in parts if not p.missing.all()] or [parts[0]]
    types: set[Type] = {p.type for p in known}
    if len(types) > 1 and types != {"integer", "number"}:
        refuse_mixture(name, [p.take(~p.missing).take(np.arange(1)).values()[0] for p in known])
    if types == {"text"}:
        dictionary = sorted(set().union(*(p.texts() for p in known)))
        position = {text: i for i, text in enumerate(dictionary)}
        codes = [np.array([position[text] for text in p.texts()] + [-1], dtype=np.int32)[p.data] for p in known]
        return _joined("text", parts, codes, object_array(dictionary))
    cls: Type = "number" if "number" in types else known[0].type
    dtype = np.dtype(np.float64) if cls == "number" else known[0].data.dtype
    return _joined(cls, parts, [p.data.astype(dtype) for p in known])


def _joined(cls: Type, parts: Sequence[Column], data: Sequence[Array], dictionary: Array | None = None) -> Column:
    """Pieces end to end; ``data`` has the arrays of those that are not wholly missing."""
    given = iter(data)
    flat = [np.zeros(len(p), data[0].dtype) if p.missing.all() else next(given) for p in parts]
    return Column(cls, np.concatenate(flat), np.concatenate([p.missing for p in parts]), dictionary)


def object_array(values: Sequence[object]) -> Array:
    """An object array of exactly these elements, whatever they are."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def is_missing(value: object) -> bool:
    """True for None, NaN, NaT and pandas.NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, (float, np.floating, Decimal)):
        return bool(value != value)
    return isinstance(value, (np.datetime64, np.timedelta64)) and bool(np.isnat(value))


def shorten(value: object, limit: int = 40) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."


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
