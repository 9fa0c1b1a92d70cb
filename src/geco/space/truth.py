"""Predicates as steps for the native core, once per deployment: postfix, with a slot for each value of x.

The core makes columns of the steps, or walks them per candidate. A
comparison with a missing operand is false there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np
import numpy.typing as npt

from geco._core import Op
from geco.data.domain import Domain
from geco.data.schema import Feature
from geco.data.values import number_of
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
from geco.space.exact import ExactPredicate
from geco.space.forms import PredicateForm

ARITHMETIC = {"+": Op.ADD, "-": Op.SUBTRACT, "*": Op.MULTIPLY, "/": Op.DIVIDE}
COMPARATOR = {"=": Op.EQ, "!=": Op.NE, "<=": Op.LE, "<": Op.LT, ">=": Op.GE, ">": Op.GT}
Key = str | tuple[str, bool, int]  # a feature; or one, in days or not, and which of the two parts of its exact values
Step = tuple[Op, float, int]
Steps = tuple[npt.NDArray[np.int32], npt.NDArray[np.float64], npt.NDArray[np.int32]]


def truth_steps(form: PredicateForm, columns: Mapping[Key, int], domain: Domain) -> Steps:
    """The predicate as op codes, constants and indices: of a column, or from 1 of a value that grounding gives."""
    if form.exact is not None:
        return _arrays(_exact_steps(form.exact, columns))
    steps = _Steps(form.slots, form.predicate, columns, domain)
    match form.predicate:
        case Comparison(op, left, right):
            steps.compare(op, left, right)
        case Member(operand, values):
            for position, value in enumerate(values):
                steps.compare("=", operand, value)
                if position:
                    steps.add(Op.EITHER)
        case Between(operand, low, high):
            steps.compare(">=", operand, low)
            steps.compare("<=", operand, high)
            steps.add(Op.BOTH)
    return _arrays(steps.made)


def slot_steps(
    form: PredicateForm, columns: Mapping[Key, int], domain: Domain
) -> tuple[list[Steps], Steps | None] | None:
    """What fills the slots of a predicate, and what decides it if it compares numbers of x alone: over numbers of x.

    None where there is more to it than numbers.
    """
    if form.exact is not None or not all(isinstance(slot, Ref) or _calculates(slot, domain) for slot in form.slots):
        return None
    made = [_Steps((), form.predicate, columns, domain) for _ in form.slots]
    for steps, slot in zip(made, form.slots, strict=True):
        steps.push(slot)
    decided: _Steps | None = None
    if form.decidable and isinstance(form.predicate, Comparison):
        op, left, right = form.predicate.op, form.predicate.left, form.predicate.right
        if _calculates(left, domain) and _calculates(right, domain):
            decided = _Steps((), form.predicate, columns, domain)
            decided.compare(op, left, right)
    return [_arrays(steps.made) for steps in made], None if decided is None else _arrays(decided.made)


def _calculates(expression: Expression, domain: Domain) -> bool:
    """True if all in it are numbers."""
    match expression:
        case Number():
            return True
        case Ref(_, feature):
            return domain.schema[feature].is_number
        case Negate(operand):
            return _calculates(operand, domain)
        case Arithmetic(_, left, right):
            return _calculates(left, domain) and _calculates(right, domain)
        case _:
            return False


def _exact_steps(exact: ExactPredicate, columns: Mapping[Key, int]) -> list[Step]:
    """Per comparison: what the high parts are apart, plus what the low parts are apart, compared with 0."""
    steps: list[Step] = []
    for number, s in enumerate(exact.sums):
        for part in (0, 1):
            steps.append((Op.CONSTANT, 0.0, 2 * number + part + 1))
            steps.append((Op.NEGATE, 0.0, 0))
            for factor, feature in s.terms:
                steps.append((Op.COLUMN, 0.0, columns[feature, exact.days, part]))
                if factor != 1:
                    steps += [(Op.CONSTANT, float(factor), 0), (Op.MULTIPLY, 0.0, 0)]
                steps.append((Op.ADD, 0.0, 0))
        steps += [(Op.ADD, 0.0, 0), (Op.CONSTANT, 0.0, 0), (COMPARATOR[s.op], 0.0, 0)]
        if number:
            steps.append((Op.BOTH if exact.every else Op.EITHER, 0.0, 0))
    return steps


def _arrays(steps: Sequence[Step]) -> Steps:
    ops, constants, indices = zip(*steps, strict=True)
    return np.array(ops, np.int32), np.array(constants, np.float64), np.array(indices, np.int32)


class _Steps:
    """The steps of one predicate, in the order they are made."""

    def __init__(
        self, slots: Sequence[Expression], predicate: Predicate, columns: Mapping[Key, int], domain: Domain
    ) -> None:
        self.slots, self.columns, self.domain = slots, columns, domain
        self.context = _context(predicate, domain)
        self.made: list[Step] = []
        self._alone: dict[str, float] = {}  # texts beside no feature

    def add(self, op: Op, constant: float = 0.0, index: int = 0) -> None:
        self.made.append((op, constant, index))

    def compare(self, op: str, left: Expression, right: Expression) -> None:
        self.push(left)
        self.push(right)
        self.add(COMPARATOR[op])

    def push(self, expression: Expression) -> None:
        slot = next((i for i, known in enumerate(self.slots, 1) if known is expression), 0)
        match expression:
            case _ if slot:
                self.add(Op.CONSTANT, index=slot)
            case Ref(_, feature):
                self.add(Op.COLUMN, index=self.columns[feature])
            case Negate(operand):
                self.push(operand)
                self.add(Op.NEGATE)
            case Arithmetic(op, left, right):
                self.push(left)
                self.push(right)
                self.add(ARITHMETIC[op])
            case Number(value):
                self.add(Op.CONSTANT, float(value))
            case Text(value):
                self.add(Op.CONSTANT, self._number(value))

    def _number(self, text: str) -> float:
        if self.context is None:
            return self._alone.setdefault(text, float(len(self._alone)))
        if self.context.type != "text":  # of a date, even where D has dates only and the text has an hour
            return number_of(datetime.fromisoformat(text))
        return self.domain.number(self.context.name, text)


def _context(predicate: Predicate, domain: Domain) -> Feature | None:
    """The feature whose kind says what a text literal in the predicate means; numbers beside it are days."""
    features = (domain.schema[ref.feature] for ref in refs_of(predicate))
    return next((f for f in features if f.type in ("text", "date", "datetime")), None)
