"""PLAF rules as clauses of MACE's formula.

The steps are those that the native core walks (space/truth.py), so that a rule means the same to both.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from geco._core import Kept, Op
from geco.baselines.unknowns import Position, Term, Value, exact
from geco.space.deployment import Deployment
from geco.space.feasible import FeasibleSpace
from geco.space.forms import PredicateForm
from geco.space.ground import GroundedRule, KnownText, ground
from geco.space.truth import ARITHMETIC, Key, truth_steps


def clauses(z3: Any, space: FeasibleSpace, deployment: Deployment, unknowns: Sequence[Value | Position]) -> list[Any]:
    """Every rule of C_x that the lists of allowed rows do not keep already."""
    kept = []
    for rule in ground(space.x, deployment.rules):
        local = deployment.local[rule.number]
        if local >= 0 and not _about_any_value(unknowns[local]):
            continue
        kept.append(_Clause(z3, space, deployment, unknowns, rule).formula())
    return kept


def _about_any_value(unknown: Value | Position) -> bool:
    return isinstance(unknown, Value) and unknown.numbers is None


class _Clause:
    """One grounded rule."""

    def __init__(
        self,
        z3: Any,
        space: FeasibleSpace,
        deployment: Deployment,
        unknowns: Sequence[Value | Position],
        rule: GroundedRule,
    ) -> None:
        self.z3, self.domain, self.unknowns, self.rule = z3, space.domain, unknowns, rule
        self.columns, self.keys = deployment.columns, tuple(deployment.columns)
        self.constants = [
            self.domain.number(c.feature, c.value) if isinstance(c, KnownText) else float(c) for c in rule.constants
        ]

    def formula(self) -> Any:
        """IF all antecedents THEN the consequent."""
        *antecedents, consequent = (*self.rule.form.antecedents, self.rule.form.consequent)
        states = self.rule.kept
        taken, before = 0, []
        for form, state in zip(antecedents, states, strict=False):
            if state != Kept.DROPPED:
                before.append(self._holds(form, taken))
                taken += form.width
        if states[-1] == Kept.MISSING:
            [feature] = consequent.features
            after = self.z3.Not(self._bool(self._term(feature).known))
        else:
            after = self._holds(consequent, taken)
        return self.z3.Implies(self.z3.And(*before), after) if before else after

    def _holds(self, form: PredicateForm, taken: int) -> Any:
        """The predicate's steps, walked with terms instead of numbers; its constants begin at ``taken``."""
        stack: list[Any] = []
        for op, value, index in zip(*truth_steps(form, self.columns, self.domain), strict=True):
            if op == Op.CONSTANT:
                stack.append(self._constant(self.constants[taken + index - 1] if index else float(value)))
            elif op == Op.COLUMN:
                stack.append(self._term(self.keys[index]))
            elif op == Op.NEGATE:
                term = stack.pop()
                stack.append(Term(-term.number, term.known))
            else:
                right, left = stack.pop(), stack.pop()
                stack.append(self._joined(Op(op), left, right))
        return stack.pop()

    def _joined(self, op: Op, left: Any, right: Any) -> Any:
        if op not in _OPERATIONS:
            return (self.z3.And if op is Op.BOTH else self.z3.Or)(left, right)
        known = self.z3.And(self._bool(left.known), self._bool(right.known))
        if op is Op.DIVIDE:
            known = self.z3.And(known, right.number != 0)
        joined = _OPERATIONS[op](left.number, right.number)
        return Term(joined, known) if op in ARITHMETIC.values() else self.z3.And(known, joined)

    def _constant(self, number: float) -> Term:
        return Term(exact(self.z3, 0.0 if number != number else number), number == number)

    def _term(self, key: Key) -> Term:
        feature = key if isinstance(key, str) else key[0]
        term = self.unknowns[self.domain.group_of[feature]].term(self.z3, key)
        return Term(self.z3.ToReal(term.number) if self.z3.is_int(term.number) else term.number, term.known)

    def _bool(self, known: Any) -> Any:
        return self.z3.BoolVal(known) if isinstance(known, bool) else known


_OPERATIONS: dict[Op, Callable[[Any, Any], Any]] = {
    Op.ADD: operator.add,
    Op.SUBTRACT: operator.sub,
    Op.MULTIPLY: operator.mul,
    Op.DIVIDE: operator.truediv,
    Op.EQ: operator.eq,
    Op.NE: operator.ne,
    Op.LE: operator.le,
    Op.LT: operator.lt,
    Op.GE: operator.ge,
    Op.GT: operator.gt,
}
