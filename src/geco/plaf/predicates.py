"""Do the two sides of every comparison fit?

Each expression is a number, a text or a date. Numbers add; a date plus or minus a number of days is a date, and the
difference of two dates is a number of days; text takes no arithmetic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal

from geco.data.schema import Feature
from geco.plaf.diagnostics import Report, closest
from geco.plaf.features import FeatureChecker, order_help, some
from geco.plaf.printer import print_expression, print_text
from geco.plaf.sense import constant, warn_of_nonsense
from geco.plaf.syntax import (
    Arithmetic,
    Between,
    Comparator,
    Comparison,
    Expression,
    Member,
    Negate,
    Number,
    Predicate,
    Ref,
    Rule,
    Span,
    Text,
)

_OWNER = re.compile(r"\w+\s*\.\s*(?=\S)")
_NOUN = {"number": "a number", "text": "text", "date": "a date"}


@dataclass(frozen=True)
class _Side:
    """One side of a comparison. ``feature`` is set if it is nothing but that feature; kind None: already reported."""

    expression: Expression
    kind: Literal["number", "text", "date"] | None
    feature: Feature | None = None


class PredicateChecker:
    """Checks rules; what it finds wrong goes to the report."""

    def __init__(self, features: FeatureChecker, report: Report) -> None:
        self._features, self._report = features, report
        self._ranks: dict[str, dict[str, int]] = {}

    def check_rule(self, rule: Rule) -> None:
        for predicate in (*rule.antecedents, rule.consequent):
            self._check(predicate)
        warn_of_nonsense(rule, self._report)

    def _check(self, predicate: Predicate) -> None:
        match predicate:
            case Comparison(op, left, right):
                self._compare(op, self._side(left), self._side(right), predicate.span)
            case Member(operand, values):
                if len({type(v) for v in values}) > 1:
                    message = "IN has numbers and texts in one list"
                    self._report.error("mixed-list", message, predicate.span, "write only numbers or only texts")
                    return
                side = self._side(operand)
                for value in values:
                    self._compare("=", side, self._side(value), value.span)
            case Between(operand, low, high):
                side = self._side(operand)
                ends = self._side(low), self._side(high)
                if side.feature and not side.feature.ordered:
                    message = f"{side.feature.name!r} is text without an order, so BETWEEN means nothing"
                    self._report.error("no-order", message, predicate.span, order_help(side.feature.name))
                    return
                for end in ends:
                    self._compare("<=", side, end, end.expression.span)
                self._check_ends(side, *ends, predicate.span)

    def _side(self, expression: Expression) -> _Side:
        match expression:
            case Number():
                return _Side(expression, "number")
            case Text():
                return _Side(expression, "text")
            case Ref(_, name):
                if name not in self._features.schema:
                    self._features.report_unknown(name, self._name_span(expression))
                    return _Side(expression, None)
                feature = self._features.schema[name]
                return _Side(expression, _kind(feature), feature)
            case Negate(operand):
                side = self._side(operand)
                if side.kind in ("text", "date"):
                    return self._no_arithmetic(expression, side)
                return _Side(expression, side.kind)
            case Arithmetic():
                return self._arithmetic(expression)

    def _arithmetic(self, expression: Arithmetic) -> _Side:
        left, right = self._side(expression.left), self._side(expression.right)
        for side in (left, right):
            if side.kind == "text":
                return self._no_arithmetic(expression, side)
        if expression.op == "/" and constant(expression.right) == 0:
            self._report.error("division", "this divides by zero", expression.span, "divide by something else")
            return _Side(expression, None)
        match (left.kind, expression.op, right.kind):
            case (None, _, _) | (_, _, None):
                return _Side(expression, None)
            case ("number", _, "number") | ("date", "-", "date"):
                return _Side(expression, "number")
            case ("date", "+" | "-", "number") | ("number", "+", "date"):
                return _Side(expression, "date")
        message = f"{print_expression(expression)} has no meaning for dates"
        self._report.error("arithmetic", message, expression.span, "add or subtract days, or subtract two dates")
        return _Side(expression, None)

    def _no_arithmetic(self, expression: Expression, side: _Side) -> _Side:
        shown = print_expression(side.expression)
        help_line = "+ - * / are for numbers, and for days added to dates"
        if isinstance(side.expression, Text) and _is_number(side.expression.value):
            help_line = f"write the number without quotes: {side.expression.value}"
        message = f"{shown} is {_NOUN[side.kind or 'text']}, and cannot be calculated with"
        self._report.error("arithmetic", message, expression.span, help_line)
        return _Side(expression, None)

    def _compare(self, op: Comparator, left: _Side, right: _Side, span: Span) -> None:
        if left.kind is None or right.kind is None:
            return
        if left.kind != right.kind:
            self._compare_kinds(left, right, span)
        elif left.kind == "text":
            self._compare_texts(op, left, right, span)
        elif op in ("=", "!="):
            for side, other in ((left, right), (right, left)):
                value = constant(other.expression)
                if side.feature and side.feature.type == "boolean" and value not in (None, 0, 1):
                    message = f"{side.feature.name!r} is true or false, never {print_expression(other.expression)}"
                    self._report.error("boolean", message, span, "compare it with 1 (true) or 0 (false)")

    def _compare_kinds(self, left: _Side, right: _Side, span: Span) -> None:
        for side, other in ((left, right), (right, left)):
            literal = other.expression
            if side.kind == "date" and isinstance(literal, Text):
                if not _is_date(literal.value):
                    message = f"{print_expression(side.expression)} is a date, and {print_text(literal.value)} is not"
                    self._report.error("date", message, span, "write dates as year-month-day: '2024-05-31'")
                return
        message = f"{_describe(left)}, but {_describe(right)}"
        code = "number-against-text" if "text" in (left.kind, right.kind) else "number-against-date"
        self._report.error(code, message, span, _kind_help(left, right) or _kind_help(right, left))

    def _compare_texts(self, op: Comparator, left: _Side, right: _Side, span: Span) -> None:
        features = [s.feature for s in (left, right) if s.feature]
        needs_order = op not in ("=", "!=")
        for feature in features:
            if needs_order and not feature.ordered:
                message = f"{feature.name!r} is text without an order, so {op} means nothing"
                self._report.error("no-order", message, span, order_help(feature.name))
                return
        if not features:
            if needs_order:
                message = f"two texts have no order, so {op} means nothing"
                self._report.error("no-order", message, span, "compare a feature that has an ORDER")
            return
        if len(features) == 2:
            a, b = features
            if a.order != b.order:
                message = f"{a.name!r} and {b.name!r} do not have the same order, so they cannot be compared"
                self._report.error("different-orders", message, span, "give both an ORDER with the same values")
            return
        literal = right.expression if left.feature else left.expression
        feature = features[0]
        if feature.order is not None and isinstance(literal, Text) and literal.value not in self._ranks_of(feature):
            message = f"{print_text(literal.value)} is not in the ORDER of {feature.name!r}"
            self._report.error("unknown-value", message, span, partial(_value_help, literal.value, feature.order))

    def _check_ends(self, side: _Side, low: _Side, high: _Side, span: Span) -> None:
        a, b = self._rank(side, low), self._rank(side, high)
        if a is not None and b is not None and a > b:
            low_text, high_text = print_expression(low.expression), print_expression(high.expression)
            message = f"no value is BETWEEN {low_text} AND {high_text}"
            help_line = f"write the lower end first: BETWEEN {high_text} AND {low_text}"
            self._report.error("empty-range", message, span, help_line)

    def _rank(self, side: _Side, end: _Side) -> float | None:
        if not isinstance(end.expression, Text):
            return constant(end.expression)
        value = end.expression.value
        if side.kind == "date" and _is_date(value):
            return datetime.fromisoformat(value).toordinal()
        return self._ranks_of(side.feature).get(value) if side.feature else None

    def _ranks_of(self, feature: Feature) -> dict[str, int]:
        """The position of each value in the feature's ORDER."""
        if feature.name not in self._ranks:
            self._ranks[feature.name] = {value: rank for rank, value in enumerate(feature.order or ())}
        return self._ranks[feature.name]

    def _name_span(self, ref: Ref) -> Span:
        """The span of F in ``x_cf.F``."""
        span = ref.span
        owner = _OWNER.match(self._report.line_of(span), max(span.col - 1, 0))
        # A name list's span (FIXED f) is the name itself: there is no owner to skip.
        skip = owner.end() - owner.start() if owner and span.line else 0
        return Span(span.file, span.line, span.col + skip, span.end_line, span.end_col)


def _kind(feature: Feature) -> Literal["number", "text", "date"]:
    if feature.type == "text":
        return "text"
    return "date" if feature.type in ("date", "datetime") else "number"


def _describe(side: _Side) -> str:
    boolean = side.feature is not None and side.feature.type == "boolean"
    noun = "true or false" if boolean else _NOUN[side.kind or "text"]
    return f"{print_expression(side.expression)} is {noun}"


def _kind_help(side: _Side, other: _Side) -> str | None:
    """What to write instead of the literal ``other``, compared with ``side``."""
    if isinstance(other.expression, Text) and side.kind == "number":
        value = other.expression.value
        if _is_number(value):
            return f"write the number without quotes: {value}"
        if side.feature and side.feature.type == "boolean":
            return "compare it with true or false, without quotes"
        if side.feature:
            return f"the values of {side.feature.name!r} are numbers; compare it with a number"
        return "compare numbers with numbers"
    if isinstance(other.expression, Number) and side.kind == "text":
        return f"write text in single quotes: {print_text(print_expression(other.expression))}"
    if isinstance(other.expression, Number) and side.kind == "date":
        return "write dates as year-month-day: '2024-05-31'"
    if side.kind == "date" and constant(other.expression) is not None:
        return "write dates in single quotes: '2024-05-31'"
    if side.kind == "date":
        return "compare a date with a date, or the difference of two dates with a number of days"
    return (
        "compare numbers with numbers and texts with texts" if (side.kind, other.kind) == ("text", "number") else None
    )


def _value_help(value: str, order: tuple[str, ...]) -> str:
    match = closest(value, order)
    if match:
        return f"did you mean {print_text(match)}?"
    return f"its values are {some(list(map(print_text, order)), ' < ')}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_date(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is None  # dates of D have no time zone
    except ValueError:
        return False
