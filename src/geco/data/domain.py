"""The active domain (Sec. 3): for each group G the distinct rows of Π_G(D) with their counts, computed once.

In: the Database, the groups Γ and the schema, text orders included. Out: one GroupTable a group, rows numbered from 1,
slot 0 left for x. Rows are sorted by their numbers, feature by feature, missing last; so the numbering depends
neither on the order of D's rows nor on threads.
"""

from __future__ import annotations

import hashlib
import math
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from geco import _core
from geco.data.columns import Array, Column, object_array, shorten, ticks_per_day
from geco.data.grouptable import MAX_ROWS, GroupTable, sample_rows
from geco.data.schema import Feature, Schema
from geco.data.spread import Spread, exact_spread, spread_of
from geco.data.values import SCALARS, exact_number, number_of, plain_value
from geco.errors import DataError, InstanceError

if TYPE_CHECKING:
    from geco.data.database import Database

__all__ = ["Domain", "GroupTable", "Spread"]


class Domain:
    """All group tables, and what is known about the values of each feature."""

    def __init__(
        self,
        tables: Sequence[GroupTable],
        schema: Schema,
        rows: int,
        spread: Mapping[str, Spread],
        texts: Sequence[str],
    ) -> None:
        self.tables = tuple(tables)
        self.schema = schema
        self.rows = rows
        self.spread = dict(spread)
        self.group_of = {name: g for g, table in enumerate(self.tables) for name in table.features}
        self.place_of = {name: at for at, name in enumerate(self.group_of)}  # group by group, as the core has them
        self.names = schema.names
        self.features = {feature.name: feature for feature in schema}
        self.texts = tuple(texts)
        self._text_codes = {text: float(i) for i, text in enumerate(texts)}
        self._ranks = {
            f.name: {text: float(i) for i, text in enumerate(f.order)} for f in schema if f.order is not None
        }
        self.ranked = tuple(self._ranks)  # features whose texts have an order
        # Most values of an x are what D has already: then their number is one look-up or none.
        self._codes = {f.name: self._ranks.get(f.name, self._text_codes) for f in schema if f.type == "text"}
        self._whole = frozenset(f.name for f in schema if f.type == "integer")
        self.exact = frozenset(name for table in self.tables for name in table.exact)

    @classmethod
    def build(
        cls,
        database: Database,
        groups: Sequence[Sequence[str]],
        schema: Schema,
        onehots: Sequence[str | None] | None = None,
    ) -> Domain:
        """Group and count D once per group.

        Parameters
        ----------
        database : D.
        groups : Γ, each feature of the schema in exactly one group.
        schema : the schema of D, with the orders that a PLAF program adds.
        onehots : per group the name of its ONEHOT set, or None.

        Notes
        -----
        A group with more than `MAX_ROWS` distinct rows is cut to that many, drawn without replacement with probability
        by count and a fixed seed; the rows with the smallest and the largest number of each feature always stay.
        Spreads are taken before the cut. One ordered feature alone keeps all its values: an x looks at few of them.
        """
        names = [name for group in groups for name in group]
        if sorted(names) != sorted(schema.names):
            raise DataError(
                f"groups must hold each feature exactly once: {sorted(names)} is not {sorted(schema.names)}"
            )
        spread: dict[str, Spread] = {}
        cut: list[tuple[list[Column], Array, int | None]] = []
        for group in groups:
            columns, counts = database.project(group)
            numbers = [_ordered_numbers(schema[name], column) for name, column in zip(group, columns, strict=True)]
            for name, column, known in zip(group, columns, numbers, strict=True):
                spread[name] = _spread(schema[name], column, known, counts)
            if len(counts) <= MAX_ROWS or (len(group) == 1 and schema[group[0]].kind != "categorical"):
                cut.append((columns, counts, None))
                continue
            kept = sample_rows(numbers, counts, MAX_ROWS)
            cut.append(([column.take(kept).compact() for column in columns], counts[kept], len(counts)))
        texts = _shared_dictionary(groups, [columns for columns, _, _ in cut], schema)
        tables = [
            _table(group, columns, counts, sampled, schema, texts, onehots[g] if onehots else None)
            for g, (group, (columns, counts, sampled)) in enumerate(zip(groups, cut, strict=True))
        ]
        return cls(tables, schema, database.rows, spread, texts)

    @cached_property
    def reader(self) -> _core.Reader:
        """Reads what is common in an x; see instance.py."""
        fields = [(f.name, f.type, f.kind == "categorical", f.bits, self._codes.get(f.name, {})) for f in self.schema]
        return _core.Reader(fields, [self.place_of[name] for name in self.names], SCALARS)

    def plain(self, feature: str, value: object) -> object:
        """The value of x in the form D has it: for an integer feature ``numpy.int64(3)`` and 3.0 are 3; NaN is None."""
        return plain_value(self._feature(feature), value)

    def number(self, feature: str, value: object) -> float:
        """The number of a raw value, also of one that D does not have.

        Unseen text without an order gets a negative number of its own, the same in every Domain.
        """
        if type(value) is str and feature in self._codes and value in self._codes[feature]:
            return self._codes[feature][value]
        if type(value) is int and feature in self._whole and -(2**64) < value < 2**64:
            return float(value)
        plain = self.plain(feature, value)
        if not isinstance(plain, str):
            return number_of(plain)
        codes = self._codes[feature]
        if plain in codes:
            return codes[plain]
        if feature in self._ranks:
            order = _in_order(self._feature(feature))
            raise InstanceError(f"{feature} has no value {shorten(plain)}; in order its values are {order}")
        return _unseen(plain)

    def find(self, group: int, values: Mapping[str, Any]) -> int:
        """The row of the group's table with exactly these plain values; 0 if there is none."""
        table = self.tables[group]
        low, high = 1, table.rows + 1
        several = len(table.features) > 1 or bool(table.exact)  # rows may have the same number
        # Rows are sorted by these very numbers, and NaN is the largest for searchsorted too.
        for name in table.features:
            number = self.number(name, values[name])
            rows = table.numbers[name][low:high]
            first = int(rows.searchsorted(number))
            if not several:
                there = first < len(rows) and (rows[first] == number or number != number)
                return low + first if there else 0
            low, high = low + first, low + int(rows.searchsorted(number, side="right"))
            if name in table.exact and low < high and number == number:  # equal once rounded: now as they are
                rows, wanted = table.values[name][low:high], exact_number(values[name])
                at = bisect_left(rows, wanted, key=exact_number), bisect_right(rows, wanted, key=exact_number)
                low, high = low + at[0], low + at[1]
        return low if low < high else 0

    def rows_with(self, feature: str, value: object) -> Array:
        """The rows of its group's table, from 1, that have exactly this plain value of one feature."""
        table, number = self.tables[self.group_of[feature]], self.number(feature, value)
        column = table.numbers[feature]
        rows = np.flatnonzero(column == number if number == number else np.isnan(column))
        rows = rows[rows > 0]
        if feature in table.exact and number == number:
            wanted = exact_number(value)
            rows = rows[[exact_number(v) == wanted for v in table.values[feature][rows]]] if len(rows) else rows
        return rows

    @property
    def memory_bytes(self) -> int:
        """Size of the tables; that of Python objects is estimated from the first thousand of each column."""
        total = 0
        for table in self.tables:
            total += table.counts.nbytes + sum(column.nbytes for column in table.numbers.values())
            for column in table.values.values():
                some = column[1:1001]
                total += column.nbytes + table.rows * sum(map(sys.getsizeof, some)) // max(1, len(some))
        return total

    def _feature(self, name: str) -> Feature:
        return self.features[name] if name in self.features else self.schema[name]


def _ordered_numbers(feature: Feature, column: Column) -> Array:
    """Numbers whose order means something; for text without an order, positions in the column's own dictionary."""
    if feature.order is None or column.dictionary is None:
        return column.numbers()
    ranks = {text: i for i, text in enumerate(feature.order)}
    unknown = [text for text in column.dictionary if text not in ranks]
    if unknown:
        raise DataError(_not_in_order(feature, unknown))
    translated = np.array([ranks[text] for text in column.dictionary] + [math.nan])
    return np.asarray(translated[np.where(column.missing, -1, column.data)])


def _not_in_order(feature: Feature, unknown: Sequence[str]) -> str:
    listed = ", ".join(shorten(text) for text in unknown[:3]) + (", ..." if len(unknown) > 3 else "")
    return f"{feature.name} has {listed}, but its order is {_in_order(feature)}; list every value"


def _in_order(feature: Feature) -> str:
    """``'low' < 'high'``: in quotes, for a value may have the sign in it."""
    return " < ".join(map(repr, feature.order or ()))


def _spread(feature: Feature, column: Column, numbers: Array, counts: Array) -> Spread:
    if feature.type == "text" and feature.order is None:
        return Spread(1.0, 1.0, 1.0, 0.0, 0.0)
    known = ~column.missing
    if column.rounds and known.any():
        ticks, ends = column.data[known], (float(numbers[known].min()), float(numbers[known].max()))
        days = ticks.dtype.kind == "M"
        ticks = ticks.astype(np.int64) if days else ticks
        spread = exact_spread(ticks, counts[known], ticks_per_day(column.data) if days else 1, *ends)
    else:
        spread = spread_of(numbers, counts)
    if feature.kind == "categorical":
        return Spread(1.0, 1.0, 1.0, spread.minimum, spread.maximum)
    return spread


def _shared_dictionary(groups: Sequence[Sequence[str]], tables: Sequence[list[Column]], schema: Schema) -> list[str]:
    """All texts without an order: one dictionary, so that two features can be compared by number."""
    texts: set[str] = set()
    for group, columns in zip(groups, tables, strict=True):
        for name, column in zip(group, columns, strict=True):
            if column.dictionary is not None and schema[name].order is None:
                texts.update(column.dictionary)
    return sorted(texts)


def _table(
    group: Sequence[str],
    columns: Sequence[Column],
    counts: Array,
    sampled_from: int | None,
    schema: Schema,
    texts: Sequence[str],
    onehot: str | None,
) -> GroupTable:
    position = {text: float(i) for i, text in enumerate(texts)}
    numbers = [_numbers(schema[name], column, position) for name, column in zip(group, columns, strict=True)]
    exact = {name: column.data for name, column in zip(group, columns, strict=True) if column.rounds}
    keys: list[Array] = []
    for name, number in zip(group, numbers, strict=True):
        keys.append(number)
        if name in exact:  # rounded numbers may be equal where the values are not
            keys.append(np.where(np.isnan(number), exact[name][:1], exact[name]))
    order = np.lexsort(keys[::-1])
    return GroupTable(
        tuple(group),
        onehot,
        {
            n: np.concatenate([object_array([None]), c.take(order).values()])
            for n, c in zip(group, columns, strict=True)
        },
        {n: np.concatenate([[np.nan], z[order]]) for n, z in zip(group, numbers, strict=True)},
        np.concatenate([[0], counts[order]]).astype(np.int64),
        sampled_from,
        {n: np.concatenate([data[:1], data[order]]) for n, data in exact.items()},
    )


def _numbers(feature: Feature, column: Column, position: Mapping[str, float]) -> Array:
    if column.dictionary is None or feature.order is not None:
        return _ordered_numbers(feature, column)
    shared = np.array([position[text] for text in column.dictionary] + [math.nan])
    return np.asarray(shared[np.where(column.missing, -1, column.data)])


def _unseen(text: str) -> float:
    return -1.0 - int.from_bytes(hashlib.sha1(text.encode("utf-8", "surrogatepass")).digest()[:6], "big")
