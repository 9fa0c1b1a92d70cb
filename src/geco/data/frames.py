"""Data frames ▶ Columns: pandas, polars and pyarrow, none of them imported unless one of its objects shows up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from geco.data.columns import (
    Array,
    Column,
    blank_column,
    date_column,
    datetime_column,
    integer_column,
    number_column,
    text_column,
    time_zone,
    unusable,
    wide_integers,
)
from geco.data.objects import object_column
from geco.data.paths import is_utf8
from geco.errors import DataError, shown


class Frame:
    """What Database asks of a frame: its library, its column names and dtypes, and one column at a time."""

    def __init__(self, frame: Any) -> None:
        modules = [cls.__module__.split(".")[0] for cls in type(frame).__mro__]
        self.form = next((m for m in modules if m in ("pandas", "polars", "pyarrow")), "")
        if self.form == "pandas" and hasattr(frame, "columns"):
            names, dtypes = list(frame.columns), list(frame.dtypes)
            self._read: Callable[[str], Column] = lambda name: pandas_column(name, frame[name])
        elif self.form == "polars" and hasattr(frame, "get_column"):
            names, dtypes = list(frame.columns), list(frame.dtypes)
            self._read = lambda name: polars_column(name, frame.get_column(name))
        elif self.form == "pyarrow" and hasattr(frame, "unify_dictionaries"):
            names, dtypes = list(frame.column_names), list(frame.schema.types)
            self._read = lambda name: arrow_column(name, frame.column(name))
        else:
            raise DataError(
                f"expected a pandas or polars DataFrame or a pyarrow Table, not {type(frame).__name__}; "
                "for a file use Database.from_file, for a query Database.from_sql"
            )
        check_names(names)
        self.dtypes: dict[str, object] = dict(zip(names, dtypes, strict=True))

    def column(self, name: str) -> Column:
        return self._read(name)


def check_names(names: Sequence[object]) -> None:
    seen: set[object] = set()
    for name in names:
        if not isinstance(name, str):
            raise DataError(f"column names must be text, not {shown(name)}; rename the columns first")
        if not is_utf8(name):
            raise DataError(f"the column name {name!r} holds half of a surrogate pair; rename the column first")
        if name in seen:
            raise DataError(f"two columns are called {name!r}; rename or drop one of them")
        seen.add(name)


def pandas_column(name: str, series: Any) -> Column:
    """A pandas Series of any dtype, extension types included."""
    dtype = series.dtype
    family = type(dtype).__name__
    if family == "CategoricalDtype":
        codes = series.cat.codes.to_numpy().astype(np.int64)
        column = categories(pandas_column(name, dtype.categories.to_series()), codes, bool(dtype.ordered))
        return replace(column, mark=np.nan)
    if family == "ArrowDtype":
        import pyarrow

        return arrow_column(name, pyarrow.chunked_array([pyarrow.array(series.array)]))
    if family == "DatetimeTZDtype":
        raise time_zone(name)
    if family in ("SparseDtype", "PeriodDtype", "IntervalDtype"):
        raise unusable(name, f"the dtype {dtype}")
    missing = series.isna().to_numpy(dtype=bool)
    if family == "StringDtype":
        texts = series.to_numpy(dtype=object, copy=True)
        texts[missing] = None
        return replace(text_column(texts), mark=dtype.na_value)
    match dtype.kind:
        case "i" | "u":
            whole = (series.fillna(0) if missing.any() else series).to_numpy(getattr(dtype, "numpy_dtype", dtype))
            return integer_column(whole, missing)  # the dtype is said: older pandas makes objects of its own integers
        case "b":
            return Column("boolean", (series.fillna(False) if missing.any() else series).to_numpy(dtype=bool), missing)
        case "f":
            return number_column(name, series.to_numpy(dtype=np.float64, na_value=np.nan), missing)
        case "M":
            return datetime_column(name, series.to_numpy(), missing)
        case "O":
            return object_column(name, series.to_numpy())
        case _:
            raise unusable(name, f"the dtype {dtype}")


def polars_column(name: str, series: Any) -> Column:
    """A polars Series."""
    import polars

    dtype = series.dtype
    missing = series.is_null().to_numpy().astype(bool)
    if dtype == polars.Null:
        return blank_column(len(series))
    if dtype == polars.Enum or dtype == polars.Categorical:
        column = text_column(series.cast(polars.String).to_list())
        order = tuple(dtype.categories.to_list()) if dtype == polars.Enum else None
        return replace(column, kind="ordinal" if order else "categorical", order=order)
    if dtype == polars.Boolean:
        return Column("boolean", series.fill_null(False).to_numpy().astype(bool), missing)
    if dtype.is_integer():
        if str(dtype) in ("Int128", "UInt128"):
            raise wide_integers(name)
        return integer_column(series.fill_null(0).to_numpy(), missing)
    if dtype.is_float() or dtype.is_decimal():
        return number_column(name, series.cast(polars.Float64).fill_null(float("nan")).to_numpy(), missing)
    if dtype == polars.String:
        return text_column(series.to_list())
    if dtype == polars.Date:
        days = series.to_physical().cast(polars.Int64).fill_null(0).to_numpy()
        return date_column(name, days.astype("datetime64[D]"), missing)
    if dtype == polars.Datetime:
        if dtype.time_zone is not None:
            raise time_zone(name)
        ticks = series.to_physical().fill_null(0).to_numpy()
        return datetime_column(name, ticks.astype(f"datetime64[{dtype.time_unit}]"), missing)
    if dtype == polars.Object:
        return object_column(name, series.to_list())
    raise unusable(name, f"the dtype {dtype}")


def arrow_column(name: str, chunked: Any) -> Column:
    """A pyarrow ChunkedArray."""
    import pyarrow
    from pyarrow import compute, types

    dtype = chunked.type
    if types.is_null(dtype) or len(chunked) == 0:
        return blank_column(len(chunked))
    missing = chunked.is_null().to_numpy().astype(bool)
    if types.is_dictionary(dtype):
        flat = chunked.unify_dictionaries().combine_chunks()
        distinct = arrow_column(name, pyarrow.chunked_array([flat.dictionary]))
        return categories(distinct, _arrow_codes(flat), bool(dtype.ordered))
    if types.is_boolean(dtype):
        return Column("boolean", compute.fill_null(chunked, False).to_numpy().astype(bool), missing)
    if types.is_integer(dtype):
        return integer_column(compute.fill_null(chunked, 0).to_numpy(), missing)
    if types.is_floating(dtype) or types.is_decimal(dtype):
        return number_column(name, chunked.cast(pyarrow.float64()).to_numpy(), missing)
    if str(dtype) in ("string", "large_string", "string_view"):
        flat = chunked.cast(pyarrow.large_string()).combine_chunks().dictionary_encode()
        return text_column([*flat.dictionary.to_pylist(), None]).take(_arrow_codes(flat))  # -1 is the None at the end
    if types.is_date(dtype):
        days = compute.fill_null(chunked.cast(pyarrow.date32()).cast(pyarrow.int32()), 0).to_numpy()
        return date_column(name, days.astype("datetime64[D]"), missing)
    if types.is_timestamp(dtype):
        if dtype.tz is not None:
            raise time_zone(name)
        return datetime_column(name, chunked.to_numpy(), missing)
    raise unusable(name, f"the type {dtype}")


def _arrow_codes(flat: Any) -> Array:
    from pyarrow import compute

    return np.asarray(compute.fill_null(flat.indices.cast("int64"), -1).to_numpy())


def categories(distinct: Column, codes: Array, ordered: bool) -> Column:
    """A column given as positions in a list of categories; -1 is missing."""
    missing = codes < 0
    if not len(distinct):
        return blank_column(len(codes))
    column = distinct.take(np.where(missing, 0, codes))
    column = replace(column, missing=column.missing | missing, kind="categorical")
    if ordered and distinct.type == "text":
        return replace(column, kind="ordinal", order=tuple(distinct.values()))
    if ordered and (np.diff(distinct.numbers()) > 0).all():
        return replace(column, kind="ordinal")
    return column
