"""Random group tables: what each group of features may be, and how its columns look in D."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, cast

import numpy as np
import pandas as pd

from generators.odd import KINDS, odd_values

WORDS = ("ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "yew", "it's", "")
LEVELS = ("none", "low", "fair", "good", "high", "top")


@dataclass(frozen=True)
class Column:
    """One feature. ``dtype`` None lets pandas choose; ``order`` makes text ordinal; ``odd`` is its kind in odd.py."""

    name: str
    type: Literal["integer", "number", "text", "boolean", "date", "datetime"]
    dtype: str | None = None
    order: tuple[str, ...] | None = None
    categorical_code: bool = False
    odd: str | None = None

    @property
    def ordered(self) -> bool:
        return ((self.numeric or self.temporal) and not self.categorical_code) or self.order is not None

    @property
    def numeric(self) -> bool:
        return self.type in ("integer", "number")

    @property
    def temporal(self) -> bool:
        return self.type in ("date", "datetime")

    @property
    def sayable(self) -> bool:
        """Can a rule name its values? A literal has no nanoseconds."""
        return self.odd != "nanoseconds"

    def series(self, values: list[Any]) -> pd.Series:
        if self.dtype is not None and self.type == "datetime" and self.odd != "nanoseconds":
            return pd.Series(np.array(values, self.dtype))  # older pandas goes by way of nanoseconds, which end in 2262
        if self.dtype is not None:
            return pd.Series(values, dtype="UInt64" if self.dtype == "uint64" and None in values else self.dtype)
        if self.type == "integer":
            return pd.Series(values, dtype="Int64" if None in values else "int64")
        if self.type == "number":
            return pd.Series(values, dtype="float64")
        if self.type == "boolean":
            return pd.Series(values, dtype="boolean" if None in values else "bool")
        return pd.Series(values, dtype=object)


@dataclass(frozen=True)
class Table:
    """The distinct rows of one group; ``name`` is the ONEHOT name."""

    kind: Literal["single", "joint", "onehot"]
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    name: str | None = None

    def values(self, column: Column) -> list[Any]:
        """Distinct values of one column, missing left out."""
        position = self.columns.index(column)
        return sorted({r[position] for r in self.rows if r[position] is not None}, key=_rank(column))


def random_tables(rng: np.random.Generator, max_combinations: int, odd: float = 0.0) -> list[Table]:
    """3 to 6 groups whose product stays small enough to enumerate; ``odd`` is the share of columns of odd.py."""
    tables: list[Table] = []
    groups = int(rng.integers(3, 7))
    left = float(max_combinations)
    for i in range(groups):
        most = int(min(12, max(3, (left ** (1 / (groups - i))) * 1.6 - 1)))
        size = int(rng.integers(3, most + 1))
        table = _random_table(i, size, rng, odd)
        left /= len(table.rows) + 1
        tables.append(table)
    return tables


def _random_table(i: int, size: int, rng: np.random.Generator, odd: float) -> Table:
    roll = rng.random()
    if roll < 0.12:
        return _onehot(i, min(size, 5), rng)
    if roll < 0.35:
        return _joint(i, size, rng, odd)
    column = _random_column(f"f{i}", rng, odd)
    values = _values(column, size, rng)
    if column.type == "boolean" or (rng.random() < 0.15 and len(values) < 12):
        values.append(None)
    return Table("single", (column,), tuple((v,) for v in values))


def _onehot(i: int, size: int, rng: np.random.Generator) -> Table:
    kind: Literal["boolean", "integer"] = "boolean" if rng.random() < 0.4 else "integer"
    columns = tuple(Column(f"f{i}_{WORDS[j]}", kind) for j in range(size))
    rows = [tuple((a == b) if kind == "boolean" else int(a == b) for b in range(size)) for a in range(size)]
    return Table("onehot", columns, tuple(rows), name=f"tree{i}")


def _joint(i: int, size: int, rng: np.random.Generator, odd: float) -> Table:
    """A few columns whose combinations are fewer than their product; some columns have a missing value."""
    columns = tuple(_random_column(f"f{i}{letter}", rng, odd) for letter in "abc"[: 2 + int(rng.random() < 0.3)])
    pools: list[list[Any]] = [_values(c, max(3, size // 2), rng) for c in columns]
    for pool in pools:
        if rng.random() < 0.15:
            pool.append(None)
    rows: set[tuple[Any, ...]] = set()
    for _ in range(6 * size):
        if len(rows) < size:
            rows.add(tuple(p[int(rng.integers(len(p)))] for p in pools))
    seen = [_ordered_by_what_is_there(c, {r[j] for r in rows} - {None}) for j, c in enumerate(columns)]
    return Table("joint", tuple(seen), tuple(sorted(rows, key=repr)))


def _ordered_by_what_is_there(column: Column, texts: set[Any]) -> Column:
    """D decides what a column is: without two different texts there is nothing to put in order."""
    return column if column.order is None or len(texts) > 1 else replace(column, order=None)


def _random_column(name: str, rng: np.random.Generator, odd: float) -> Column:
    if odd and rng.random() < odd:
        kind = list(KINDS)[rng.integers(len(KINDS))]
        return Column(name, cast(Any, KINDS[kind].type), KINDS[kind].dtype, odd=kind)
    roll = rng.random()
    if roll < 0.34:
        return Column(name, "integer", categorical_code=bool(rng.random() < 0.08))
    if roll < 0.60:
        return Column(name, "number")
    if roll < 0.66:
        return Column(name, "boolean")
    if roll < 0.82:
        return Column(name, "text", order=LEVELS)
    return Column(name, "text", dtype=[None, "category", "object", "str"][rng.integers(4)])


def _values(column: Column, size: int, rng: np.random.Generator) -> list[Any]:
    if column.odd is not None:
        return odd_values(column.odd, size, rng)
    if column.type == "integer":
        return [int(v) for v in rng.choice(26, size, replace=False)]
    if column.type == "number":
        return [float(v) / 10 for v in rng.choice(300, size, replace=False)]
    if column.type == "boolean":
        return [False, True]
    words = column.order or WORDS
    return [str(words[j]) for j in rng.choice(len(words), min(size, len(words)), replace=False)]


def _rank(column: Column) -> Any:
    return column.order.index if column.order is not None else (lambda v: v)
