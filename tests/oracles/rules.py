"""A second rule checker, on plain Python values and the tree of a program (Sec. 3).

In: a program, x, a candidate x_cf and D. Out: every broken rule, in words.
It shares nothing with the search but the syntax tree, so a fault in grounding, in a column of a group table or in
the cascade shows up as a difference.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from geco.plaf.parser import parse_plaf
from geco.plaf.printer import print_rule
from geco.plaf.syntax import (
    Arithmetic,
    Between,
    Comparison,
    Expression,
    Member,
    Negate,
    Number,
    Predicate,
    Program,
    Ref,
    Rule,
    Text,
    refs_of,
)

from .exact import days_of, days_of_text, plain

Values = Mapping[str, Any]


def violations(program: str | Program, x: Values, x_cf: Values, frame: pd.DataFrame) -> list[str]:
    """Every rule x_cf breaks, every combination of a group that never occurs, every value newly missing."""
    program = as_program(program)
    orders = orders_of(program)
    faults = [f"breaks {print_rule(rule)}" for rule in program.rules if not holds(rule, x, x_cf, orders)]
    for features in groups_of(program, frame.columns):
        row, own = row_of(x_cf, features), row_of(x, features)
        if row != own and row not in rows_of(frame, features):
            faults.append(f"({', '.join(features)}) = {row} never occurs")
    for feature in frame.columns:
        if newly_missing(feature, x, x_cf, program):
            faults.append(f"{feature} became missing")
    return faults


def type_faults(x_cf: Values, frame: pd.DataFrame) -> list[str]:
    """Values that are not of the Python type their column has: integers stay integers, booleans booleans."""
    faults = [f"{f} is not a feature" for f in x_cf if f not in frame.columns]
    faults += [f"{f} has no value" for f in frame.columns if f not in x_cf]
    for feature in frame.columns.intersection(list(x_cf)):
        value, types = x_cf[feature], types_of(frame, feature)
        value = plain(value) if isinstance(value, pd.Timestamp | np.datetime64) else value  # whole nanoseconds
        if value is not None and types and type(value) not in types:
            faults.append(f"{feature} = {value!r} is {type(value).__name__}, not {sorted(t.__name__ for t in types)}")
    return faults


def holds(rule: Rule, x: Values, x_cf: Values, orders: Mapping[str, Sequence[str]]) -> bool:
    """True if the candidate obeys the rule; what a missing value means is in design section 3."""
    if not all(truth(p, x, x_cf, orders) for p in rule.antecedents):
        return True
    if _same_feature_unchanged(rule.consequent):
        feature = next(refs_of(rule.consequent)).feature
        if plain(x[feature]) is None:
            return plain(x_cf[feature]) is None
    if any(ref.owner == "x" and plain(x[ref.feature]) is None for ref in refs_of(rule.consequent)):
        return True
    return truth(rule.consequent, x, x_cf, orders)


def truth(predicate: Predicate, x: Values, x_cf: Values, orders: Mapping[str, Sequence[str]]) -> bool:
    """Truth of one predicate; false as soon as it touches a missing value."""
    order = next((orders[r.feature] for r in refs_of(predicate) if r.feature in orders), None)

    def value(e: Expression) -> Any:
        return evaluate(e, x, x_cf)

    match predicate:
        case Comparison():
            return compare(predicate.op, value(predicate.left), value(predicate.right), order)
        case Member():
            return any(compare("=", value(predicate.operand), value(v), order) for v in predicate.values)
        case Between():
            operand = value(predicate.operand)
            return compare(">=", operand, value(predicate.low), order) and compare(
                "<=", operand, value(predicate.high), order
            )


def evaluate(e: Expression, x: Values, x_cf: Values) -> Any:
    """The value of an expression, None if any part of it is missing; dates are days, exactly."""
    match e:
        case Number() | Text():
            return e.value
        case Ref():
            value = plain((x if e.owner == "x" else x_cf)[e.feature])
            return days_of(value) if isinstance(value, datetime.date) else value
        case Negate():
            inner = evaluate(e.operand, x, x_cf)
            return None if inner is None else -inner
        case Arithmetic():
            left, right = evaluate(e.left, x, x_cf), evaluate(e.right, x, x_cf)
            if left is None or right is None:
                return None
            if isinstance(left, Fraction) or isinstance(right, Fraction):
                left, right = Fraction(left), Fraction(right)  # or Python would make floats of them
            return _ARITHMETIC[e.op](left, right)


def compare(op: str, left: Any, right: Any, order: Sequence[str] | None) -> bool:
    """``left op right``; text with an order is compared by its rank, text beside a date is read as a date."""
    if left is None or right is None:
        return False
    if isinstance(left, Fraction) or isinstance(right, Fraction):
        left, right = (days_of_text(side) if isinstance(side, str) else side for side in (left, right))
    if op in ("<", "<=", ">", ">=") and order is not None and isinstance(left, str):
        left, right = order.index(left), order.index(right)
    return bool(_COMPARE[op](left, right))


def as_program(program: str | Program) -> Program:
    return _parsed(program) if isinstance(program, str) else program


@lru_cache(maxsize=8)
def _parsed(text: str) -> Program:
    return parse_plaf(text)


def orders_of(program: Program) -> dict[str, tuple[str, ...]]:
    return {o.feature: o.values for o in program.orders}


def groups_of(program: Program, features: Iterable[str]) -> list[tuple[str, ...]]:
    """Γ: the groups written down, and every other feature alone."""
    written = [g.features for g in program.groups]
    grouped = {f for g in written for f in g}
    return written + [(f,) for f in features if f not in grouped]


def newly_missing(feature: str, x: Values, x_cf: Values, program: Program) -> bool:
    return plain(x_cf[feature]) is None and plain(x[feature]) is not None and feature not in program.allow_missing


def plain_column(frame: pd.DataFrame, feature: str) -> list[Any]:
    return [plain(v) for v in frame[feature].astype(object)]


def row_of(values: Values, features: Sequence[str]) -> tuple[Any, ...]:
    return tuple(plain(values[f]) for f in features)


def rows_of(frame: pd.DataFrame, features: Sequence[str]) -> frozenset[tuple[Any, ...]]:
    """Π_features(D) as a set; remembered per frame, because the same one is asked for again and again."""
    return _rows_of(_ById(frame), tuple(features))


def types_of(frame: pd.DataFrame, feature: str) -> frozenset[type]:
    """The Python types of a column's values, missing left out."""
    return frozenset(type(row[0]) for row in rows_of(frame, (feature,)) if row[0] is not None)


class _ById:
    """A frame as a key: equal only to itself. Holding it keeps its id from being used again."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame

    def __hash__(self) -> int:
        return id(self.frame)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and self.frame is other.frame


@lru_cache(maxsize=64)
def _rows_of(key: _ById, features: tuple[str, ...]) -> frozenset[tuple[Any, ...]]:
    return frozenset(zip(*(plain_column(key.frame, f) for f in features), strict=True))


def _same_feature_unchanged(p: Predicate) -> bool:
    match p:
        case Comparison("=", Ref() as a, Ref() as b):
            return a.feature == b.feature and {a.owner, b.owner} == {"x", "x_cf"}
    return False


_ARITHMETIC = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b if b else None,
}
_COMPARE = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
