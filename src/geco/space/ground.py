"""ground: replace every ``x.F`` by its value in this instance (Sec. 4.2).

In: the raw values of x and the rules C. Out: C_x, rules about x_cf alone; those that can no longer fire are gone.
Missing values: a predicate that touches one is false in IF; a consequent that needs a missing x.F is skipped and noted.
One exception: ``x_cf.F = x.F`` with x.F missing asks that F stays missing, or FIXED would not fix it.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from geco._core import Kept
from geco.data.values import number_of
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
    Rule,
    Text,
)
from geco.space.exact import COMPARE, MissingValue
from geco.space.forms import PredicateForm, RuleForm

CALCULATE = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


@dataclass(frozen=True)
class KnownText(Text):
    """The text of ``x.F``; remembers F, whose order decides how it compares."""

    feature: str = ""


@dataclass(frozen=True)
class IsMissing:
    """``x_cf.F`` has no value."""

    feature: str


GroundPredicate = Predicate | IsMissing
Constant = int | float | KnownText
_PLAIN = frozenset((int, float))  # most values of x are: nothing of the rule needs to be written anew
_DROPPED, _WRITTEN, _MISSING = bytes([Kept.DROPPED]), bytes([Kept.WRITTEN]), bytes([Kept.MISSING])


@dataclass(slots=True, eq=False)
class GroundedRule:
    """A rule of C_x and the rule of C it came from.

    Attributes
    ----------
    form : the rule, and ``number`` its position in C.
    x : the values that replace every ``x.F``.
    kept : per predicate, the consequent last: a ``Kept``, as one byte.
    constants : the values of the slots of the predicates that are written; NaN where one divides by 0.
    """

    form: RuleForm
    number: int
    x: Mapping[str, Any]
    kept: bytes
    constants: list[Constant]

    @property
    def rule(self) -> Rule:
        return self.form.rule

    @property
    def features(self) -> frozenset[str]:
        """The counterfactual features it mentions."""
        return self.form.features

    @property
    def text(self) -> str:
        """The rule as the user wrote it, in canonical form."""
        return self.form.text

    @property
    def antecedents(self) -> tuple[Predicate, ...]:
        kept = zip(self.form.antecedents, self.kept, strict=False)
        return tuple(_ground_predicate(self.x, form.predicate) for form, state in kept if state != Kept.DROPPED)

    @property
    def consequent(self) -> GroundPredicate:
        if self.kept[-1] == Kept.MISSING:
            return IsMissing(*self.form.consequent.features)
        return _ground_predicate(self.x, self.form.consequent.predicate)

    def __str__(self) -> str:
        consequent = _print(self.consequent)
        return " and ".join(map(_print, self.antecedents)) + " ⇒ " + consequent if self.antecedents else consequent


@dataclass(frozen=True)
class GroundedRules:
    """C_x, and notes about rules that were skipped because a value of x is missing."""

    rules: tuple[GroundedRule, ...]
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[GroundedRule]:
        return iter(self.rules)

    def __str__(self) -> str:
        return "\n".join(map(str, self.rules))


def ground(x: Mapping[str, Any], rules: Iterable[Rule | RuleForm]) -> GroundedRules:
    """Replace every ``x.F`` by its value in this instance (Sec. 4.2).

    Parameters
    ----------
    x : the entity to explain; must have every feature the rules mention.
    rules : C, checked against the schema; as forms where many x are to come.

    Examples
    --------
    >>> from geco.plaf.parser import parse_plaf
    >>> print(ground({"age": 22}, parse_plaf("PLAF x_cf.age >= x.age + 4").rules))
    age >= 26
    """
    grounded, notes = [], []
    for number, rule in enumerate(rules):
        form = rule if isinstance(rule, RuleForm) else RuleForm(rule)
        if form.quick:
            values = [x[feature] for feature in form.quick]
            if _PLAIN.issuperset(map(type, values)):
                grounded.append(GroundedRule(form, number, x, _WRITTEN, values))
                continue
        constants: list[Constant] = []
        try:
            kept = _ground_antecedents(x, form, constants) if form.antecedents else b""
        except MissingValue:
            continue
        if kept is None:
            continue
        consequent = _WRITTEN
        try:
            if form.consequent.decidable and _truth(x, form.consequent):
                continue
            _add_constants(x, form.consequent, constants)
        except MissingValue as missing:
            if feature_kept(form.rule.consequent) is None:
                notes.append(skipped(form, missing.feature))
                continue
            consequent = _MISSING
        grounded.append(GroundedRule(form, number, x, kept + consequent, constants))
    return GroundedRules(tuple(grounded), tuple(notes))


def skipped(form: RuleForm, feature: str) -> str:
    """The note about a rule whose consequent needs a value that x does not have."""
    return f"skipped {form.text!r}: x has no value for {feature!r}"


def decided(predicate: GroundPredicate) -> bool | None:
    """The truth of a predicate between two numbers; None if it has to be looked at per row."""
    match predicate:
        case Comparison(op, Number(a), Number(b)):
            return bool(COMPARE[op](a, b))
        case _:
            return None


def _ground_antecedents(x: Mapping[str, Any], form: RuleForm, constants: list[Constant]) -> bytes | None:
    """What becomes of each; None if one is false, so that the rule can never fire."""
    kept = []
    for predicate in form.antecedents:
        truth = _truth(x, predicate) if predicate.decidable else None
        if truth is False:
            return None
        kept.append(_DROPPED if truth else _WRITTEN)
        if not truth:
            _add_constants(x, predicate, constants)
    return b"".join(kept)


def _truth(x: Mapping[str, Any], form: PredicateForm) -> bool | None:
    if form.exact is not None:
        return form.exact.truth(x)
    if form.sides is not None and isinstance(form.predicate, Comparison):
        left, right = [x[side] if type(side) is str else side for side in form.sides]
        if type(left) in _PLAIN and type(right) in _PLAIN:
            return bool(COMPARE[form.predicate.op](left, right))
    return decided(_ground_predicate(x, form.predicate))


def _add_constants(x: Mapping[str, Any], form: PredicateForm, constants: list[Constant]) -> None:
    if form.exact is not None:
        constants.extend(form.exact.constants(x))
        return
    if form.plain is not None:
        values = [x[feature] for feature in form.plain]
        if _PLAIN.issuperset(map(type, values)):
            constants.extend(values)
            return
    for slot in form.slots:
        grounded = _ground_expression(x, slot)
        if isinstance(grounded, Number):
            constants.append(grounded.value)
        else:
            constants.append(grounded if isinstance(grounded, KnownText) else math.nan)


def _ground_predicate(x: Mapping[str, Any], predicate: Predicate) -> Predicate:
    match predicate:
        case Comparison(op, left, right):
            return Comparison(op, _ground_expression(x, left), _ground_expression(x, right), predicate.span)
        case Member(operand, values):
            return Member(_ground_expression(x, operand), values, predicate.span)
        case Between(operand, low, high):
            operand, low, high = (_ground_expression(x, part) for part in (operand, low, high))
            return Between(operand, low, high, predicate.span)


def _ground_expression(x: Mapping[str, Any], expression: Expression) -> Expression:
    match expression:
        case Ref("x", feature):
            return _constant(feature, x[feature])
        case Negate(operand):
            inner = _ground_expression(x, operand)
            return Number(-inner.value) if isinstance(inner, Number) else Negate(inner)
        case Arithmetic(op, left, right):
            a, b = _ground_expression(x, left), _ground_expression(x, right)
            if isinstance(a, Number) and isinstance(b, Number) and not (op == "/" and b.value == 0):
                return Number(_calculate(op, a.value, b.value))
            return Arithmetic(op, a, b)
        case _:
            return expression


def _calculate(op: str, a: float, b: float) -> float:
    """Whole numbers stay whole as long as a float can hold them; beyond that it is infinity, as in the core."""
    try:
        value: float = CALCULATE[op](a, b)
        float(value)
    except OverflowError:
        return float(CALCULATE[op](float(a), float(b)))
    return value


def _constant(feature: str, value: Any) -> Number | KnownText:
    if value is None:
        raise MissingValue(feature)
    if isinstance(value, str):
        return KnownText(value, feature=feature)
    if isinstance(value, int):
        return Number(int(value))  # also True and False
    number = number_of(value)
    return Number(int(number) if isinstance(value, date) and number == int(number) else number)


def feature_kept(predicate: Predicate) -> str | None:
    """F if the predicate is ``x_cf.F = x.F``."""
    match predicate:
        case Comparison("=", Ref(a, f), Ref(b, g)) if f == g and a != b:
            return f
        case _:
            return None


def _print(predicate: GroundPredicate) -> str:
    if isinstance(predicate, IsMissing):
        return f"{predicate.feature} is missing"
    return print_predicate(predicate).replace("x_cf.", "")
