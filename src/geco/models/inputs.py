"""The user's input form: row numbers in, a frame with the user's dtypes (or an array) out.

Each feature's raw values are laid out once, in the user's dtype, with slot 0 open; per x slot 0 is filled, and a
candidate's column is one ``take`` of row numbers. Full feature vectors exist only here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import numpy as np

from geco.data.database import Database
from geco.data.domain import Domain
from geco.errors import InstanceError, ModelError
from geco.population.base import Rows

Form = Literal["pandas", "polars", "pyarrow", "array"]


class Layout(Protocol):
    """How one frame library stores a column and puts columns together."""

    def column(self, values: Sequence[Any], feature: str) -> Any: ...
    def with_x(self, column: Any, value: Any, feature: str) -> Any: ...
    def take(self, column: Any, rows: Any) -> Any: ...
    def table(self, columns: dict[str, Any]) -> Any: ...


class InputForm:
    """Builds what the model takes, for one Domain and one list of features."""

    def __init__(self, form: Form, database: Database, domain: Domain, features: Sequence[str]) -> None:
        self.form, self.domain, self.features = form, domain, tuple(features)
        self._layout = _layout(form, database, domain, self.features)
        self._columns = {f: self._layout.column(self._values(f), f) for f in self.features}
        self._groups = {f: domain.group_of[f] for f in self.features}

    def of(self, x: Mapping[str, Any]) -> BoundInput:
        """The form with slot 0 filled by x."""
        filled = {}
        for f, column in self._columns.items():
            try:
                filled[f] = self._layout.with_x(column, x[f], f)
            except (TypeError, ValueError, OverflowError) as error:
                raise InstanceError(f"x[{f!r}] = {x[f]!r} does not fit the column's dtype: {error}") from error
        return BoundInput(self._layout, filled, self._groups)

    def probe(self, rows: Rows) -> Any:
        """A table of D's own values, mixed across rows; slot 0 must not occur."""
        return BoundInput(self._layout, self._columns, self._groups).table(rows)

    def _values(self, feature: str) -> list[Any]:
        values = self.domain.tables[self.domain.group_of[feature]].values[feature].tolist()
        values[0] = values[1]  # a stand-in of the right type until x is known
        return values  # type: ignore[no-any-return]


class BoundInput:
    """The input form for one x."""

    def __init__(self, layout: Layout, columns: Mapping[str, Any], groups: Mapping[str, int]) -> None:
        self._layout, self._columns, self._groups = layout, columns, groups

    def table(self, rows: Rows) -> Any:
        """The candidates with these row numbers, as the model takes them."""
        by_group = np.ascontiguousarray(rows.T)
        taken = {f: self._layout.take(column, by_group[self._groups[f]]) for f, column in self._columns.items()}
        return self._layout.table(taken)


class _Pandas:
    def __init__(self, dtypes: Mapping[str, Any]) -> None:
        import pandas

        self.pd, self.dtypes = pandas, dtypes

    def column(self, values: Sequence[Any], feature: str) -> Any:
        series = self.pd.Series(values, dtype=self.dtypes[feature])
        return series.to_numpy() if isinstance(series.dtype, np.dtype) else series.array

    def with_x(self, column: Any, value: Any, feature: str) -> Any:
        filled = column.copy()
        try:
            filled[0] = value
            if not isinstance(filled, np.ndarray) or filled.dtype == object or value == filled[0] or value is None:
                return filled
        except (TypeError, ValueError, OverflowError):
            pass
        # The column's dtype cannot hold x's value (a new category, a fraction or a gap among integers): widen it.
        if hasattr(column, "add_categories"):
            filled = column.add_categories([value])
            filled[0] = value
            return filled
        widened = column.astype(
            float if isinstance(value, float | None.__class__) and column.dtype.kind in "iuf" else object
        )
        widened[0] = value
        return widened

    def take(self, column: Any, rows: Any) -> Any:
        return column.take(rows)

    def table(self, columns: dict[str, Any]) -> Any:
        return self.pd.DataFrame(columns, copy=False)


class _Polars:
    def __init__(self, dtypes: Mapping[str, Any]) -> None:
        import polars

        self.pl, self.dtypes = polars, dtypes

    def column(self, values: Sequence[Any], feature: str) -> Any:
        return self.pl.Series(feature, values, dtype=self.dtypes[feature])

    def with_x(self, column: Any, value: Any, feature: str) -> Any:
        head = self.pl.Series(feature, [value], dtype=self.dtypes[feature])
        return self.pl.concat([head, column[1:]], rechunk=True)

    def take(self, column: Any, rows: Any) -> Any:
        return column.gather(rows)

    def table(self, columns: dict[str, Any]) -> Any:
        return self.pl.DataFrame(columns)


class _Pyarrow:
    def __init__(self, dtypes: Mapping[str, Any]) -> None:
        import pyarrow

        self.pa, self.dtypes = pyarrow, dtypes

    def column(self, values: Sequence[Any], feature: str) -> Any:
        return self.pa.array(values, type=self.dtypes[feature])

    def with_x(self, column: Any, value: Any, feature: str) -> Any:
        return self.pa.concat_arrays([self.pa.array([value], type=self.dtypes[feature]), column[1:]])

    def take(self, column: Any, rows: Any) -> Any:
        return column.take(self.pa.array(rows))

    def table(self, columns: dict[str, Any]) -> Any:
        return self.pa.table(columns)


class _Array:
    """A two-dimensional array: numbers where every feature is one, else objects."""

    def __init__(self, numeric: bool) -> None:
        self.dtype = float if numeric else object

    def column(self, values: Sequence[Any], feature: str) -> Any:
        return np.array([np.nan if v is None and self.dtype is float else v for v in values], self.dtype)

    def with_x(self, column: Any, value: Any, feature: str) -> Any:
        filled = column.copy()
        filled[0] = np.nan if value is None and self.dtype is float else value
        return filled

    def take(self, column: Any, rows: Any) -> Any:
        return column.take(rows)

    def table(self, columns: dict[str, Any]) -> Any:
        return np.column_stack(list(columns.values()))


def _layout(form: Form, database: Database, domain: Domain, features: Sequence[str]) -> Layout:
    if form == "array":
        return _Array(all(domain.schema[f].type in ("integer", "number", "boolean") for f in features))
    makers: dict[str, Any] = {"pandas": _Pandas, "polars": _Polars, "pyarrow": _Pyarrow}
    try:
        return makers[form](database.dtypes)  # type: ignore[no-any-return]
    except ImportError as error:
        raise ModelError(
            f"the model takes frames, which needs {form}: install it, or pass input='array' for a model on arrays"
        ) from error
