"""Truth of grounded predicates over the rows of group tables, as columns or as steps for the native core.

A predicate that mentions one group is a column of that group's table. One that mentions several becomes postfix steps
over number columns, in the op codes of native/core/space.hpp. A comparison with a missing operand is false.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.data.domain import Domain
from geco.plaf.syntax import Arithmetic, Between, Comparison, Expression, Member, Negate, Number, Ref, Text
from geco.space.ground import CALCULATE, COMPARE, GroundPredicate, IsMissing, KnownText

Floats = npt.NDArray[np.float64]
CONSTANT, COLUMN, NEGATE = 0, 1, 6
ARITHMETIC = {"+": 2, "-": 3, "*": 4, "/": 5}
COMPARATOR = {"=": 7, "!=": 8, "<=": 9, "<": 10, ">=": 11, ">": 12}
BOTH, EITHER = 13, 14


def truth_column(predicate: GroundPredicate, column: Callable[[str], Floats], domain: Domain) -> npt.NDArray[np.bool_]:
    """Per row of the one group mentioned: does the predicate hold?"""
    if isinstance(predicate, IsMissing):
        return np.isnan(column(predicate.feature))
    context = _context(predicate)
    with np.errstate(all="ignore"):
        match predicate:
            case Comparison(op, left, right):
                a, b = (_numbers(side, column, domain, context) for side in (left, right))
                return _known(COMPARE[op](a, b), a, b)
            case Member(operand, values):
                a = _numbers(operand, column, domain, context)
                return np.logical_or.reduce([a == _numbers(v, column, domain, context) for v in values])  # type: ignore[no-any-return]
            case Between(operand, low, high):
                a, lo, hi = (_numbers(part, column, domain, context) for part in (operand, low, high))
                return _known((a >= lo) & (a <= hi), a, lo, hi)


def truth_steps(
    predicate: GroundPredicate, column_index: Callable[[str], int], domain: Domain
) -> tuple[npt.NDArray[np.int32], Floats, npt.NDArray[np.int32]]:
    """The predicate as postfix steps: op codes, constants, column indices."""
    assert not isinstance(predicate, IsMissing), "mentions one feature, so it is a column"
    steps: list[tuple[int, float, int]] = []
    context = _context(predicate)

    def push(expression: Expression) -> None:
        match expression:
            case Ref(_, feature):
                steps.append((COLUMN, 0.0, column_index(feature)))
            case Negate(operand):
                push(operand)
                steps.append((NEGATE, 0.0, 0))
            case Arithmetic(op, left, right):
                push(left)
                push(right)
                steps.append((ARITHMETIC[op], 0.0, 0))
            case Number() | Text():
                steps.append((CONSTANT, _constant(expression, domain, context), 0))

    def compare(op: str, left: Expression, right: Expression) -> None:
        push(left)
        push(right)
        steps.append((COMPARATOR[op], 0.0, 0))

    match predicate:
        case Comparison(op, left, right):
            compare(op, left, right)
        case Member(operand, values):
            for position, value in enumerate(values):
                compare("=", operand, value)
                if position:
                    steps.append((EITHER, 0.0, 0))
        case Between(operand, low, high):
            compare(">=", operand, low)
            compare("<=", operand, high)
            steps.append((BOTH, 0.0, 0))
    ops, values_, indices = zip(*steps, strict=True)
    return np.array(ops, np.int32), np.array(values_, np.float64), np.array(indices, np.int32)


def _known(truth: Any, *operands: Any) -> npt.NDArray[np.bool_]:
    for operand in operands:
        truth = truth & ~np.isnan(operand)
    return truth  # type: ignore[no-any-return]


def _numbers(expression: Expression, column: Callable[[str], Floats], domain: Domain, context: str | None) -> Any:
    match expression:
        case Ref(_, feature):
            return column(feature)
        case Negate(operand):
            return -_numbers(operand, column, domain, context)
        case Arithmetic(op, left, right):
            a, b = (_numbers(side, column, domain, context) for side in (left, right))
            return CALCULATE[op](a, np.where(b == 0, np.nan, b)) if op == "/" else CALCULATE[op](a, b)
        case _:
            return np.float64(_constant(expression, domain, context))


def _constant(expression: Expression, domain: Domain, context: str | None) -> float:
    match expression:
        case KnownText(value):
            return domain.number(expression.feature, value)
        case Text(value):
            assert context is not None, "the checker lets text stand only beside a feature"
            return domain.number(context, value)
        case Number(value):
            return float(value)
        case _:
            raise AssertionError(expression)


def _context(predicate: Any) -> str | None:
    """The feature whose kind says what a text literal in the predicate means."""
    for part in ("left", "right", "operand", "low", "high"):
        side = getattr(predicate, part, None)
        if isinstance(side, Ref | KnownText):
            return side.feature
    return None
