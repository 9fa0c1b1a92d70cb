"""How each frame library stores a column, fills its slot 0 with x and puts columns together into a table.

A column has the user's dtype. Where that dtype cannot hold x's value (a new category, a fraction or a gap among
integers, a number beyond 8 bits) the next wider one is taken, so that what is scored is exactly what was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from geco.data.columns import moments
from geco.data.values import ticks_of


class Layout(Protocol):
    """How one library stores a column and puts columns together."""

    def column(self, values: Sequence[Any], feature: str) -> Any: ...
    def with_x(self, column: Any, value: Any, feature: str) -> Any: ...
    def take(self, column: Any, rows: Any) -> Any: ...
    def table(self, columns: dict[str, Any]) -> Any: ...


class PandasLayout:
    """NumPy arrays and pandas' extension arrays; ``marks`` is what stands for missing among objects."""

    def __init__(self, dtypes: Mapping[str, Any], marks: Mapping[str, Any]) -> None:
        import pandas

        self.pd, self.dtypes, self.marks = pandas, dtypes, marks
        self.names: Any = None  # of the columns, which are the same for every table
        self._made_of = _made_of_blocks()

    def column(self, values: Sequence[Any], feature: str) -> Any:
        if self.dtypes[feature] == np.dtype(object):
            values = [self.marks[feature] if v is None else v for v in values]
        try:
            series = self.pd.Series(values, dtype=self.dtypes[feature])
        except self.pd.errors.OutOfBoundsDatetime:  # older versions go by way of nanoseconds, which end in 2262
            series = self.pd.Series(np.array(values, self.dtypes[feature]))
        return series.to_numpy() if isinstance(series.dtype, np.dtype) else series.array

    def with_x(self, column: Any, value: Any, feature: str) -> Any:
        for filled in self._ever_wider(column, value):
            try:
                filled[0] = self.marks[feature] if value is None and filled.dtype == object else _finest(value, filled)
                if self._holds(filled[0], value):
                    return filled
            except (TypeError, ValueError, OverflowError):
                continue
        raise TypeError(f"no wider dtype than {column.dtype} holds it")

    def take(self, column: Any, rows: Any) -> Any:
        return column.take(rows)

    def table(self, columns: dict[str, Any]) -> Any:
        """One block per dtype of NumPy's: faster to make than column by column, and to predict on."""
        kinds: dict[Any, list[str]] = {}
        for f, column in columns.items():
            kinds.setdefault(column.dtype if isinstance(column, np.ndarray) else None, []).append(f)
        if len(kinds) == 1 and None not in kinds:
            return self.of_blocks([(np.stack(list(columns.values())), np.arange(len(columns)))], columns)
        if self._takes_blocks(columns):
            return self._put_together(kinds, columns)
        self._know(columns)
        # Older pandas must join the blocks, which takes longer where its own arrays are a block each.
        if None in kinds and all(dtype is None or dtype.kind in "iufb" for dtype in kinds):
            return self.pd.DataFrame(columns, copy=False)
        blocks = [self._block(dtype, {f: columns[f] for f in names}) for dtype, names in kinds.items()]
        position = {f: i for i, f in enumerate(f for names in kinds.values() for f in names)}
        table = self.pd.concat(blocks, axis=1, ignore_index=True).take([position[f] for f in columns], axis=1)
        table.columns = self.names
        return table

    def joins(self, columns: Mapping[str, Any]) -> bool:
        """True if ``of_blocks`` makes a table of these: of one dtype of NumPy's always."""
        dtypes = {column.dtype if isinstance(column, np.ndarray) else None for column in columns.values()}
        return (len(dtypes) == 1 and None not in dtypes) or self._takes_blocks(columns)

    def of_blocks(self, blocks: Sequence[tuple[Any, Any]], features: Iterable[str]) -> Any:
        """The table of these: arrays of NumPy's with a row for each column, or columns of pandas; and their places."""
        self._know(features)
        first = blocks[0][0]
        if self._made_of is None or first.dtype.kind in "mM":  # then there is but one
            return self._frame(first, self.names)
        return self._made_of(blocks, self.pd.RangeIndex(first.shape[-1]), self.names)

    def _takes_blocks(self, columns: Mapping[str, Any]) -> bool:
        """Not dates, whose blocks are pandas' own affair."""
        return self._made_of is not None and not any(column.dtype.kind in "mM" for column in columns.values())

    def _know(self, features: Iterable[str]) -> None:
        if self.names is None:
            self.names = self.pd.Index(list(features))

    def _put_together(self, kinds: dict[Any, list[str]], columns: Mapping[str, Any]) -> Any:
        """The blocks as they are, without a look at each column."""
        position = {f: i for i, f in enumerate(columns)}
        blocks = [(columns[f], np.array([position[f]])) for f in kinds.pop(None, ())]
        for names in kinds.values():
            blocks.append((np.stack([columns[f] for f in names]), np.array([position[f] for f in names])))
        return self.of_blocks(blocks, columns)

    def _block(self, dtype: Any, columns: dict[str, Any]) -> Any:
        if dtype is None:
            return self.pd.DataFrame(columns, copy=False)
        return self._frame(np.stack(list(columns.values())))

    def _frame(self, block: Any, names: Any = None) -> Any:
        # The dtype is said: left to itself pandas 3 reads objects that are all text as str.
        return self.pd.DataFrame(block.T, columns=names, dtype=block.dtype, copy=False)

    def _ever_wider(self, column: Any, value: Any) -> Iterator[Any]:
        yield column.copy()
        if hasattr(column, "add_categories"):
            yield column.add_categories([value])
        kind = getattr(column.dtype, "kind", "O")
        plain = isinstance(column, np.ndarray)
        for wider in {"i": ("int64", "float64"), "u": ("int64", "float64"), "f": ("float64",)}.get(kind, ()):
            yield column.astype(wider if plain else wider.capitalize())
        if kind == "M" and plain:
            yield column.astype("datetime64[us]")
            finer = column.astype("datetime64[ns]")
            if (finer.astype(column.dtype) == column).all():  # all within the years that nanoseconds reach
                yield finer
            yield moments(column)
            return
        yield column.astype(object)

    def _holds(self, stored: Any, value: Any) -> bool:
        if value is None:
            return bool(self.pd.isna(stored))
        if isinstance(stored, np.datetime64):
            return _ticks(stored) == ticks_of(value)
        # As plain Python: NumPy rounds 0.1 before it compares it with a float32.
        return bool((stored.item() if isinstance(stored, np.generic) else stored) == value)


def _made_of_blocks() -> Any:
    """What pandas offers from version 3 on to make a frame of blocks; None where it does not."""
    try:
        from pandas.api.internals import create_dataframe_from_blocks  # type: ignore[import-not-found]
    except ImportError:
        return None
    return create_dataframe_from_blocks


def _finest(value: Any, column: Any) -> Any:
    """The value as it is set in a column: NumPy takes of a Timestamp no more than microseconds."""
    finer = isinstance(column, np.ndarray) and column.dtype.kind == "M" and getattr(value, "nanosecond", 0)
    return value.to_datetime64() if finer else value


def _ticks(stored: np.datetime64) -> int:
    """Nanoseconds of a value of any unit, which may lie beyond the years that nanoseconds reach."""
    return ticks_of(stored if np.datetime_data(stored.dtype)[0] == "ns" else stored.astype("datetime64[us]").item())


class PolarsLayout:
    def __init__(self, dtypes: Mapping[str, Any]) -> None:
        import polars

        self.pl, self.dtypes = polars, dtypes

    def column(self, values: Sequence[Any], feature: str) -> Any:
        return self._series(feature, values, self.dtypes[feature])

    def with_x(self, column: Any, value: Any, feature: str) -> Any:
        for dtype in (column.dtype, *self._wider(column.dtype)):
            try:
                head = self._series(feature, [value], dtype)
            except (TypeError, ValueError, OverflowError, self.pl.exceptions.PolarsError):
                continue
            if value is None or dtype.is_decimal() or self._holds(head, value):
                return self.pl.concat([head, column[1:].cast(dtype)], rechunk=True)
        raise TypeError(f"no wider dtype than {column.dtype} holds it")

    def take(self, column: Any, rows: Any) -> Any:
        return column.gather(rows)

    def table(self, columns: dict[str, Any]) -> Any:
        return self.pl.DataFrame(columns)

    def _series(self, feature: str, values: Sequence[Any], dtype: Any) -> Any:
        if dtype.is_decimal():  # made of floats, which older versions take by a cast only
            return self.pl.Series(feature, values, dtype=self.pl.Float64).cast(dtype)
        if dtype == self.pl.Datetime and dtype.time_unit == "ns":  # of Python's datetimes polars takes microseconds
            ticks = [None if v is None else ticks_of(v) for v in values]
            return self.pl.Series(feature, ticks, dtype=self.pl.Int64).cast(dtype)
        return self.pl.Series(feature, values, dtype=dtype)

    def _holds(self, head: Any, value: Any) -> bool:
        finer = head.dtype == self.pl.Datetime and head.dtype.time_unit == "ns"
        return bool(head.to_physical()[0] == ticks_of(value) if finer else head[0] == value)

    def _wider(self, dtype: Any) -> tuple[Any, ...]:
        if dtype.is_integer():
            return self.pl.Int64, self.pl.Float64
        if dtype.is_float():
            return (self.pl.Float64,)
        if dtype == self.pl.Datetime:
            return self.pl.Datetime("us"), self.pl.Datetime("ns")
        return (self.pl.String,) if dtype in (self.pl.Enum, self.pl.Categorical) else ()


class PyarrowLayout:
    def __init__(self, dtypes: Mapping[str, Any]) -> None:
        import pyarrow

        self.pa, self.dtypes = pyarrow, dtypes

    def column(self, values: Sequence[Any], feature: str) -> Any:
        return self._array(values, self.dtypes[feature])

    def with_x(self, column: Any, value: Any, feature: str) -> Any:
        for dtype in (column.type, *self._wider(column.type)):
            try:
                head = self._array([value], dtype)
            except (TypeError, ValueError, OverflowError):
                continue
            if self.pa.types.is_decimal(dtype) or head[0].as_py() == value:
                return self.pa.concat_arrays([head, column[1:].cast(dtype)])
        raise TypeError(f"no wider type than {column.type} holds it")

    def take(self, column: Any, rows: Any) -> Any:
        return column.take(self.pa.array(rows))

    def table(self, columns: dict[str, Any]) -> Any:
        return self.pa.table(columns)

    def _array(self, values: Sequence[Any], dtype: Any) -> Any:
        if self.pa.types.is_decimal(dtype):  # made of floats, which pyarrow takes by a cast only
            return self.pa.array(values, self.pa.float64()).cast(dtype)
        return self.pa.array(values, type=dtype)

    def _wider(self, dtype: Any) -> tuple[Any, ...]:
        types = self.pa.types
        if types.is_integer(dtype):
            return self.pa.int64(), self.pa.float64()
        if types.is_floating(dtype):
            return (self.pa.float64(),)
        return (self.pa.timestamp("us"), self.pa.timestamp("ns")) if types.is_timestamp(dtype) else ()


class ConvertedLayout:
    """A polars or pyarrow table shown to a model that takes pandas: what ``to_pandas`` makes of it."""

    def __init__(self, native: Layout) -> None:
        import pandas  # noqa: F401  to_pandas needs it; better known now than at the first row

        self.native = native

    def column(self, values: Sequence[Any], feature: str) -> Any:
        return self.native.column(values, feature)

    def with_x(self, column: Any, value: Any, feature: str) -> Any:
        return self.native.with_x(column, value, feature)

    def take(self, column: Any, rows: Any) -> Any:
        return self.native.take(column, rows)

    def table(self, columns: dict[str, Any]) -> Any:
        return self.native.table(columns).to_pandas()


class ArrayLayout:
    """A two-dimensional array: numbers where every feature is one, else objects."""

    def __init__(self, numeric: bool, marks: Mapping[str, Any]) -> None:
        self.dtype, self.marks = (float if numeric else object), marks

    def column(self, values: Sequence[Any], feature: str) -> Any:
        array = np.empty(len(values), self.dtype)
        array[:] = [self._value(v, feature) for v in values]
        return array

    def with_x(self, column: Any, value: Any, feature: str) -> Any:
        filled = column.copy()
        filled[0] = self._value(value, feature)
        return filled

    def take(self, column: Any, rows: Any) -> Any:
        return column.take(rows)

    def table(self, columns: dict[str, Any]) -> Any:
        return np.column_stack(list(columns.values()))

    def of_blocks(self, blocks: Sequence[tuple[Any, Any]], features: Iterable[str]) -> Any:
        """The table whose columns are the rows of the only array."""
        return np.ascontiguousarray(blocks[0][0].T)

    def _value(self, value: Any, feature: str) -> Any:
        if value is None:
            return np.nan if self.dtype is float else self.marks[feature]
        return value
