"""feasible_space: per group the rows that may be chosen for this x (Sec. 4.2), as columns over row numbers.

In: the Domain, C_x and x. Out: FeasibleSpace, whose native ``core`` all searches work on. Rules local to a group are
folded into its mask; rules across groups go to the core and are kept by action_cascade.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from geco import _core
from geco._core import Feasible, Kept
from geco.data.domain import Domain
from geco.errors import InternalError
from geco.space.check import Checker
from geco.space.deployment import Deployment
from geco.space.ground import GroundedRule, GroundedRules, KnownText, ground, skipped

Rows = npt.NDArray[np.int32]
BACKTRACKING_STEPS = 200_000


@dataclass(frozen=True)
class FeasibleSpace:
    """DG for one x: row numbers into the Domain's tables, slot 0 being x itself.

    Attributes
    ----------
    x : plain raw values of every feature, in the order of the schema; ``numbers`` are theirs, as the core takes them.
    rows_like_x : per group the row of its table that equals x, 0 if D has none.
    feasible : is there an allowed start?
    breaks : groups whose slot 0 is not allowed, each with the number of a local rule that x breaks.
    """

    core: _core.Space
    deployment: Deployment
    x: Mapping[str, Any]
    numbers: Sequence[float]
    rows_like_x: Sequence[int]
    feasible: Feasible
    breaks: Sequence[tuple[int, int]]
    notes: tuple[str, ...]
    given: GroundedRules | None = None  # C_x, where somebody has it

    @property
    def domain(self) -> Domain:
        return self.deployment.domain

    @property
    def check(self) -> Checker:
        return self.deployment.check

    @property
    def free(self) -> Sequence[bool]:
        """Per group: does the model read it?"""
        return self.deployment.free

    @cached_property
    def grounded(self) -> GroundedRules:
        """C_x."""
        return ground(self.x, self.deployment.rules) if self.given is None else self.given

    @cached_property
    def rules(self) -> tuple[GroundedRule, ...]:
        """Those across groups, in the core's numbering."""
        return tuple([rule for rule in self.grounded if self.deployment.local[rule.number] < 0])

    @cached_property
    def broken(self) -> Mapping[int, GroundedRule]:
        """Per group whose slot 0 is not allowed: a local rule that x breaks."""
        by_number = {rule.number: rule for rule in self.grounded} if self.breaks else {}
        return {group: by_number[number] for group, number in self.breaks}

    @cached_property
    def x_obeys(self) -> bool:
        """True if x itself breaks no rule."""
        return self.core.x_obeys

    @property
    def x_rows(self) -> Rows:
        return np.zeros((1, len(self.rows_like_x)), np.int32)

    def thinned(self, core: _core.Space) -> FeasibleSpace:
        """The same with fewer rows to choose from; as quick as can be, for every x of a batch is thinned."""
        made = object.__new__(FeasibleSpace)
        made.__dict__.update(self.__dict__, core=core)
        return made

    def values(self, rows: Rows) -> dict[str, Any]:
        """The raw features of one candidate."""
        values = dict(self.x)
        numbers = rows.tolist()
        for group in rows.nonzero()[0].tolist():
            table, row = self.domain.tables[group], numbers[group]
            for f in table.features:
                values[f] = table.values[f][row]
        return values

    def checked(self, values: Mapping[str, Any]) -> None:
        """Nothing that breaks a rule is ever returned: the independent check must agree with the search."""
        broken = self.check(self.x, values, self._broken_by_x)
        if broken:
            raise InternalError(
                f"the search and the check disagree, so no answer is given: {broken[0]}; this is a fault of geco and "
                "not yours, please report it with the rules and the columns that they name"
            )

    @cached_property
    def _broken_by_x(self) -> frozenset[int]:
        return self.check.broken_by(self.x)


def feasible_space(
    deployment: Deployment,
    grounded: GroundedRules,
    x: Mapping[str, Any],
    seconds: float = math.inf,
    known: Sequence[float] | None = None,
) -> FeasibleSpace:
    """Compute DG for x.

    Parameters
    ----------
    deployment : Domain, checked program and distance.
    grounded : C_x, from all rules of that program.
    x : plain raw values of every feature, in the order of the schema.
    seconds : how long to look for a start where x itself is none and the nearest repairs fail.
    known : the numbers of x, feature by feature, if somebody has them.
    """
    constants = [
        deployment.domain.number(c.feature, c.value) if isinstance(c, KnownText) else float(c)
        for rule in grounded.rules
        for c in rule.constants
    ]
    numbers = deployment.numbers(x) if known is None else [*known, *deployment.parts(x)]
    rules = [rule.number for rule in grounded.rules]
    kept = b"".join([rule.kept for rule in grounded.rules])
    core, like_x, broken, empty, feasible = deployment.core.space(
        numbers, rules, kept, constants, BACKTRACKING_STEPS, seconds
    )
    missing = [rule.number for rule in grounded if rule.kept[-1] == Kept.MISSING]
    notes = (*deployment.distance.notes, *grounded.notes, *_without_choice(deployment, rules, missing, empty))
    return FeasibleSpace(core, deployment, x, numbers, like_x, feasible, broken, notes, grounded)


def space_of_x(
    deployment: Deployment, x: Mapping[str, Any], numbers: Sequence[float], seconds: float = math.inf
) -> FeasibleSpace:
    """``feasible_space(deployment, ground(x, deployment.rules), x, seconds, numbers)``, in one step where it can be."""
    grounds = deployment.grounds
    made = None if grounds is None else deployment.core.ground_space(grounds, numbers, BACKTRACKING_STEPS, seconds)
    if made is None:
        return feasible_space(deployment, ground(x, deployment.rules), x, seconds, numbers)
    core, like_x, broken, empty, feasible, rules, missing, without = made
    notes = deployment.distance.notes
    if without or empty:
        left_out = [skipped(deployment.rules[rule], deployment.features[feature]) for rule, feature in without]
        notes = (*notes, *left_out, *_without_choice(deployment, rules, missing, empty))
    return FeasibleSpace(core, deployment, x, numbers, like_x, feasible, broken, notes)


def _without_choice(
    deployment: Deployment, rules: Sequence[int], missing: Sequence[int], empty: Sequence[int]
) -> Iterator[str]:
    """A note for every group left with no row, unless a rule of one direction says so: then it is expected.

    ``rules`` are those of C_x, by number, and ``missing`` those of them that ask that a feature stays missing.
    """
    local, forms = deployment.local, deployment.rules
    meant = {local[r] for r in rules if forms[r].one_way} | {local[r] for r in missing} if empty else ()
    for group in empty:
        table = deployment.domain.tables[group]
        if table.rows > 1 and group not in meant:
            why = "its rules, steps, min_support and missing values leave none"
            yield f"no value of {table.name!r} may be chosen for this x: {why}"
