"""A relation inside DuckDB: which of its types geco takes, and what pandas would have made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np

from geco.data.columns import (
    Array,
    Column,
    date_column,
    datetime_column,
    infinite,
    integer_column,
    number_column,
    text_column,
    time_zone,
    unusable,
    wide_integers,
)
from geco.data.schema import Type

# DuckDB's type ▶ ours, and the dtype pandas gives it.
_WIDTHS = (("TINYINT", 8), ("SMALLINT", 16), ("INTEGER", 32), ("BIGINT", 64), ("HUGEINT", 64))
_TYPES: dict[str, tuple[Type, str]] = {
    **{name: ("integer", f"int{bits}") for name, bits in _WIDTHS},
    **{f"U{name}": ("integer", f"uint{bits}") for name, bits in _WIDTHS},
    "FLOAT": ("number", "float32"),
    "DOUBLE": ("number", "float64"),
    "DECIMAL": ("number", "float64"),
    "NULL": ("number", "float64"),
    "VARCHAR": ("text", "text"),
    "ENUM": ("text", "text"),
    "UUID": ("text", "text"),
    "BOOLEAN": ("boolean", "bool"),
    "DATE": ("date", "object"),
    "TIMESTAMP": ("datetime", "datetime64[us]"),
    "TIMESTAMP_S": ("datetime", "datetime64[s]"),
    "TIMESTAMP_MS": ("datetime", "datetime64[ms]"),
    "TIMESTAMP_NS": ("datetime", "datetime64[ns]"),
}


@dataclass(frozen=True)
class ColumnFacts:
    """The type of a column, and the name of the dtype pandas would give it."""

    type: Type
    dtype_name: str

    def dtype(self) -> object:
        """The dtype itself. Text depends on the version of pandas, so pandas is asked, if it is there."""
        if self.dtype_name != "text":
            return np.dtype(self.dtype_name)
        try:
            from pandas import Series
        except ImportError:
            return np.dtype(object)
        return Series(["text"]).dtype

    @classmethod
    def of_column(cls, column: Column) -> ColumnFacts:
        """For a column of SQLite, which is integer, number or text."""
        name = {"integer": "float64" if column.missing.any() else "int64", "number": "float64"}
        return cls(column.type, name.get(column.type, "text"))


def types_of(connection: Any, relation: str) -> list[str]:
    """The DuckDB types of a relation, without their arguments."""
    described = connection.sql(f"SELECT * FROM {relation} AS t LIMIT 0").types
    return [str(t) for t in described]


def plain_expression(name: str, column: str, duckdb_type: str) -> str:
    """The column as one of the types that come back from DuckDB exactly."""
    base = _base(duckdb_type)
    if base not in _TYPES:
        raise time_zone(name) if base == "TIMESTAMP WITH TIME ZONE" else unusable(name, f"the type {duckdb_type}")
    match _TYPES[base][0]:
        case "number":
            # NaN is missing here, NULL in the file.
            value = f"CAST({column} AS DOUBLE)"
            return f"CASE WHEN isnan({value}) THEN NULL ELSE {value} END"
        case "integer":
            return column if base == "UBIGINT" else f"CAST({column} AS BIGINT)"
        case "datetime":
            return column if base == "TIMESTAMP_NS" else f"CAST({column} AS TIMESTAMP)"
        case "text":
            return f"CAST({column} AS VARCHAR)"
        case _:
            return column


def _base(duckdb_type: str) -> str:
    return duckdb_type if duckdb_type.endswith("]") else duckdb_type.split("(")[0].strip('"')


def common_type(duckdb_types: Sequence[str]) -> str | None:
    """A type that holds the values of all of these, None if there is none that means the same."""
    kinds = {_TYPES[base][0] if base in _TYPES else None for base in map(_base, duckdb_types)}
    if kinds == {"integer"}:
        return "HUGEINT"  # read as 64 bits, and refused if they are more
    if kinds <= {"integer", "number"}:
        return "DOUBLE"
    if kinds <= {"date", "datetime"}:
        return "TIMESTAMP_NS" if "TIMESTAMP_NS" in duckdb_types else "TIMESTAMP"
    return "VARCHAR" if kinds == {"text"} else None


def exact_cast(column: str, given: str, common: str) -> str:
    """The column as a type of `common_type`; an integer that no float holds is an error of DuckDB."""
    value = f"CAST({column} AS {common})"
    if common != "DOUBLE" or _TYPES[_base(given)][0] != "integer":
        return value
    message = "an integer beyond 2^53 in one file, fractions in another"
    return (
        f"CASE WHEN {column} BETWEEN -{2**53} AND {2**53} OR {column} IS NULL THEN {value} ELSE error('{message}') END"
    )


def facts_of(
    connection: Any, relation: str, names: Sequence[str], types: Sequence[str], csv: bool
) -> tuple[int, dict[str, ColumnFacts]]:
    """Rows of the relation, and per column its facts, from one scan."""
    bases = [_base(t) for t in types]
    # max(abs) rather than a count: it makes DuckDB evaluate the cast of wide integers, and infinity is the largest.
    sizes = [
        f"max(abs(c{i}))" if _TYPES[b][0] == "number" else f"max(c{i})" if "HUGE" in b else "NULL"
        for i, b in enumerate(bases)
    ]
    counts = [f"count(c{i})" for i in range(len(bases))]
    try:
        row = connection.sql(f"SELECT count(*), {', '.join(counts + sizes)} FROM {relation} AS t").fetchall()[0]
    except duckdb.ConversionException:
        raise wide_integers(next(n for n, b in zip(names, bases, strict=True) if "HUGE" in b)) from None
    rows, known, largest = row[0], row[1 : 1 + len(bases)], row[1 + len(bases) :]
    facts = {}
    for i, name in enumerate(names):
        if _TYPES[bases[i]][0] == "number" and largest[i] == float("inf"):
            raise infinite(name)
        facts[name] = column_facts(bases[i], known[i] < rows, csv)
    return rows, facts


def column_facts(duckdb_type: str, missing: bool, csv: bool) -> ColumnFacts:
    """What pandas would have made of a column, which depends on whether a value is missing."""
    cls, dtype = _TYPES[_base(duckdb_type)]
    if missing:
        dtype = {"integer": "float64", "boolean": "object"}.get(cls, dtype)
    return ColumnFacts(cls, "datetime64[ns]" if csv and cls in ("date", "datetime") else dtype)


def plain_column(name: str, cls: Type, fetched: Array) -> Column:
    """A column as DuckDB's fetchnumpy returns it."""
    missing = np.array(np.ma.getmaskarray(fetched))
    data = np.ma.getdata(fetched)
    match cls:
        case "text":
            # Not numpy.ma.filled, which writes '?' where None is asked for.
            data = data.copy()
            data[missing] = None
            return text_column(data)
        case "integer":
            return integer_column(data, missing)
        case "boolean":
            return Column("boolean", data.astype(bool), missing)
        case "date":
            return date_column(name, data, missing)
        case "datetime":
            return datetime_column(name, data, missing)
        case "number":
            return number_column(name, data, missing)
