"""check: which rules does x_cf break, in words. Independent of the search: raw Python values and the rules as written.

It shares no code with ground, feasible_space or action_cascade, so that a mistake there cannot hide itself here.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from geco.data.domain import Domain
from geco.plaf.checker import CheckedProgram
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
    Ref,
    Rule,
    Text,
    refs_of,
)


def violations(program: CheckedProgram, domain: Domain, x: Mapping[str, Any], x_cf: Mapping[str, Any]) -> list[str]:
    """Every rule of C, combination of Γ and missing value that forbids x_cf for x; empty if there is none."""
    judge = _Judge(program, x, x_cf)
    found = []
    for rule in program.rules:
        if not judge.keeps(rule.antecedents, rule.consequent):
            values = ", ".join(f"{r.owner}.{r.feature} = {judge.raw(r)!r}" for r in _refs(rule))
            found.append(f"{print_rule(rule)} is broken: {values}")
    for table in domain.tables:
        new = [x_cf[f] for f in table.features]
        numbers = [domain.number(f, x_cf[f]) for f in table.features]
        if new != [x[f] for f in table.features] and not domain.find(domain.group_of[table.features[0]], numbers):
            found.append(f"{table.name} = {', '.join(map(repr, new))} never occurs in D")
        for f in table.features:
            if x_cf[f] is None and x[f] is not None and f not in program.allow_missing:
                found.append(f"{f} became missing, which needs ALLOW MISSING {f}")
    return found


def broken_rules(program: CheckedProgram, x: Mapping[str, Any], x_cf: Mapping[str, Any]) -> list[int]:
    """The numbers of the rules of C that x_cf breaks for x."""
    judge = _Judge(program, x, x_cf)
    return [i for i, rule in enumerate(program.rules) if not judge.keeps(rule.antecedents, rule.consequent)]


def keeps(program: CheckedProgram, rule: Rule, x: Mapping[str, Any], x_cf: Mapping[str, Any]) -> bool:
    """True if x_cf keeps this one rule for x."""
    return _Judge(program, x, x_cf).keeps(rule.antecedents, rule.consequent)


class _Judge:
    """Evaluates predicates on two dictionaries of raw values."""

    def __init__(self, program: CheckedProgram, x: Mapping[str, Any], x_cf: Mapping[str, Any]) -> None:
        self.schema = program.schema
        self.owners = {"x": x, "x_cf": x_cf}

    def raw(self, ref: Ref) -> Any:
        return self.owners[ref.owner][ref.feature]

    def keeps(self, antecedents: tuple[Predicate, ...], consequent: Predicate) -> bool:
        if not all(self.holds(p) for p in antecedents):
            return True
        if any(r.owner == "x" and self.raw(r) is None for r in refs_of(consequent)):
            match consequent:
                case Comparison("=", Ref() as a, Ref() as b) if a.feature == b.feature and a.owner != b.owner:
                    return self.raw(a) is None and self.raw(b) is None
                case _:
                    return True
        return self.holds(consequent)

    def holds(self, p: Predicate) -> bool:
        if any(self.raw(r) is None for r in refs_of(p)):
            return False
        match p:
            case Comparison(op, left, right):
                a, b = self.pair(left, right)
                if a is None or b is None:
                    return False
                return bool({"=": a == b, "!=": a != b}[op] if op in ("=", "!=") else _ordered(op, a, b))
            case Member(operand, values):
                return any(self.holds(Comparison("=", operand, v)) for v in values)
            case Between(operand, low, high):
                return self.holds(Comparison(">=", operand, low)) and self.holds(Comparison("<=", operand, high))

    def pair(self, left: Expression, right: Expression) -> tuple[Any, Any]:
        order, date = self.feature_of(left, right)
        return self.value(left, order, date), self.value(right, order, date)

    def feature_of(self, *sides: Expression) -> tuple[tuple[str, ...] | None, bool]:
        for side in sides:
            for ref in refs_of(side):
                feature = self.schema[ref.feature]
                if feature.order or feature.type in ("date", "datetime"):  # numbers beside them are days
                    return feature.order, feature.order is None
        return None, False

    def value(self, e: Expression, order: tuple[str, ...] | None, date: bool) -> Any:
        match e:
            case Number(value):
                return value
            case Text(value):
                if date:
                    return _days(datetime.datetime.fromisoformat(value))
                return order.index(value) if order else value
            case Ref():
                raw = self.raw(e)
                if isinstance(raw, datetime.date):
                    return _days(raw)
                return order.index(raw) if order and isinstance(raw, str) else raw
            case Negate(operand):
                return -self.value(operand, order, date)
            case Arithmetic(op, left, right):
                a, b = self.value(left, order, date), self.value(right, order, date)
                if a is None or b is None or (op == "/" and b == 0):
                    return None
                return a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a / b


def _ordered(op: str, a: Any, b: Any) -> bool:
    return bool(a < b if op == "<" else a <= b if op == "<=" else a > b if op == ">" else a >= b)


def _days(value: datetime.date) -> float:
    whole = datetime.datetime(value.year, value.month, value.day) - datetime.datetime(1970, 1, 1)
    if isinstance(value, datetime.datetime):
        return (value.replace(tzinfo=None) - datetime.datetime(1970, 1, 1)).total_seconds() / 86400
    return whole.days


def _refs(rule: Any) -> list[Ref]:
    return list(dict.fromkeys(r for p in (*rule.antecedents, rule.consequent) for r in refs_of(p)))
