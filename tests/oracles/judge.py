"""Explanations judged without the search: the rules by two checkers, the distance by Eq. 2, the outcome by the model.

In: a problem, its explainer and the explanations of some x. Out: the faults of each, in words; none is what we want.
What an explanation says about outcomes is collected as claims, so that the model is asked once for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import copysign, isclose, isfinite
from typing import Any

import geco
from generators.edges import as_columns_have_it
from strategies import Problem

from .brute import as_frame
from .distance import Distance
from .exact import FARTHEST
from .rules import Values, as_program, groups_of, row_of, type_faults, violations

# The one thing a method may say instead of an answer: MACE has no formula for what it never saw.
REFUSED = "MACE cannot put x into the model's terms"


@dataclass(frozen=True)
class Claim:
    """What an explanation says or implies: the model calls these values good, or bad; ``fault`` if it does not."""

    values: Values
    good: bool
    fault: str


@dataclass(frozen=True)
class Judge:
    """Who judges the explanations of one problem."""

    problem: Problem
    explainer: geco.Explainer
    distance: Distance
    irreducible: bool = True  # does the method promise it?
    sets: bool = True  # at most one answer per set of changed groups?

    def faults(self, xs: Sequence[Values], explanations: Sequence[geco.Explanation]) -> list[list[str]]:
        """The faults of each explanation."""
        pairs = [(as_columns_have_it(x, self.problem.frame), e) for x, e in zip(xs, explanations, strict=True)]
        faults = [list(self._seen_without_model(x, e)) for x, e in pairs]
        claims = [(i, claim) for i, (x, e) in enumerate(pairs) for claim in self._claims(x, e)]
        good = self._good([claim.values for _, claim in claims])
        for (i, claim), answer in zip(claims, good, strict=True):
            if answer != claim.good:
                faults[i].append(claim.fault)
        return faults

    def _seen_without_model(self, x: Values, explanation: geco.Explanation) -> Iterator[str]:
        answers = explanation.counterfactuals
        yield from _form_faults(explanation, self.sets)
        for cf in (*answers, *_miss(explanation)):
            yield from self._value_faults(x, cf)
        for cf in answers:
            changed = self._changed(x, cf)
            if not changed:
                yield "an answer equals x"
            if len(changed) != len(cf.groups):
                yield f"changed groups are {changed}, not {cf.groups}"
        if explanation.status == "already_good" and self._broken(x, x):
            yield "said already_good, but x breaks a rule"

    def _value_faults(self, x: Values, cf: geco.Counterfactual) -> Iterator[str]:
        yield from (f"explainer.check: {text}" for text in self.explainer.check(x, cf.values))
        values = as_columns_have_it(cf.values, self.problem.frame)
        yield from self._broken(x, values)
        # An unchanged feature keeps x's own value, whatever its type; None stands in for it.
        own = {f: None for f in self.problem.frame.columns if f in values and values[f] == x[f]}
        yield from type_faults(cf.values | own, self.problem.frame)
        yield from self._sign_faults(x, values)
        true = self.distance(x, values)
        if not isclose(true, min(cf.distance, FARTHEST), rel_tol=1e-9, abs_tol=1e-9):
            yield f"distance is {true}, not {cf.distance}"
        if not isfinite(cf.distance):
            yield f"the distance {cf.distance} is not a number"

    def _sign_faults(self, x: Values, values: Values) -> Iterator[str]:
        """-0.0 and 0.0 are equal, but a model may tell them apart: what is shown must be D's or x's own."""
        for feature, value in values.items():
            if isinstance(value, float) and value == 0 and self.problem.frame[feature].dtype.kind == "f":
                column = self.problem.frame[feature]
                known = {copysign(1, v) for v in column[column == 0]} | {copysign(1, x[feature] or value)}
                if copysign(1, value) not in known:
                    yield f"{feature} = {value} has lost its sign"

    def _claims(self, x: Values, explanation: geco.Explanation) -> Iterator[Claim]:
        for cf in explanation.counterfactuals:
            yield Claim(cf.values, True, f"the model says bad to {cf.values}")
            if self.irreducible:  # before values are rounded
                yield from self._irreducible(x, cf.unrounded or cf)
        for cf in _miss(explanation):
            yield Claim(cf.values, False, f"the model says good to {cf.values}")
        if explanation.status == "already_good":
            yield Claim(x, True, "said already_good, but x is bad")
        elif not self._broken(x, x):
            yield Claim(x, False, f"said {explanation.status}, but x is good and obeys every rule")

    def _irreducible(self, x: Values, cf: geco.Counterfactual) -> Iterator[Claim]:
        """Undoing any single change must lose the good outcome or break a rule."""
        changed = self._changed(x, cf)
        for group in changed if len(changed) > 1 else []:
            undone = cf.values | {f: x[f] for f in group}
            if not self._broken(x, undone):
                yield Claim(undone, False, f"the change of {group} can be undone")

    def _changed(self, x: Values, cf: geco.Counterfactual) -> list[tuple[str, ...]]:
        groups = groups_of(as_program(self.problem.program), self.problem.frame.columns)
        return [g for g in groups if row_of(cf.values, g) != row_of(x, g)]

    def _broken(self, x: Values, x_cf: Values) -> list[str]:
        return violations(self.problem.program, x, x_cf, self.problem.frame)

    def _good(self, rows: Sequence[Values]) -> list[bool]:
        if not rows:
            return []
        return [bool(good) for good in self.problem.outcome(as_frame(rows, self.problem.frame)) > 0.5]


def _form_faults(explanation: geco.Explanation, sets: bool) -> Iterator[str]:
    """What is wrong with an explanation whatever the problem was."""
    answers = explanation.counterfactuals
    if explanation.status == "failed" and not explanation.reason.startswith(REFUSED):
        yield f"failed: {explanation.reason}"
    if (explanation.status == "found") != bool(answers):
        yield f"status {explanation.status} with {len(answers)} answers"
    if not explanation.reason:
        yield "no reason given"
    if sets and len({cf.groups for cf in answers}) < len(answers):
        yield "two answers change the same groups"
    distances = [(cf.unrounded or cf).distance for cf in answers]  # nothing is sorted anew by rounding
    if distances != sorted(distances):
        yield "answers are not in order of distance"


def _miss(explanation: geco.Explanation) -> list[Any]:
    return [explanation.nearest_miss] if explanation.nearest_miss else []
