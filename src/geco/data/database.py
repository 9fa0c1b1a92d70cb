"""The database D (Sec. 3): a schema, and a DuckDB connection of its own that groups and counts.

In: a file, a frame or a query. Out: distinct rows of a projection Π_G(D) with their counts. D lies in DuckDB as one
relation ``d`` with columns c0, c1, …, so no name a user chose ever reaches SQL after reading. Text of frames is held as
positions in a dictionary; a Parquet file stays where it is and is scanned.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from copy import copy
from html import escape
from typing import Any, Literal, cast

import duckdb
import numpy as np

from geco.data.columns import Array, Column
from geco.data.frames import Frame
from geco.data.readers import Loaded, load_columns, read_file, read_files, read_query
from geco.data.relation import ColumnFacts, plain_column
from geco.data.schema import Feature, Kind, Schema, Type
from geco.errors import DataError, did_you_mean, shown
from geco.given import path_of
from geco.whole import counted

Kinds = Mapping[str, "Kind | Sequence[str]"]

_KINDS: dict[Type, Kind] = {
    "text": "categorical",
    "boolean": "categorical",
    "integer": "continuous",
    "number": "continuous",
    "date": "ordinal",
    "datetime": "ordinal",
}
# What the frame libraries and DuckDB call floats of less than 64 bits.
_BITS = {
    **dict.fromkeys(("float32", "float", "float[pyarrow]"), 32),
    **dict.fromkeys(("float16", "halffloat", "halffloat[pyarrow]"), 16),
}

# As NumPy, pandas, polars and pyarrow call them.
_NARROW: dict[str, Literal["float16", "float32"]] = {
    **dict.fromkeys(("float32", "Float32", "float", "float[pyarrow]"), "float32"),
    **dict.fromkeys(("float16", "halffloat", "halffloat[pyarrow]"), "float16"),
}


class Database:
    """D: the table whose values counterfactuals are made of.

    Make one with `from_file`, `from_files`, `from_frame` or `from_sql`. A Database never changes: later changes of the
    frame have no effect. (A Parquet or DuckDB file is scanned where it lies and must stay as it is until the explainer
    is built.)

    Attributes
    ----------
    schema : the features, without the excluded ones.
    rows : number of rows of D.
    form : the frame library the user works with: "pandas", "polars" or "pyarrow".

    Examples
    --------
    >>> import pandas
    >>> database = Database.from_frame(pandas.DataFrame({"age": [30, 30, 41], "job": ["none", "clerk", "none"]}))
    >>> values, counts = database.distinct(["age"])
    >>> values[0].tolist(), counts.tolist()
    ([30, 41], [2, 1])
    """

    def __init__(self, loaded: Loaded, form: str, kinds: Kinds | None) -> None:
        self.form = form
        self.rows = loaded.rows
        self._loaded = loaded
        self._shown_as: dict[str, object] = {}
        self._lock = threading.Lock()  # a DuckDB connection serves one thread at a time
        known = _checked_kinds({} if kinds is None else kinds, loaded.all_names)
        self.schema = Schema(tuple(_feature(name, loaded, known) for name in loaded.names))

    @classmethod
    def from_file(
        cls, path: str | os.PathLike[str], exclude: Sequence[str] = (), kinds: Kinds | None = None
    ) -> Database:
        """Read ``.csv``, ``.csv.gz`` or ``.parquet``.

        Parameters
        ----------
        path : the file; a CSV needs a header line. An empty field, NA, NaN, null and the other marks that
            pandas.read_csv knows are missing. ISO dates become dates (pandas.read_csv leaves them as text).
        exclude : columns that are not features, such as the label.
        kinds : "categorical", "ordinal" or "continuous" per feature where the default is wrong, or for ordinal text
            its values from lowest to highest.
        """
        return cls(read_file(path_of(path), exclude), "pandas", kinds)

    @classmethod
    def from_files(
        cls, pattern: str | os.PathLike[str], exclude: Sequence[str] = (), kinds: Kinds | None = None
    ) -> Database:
        """Read several CSV files, or several Parquet files, as one table; `exclude` and `kinds` as in `from_file`.

        Parameters
        ----------
        pattern : a folder, with all folders in it, or a pattern: ``*`` and ``?`` stand for any signs in a name,
            ``[ab]`` for one of some, ``**`` for any folders. All files must have the same columns, in any order.
            Folders called ``key=value`` below it are columns, too, unless the files have one of that name.
        """
        return cls(read_files(path_of(pattern), exclude), "pandas", kinds)

    @classmethod
    def from_frame(cls, frame: Any, exclude: Sequence[str] = (), kinds: Kinds | None = None) -> Database:
        """Copy a pandas or polars DataFrame or a pyarrow Table; `exclude` and `kinds` as in `from_file`."""
        source = Frame(frame)
        return cls(load_columns(source.dtypes, source.column, exclude), source.form, kinds)

    @classmethod
    def from_sql(cls, query: str, connection: Any, exclude: Sequence[str] = (), kinds: Kinds | None = None) -> Database:
        """Read the result of a query; `exclude` and `kinds` as in `from_file`.

        Parameters
        ----------
        query : a SELECT, or the name of a table.
        connection : a DuckDB connection (its result is copied into memory), or the path of a DuckDB file (scanned where
            it lies) or of a SQLite file (copied; SQLite has no booleans or dates, so they come as integers and text).
        """
        return cls(read_query(query, connection, exclude), "pandas", kinds)

    def __repr__(self) -> str:
        left_out = f", {counted(len(self.excluded), 'column')} excluded" if self.excluded else ""
        return f"<Database of {counted(self.rows, 'row')}: {counted(len(self.schema), 'feature')}{left_out}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(f.name)}</td><td>{f.type}</td><td>{escape(' < '.join(f.order or ()) or f.kind)}</td></tr>"
            for f in self.schema
        )
        head = "<tr><th>feature</th><th>type</th><th>kind</th></tr>"
        return f"<div>{escape(repr(self)[1:-1])}<table>{head}{rows}</table></div>"

    @property
    def excluded(self) -> tuple[str, ...]:
        """The columns of the source that are not features."""
        return tuple(name for name in self._loaded.all_names if name not in self.schema)

    @property
    def narrow(self) -> dict[str, Literal["float16", "float32"]]:
        """The features of less than double precision, and which: "float16" or "float32"."""
        stored = {name: self._loaded.sources[name].dtype for name in self.schema.names}
        named = {name: d.dtype_name if isinstance(d, ColumnFacts) else str(d) for name, d in stored.items()}
        return {name: _NARROW[dtype] for name, dtype in named.items() if dtype in _NARROW}

    @property
    def dtypes(self) -> dict[str, object]:
        """The user's dtype of each feature; for files and queries, the one pandas would have chosen."""
        stored = {name: self._loaded.sources[name].dtype for name in self.schema.names}
        return {name: d.dtype() if isinstance(d, ColumnFacts) else d for name, d in stored.items()} | self._shown_as

    def shown_as(self, dtypes: Mapping[str, object]) -> Database:
        """The same rows, of which a model is shown these features in another dtype, such as texts as categories."""
        other = copy(self)
        other._shown_as = dict(dtypes)
        return other

    @property
    def marks(self) -> dict[str, object]:
        """What stands for missing in each feature whose dtype is object: None, NaN or pandas.NA."""
        return {name: self._loaded.sources[name].mark for name in self.schema.names}

    def row(self, number: int) -> dict[str, object]:
        """One row of D as raw Python values, counted from 0 in the order of the source."""
        if not 0 <= number < self.rows:
            raise DataError(f"D has no row {number}; give a number from 0 to {self.rows - 1}")
        fetched = self._fetch(f"SELECT * FROM {self._loaded.relation} AS t LIMIT 1 OFFSET {number}", f"row {number}")
        names = self.schema.names
        return {name: self._column(name, fetched[f"c{i}"], len(names)).values()[0] for i, name in enumerate(names)}

    def column(self, name: str) -> Column:
        """A whole feature, in the order of the rows."""
        i = self.schema.names.index(self.schema[name].name)
        fetched = self._fetch(f"SELECT c{i} FROM {self._loaded.relation} AS t", f"the values of {name}")
        return self._column(name, fetched[f"c{i}"], 0)

    def distinct(self, features: Sequence[str]) -> tuple[list[Array], Array]:
        """The distinct rows of Π_features(D) as raw Python values, one array a feature, and how often each occurs.

        Sorted by the features in the given order, missing last.
        """
        columns, counts = self.project(features)
        return [column.values() for column in columns], counts

    def project(self, features: Sequence[str]) -> tuple[list[Column], Array]:
        """The same as `distinct`, as Columns."""
        positions = [self.schema.names.index(self.schema[name].name) for name in features]
        selected = ", ".join(f"c{i}" for i in positions)
        order = ", ".join(f"c{i} NULLS LAST" for i in positions)
        sql = f"SELECT {selected}, count(*) AS n FROM {self._loaded.relation} AS t GROUP BY {selected} ORDER BY {order}"
        result = self._fetch(sql, f"the distinct values of {', '.join(features)}")
        columns = [
            self._column(name, result[f"c{i}"], len(features)) for name, i in zip(features, positions, strict=True)
        ]
        return columns, np.asarray(result["n"], dtype=np.int64)

    def _fetch(self, sql: str, what: str) -> dict[str, Array]:
        try:
            with self._lock:
                fetched: dict[str, Array] = self._loaded.connection.execute(sql).fetchnumpy()
                return fetched
        except duckdb.Error as error:
            raise DataError(f"cannot read {what}: {error}") from error

    def _column(self, name: str, fetched: Array, width: int) -> Column:
        dictionary = self._loaded.dictionaries.get(name)
        if dictionary is not None:
            missing = np.array(np.ma.getmaskarray(fetched))
            return Column("text", np.ma.getdata(fetched).astype(np.int32), missing, dictionary).compact()
        if width == 1 and self.schema[name].type == "text":
            # One feature alone comes distinct and sorted (bytes of UTF-8 sort as Python's text does), missing last:
            # it is its own dictionary. Encoding ten million texts again would take half a minute.
            missing = np.array(np.ma.getmaskarray(fetched))
            return Column("text", np.arange(len(fetched), dtype=np.int32), missing, np.ma.getdata(fetched)[~missing])
        return plain_column(name, self.schema[name].type, fetched)


def _checked_kinds(kinds: Kinds, names: Sequence[str]) -> Kinds:
    try:
        known = dict(kinds) if isinstance(kinds, Mapping) else None
    except Exception:
        known = None
    if known is None:
        raise DataError(f"kinds must be a dict by feature, got {shown(kinds)}")
    for name, kind in known.items():
        if name not in names:
            raise DataError(f"kinds: there is no column {shown(name)}{did_you_mean(name, names)}")
        if isinstance(kind, str):
            if kind not in ("categorical", "ordinal", "continuous"):
                hint = did_you_mean(kind, ["categorical", "ordinal", "continuous"])
                raise DataError(
                    f"kinds[{name!r}] is {shown(kind)}{hint}; say categorical, ordinal, continuous or a list of values"
                )
        elif not _is_an_order(kind):
            raise DataError(
                f"kinds[{name!r}]: the list must name each text value once, from lowest to highest, not {shown(kind)}"
            )
    return known


def _is_an_order(values: object) -> bool:
    try:
        order = list(values)  # type: ignore[call-overload]
        return 0 < len(order) == len(set(order)) and all(isinstance(v, str) for v in order)
    except Exception:
        return False


def _feature(name: str, loaded: Loaded, kinds: Kinds) -> Feature:
    source = loaded.sources[name]
    kind = kinds.get(name)
    dtype = source.dtype.dtype_name if isinstance(source.dtype, ColumnFacts) else source.dtype
    bits = _BITS.get(str(dtype).lower(), 64) if source.type == "number" else 64
    if kind is None:
        return Feature(name, source.type, source.kind or _KINDS[source.type], source.order, bits)
    if not isinstance(kind, str):
        if source.type != "text":
            raise DataError(f"kinds[{name!r}] lists an order, but the column is {source.type}; say 'ordinal' instead")
        return Feature(name, "text", "ordinal", tuple(kind))
    if kind == "continuous" and source.type == "text":
        raise DataError(
            f"kinds[{name!r}]: text cannot be continuous; give its values from lowest to highest as a list, "
            f"or write ORDER {name}: ... in PLAF"
        )
    return Feature(name, source.type, cast(Kind, kind), source.order if kind == "ordinal" else None, bits)
