"""The schema of D: what each feature is called, what its values are, and whether they have an order.

Every value has a *number*, and everything after reading works on numbers alone:

    integer, number   the value itself
    boolean           0 or 1
    date, datetime    days since 1970-01-01 (a datetime has a fraction)
    text              without an order: its code in the Domain's dictionary; with one: its rank from 0
    missing           NaN
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from geco.errors import DataError, did_you_mean

Kind = Literal["categorical", "ordinal", "continuous"]
Type = Literal["integer", "number", "text", "boolean", "date", "datetime"]


@dataclass(frozen=True)
class Feature:
    """One column of D.

    ``order`` lists the values of ordinal text from lowest to highest; ``bits`` are those of a float: 16, 32 or 64.
    """

    name: str
    type: Type
    kind: Kind
    order: tuple[str, ...] | None = None
    bits: int = 64

    @property
    def ordered(self) -> bool:
        """True if ``<`` and ``>`` mean something: a quantity, a date, or text with an order."""
        return self.type != "text" or self.order is not None

    @property
    def is_number(self) -> bool:
        """True if arithmetic makes sense."""
        return self.type in ("integer", "number", "boolean", "date", "datetime")


@dataclass(frozen=True)
class Schema:
    """The features of D in the order of its columns, without the excluded ones."""

    features: tuple[Feature, ...]

    def __iter__(self) -> Iterator[Feature]:
        return iter(self.features)

    def __len__(self) -> int:
        return len(self.features)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Feature:
        if name not in self._by_name:
            raise DataError(f"the database has no feature {name!r}{did_you_mean(name, self.names)}")
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Feature]:
        return {feature.name: feature for feature in self.features}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f.name for f in self.features)

    def with_orders(self, orders: Mapping[str, Sequence[str]]) -> Schema:
        """The same schema with these text features made ordinal."""
        changed = {name: replace(self[name], kind="ordinal", order=tuple(order)) for name, order in orders.items()}
        return Schema(tuple(changed.get(f.name, f) for f in self.features))
