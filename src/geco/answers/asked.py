"""asked: what a rule asks of a feature once everything else is as in the answer: ``age >= x.age + 2`` is 47 or more.

It reads the rule's text, so that an answer that was stored can be told as well as a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Context, Decimal
from functools import lru_cache
from typing import Any

from geco.answers.speech import digits, is_quantity
from geco.answers.values import is_missing, plain
from geco.errors import PlafError
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
from geco.space.exact import COMPARE

FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}


@dataclass(frozen=True)
class Asked:
    """What a rule asks for.

    Attributes
    ----------
    feature : of what; None where it is no limit of a single feature.
    op : a comparison, "in" or "between".
    values : the limit, the two ends, or the members.
    after : the changed features that its condition speaks of.
    """

    feature: str | None
    op: str
    values: tuple[Any, ...]
    after: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        values = [plain(int(v) if isinstance(v, Decimal) and v == v.to_integral_value() else v) for v in self.values]
        return {"feature": self.feature, "op": self.op, "values": values, "after": list(self.after)}


def asked(text: str, x: Mapping[str, Any], values: Mapping[str, Any], feature: str | None = None) -> Asked | None:
    """What the rule with this canonical text asks for, of this feature if it can; None if it cannot be said shortly.

    Examples
    --------
    >>> rule = "PLAF IF x_cf.job > x.job THEN x_cf.age >= x.age + 2"
    >>> asked(rule, {"job": 2, "age": 45}, {"job": 3, "age": 47})
    Asked(feature='age', op='>=', values=(Decimal('47'),), after=('job',))
    """
    rule = _rule(text)
    return None if rule is None else asks(rule, x, values, feature)


def asks(rule: Rule, x: Mapping[str, Any], values: Mapping[str, Any], feature: str | None = None) -> Asked | None:
    """The same of a rule that is at hand."""
    of = next((f for f in (feature, rule.defines) if f is not None and _limit(rule, f, x, values)), None)
    if of is None:
        return None
    refs = [ref for p in rule.antecedents for ref in refs_of(p) if ref.owner == "x_cf"]
    after = tuple(dict.fromkeys(r.feature for r in refs if r.feature in x and x[r.feature] != values[r.feature]))
    if after and all(_holds(p, x) for p in rule.antecedents):
        after = ()  # the rule spoke of x already
    limit = _limit(rule, of, x, values)
    return None if limit is None else Asked(of, *limit, tuple(f for f in after if f != of))


@lru_cache(maxsize=1000)
def _rule(text: str) -> Rule | None:
    from geco.plaf.parser import parse_plaf  # with it comes the grammar, which few answers need

    try:
        rules = parse_plaf(text).rules
    except PlafError:  # a text of another version
        return None
    return rules[0] if rules else None


def _limit(rule: Rule, of: str, x: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]] | None:
    def worth(*expressions: Expression) -> tuple[Any, ...] | None:
        found = tuple(_worth(e, x, values) for e in expressions)
        return None if None in found else found

    match rule.consequent:
        case Comparison(op, Ref("x_cf", f), other) if f == of and not _speaks_of(other, f):
            limit, sign = worth(other), str(op)
        case Comparison(op, other, Ref("x_cf", f)) if f == of and not _speaks_of(other, f):
            limit, sign = worth(other), FLIPPED[op]
        case Between(Ref("x_cf", f), low, high) if f == of:
            limit, sign = worth(low, high), "between"
        case Member(Ref("x_cf", f), members) if f == of:
            limit, sign = worth(*members), "in"
        case _:
            return None
    return None if limit is None else (sign, limit)


def _holds(predicate: Predicate, x: Mapping[str, Any]) -> bool:
    """Whether it holds for x as it is; False where that takes more than the values, such as the order of texts."""
    match predicate:
        case Comparison(op, left, right):
            a, b = _worth(left, x, x), _worth(right, x, x)
            if a is None or type(a) is not type(b) or (isinstance(a, str) and op not in ("=", "!=")):
                return False
            return bool(COMPARE[op](a, b))
        case Member(of, members):
            worth = _worth(of, x, x)
            return worth is not None and worth in [_worth(each, x, x) for each in members]
        case _:
            return False


def _speaks_of(expression: Expression, feature: str) -> bool:
    return any(ref.owner == "x_cf" and ref.feature == feature for ref in refs_of(expression))


def _worth(expression: Expression, x: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
    """Its value in this answer; None where one is missing or nothing comes of it."""
    match expression:
        case Number(value):
            return digits(value)
        case Text(value):
            return value
        case Ref(owner, feature):
            raw = (x if owner == "x" else values).get(feature)
            return digits(raw) if is_quantity(raw) else None if is_missing(raw) else raw
        case Negate(operand):
            inner = _worth(operand, x, values)
            return -inner if isinstance(inner, Decimal) else None
        case Arithmetic(op, left, right):
            try:
                return _calculated(op, _worth(left, x, values), _worth(right, x, values))
            except (ArithmeticError, ValueError):  # a day beyond what there are, or more digits
                return None


def _calculated(op: str, a: Any, b: Any) -> Any:
    if isinstance(a, Decimal) and isinstance(b, Decimal):
        if op == "/":
            return None if b == 0 else Context(prec=6).divide(a, b)
        return a + b if op == "+" else a - b if op == "-" else a * b
    if isinstance(a, date) and isinstance(b, Decimal) and op in ("+", "-"):
        days = timedelta(days=float(b))
        return a + days if op == "+" else a - days
    return None
