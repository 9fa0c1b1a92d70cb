"""Python objects ▶ Columns: object columns of frames, and rows of a cursor."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, NoReturn

import numpy as np

from geco.data.columns import (
    Array,
    Column,
    blank_column,
    date_column,
    datetime_column,
    integer_column,
    number_column,
    object_array,
    shorten,
    text_column,
    time_zone,
    unusable,
    wide_integers,
)
from geco.data.schema import Type
from geco.errors import DataError


def object_column(name: str, values: Sequence[object] | Array) -> Column:
    """A column of Python objects, which must all be of one type that geco knows."""
    types = set(map(type, values))
    if types == {str, type(None)}:
        return text_column(values)  # type: ignore[arg-type]
    if types == {str}:
        return replace(text_column(values), mark=math.nan)  # type: ignore[arg-type]  # as pandas would
    known = [v for v in values if not is_missing(v)]
    families = {_family(name, t, known) for t in set(map(type, known))}
    if not families:
        return replace(blank_column(len(values)), mark=values[0] if len(values) else None)
    if len(families) > 1 and families != {"integer", "number"}:
        refuse_mixture(name, known)
    missing = np.fromiter(map(is_missing, values), dtype=bool, count=len(values))
    mark = values[int(np.argmax(missing))] if missing.any() else None
    if families == {"text"}:
        texts = [None if gone else str(v) for v, gone in zip(values, missing, strict=True)]
        return replace(text_column(texts), mark=mark if missing.any() else math.nan)
    spread_out = np.cumsum(~missing) - 1
    column = _typed(name, "number" if "number" in families else families.pop(), known)
    column = column.take(np.maximum(spread_out, 0))
    return replace(column, missing=column.missing | missing, mark=mark)


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
            if any(getattr(v, "nanosecond", 0) for v in known):
                return datetime_column(name, np.array([v.to_datetime64() for v in known], "datetime64[ns]"), nothing)
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


def is_missing(value: object) -> bool:
    """True for None, NaN, NaT and pandas.NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, (float, np.floating)):
        return bool(value != value)
    if isinstance(value, Decimal):
        return value.is_nan()  # a signalling NaN cannot be compared, not even with itself
    return isinstance(value, (np.datetime64, np.timedelta64)) and bool(np.isnat(value))
