"""check: which rules does x_cf break, in words. Independent of the search: raw Python values and the rules as written.

It shares no code with ground, exact, feasible_space or action_cascade, so that a mistake there cannot hide itself here.
Rules become functions once per deployment, so that every answer can be checked before it is returned.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any, TypeVar

from geco.data.columns import LONGEST
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

Values = Mapping[str, Any]
Value = Callable[[Values, Values], Any]  # of an expression for x and x_cf, None if there is none
Truth = Callable[[Values, Values], bool]
Known = TypeVar("Known", dict[Any, Any], set[Any])
MOST_KNOWN = 10_000
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_NANOSECONDS = 86_400 * 10**9


def _kept(known: Known) -> Known:
    """What is known already, or nothing of it once it is too much."""
    if len(known) >= MOST_KNOWN:
        known.clear()
    return known


def violations(program: CheckedProgram, domain: Domain, x: Values, x_cf: Values) -> list[str]:
    """Every rule of C, combination of Γ and missing value that forbids x_cf for x; empty if there is none."""
    return Checker(program, domain)(x, x_cf)


class Checker:
    """The same for many x; ``program`` as checked against the schema of ``domain``, ``known`` its first rules."""

    def __init__(self, program: CheckedProgram, domain: Domain, known: Sequence[tuple[Rule, Truth]] = ()) -> None:
        self.program, self.domain = program, domain
        judge = _Judge(program, domain)
        self.rules = [*known, *((rule, judge.rule(rule)) for rule in program.rules[len(known) :])]
        # The rules that x may break as it is, and per feature of x_cf those that speak of it.
        self._about_x = [number for number, (rule, _) in enumerate(self.rules) if not _kept_by_x(rule.consequent)]
        self._about: dict[str, list[int]] = {}
        for number, (rule, _) in enumerate(self.rules):
            refs = {r for p in (*rule.antecedents, rule.consequent) for r in refs_of(p) if r.owner == "x_cf"}
            for ref in refs:
                self._about.setdefault(ref.feature, []).append(number)
        # Answers of a deployment are much alike: the rules that speak of the same changes, and combinations of D.
        self._judged: dict[tuple[frozenset[int], tuple[str, ...]], list[tuple[Rule, Truth]]] = {}
        self._seen: set[tuple[Any, ...]] = set()

    def broken_by(self, x: Values) -> frozenset[int]:
        """The numbers of the rules that x breaks as it is."""
        return frozenset([number for number in self._about_x if not self.rules[number][1](x, x)])

    def __call__(self, x: Values, x_cf: Values, broken_by_x: frozenset[int] | None = None) -> list[str]:
        """With ``broken_by_x``, for many x_cf of one x, rules that speak of no change are taken to be as they were."""
        differ = [f for f in self.domain.group_of if x_cf[f] is not x[f] and x_cf[f] != x[f]]  # group by group
        judged = self.rules if broken_by_x is None else self._may_break(differ, broken_by_x)
        found = [self._words(rule, x, x_cf) for rule, keeps in judged if not keeps(x, x_cf)]
        for group, changed in groupby(differ, self.domain.group_of.__getitem__):
            if not self._occurs(group, x_cf):
                table = self.domain.tables[group]
                new = ", ".join(repr(x_cf[f]) for f in table.features)
                found.append(f"{table.name} = {new} never occurs in D")
            for f in changed:
                if x_cf[f] is None and f not in self.program.allow_missing:
                    found.append(f"{f} became missing, which needs ALLOW MISSING {f}")
        return found

    def _may_break(self, differ: Sequence[str], broken_by_x: frozenset[int]) -> list[tuple[Rule, Truth]]:
        """The rules that speak of these changes, and those that x breaks."""
        key = broken_by_x, tuple(differ)
        if (known := self._judged.get(key)) is None:
            numbers = sorted(broken_by_x.union(*[self._about.get(f, ()) for f in differ]))
            known = _kept(self._judged)[key] = [self.rules[number] for number in numbers]
        return known

    def _occurs(self, group: int, x_cf: Values) -> bool:
        key = group, *[x_cf[f] for f in self.domain.tables[group].features]
        if key in self._seen:
            return True
        occurs = self.domain.find(group, x_cf) > 0
        if occurs:
            _kept(self._seen).add(key)
        return occurs

    def _words(self, rule: Rule, x: Values, x_cf: Values) -> str:
        refs = dict.fromkeys(r for p in (*rule.antecedents, rule.consequent) for r in refs_of(p))
        values = (f"{r.owner}.{r.feature} = {(x if r.owner == 'x' else x_cf)[r.feature]!r}" for r in refs)
        return f"{print_rule(rule)} is broken: {', '.join(values)}"


def broken_rules(program: CheckedProgram, domain: Domain, x: Values, x_cf: Values) -> list[int]:
    """The numbers of the rules of C that x_cf breaks for x."""
    return [i for i, (_, keeps) in enumerate(Checker(program, domain).rules) if not keeps(x, x_cf)]


def _kept_by_x(p: Predicate) -> bool:
    """Whatever x is, it keeps ``x_cf.F = x.F``, ``>=`` and ``<=`` as it is."""
    match p:
        case Comparison("=" | "<=" | ">=", Ref() as a, Ref() as b):
            return a.feature == b.feature and a.owner != b.owner
        case _:
            return False


class _Judge:
    """Turns rules into functions of two dictionaries of raw values."""

    def __init__(self, program: CheckedProgram, domain: Domain) -> None:
        self.schema, self.domain = program.schema, domain

    def rule(self, rule: Rule) -> Truth:
        antecedents = [self.predicate(p) for p in rule.antecedents]
        holds = self.consequent(rule.consequent)
        if not antecedents:
            return holds
        if len(antecedents) == 1:
            (only,) = antecedents
            return lambda x, x_cf: not only(x, x_cf) or holds(x, x_cf)
        return lambda x, x_cf: not all(p(x, x_cf) for p in antecedents) or holds(x, x_cf)

    def consequent(self, p: Predicate) -> Truth:
        """Skipped where it needs a value that x has not; but what is fixed must stay missing."""
        holds, needed = self.predicate(p), [r.feature for r in refs_of(p) if r.owner == "x"]
        match p:
            case Comparison("=", Ref() as a, Ref() as b) if a.feature == b.feature and a.owner != b.owner:
                f = a.feature
                return lambda x, x_cf: x_cf[f] is x[f] or (x[f] is not None and holds(x, x_cf))
            case Comparison("<=" | ">=", Ref() as a, Ref() as b) if a.feature == b.feature and a.owner != b.owner:
                f = a.feature  # most often the same object: nothing changed
                return lambda x, x_cf: x_cf[f] is x[f] or x[f] is None or holds(x, x_cf)
            case _ if not needed:
                return holds
            case _ if len(needed) == 1:
                (one,) = needed
                return lambda x, x_cf: x[one] is None or holds(x, x_cf)
            case _:
                return lambda x, x_cf: any(x[f] is None for f in needed) or holds(x, x_cf)

    def predicate(self, p: Predicate) -> Truth:
        reading = _Reading(self, p)
        match p:
            case Comparison(op, left, right):
                return _compared(op, reading.value(left), reading.value(right))
            case Member(operand, values):
                some = [_compared("=", reading.value(operand), reading.value(v)) for v in values]
                return lambda x, x_cf: any(same(x, x_cf) for same in some)
            case Between(operand, low, high):
                above = _compared(">=", reading.value(operand), reading.value(low))
                below = _compared("<=", reading.value(operand), reading.value(high))
                return lambda x, x_cf: above(x, x_cf) and below(x, x_cf)


class _Reading:
    """What literals and values mean in one predicate: ranks beside ordered text, days beside dates.

    Where D has values that no float holds, all of it is worked out on fractions; otherwise as floats have it.
    """

    def __init__(self, judge: _Judge, predicate: Predicate) -> None:
        features = [judge.schema[ref.feature] for ref in refs_of(predicate)]
        self.order = next((f.order for f in features if f.order), None)
        self.dates = any(f.type in ("date", "datetime") for f in features)
        self.exact = not judge.domain.exact.isdisjoint(f.name for f in features)
        self.exact |= _long_literal(predicate) and all(f.type == "integer" for f in features)
        self.floats = set() if self.exact else {f.name for f in features if f.type == "number"}

    def value(self, e: Expression) -> Value:
        match e:
            case Ref(owner, feature):
                of = self.plain
                if feature in self.floats:  # as it is
                    return (lambda x, x_cf: x[feature]) if owner == "x" else (lambda x, x_cf: x_cf[feature])
                if owner == "x":
                    return lambda x, x_cf: None if x[feature] is None else of(x[feature])
                return lambda x, x_cf: None if x_cf[feature] is None else of(x_cf[feature])
            case Number(value) | Text(value):
                known = self.literal(value)
                return lambda x, x_cf: known
            case Negate(operand):
                return self.calculated("-", lambda x, x_cf: 0, self.value(operand))
            case Arithmetic(op, left, right):
                return self.calculated(op, self.value(left), self.value(right))

    def literal(self, value: Any) -> Any:
        if isinstance(value, str) and self.dates:
            return _days(datetime.datetime.fromisoformat(value))
        return self.plain(value)

    def plain(self, value: Any) -> Any:
        """A raw value as it is compared."""
        if type(value) is str:
            return self.order.index(value) if self.order and value in self.order else value
        if isinstance(value, int):
            return value if self.exact or -LONGEST <= value <= LONGEST else _float(value)
        if isinstance(value, float):
            return Fraction(value) if self.exact else value
        return _days(value)

    def calculated(self, op: str, left: Value, right: Value) -> Value:
        exact = self.exact

        def of(x: Values, x_cf: Values) -> Any:
            a, b = left(x, x_cf), right(x, x_cf)
            if a is None or b is None or (op == "/" and b == 0):
                return None
            if exact and op == "/":
                return Fraction(a) / b
            made = a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a / b
            return _float(made) if not exact and type(made) is int and abs(made) > LONGEST else made

        return of


def _long_literal(p: Predicate) -> bool:
    """Is anything compared with a whole number that no float holds?"""
    match p:
        case Comparison():
            sides: tuple[Expression, ...] = (p.left, p.right)
        case Member():
            sides = (p.operand, *p.values)
        case Between():
            sides = (p.operand, p.low, p.high)
    return any(isinstance(s, Number) and isinstance(s.value, int) and abs(s.value) > LONGEST for s in sides)


def _compared(op: str, left: Value, right: Value) -> Truth:
    compare = _COMPARE[op]

    def holds(x: Values, x_cf: Values) -> bool:
        a, b = left(x, x_cf), right(x, x_cf)
        return a is not None and b is not None and compare(a, b)

    return holds


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: bool(a == b),
    "!=": lambda a, b: bool(a != b),
    "<": lambda a, b: bool(a < b),
    "<=": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b),
    ">=": lambda a, b: bool(a >= b),
}


def _float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def _days(value: Any) -> Fraction | int:
    """Days since 1970, to the nanosecond."""
    if not isinstance(value, datetime.date):  # a numpy.datetime64: nanoseconds, and no pandas
        return Fraction(int(value.astype("datetime64[ns]").astype("int64")), _NANOSECONDS)
    days = value.toordinal() - _EPOCH
    if not isinstance(value, datetime.datetime):
        return days
    micro = ((value.hour * 60 + value.minute) * 60 + value.second) * 10**6 + value.microsecond
    return days + Fraction(micro * 1000 + int(getattr(value, "nanosecond", 0)), _NANOSECONDS)
