"""Rules that are correct and do nothing, or forbid everything, because of what D holds: typos that a schema cannot see.

In: a CheckedProgram and the Domain. Out: warnings. A comparison is judged over the range of each feature in D, an
equality over its values; what is said of ``x.F`` is judged as if x were a row of D.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from geco.data.domain import Domain, GroupTable
from geco.data.values import number_of
from geco.plaf.checker import CheckedProgram
from geco.plaf.diagnostics import Diagnostic, Report, closest
from geco.plaf.features import some
from geco.plaf.printer import print_name, print_predicate, print_text
from geco.plaf.sense import truth_of
from geco.plaf.syntax import (
    Arithmetic,
    Between,
    Comparator,
    Comparison,
    Expression,
    FeatureList,
    Group,
    Member,
    Negate,
    Number,
    Predicate,
    Ref,
    Rule,
    Text,
    refs_of,
)


class Interval(NamedTuple):
    """All values that an expression may have."""

    low: float
    high: float


ANYTHING = Interval(-math.inf, math.inf)


def dead_rules(checked: CheckedProgram, domain: Domain) -> tuple[Diagnostic, ...]:
    """What of a program says nothing about D, in source order."""
    report = Report(checked.program.source)
    seeker = _Seeker(checked, domain, report)
    for statement in checked.program.statements:
        match statement:
            case Rule():
                seeker.rule(statement)
            case Group(_, onehot) if onehot is not None:
                seeker.onehot(statement)
            case FeatureList("ALLOW MISSING"):
                seeker.allow_missing(statement)
    return report.warnings


class _Seeker:
    def __init__(self, checked: CheckedProgram, domain: Domain, report: Report) -> None:
        self._domain, self._report = domain, report
        self._allowed = checked.allow_missing
        lists = [s for s in checked.program.statements if isinstance(s, FeatureList)]
        self._fixed = {f for s in lists if s.word == "FIXED" for f in s.features}
        self._rules: dict[Rule, int] = {}

    def rule(self, rule: Rule) -> None:
        """All that is doubtful about one rule."""
        first = self._rules.setdefault(rule, rule.span.line)
        if first != rule.span.line:
            message = f"this rule stands on line {first} already"
            self._report.warning("rule-twice", message, rule.span, "remove one of the two")
        for predicate in rule.antecedents:
            self._predicate(predicate, "so this rule never applies", "so this condition says nothing")
        forbids = (
            "so nothing that its condition describes is allowed" if rule.antecedents else "so no answer is allowed"
        )
        self._predicate(rule.consequent, forbids, "so this rule says nothing")
        self._against_fixed(rule)

    def onehot(self, group: Group) -> None:
        """Columns that are not 0 and 1, or of which several are 1."""
        table = self._domain.tables[self._domain.group_of[group.features[0]]]
        columns = np.stack([table.numbers[f][1:] for f in table.features])
        for f, column in zip(table.features, columns, strict=True):
            other = column[~np.isin(column, (0.0, 1.0)) & ~np.isnan(column)]
            if len(other):
                message = f"the ONEHOT {group.onehot!r} has {f!r}, which is {other[0]:g} in D, neither 0 nor 1"
                self._report.warning("onehot-values", message, group.span, f"take {f!r} out of it, or use GROUP")
                return
        several = (columns == 1).sum(axis=0) > 1
        if several.any():
            rows, total = int(table.counts[1:][several].sum()), int(table.counts.sum())
            message = (
                f"the ONEHOT {group.onehot!r} has two columns that are 1 at once, in {rows:,} of {total:,} rows of D"
            )
            self._report.warning("onehot-values", message, group.span, "columns that are 1 together are a GROUP")

    def allow_missing(self, statement: FeatureList) -> None:
        """A feature that is never missing in D has no missing value to offer."""
        spans = statement.feature_spans or (statement.span,) * len(statement.features)
        for name, span in zip(statement.features, spans, strict=True):
            if not self._has_missing(name):
                message = f"no row of D lacks {name!r}, so there is no missing value to allow"
                self._report.warning("never-missing", message, span, "remove it")

    def _predicate(self, predicate: Predicate, if_never: str, if_always: str) -> None:
        if truth_of(predicate) is not None:
            return  # the checker said so
        if unseen := list(self._unseen(predicate)):
            for feature, text in unseen:
                message = f"{print_text(text.value)} never occurs in {feature!r}"
                self._report.warning("unseen-value", message, text.span, partial(self._values_help, feature, text))
            return
        truth = self._truth(predicate)
        if truth is None:
            return
        words, so = ("every row", if_always) if truth else ("no row", if_never)
        message = f"{print_predicate(predicate)} holds for {words} of D, {so}"
        self._report.warning("always" if truth else "never", message, predicate.span, self._ranges_help(predicate))

    def _unseen(self, predicate: Predicate) -> Iterator[tuple[str, Text]]:
        """Texts that are compared with a feature which never has them."""
        match predicate:
            case Comparison("=" | "!=", Ref(_, name), Text() as text) | Comparison(
                "=" | "!=", Text() as text, Ref(_, name)
            ):
                pairs = [(name, text)]
            case Member(Ref(_, name), values):
                pairs = [(name, value) for value in values if isinstance(value, Text)]
            case _:
                return
        for name, text in pairs:
            if self._domain.features[name].type == "text" and self._occurs(name, text) is False:
                yield name, text

    def _truth(self, predicate: Predicate) -> bool | None:
        """True if it holds for all values of D, False if for none, None if that is not known."""
        match predicate:
            case Comparison(op, left, right):
                truth = self._compare(op, left, right)
            case Between(operand, low, high):
                ends = self._compare(">=", operand, low), self._compare("<=", operand, high)
                truth = False if False in ends else True if ends == (True, True) else None
            case Member(operand, values):
                each = [self._compare("=", operand, value) for value in values]
                truth = True if True in each else None if None in each else False
        names = {ref.feature for ref in refs_of(predicate)}
        if truth and any(self._has_missing(name) for name in names):
            return None  # it does not hold where a value is missing
        return truth

    def _compare(self, op: Comparator, left: Expression, right: Expression) -> bool | None:
        a, b = self._interval(left, right), self._interval(right, left)
        if op in ("=", "!="):
            same = self._same(left, right, a, b)
            return same if op == "=" or same is None else not same
        if op in (">", ">="):
            a, b, op = b, a, "<" if op == ">" else "<="
        if a.high < b.low or (op == "<=" and a.high == b.low):
            return True
        return False if a.low > b.high or (op == "<" and a.low == b.high) else None

    def _same(self, left: Expression, right: Expression, a: Interval, b: Interval) -> bool | None:
        if a.low > b.high or b.low > a.high:
            return False
        if a == b and a.low == a.high:
            return True
        for side, other in ((left, b), (right, a)):
            if isinstance(side, Ref) and other.low == other.high and not self._table(side.feature).sampled_from:
                numbers = self._table(side.feature).numbers[side.feature][1:]
                return None if (numbers == other.low).any() else False
        return None

    def _interval(self, expression: Expression, other: Expression) -> Interval:
        """``other`` says which feature a text belongs to."""
        match expression:
            case Number(value):
                return Interval(float(value), float(value))
            case Text(value):
                return self._text_interval(value, other)
            case Ref(_, name):
                feature, spread = self._domain.features[name], self._domain.spread[name]
                known = feature.ordered and not np.isnan(self._table(name).numbers[name][1:]).all()
                return Interval(spread.minimum, spread.maximum) if known else ANYTHING
            case Negate(operand):
                inner = self._interval(operand, other)
                return Interval(-inner.high, -inner.low)
            case Arithmetic(op, left, right):
                return _calculated(op, self._interval(left, other), self._interval(right, other))

    def _text_interval(self, value: str, other: Expression) -> Interval:
        for ref in refs_of(other):
            feature = self._domain.features[ref.feature]
            if feature.type in ("date", "datetime"):
                days = number_of(datetime.fromisoformat(value))
                return Interval(days, days)
            if feature.order is not None and value in feature.order:
                rank = float(feature.order.index(value))
                return Interval(rank, rank)
        return ANYTHING

    def _against_fixed(self, rule: Rule) -> None:
        """IF … THEN x_cf.F > x.F where F is FIXED: allowed, but its writer hardly thinks of it as a prohibition."""
        match rule.consequent:
            case Comparison(op, Ref("x_cf", name), Ref("x", same)) if name == same and op in ("<", ">", "!="):
                pass
            case Comparison(op, Ref("x_cf", name), Arithmetic("+" | "-", Ref("x", same), Number())) if name == same:
                pass
            case _:
                return
        if name in self._fixed and rule.antecedents:
            message = f"{name!r} is FIXED, so this rule forbids what its condition describes"
            self._report.warning(
                "fixed-rule", message, rule.consequent.span, f"take {name!r} out of FIXED, or drop the rule"
            )

    def _occurs(self, name: str, text: Text) -> bool | None:
        """None where D's values were cut, so that it is not known."""
        table = self._table(name)
        if table.sampled_from:
            return None
        return any(value == text.value for value in table.values[name][1:])

    def _has_missing(self, name: str) -> bool:
        return bool(np.isnan(self._table(name).numbers[name][1:]).any())

    def _table(self, name: str) -> GroupTable:
        return self._domain.tables[self._domain.group_of[name]]

    def _values_help(self, name: str, text: Text) -> str:
        values = sorted({value for value in self._table(name).values[name][1:] if value is not None})
        match = closest(text.value, values)
        if match is not None:
            return f"did you mean {print_text(match)}?"
        return f"the values of {print_name(name)} are {some([print_text(value) for value in values])}"

    def _ranges_help(self, predicate: Predicate) -> str:
        told = []
        for name in dict.fromkeys(ref.feature for ref in refs_of(predicate)):
            values = [v for v in self._table(name).values[name][1:] if v is not None]
            if self._domain.features[name].order is None and values:
                told.append(f"{print_name(name)} in D is {_shown(min(values))} to {_shown(max(values))}")
            else:
                told.append(f"{print_name(name)} in D is {some([print_text(str(v)) for v in dict.fromkeys(values)])}")
        return "; ".join(told)


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.15g}"
    return str(value).removesuffix(" 00:00:00")


def _calculated(op: str, a: Interval, b: Interval) -> Interval:
    """What may come out; anything, where that is not bounded."""
    if op == "+":
        return Interval(a.low + b.low, a.high + b.high)
    if op == "-":
        return Interval(a.low - b.high, a.high - b.low)
    if op == "/" and b.low <= 0 <= b.high:
        return ANYTHING
    corners = [x * y if op == "*" else x / y for x in a for y in b]
    return ANYTHING if any(math.isnan(c) for c in corners) else Interval(min(corners), max(corners))
