"""The Domain in a file: of every group the numbers of its rows and their counts; raw values are made of the numbers.

The number of a value says which value it is (data/schema.py), but for datetimes and for integers beyond 2**53, which
numbers round: for these the exact integers are kept beside them, with their unit ("us" or "ns" for datetimes). Values
become Python objects when they are first asked for, so that loading does not wait for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from geco.data.columns import LONGEST, TICKS_PER_DAY, Array, Column, object_array
from geco.data.domain import Domain
from geco.data.grouptable import GroupTable
from geco.data.schema import Feature, Schema
from geco.data.spread import Spread
from geco.errors import SavedFileError
from geco.saved.fields import entries, items, value_of, wrong
from geco.state import state_of

FIRST_DAY, LAST_DAY = (int(np.datetime64(day, "D").astype(np.int64)) for day in ("0001-01-01", "9999-12-31"))


def domain_state(domain: Domain) -> dict[str, Any]:
    """The tables, and what is known about the values of each feature."""
    return {
        "schema": state_of(domain.schema),
        "rows": domain.rows,
        "spread": state_of([domain.spread[name] for name in domain.names]),
        "texts": domain.texts,
        "tables": [_table_state(table, domain.schema) for table in domain.tables],
    }


def domain_of(state: Any) -> Domain:
    """The Domain again; raises SavedFileError where the state cannot be one."""
    schema_state, rows, spread, texts, tables = entries(state, "schema", "rows", "spread", "texts", "tables")
    _since_format_1(schema_state, spread)
    schema = value_of(Schema, schema_state)
    spreads = value_of(tuple[Spread, ...], spread)
    if len(set(schema.names)) < len(schema) or len(spreads) != len(schema):
        raise wrong("every feature once", schema.names)
    if not all(np.isfinite([s.range, s.mad, s.std, s.minimum, s.maximum]).all() for s in spreads):
        raise wrong("spreads that are finite", "others")
    known = value_of(tuple[str, ...], texts)
    made = [_table_of(table, schema, known) for table in items(tables)]
    if sorted(name for table in made for name in table.features) != sorted(schema.names):
        raise wrong("each feature in one group", [table.features for table in made])
    return Domain(made, schema, value_of(int, rows), dict(zip(schema.names, spreads, strict=True)), known)


def _since_format_1(schema: Any, spread: Any) -> None:
    """What format 1 did not say is as it was then."""
    for feature in items(schema["features"]) if isinstance(schema, dict) and "features" in schema else ():
        if isinstance(feature, dict):
            feature.setdefault("bits", 64)
    for one in items(spread):
        if isinstance(one, dict):
            one.setdefault("unit", 1.0)


def _table_state(table: GroupTable, schema: Schema) -> dict[str, Any]:
    return {
        "features": list(table.features),
        "onehot": table.onehot,
        "sampled_from": table.sampled_from,
        "counts": table.counts,
        "numbers": np.stack([table.numbers[name] for name in table.features]),
        "exact": [[name, *_integers_and_unit(column)] for name, column in table.exact.items()],
    }


def _integers_and_unit(column: Array) -> tuple[Array, str]:
    if column.dtype.kind == "M":
        return column.astype(np.int64), np.datetime_data(column.dtype)[0]
    return column, ""


def _table_of(state: Any, schema: Schema, texts: Sequence[str]) -> GroupTable:
    names = ("features", "onehot", "sampled_from", "counts", "numbers", "exact")
    features, onehot, sampled_from, counts, numbers, exact = entries(state, *names)
    features = value_of(tuple[str, ...], features)
    value_of(np.ndarray[Any, np.dtype[np.int64]], counts)
    value_of(np.ndarray[Any, np.dtype[np.float64]], numbers)
    if not features or numbers.shape != (len(features), counts.size) or counts.ndim != 1 or len(counts) < 2:
        raise wrong("a number per feature and row", numbers.shape)
    if len(counts) > np.iinfo(np.int32).max or counts[0] != 0 or (counts[1:] < 1).any() or np.isinf(numbers).any():
        raise wrong("rows that occur, with finite numbers", "others")
    by_feature = dict(zip(features, numbers, strict=True))
    known = {f: schema[f] for f in features}
    integers = _integers(exact, known, counts)
    values = _Values(known, by_feature, integers, texts)
    for name, column in integers.items():
        if column.dtype.kind == "M":  # format 1 rounded their numbers otherwise
            by_feature[name] = Column("datetime", column, np.isnan(by_feature[name])).numbers()
    cut = value_of(int | None, sampled_from)
    table = GroupTable(features, value_of(str | None, onehot), values, by_feature, counts, cut, integers)
    _check_order(table)
    return table


def _integers(state: Any, features: Mapping[str, Feature], counts: Array) -> dict[str, Array]:
    """The exact values of the features that have them; format 1 knew datetimes of microseconds only."""
    made: dict[str, Array] = {}
    for name, integers, *units in map(items, items(state)):
        if not isinstance(integers, np.ndarray) or integers.dtype.kind not in "iu" or integers.shape != counts.shape:
            raise wrong("an integer per row", integers)
        if name not in features or name in made or features[name].type not in ("integer", "datetime"):
            raise wrong("exact values of integers and datetimes", name)
        days = features[name].type == "datetime"
        unit = units[0] if units else "us" if days else ""
        if unit not in (("us", "ns") if days else ("",)) or (days and integers.dtype != np.int64) or len(units) > 1:
            raise wrong(f"a unit of {name!r}", units)
        made[name] = integers.astype(f"datetime64[{unit}]") if days else integers
    return made


def _check_order(table: GroupTable) -> None:
    """Rows are looked up by bisection. Format 1 sorted them by rounded numbers, which is seldom another order."""
    codes = [table.codes(f)[1:] for f in table.features]
    if (np.lexsort(codes[::-1]) == np.arange(table.rows)).all():
        return
    if not table.exact:
        raise wrong(f"rows of {table.name} in order", "others")
    raise SavedFileError(
        f"has rows of {table.name} in the order of an older geco, which rounded them; make and save it again"
    )


class _Values(Mapping[str, Array]):
    """Feature ▶ raw Python values, made when they are first asked for; what they are made of is checked at once."""

    def __init__(
        self,
        features: Mapping[str, Feature],
        numbers: Mapping[str, Array],
        integers: Mapping[str, Array],
        texts: Sequence[str],
    ) -> None:
        self.features, self.numbers, self.integers, self.texts = features, numbers, integers, texts
        self._made: dict[str, Array] = {}
        for name, feature in features.items():
            self._check(feature, numbers[name])

    def __getitem__(self, name: str) -> Array:
        if name not in self._made:
            self._made[name] = self._column(self.features[name]).values()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.features)

    def __len__(self) -> int:
        return len(self.features)

    def _check(self, feature: Feature, numbers: Array) -> None:
        known = numbers[~np.isnan(numbers)]
        if not np.isnan(numbers[0]) or (feature.type not in ("number", "datetime") and (known % 1 != 0).any()):
            raise wrong(f"whole numbers in {feature.name!r}", "others")
        low, high = self._range(feature)
        if feature.name in self.integers:
            known = self.integers[feature.name][~np.isnan(numbers)]
            known = known.astype("datetime64[us]").astype(np.int64) if known.dtype.kind == "M" else known
        elif feature.type == "datetime":
            raise wrong(f"exact datetimes in {feature.name!r}", "none")
        if len(known) and (known.min() < low or known.max() > high):
            raise wrong(f"values of {feature.name!r} from {low:g} to {high:g}", f"{known.min():g} to {known.max():g}")

    def _range(self, feature: Feature) -> tuple[float, float]:
        match feature.type:
            case "text":
                return 0, len(self.texts if feature.order is None else feature.order) - 1
            case "boolean":
                return 0, 1
            case "date":
                return FIRST_DAY, LAST_DAY
            case "datetime":
                return FIRST_DAY * TICKS_PER_DAY["us"], (LAST_DAY + 1) * TICKS_PER_DAY["us"] - 1
            case "integer" if feature.name not in self.integers:
                return -LONGEST, LONGEST
            case _:
                return -np.inf, np.inf

    def _column(self, feature: Feature) -> Column:
        numbers = self.numbers[feature.name]
        missing = np.isnan(numbers)
        data: Array = self.integers.get(feature.name, np.where(missing, 0.0, numbers))
        dictionary = None
        match feature.type:
            case "text":
                dictionary = object_array(self.texts if feature.order is None else feature.order)
                data = data.astype(np.int32)
            case "integer" if feature.name not in self.integers:
                data = data.astype(np.int64)
            case "boolean":
                data = data.astype(np.bool_)
            case "date":
                data = data.astype(np.int64).astype("datetime64[D]")
        return Column(feature.type, data, missing, dictionary)
