"""Predicates as steps for the native core, once per deployment: postfix, with a place for each value of x.

Op codes are those of native/core/space.hpp; the core makes columns of the steps, or walks them per candidate. A
comparison with a missing operand is false there.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import numpy as np
import numpy.typing as npt

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
from geco.space.forms import PredicateForm

CONSTANT, COLUMN, NEGATE = 0, 1, 6
ARITHMETIC = {"+": 2, "-": 3, "*": 4, "/": 5}
COMPARATOR = {"=": 7, "!=": 8, "<=": 9, "<": 10, ">=": 11, ">": 12}
BOTH, EITHER = 13, 14
Steps = tuple[npt.NDArray[np.int32], npt.NDArray[np.float64], npt.NDArray[np.int32]]


def truth_steps(form: PredicateForm, columns: Mapping[str, int], domain: Domain) -> Steps:
    """The predicate as op codes, constants and indices: of a column, or from 1 of a value that grounding gives."""
    steps: list[tuple[int, float, int]] = []
    predicate, context = form.predicate, _context(form.predicate, domain)
    alone: dict[str, float] = {}  # texts beside no feature

    def push(expression: Expression) -> None:
        slot = next((i for i, known in enumerate(form.slots, 1) if known is expression), 0)
        match expression:
            case _ if slot:
                steps.append((CONSTANT, 0.0, slot))
            case Ref(_, feature):
                steps.append((COLUMN, 0.0, columns[feature]))
            case Negate(operand):
                push(operand)
                steps.append((NEGATE, 0.0, 0))
            case Arithmetic(op, left, right):
                push(left)
                push(right)
                steps.append((ARITHMETIC[op], 0.0, 0))
            case Number(value):
                steps.append((CONSTANT, float(value), 0))
            case Text(value):
                steps.append((CONSTANT, number(value), 0))

    def number(text: str) -> float:
        if context is None:
            return alone.setdefault(text, float(len(alone)))
        if context.type != "text":  # of a date, even where D has dates only and the text has an hour
            return number_of(datetime.fromisoformat(text))
        return domain.number(context.name, text)

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
    ops, constants, indices = zip(*steps, strict=True)
    return np.array(ops, np.int32), np.array(constants, np.float64), np.array(indices, np.int32)


def _context(predicate: Predicate, domain: Domain) -> Feature | None:
    """The feature whose kind says what a text literal in the predicate means; numbers beside it are days."""
    features = (domain.schema[ref.feature] for ref in refs_of(predicate))
    return next((f for f in features if f.type in ("text", "date", "datetime")), None)
