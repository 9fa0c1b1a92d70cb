"""The unknowns of MACE's formula: what each group of x_cf may be, over the continuous or over the active domain.

A group of one number is an unknown *value*, an integer or a real between the smallest and the largest of D; every other
group (categories, joint rows, missing values) is an unknown *position* in the list of its allowed rows, x's own first.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Any

import numpy as np

from geco.errors import SettingsError
from geco.population.base import Floats, Rows
from geco.space.deployment import Deployment
from geco.space.exact import column_parts, x_parts
from geco.space.feasible import FeasibleSpace
from geco.space.truth import Key


def z3_library() -> Any:
    """The solver; an error says how to install it."""
    try:
        import z3
    except ImportError:
        raise SettingsError(
            "MACE needs the solver z3, which is not installed: pip install 'geco-explain[mace]'"
        ) from None
    return z3


class PrivateContext:
    """A new context of z3: in the shared one, what was solved before changes what is found."""

    def __init__(self) -> None:
        self._z3 = z3_library()
        self._context = self._z3.Context()

    def __getattr__(self, name: str) -> Any:
        made_from_nothing = name in ("Int", "Real", "IntVal", "RealVal", "BoolVal", "Q", "Solver")
        maker = getattr(self._z3, name)
        return partial(maker, ctx=self._context) if made_from_nothing else maker


@dataclass(frozen=True)
class Term:
    """A number in the formula, and whether it is there at all: a missing value is not."""

    number: Any
    known: Any


@dataclass
class Value:
    """A group of one number. Over the active domain ``numbers`` are the only ones it may take, with their ``rows``."""

    group: int
    feature: str
    unknown: Any
    x: Fraction
    whole: bool
    raising: Fraction  # distance per unit above and below x
    lowering: Fraction
    low: float
    high: float
    numbers: list[float] | None = None
    rows: list[int] = field(default_factory=list)

    def cost(self, z3: Any) -> tuple[Any, list[Any]]:
        """The distance as an unknown of its own, and what bounds it from below: it is only ever bounded from above."""
        cost = z3.Real(f"cost{self.group}")
        apart = z3.ToReal(self.unknown) if self.whole else self.unknown
        x = exact(z3, self.x)
        return cost, [
            cost >= exact(z3, self.raising) * (apart - x),
            cost >= exact(z3, self.lowering) * (x - apart),
        ]

    def at_most(self, z3: Any, end: float | Fraction) -> Any:
        return self.unknown <= (floor(end) if self.whole else exact(z3, end))  # z3 is quicker with its own integers

    def at_least(self, z3: Any, end: float | Fraction) -> Any:
        return self.unknown >= (ceil(end) if self.whole else exact(z3, end))

    def distance(self, value: Fraction) -> Fraction:
        return max(self.raising * (value - self.x), self.lowering * (self.x - value))

    def term(self, z3: Any, feature: Key) -> Term:
        return Term(self.unknown, True)

    def cut(self, z3: Any, value: Fraction) -> Any | None:
        """What rules out the gap of the active domain that a value lies in; None if D has the value."""
        if self.numbers is None:
            return None
        at = bisect_left(self.numbers, float(value))
        if at < len(self.numbers) and self.numbers[at] == value:
            return None
        sides = [self.at_most(z3, self.numbers[at - 1])] if at else []
        sides += [self.at_least(z3, self.numbers[at])] if at < len(self.numbers) else []
        return z3.Or(*sides)

    def row(self, value: Fraction) -> int:
        """The row of the group's table; 0 for x itself."""
        assert self.numbers is not None
        return 0 if value == self.x else self.rows[bisect_left(self.numbers, float(value))]


@dataclass
class Position:
    """A group as a position in its list of allowed rows; 0 among them stands for x."""

    group: int
    features: tuple[str, ...]
    unknown: Any
    rows: Rows
    costs: Floats
    numbers: dict[Key, Floats]  # per feature of the group, and per part of its exact values, position by position

    def cost(self, z3: Any) -> tuple[Any, list[Any]]:
        return chosen(z3, self.unknown, self.costs), []

    def term(self, z3: Any, feature: Key) -> Term:
        numbers = self.numbers[feature]
        missing = np.flatnonzero(np.isnan(numbers))
        known = z3.And(*[self.unknown != int(position) for position in missing]) if len(missing) else True
        return Term(chosen(z3, self.unknown, np.nan_to_num(numbers)), known)


def unknowns(
    z3: Any, space: FeasibleSpace, deployment: Deployment, as_value: list[bool], active: bool
) -> list[Value | Position]:
    """One unknown per group; ``as_value`` says which may be values."""
    return [
        _value(z3, space, deployment, group, active) if value else _position(z3, space, deployment, group)
        for group, value in enumerate(as_value)
    ]


def may_be_value(space: FeasibleSpace, deployment: Deployment, group: int) -> bool:
    """True for one number that may change, that x has and that no candidate lacks; and that a float holds."""
    table = space.domain.tables[group]
    feature = space.domain.features[table.features[0]]
    if len(table.features) > 1 or feature.kind != "continuous" or feature.type not in ("integer", "number"):
        return False
    if any(name == feature.name for name, _ in deployment.exact):
        return False
    offered = table.numbers[feature.name][space.core.choices(group)]
    spread = space.domain.spread[feature.name]
    there = space.x[feature.name] is not None and not np.isnan(offered).any()
    return there and len(offered) > 0 and spread.range > 0


def bounds(z3: Any, unknown: Value | Position) -> list[Any]:
    """What is said of the unknown alone."""
    if isinstance(unknown, Position):
        return [unknown.unknown >= 0, unknown.unknown < len(unknown.rows)]
    return [unknown.at_least(z3, unknown.low), unknown.at_most(z3, unknown.high)]


def _value(z3: Any, space: FeasibleSpace, deployment: Deployment, group: int, active: bool) -> Value:
    table, distance = space.domain.tables[group], deployment.distance
    name = table.features[0]
    divisor, weight, raising, lowering, _, _ = distance.settings(name)
    unit = Fraction(weight) / (Fraction(divisor) * distance.n)
    whole = space.domain.features[name].type == "integer"
    unknown = (z3.Int if whole else z3.Real)(f"value{group}")
    x, spread = float(space.x[name]), space.domain.spread[name]
    costs = unit * Fraction(raising), unit * Fraction(lowering)
    ends = min(spread.minimum, x), max(spread.maximum, x)
    if not active:
        return Value(group, name, unknown, Fraction(x), whole, *costs, *ends)
    rows = [*space.core.choices(group).tolist(), *([] if group in space.broken else [0])]
    offered = sorted((x if row == 0 else float(table.numbers[name][row]), row) for row in rows)
    numbers, rows = [number for number, _ in offered], [row for _, row in offered]
    return Value(group, name, unknown, Fraction(x), whole, *costs, numbers[0], numbers[-1], numbers, rows)


def _position(z3: Any, space: FeasibleSpace, deployment: Deployment, group: int) -> Position:
    table = space.domain.tables[group]
    stays = [] if group in space.broken else [0]
    rows = np.array([*stays, *space.core.choices(group).tolist()], np.int32)
    alone = np.zeros((len(rows), space.core.width), np.int32)
    alone[:, group] = rows
    numbers: dict[Key, Floats] = {f: table.numbers[f][rows] for f in table.features}
    for f in table.features:
        numbers[f][rows == 0] = space.domain.number(f, space.x[f])
    for f, days in deployment.exact:
        if f in table.features:
            of_x = x_parts(space.x[f], days)
            for part, column in enumerate(column_parts(space.domain.features[f], table, days)):
                numbers[f, days, part] = np.where(rows == 0, of_x[part], column[rows])
    unknown = z3.IntVal(0) if len(rows) == 1 else z3.Int(f"place{group}")
    return Position(group, table.features, unknown, rows, space.core.distance(alone), numbers)


def exact(z3: Any, number: float | Fraction) -> Any:
    """A real number for z3, without rounding."""
    ratio = Fraction(number)
    return z3.Q(ratio.numerator, ratio.denominator) if ratio.denominator > 1 else z3.RealVal(ratio.numerator)


def chosen(z3: Any, position: Any, numbers: Floats) -> Any:
    """The number that stands at an unknown position; those that occur most need no test."""
    distinct, which = np.unique(numbers, return_inverse=True)
    if not len(distinct):
        return z3.RealVal(0)
    common = int(np.argmax(np.bincount(which)))
    term = exact(z3, float(distinct[common]))
    for number in (n for n in range(len(distinct)) if n != common):
        term = z3.If(among(z3, position, np.flatnonzero(which == number)), exact(z3, float(distinct[number])), term)
    return term


def among(z3: Any, position: Any, positions: np.ndarray[Any, np.dtype[np.int64]]) -> Any:
    """The position is one of these: as few intervals as there are runs."""
    if not len(positions):
        return z3.BoolVal(False)
    runs = np.split(positions, np.flatnonzero(np.diff(positions) > 1) + 1)
    return z3.Or(
        *[
            position == int(run[0]) if len(run) == 1 else z3.And(position >= int(run[0]), position <= int(run[-1]))
            for run in runs
        ]
    )
