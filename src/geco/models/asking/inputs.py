"""The user's input form: row numbers in, a frame with the user's dtypes (or an array) out.

Each feature's raw values are laid out once, in the user's dtype, with slot 0 open; per x slot 0 is filled, and a
candidate's column is one ``take`` of row numbers. Full feature vectors exist only here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from geco.data.domain import Domain
from geco.errors import DataError, InstanceError, ModelError
from geco.models.asking.block import Block, Heads
from geco.models.asking.layouts import ArrayLayout, ConvertedLayout, Layout, PandasLayout, PolarsLayout, PyarrowLayout
from geco.population.base import Rows

if TYPE_CHECKING:
    from geco.data.database import Database

Form = Literal["pandas", "polars", "pyarrow", "array"]


@dataclass(frozen=True)
class Source:
    """What of D decides how a table is laid out; the rest of it is not kept.

    Attributes
    ----------
    form : the frame library the user works with.
    dtypes : the user's dtype of each feature.
    marks : what stands for missing in each feature whose dtype is object.
    """

    form: str
    dtypes: Mapping[str, object]
    marks: Mapping[str, object]

    @classmethod
    def of(cls, database: Database, form: Form) -> Source:
        """The dtypes only for frames: to know them pandas may have to be imported."""
        return cls(database.form, {} if form == "array" else database.dtypes, database.marks)

    def check(self, form: Form, features: Sequence[str]) -> None:
        """A file knows only the features that its model read when it was saved."""
        unknown = [f for f in features if f not in self.marks or (form != "array" and f not in self.dtypes)]
        if unknown:
            raise DataError(
                f"the model reads {', '.join(map(repr, unknown[:5]))}, and the model that was saved did not, so that "
                "the file does not say how to show it; make a new explainer of D"
            )


class InputForm:
    """Builds what the model takes, for one Domain and one list of features."""

    def __init__(self, form: Form, database: Database | Source, domain: Domain, features: Sequence[str]) -> None:
        self.form, self.domain, self.features = form, domain, tuple(features)
        self.source = database if isinstance(database, Source) else Source.of(database, form)
        self.source.check(form, self.features)
        self._layout = _layout(form, self.source, domain, self.features)
        columns = {f: self._layout.column(self._values(f), f) for f in self.features}
        self._groups = {f: domain.group_of[f] for f in self.features}
        self._block = Block.of(self._layout, columns, self._groups)
        self._columns = columns if self._block is None else self._block.columns
        self._fractions = [f for f in self.features if domain.schema[f].type == "number"]

    def of(self, x: Mapping[str, Any], rows_like_x: Sequence[int] = ()) -> InputOfX:
        """The form with slot 0 filled by x, once it is needed.

        ``rows_like_x``: per group the row of its table that equals x, 0 if there is none. What D has of x is taken from
        its rows instead of slot 0.
        """
        like_x = np.array(rows_like_x, np.int32) if len(rows_like_x) else np.zeros(len(self.domain.tables), np.int32)
        for f in self._fractions:
            g = self._groups[f]
            # A zero of the other sign is the same value to rules and distances, but not to every model.
            if x[f] == 0 and like_x[g] and str(self.domain.tables[g].values[f][like_x[g]]) != str(x[f]):
                like_x[g] = 0
        return InputOfX(self._layout, self._columns, self._groups, x, like_x, self._block)

    def probe(self, rows: Rows) -> Any:
        """A table of D's own values, mixed across rows; slot 0 must not occur."""
        return InputOfX(self._layout, self._columns, self._groups).table(rows)

    def _values(self, feature: str) -> list[Any]:
        values = self.domain.tables[self.domain.group_of[feature]].values[feature].tolist()
        values[0] = values[1]  # a stand-in of the right type until x is known
        return values  # type: ignore[no-any-return]


class InputOfX:
    """The input form for one x, or for D alone.

    Of the values that D lacks, columns of one value are made; whole columns only where these are of a wider dtype.
    """

    def __init__(
        self,
        layout: Layout,
        columns: Mapping[str, Any],
        groups: Mapping[str, int],
        x: Mapping[str, Any] | None = None,
        rows_like_x: Rows | None = None,
        block: Block | None = None,
    ) -> None:
        self._layout, self._open, self._groups, self._x, self.rows_like_x = layout, columns, groups, x, rows_like_x
        self._block = block  # the same columns as one array

    @cached_property
    def _new(self) -> dict[str, Any]:
        """The values that D lacks, each as a column of its own."""
        if self._x is None:
            return {}
        like_x = self.rows_like_x
        lacking = [f for f, g in self._groups.items() if like_x is None or not like_x[g]]
        return {f: self._with_x(self._open[f][:1], f) for f in lacking}

    def _with_x(self, column: Any, feature: str) -> Any:
        assert self._x is not None
        value = self._x[feature]
        try:
            return self._layout.with_x(column, value, feature)
        except (TypeError, ValueError, OverflowError) as error:
            raise InstanceError(f"x[{feature!r}] = {value!r} does not fit the column's dtype: {error}") from error

    @cached_property
    def _columns(self) -> Mapping[str, Any]:
        return {f: self._with_x(column, f) if f in self._new else column for f, column in self._open.items()}

    @cached_property
    def widened(self) -> bool:
        """True if a column needed another dtype than D's to hold x's value."""
        return any(not _same_dtype(column, self._open[f]) for f, column in self._new.items())

    def table(self, rows: Rows) -> Any:
        """The candidates with these row numbers, as the model takes them."""
        block = self.fits
        if block is not None and self.rows_like_x is not None:
            return block.table([rows], [self.rows_like_x], [self.heads])
        return self.as_table(self.columns(self.found(rows)))

    @property
    def within_d(self) -> bool:
        """Every value occurs in D, so that all such x share D's columns."""
        return not self._new

    @property
    def fits(self) -> Block | None:
        """D's columns, where x's values can stand among them; several such x are put into one table."""
        return None if self.widened else self._block

    @cached_property
    def heads(self) -> Heads | None:
        """What stands for slot 0 in a table of ``fits``."""
        return self._block.heads(self._new) if self._block is not None and self._new else None

    def found(self, rows: Rows) -> Rows:
        """The rows with those that equal x in place of slot 0, where D has them."""
        return rows if self.rows_like_x is None else np.where(rows == 0, self.rows_like_x, rows)

    def columns(self, rows: Rows) -> dict[str, Any]:
        """Column by column, of rows that were ``found``."""
        by_group = np.ascontiguousarray(rows.T)
        return {f: self._layout.take(column, by_group[self._groups[f]]) for f, column in self._columns.items()}

    def as_table(self, columns: dict[str, Any]) -> Any:
        return self._layout.table(columns)


def _layout(form: Form, source: Source, domain: Domain, features: Sequence[str]) -> Layout:
    if form == "array":
        numeric = all(domain.schema[f].type in ("integer", "number", "boolean") for f in features)
        return ArrayLayout(numeric, source.marks)
    try:
        if form == "pandas" and source.form != "pandas":
            return ConvertedLayout(_layout(cast(Form, source.form), source, domain, features))
        if form == "pandas":
            return PandasLayout(source.dtypes, source.marks)
        return PolarsLayout(source.dtypes) if form == "polars" else PyarrowLayout(source.dtypes)
    except ImportError as error:
        raise ModelError(
            f"the model takes frames, which needs {form}: install it, or pass input='array' for a model on arrays"
        ) from error


def _same_dtype(a: Any, b: Any) -> bool:
    left, right = (column.type if hasattr(column, "type") else column.dtype for column in (a, b))
    return left is right or bool(left == right)  # comparing two lists of categories takes long
