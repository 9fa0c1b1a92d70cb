"""Exact: rules and distances on values that no float holds, which are datetimes and integers beyond 2**53.

Every such value becomes the sum of two floats, ``high``, a multiple of 2**22, and ``low``, the rest, both of its sign.
Sums and differences of a few values are exact in each part, and the sign of high + low is that of the value: so the
core, which knows floats alone, compares with 0 and rounds nothing. A comparison is brought into the form
Σ c·x_cf.F op K with whole c; K is worked out per x on fractions. Dates count in nanoseconds.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from math import gcd, isfinite, lcm
from typing import Any

import numpy as np

from geco.data.columns import LONGEST, NANOSECONDS_PER_DAY, Array
from geco.data.domain import Domain
from geco.data.grouptable import GroupTable
from geco.data.schema import Feature
from geco.data.values import exact_number
from geco.errors import DataError
from geco.plaf.printer import print_predicate
from geco.plaf.syntax import (
    Arithmetic,
    Between,
    Comparison,
    Expression,
    Member,
    Negate,
    Number,
    Predicate,
    Ref,
    Text,
    refs_of,
)

GRAIN = 2**22
MOST_TERMS = 64  # of the factors together: then no sum of high parts has more than 53 bits
FARTHEST = 2**74  # beyond all sums of values; what lies farther is not told apart
LONGEST_DAYS = 10**8
DATES = ("date", "datetime")
COMPARE = {
    "=": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}


class MissingValue(Exception):
    """A predicate touches a missing value of x."""

    def __init__(self, feature: str) -> None:
        self.feature = feature


@dataclass(frozen=True)
class Sum:
    """One comparison: the sum of ``terms`` over x_cf, compared with minus the sum of ``given`` over x."""

    op: str
    terms: tuple[tuple[int, str], ...]
    given: tuple[tuple[Fraction, Expression], ...]

    def bound(self, x: Mapping[str, Any]) -> Fraction | None:
        """K for this x; None where it divides by 0."""
        values = [_value(part, x) for _, part in self.given]
        if None in values:
            return None
        return -sum((c * v for (c, _), v in zip(self.given, values, strict=True) if v is not None), Fraction(0))


@dataclass(frozen=True)
class ExactPredicate:
    """A predicate as such comparisons, of which every one must hold, or any."""

    sums: tuple[Sum, ...]
    every: bool
    days: bool

    def constants(self, x: Mapping[str, Any]) -> list[float]:
        """High and low part of K, comparison by comparison."""
        return [part for s in self.sums for part in parts_of(s.bound(x))]

    def truth(self, x: Mapping[str, Any]) -> bool:
        """Where it says nothing about x_cf."""
        bounds = ((s.op, s.bound(x)) for s in self.sums)
        return (all if self.every else any)(k is not None and COMPARE[op](0, k) for op, k in bounds)


def exact_predicate(predicate: Predicate, domain: Domain) -> ExactPredicate | None:
    """The predicate as exact sums; None if floats hold all that it compares.

    Raises DataError where it touches such a value in another way.
    """
    refs = tuple(refs_of(predicate))
    if domain.exact.isdisjoint(ref.feature for ref in refs) and not _long_literal(predicate, refs, domain):
        return None
    days = any(domain.features[ref.feature].type in DATES for ref in refs)
    try:
        sums = tuple(_sum(op, left, right, days) for op, left, right in _comparisons(predicate))
        for s in sums:
            _check(s, domain, days)
    except _Unfit as why:
        raise DataError(
            f"{print_predicate(predicate)} is about {_named(refs, domain)}, which must be compared exactly, {why}"
        ) from None
    return ExactPredicate(sums, not isinstance(predicate, Member), days)


def parts_of(number: Fraction | None) -> tuple[float, float]:
    """High and low part; NaN if there is no number."""
    if number is None:
        return np.nan, np.nan
    sign, size = (-1, -number) if number < 0 else (1, number)
    whole = size.numerator // size.denominator
    if whole >= FARTHEST:
        return sign * float(min(whole, 2**1000)), 0.0
    rest = size - whole // GRAIN * GRAIN
    low = float(rest)
    if low == int(low) and rest.denominator > 1:  # between two whole numbers it must stay
        low = rest.numerator // rest.denominator + 0.5
    return sign * float(whole // GRAIN * GRAIN), sign * low


def x_parts(value: Any, days: bool) -> tuple[float, float]:
    """The two parts of a value of x, in nanoseconds if the column is."""
    return parts_of(None if value is None else exact_number(value) * (NANOSECONDS_PER_DAY if days else 1))


def column_parts(feature: Feature, table: GroupTable, days: bool) -> tuple[Array, Array]:
    """The same for all rows of a group's table."""
    numbers = table.numbers[feature.name]
    missing = np.isnan(numbers)
    known = np.where(missing, 0.0, numbers)
    factor = 1
    if feature.name in table.exact:
        whole = table.exact[feature.name]
        if whole.dtype.kind == "M":
            factor, whole = (1 if np.datetime_data(whole.dtype)[0] == "ns" else 1000), whole.astype(np.int64)
    elif days:
        factor, whole = 1000, known.astype(np.int64) * (NANOSECONDS_PER_DAY // 1000)
    elif feature.type == "number":
        high = np.trunc(known / GRAIN) * GRAIN  # a number beyond 2**75 is a multiple of it
        return np.where(missing, np.nan, high), np.where(missing, np.nan, known - high)
    else:
        whole = known.astype(np.int64)
    size = whole.astype(np.uint64)
    negative = whole < 0
    size[negative] = ~size[negative] + np.uint64(1)
    sign = np.where(missing, np.nan, np.where(negative, -1.0, 1.0))
    # Times the factor, which 64 bits may not hold: the upper and the lower half apart.
    lower = (size & np.uint64(2**32 - 1)) * np.uint64(factor)
    grains = (size >> np.uint64(32)) * np.uint64(factor * 2**32 // GRAIN) + lower // np.uint64(GRAIN)
    return sign * (grains.astype(np.float64) * GRAIN), sign * (lower % np.uint64(GRAIN)).astype(np.float64)


def _long_literal(predicate: Predicate, refs: Sequence[Ref], domain: Domain) -> bool:
    """Are whole numbers compared with one that no float holds? x may have such a number, even if D has none."""
    sides = [side for _, left, right in _comparisons(predicate) for side in (left, right)]
    literals = (side.value for side in sides if isinstance(side, Number))
    if not any(isinstance(value, int) and abs(value) > LONGEST for value in literals):
        return False
    return bool(refs) and all(domain.features[ref.feature].type == "integer" for ref in refs)


class _Unfit(Exception):
    """What an exact comparison cannot do; goes on after "…, which must be compared exactly,"."""


def _named(refs: Sequence[Ref], domain: Domain) -> str:
    name = next((ref.feature for ref in refs if ref.feature in domain.exact), refs[0].feature)
    return f"{name!r}, a datetime" if domain.features[name].type == "datetime" else f"{name!r}, integers beyond 2**53"


def _comparisons(predicate: Predicate) -> Iterator[tuple[str, Expression, Expression]]:
    match predicate:
        case Comparison(op, left, right):
            yield op, left, right
        case Member(operand, values):
            yield from (("=", operand, value) for value in values)
        case Between(operand, low, high):
            yield from ((">=", operand, low), ("<=", operand, high))


def _sum(op: str, left: Expression, right: Expression, days: bool) -> Sum:
    """left - right op 0, with the smallest whole factors; dates count in nanoseconds."""
    terms: dict[str, Fraction] = {}
    given: list[tuple[Fraction, Expression]] = []
    for expression, sign in ((left, 1), (right, -1)):
        for factor, part in _parts(expression, Fraction(sign)):
            if isinstance(part, Ref) and part.owner == "x_cf":
                terms[part.feature] = terms.get(part.feature, Fraction(0)) + factor
            else:
                given.append((factor, part))
    factors = [c for c in terms.values() if c]
    scale = Fraction(lcm(*(c.denominator for c in factors)), gcd(*(c.numerator for c in factors)) or 1)
    ticks = NANOSECONDS_PER_DAY if days else 1
    return Sum(
        op,
        tuple((int(c * scale), name) for name, c in terms.items()),  # 0 times a missing value is missing, too
        tuple((c * scale * ticks, part) for c, part in given),
    )


def _parts(expression: Expression, factor: Fraction) -> Iterator[tuple[Fraction, Expression]]:
    """The summands: references to x_cf, and parts that say nothing about x_cf; each with its factor."""
    if all(ref.owner == "x" for ref in refs_of(expression)):
        yield factor, expression
        return
    match expression:
        case Ref():
            yield factor, expression
        case Negate(operand):
            yield from _parts(operand, -factor)
        case Arithmetic("+" | "-" as op, left, right):
            yield from _parts(left, factor)
            yield from _parts(right, factor if op == "+" else -factor)
        case Arithmetic("*", Number(times), operand) | Arithmetic("*", operand, Number(times)) if isfinite(times):
            yield from _parts(operand, factor * Fraction(times))
        case Arithmetic("/", operand, Number(by)) if by and isfinite(by):
            yield from _parts(operand, factor / Fraction(by))
        case _:
            raise _Unfit("and only sums, differences and multiples of x_cf are; write it without other products")


def _check(s: Sum, domain: Domain, days: bool) -> None:
    if sum(abs(c) for c, _ in s.terms) > MOST_TERMS:
        raise _Unfit(f"and its factors are too large for that: together more than {MOST_TERMS} times the smallest")
    kinds = [(name, domain.features[name].type) for _, name in s.terms]
    bare = all(abs(c) == 1 for c, _ in s.terms) and len(s.terms) + len(s.given) <= 2
    bare = bare and all(isinstance(part, Ref | Number) for _, part in s.given)
    for name, kind in kinds:
        if kind == "number" and (days or not bare):
            raise _Unfit(
                f"but {name!r} has fractions; compare them without a calculation, or convert one of the columns"
            )
        if (
            days
            and kind not in DATES
            and (name in domain.exact or domain.spread[name].unit != 1 or _long(domain, name))
        ):
            raise _Unfit(f"but {name!r} has numbers of days beyond {LONGEST_DAYS:,}")


def _long(domain: Domain, name: str) -> bool:
    spread = domain.spread[name]
    return max(abs(spread.minimum), abs(spread.maximum)) > LONGEST_DAYS


def _value(expression: Expression, x: Mapping[str, Any]) -> Fraction | None:
    """A part that says nothing about x_cf, in days where it is a date; None where it divides by 0."""
    match expression:
        case Number(value):
            return Fraction(value)
        case Text(value):
            return exact_number(datetime.fromisoformat(value))
        case Ref(_, feature):
            if x[feature] is None:
                raise MissingValue(feature)
            return exact_number(x[feature])
        case Negate(operand):
            inner = _value(operand, x)
            return None if inner is None else -inner
        case Arithmetic(op, left, right):
            a, b = _value(left, x), _value(right, x)
            if a is None or b is None or (op == "/" and b == 0):
                return None
            return a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a / b
