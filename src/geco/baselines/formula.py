"""MACE's formula for one x: the model says yes, every rule holds, and x_cf is no farther than a bound.

``Bisection`` narrows the bound: what the solver finds brings it down, what it proves impossible brings it up.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import numpy as np

from geco.baselines.clauses import clauses
from geco.baselines.structure import Structure, affine, value_columns
from geco.baselines.unknowns import Position, PrivateContext, Value, bounds, exact, may_be_value, unknowns
from geco.errors import ModelError
from geco.models.compiling.compiled import Compiled
from geco.models.compiling.encode import NotSeparable
from geco.population.base import Rows
from geco.search.base import Ticking
from geco.space.deployment import Deployment
from geco.space.feasible import FeasibleSpace

LARGEST = Fraction(sys.float_info.max)
RESERVED = 0.02  # seconds before the deadline at which the solver stops


class Solution(NamedTuple):
    """What the solver chose: per group a value or a position in its list of rows."""

    chosen: tuple[Fraction, ...]
    distance: float


Verdict = Solution | Literal["none", "unknown"]


class Formula:
    """Everything but the bound, given to z3 once."""

    def __init__(
        self, space: FeasibleSpace, deployment: Deployment, compiled: Compiled, active: bool, clock: Ticking
    ) -> None:
        self.z3, self.space = PrivateContext(), space
        encoding = compiled.encoding
        encoded = encoding.of(space.rows_like_x, space.x, lambda: compiled.model.inputs.of(space.x).table(space.x_rows))
        if isinstance(encoded, NotSeparable):
            raise ModelError(f"MACE cannot put x into the model's terms: {encoded.reason}")
        lines = [
            affine(space, encoding, g) if may_be_value(space, deployment, g) else None for g in range(space.core.width)
        ]
        as_value = [
            line is not None and value_columns(compiled.kind, [int(c) for c in encoding.columns[g]])
            for g, line in enumerate(lines)
        ]
        self.unknowns = unknowns(self.z3, space, deployment, as_value, active)
        self.solver = self.z3.Solver()
        self.possible = all(len(u.rows) > 0 for u in self.unknowns if isinstance(u, Position))
        for unknown in self.unknowns:
            self.solver.add(*bounds(self.z3, unknown))
        self.solver.add(*Structure(self.z3, compiled, encoded, self.unknowns, lines, clock).good())
        self.solver.add(*clauses(self.z3, space, deployment, self.unknowns))
        self.total = self._total()
        self.solver.add(self.total >= 0, self._changed())

    def _total(self) -> Any:
        costs = [unknown.cost(self.z3) for unknown in self.unknowns]
        for _, conditions in costs:
            self.solver.add(*conditions)
        return self.z3.Sum([cost for cost, _ in costs])

    def _changed(self) -> Any:
        """x itself is not a candidate."""
        return self.z3.Or(*[self.z3.Not(self._stays(u)) for u in self.unknowns])

    def _stays(self, unknown: Value | Position) -> Any:
        if isinstance(unknown, Value):
            return unknown.unknown == exact(self.z3, unknown.x)
        return unknown.unknown == 0 if len(unknown.rows) and unknown.rows[0] == 0 else self.z3.BoolVal(False)

    def within(self, bound: float, seconds: float) -> Verdict:
        """A solution at most so far away, a proof that there is none, or neither in the time given."""
        if not self.possible:
            return "none"
        self.solver.push()
        try:
            if bound < np.inf:
                self.solver.add(self.total <= exact(self.z3, bound))
            return self._solved(seconds)
        finally:
            self.solver.pop()

    def _solved(self, seconds: float) -> Verdict:
        # Never 0, which z3 takes for no limit; its own largest number where there is no deadline.
        self.solver.set("timeout", int(max(1.0, min(1000 * seconds, 4e9))))
        verdict = self.solver.check()
        if verdict == self.z3.sat:
            return self._solution(self.solver.model())
        return "none" if verdict == self.z3.unsat else "unknown"

    def _solution(self, model: Any) -> Solution:
        chosen = tuple(_fraction(model.eval(u.unknown, model_completion=True)) for u in self.unknowns)
        distance = sum(
            u.distance(at) if isinstance(u, Value) else Fraction(float(u.costs[int(at)]))
            for u, at in zip(self.unknowns, chosen, strict=True)
        )
        return Solution(chosen, float(min(distance, LARGEST)))

    def cut(self, solution: Solution) -> bool:
        """Rule out the gaps of the active domain that the solution lies in; False if it lies in none."""
        cuts = [u.cut(self.z3, at) for u, at in self._values(solution)]
        self.solver.add(*[cut for cut in cuts if cut is not None])
        return any(cut is not None for cut in cuts)

    def rule_out(self, solution: Solution, same_groups: bool) -> None:
        """Rule this solution out; with ``same_groups`` everything that changes the same groups."""
        pairs = list(zip(self.unknowns, solution.chosen, strict=True))
        if same_groups:
            stay = self.stays(solution)
            self.solver.add(
                self.z3.Or(
                    *[self._stays(u) != self.z3.BoolVal(stays) for (u, _), stays in zip(pairs, stay, strict=True)]
                )
            )
        else:
            self.solver.add(self.z3.Or(*[u.unknown != exact(self.z3, at) for u, at in pairs]))

    def stays(self, solution: Solution) -> list[bool]:
        """Per group: is it as in x?"""
        return [
            at == u.x if isinstance(u, Value) else int(u.rows[int(at)]) == 0
            for u, at in zip(self.unknowns, solution.chosen, strict=True)
        ]

    def rows(self, solution: Solution) -> Rows:
        """The solution as a candidate; over the active domain."""
        return np.array(
            [
                u.row(at) if isinstance(u, Value) else u.rows[int(at)]
                for u, at in zip(self.unknowns, solution.chosen, strict=True)
            ],
            np.int32,
        )

    def values(self, solution: Solution) -> dict[str, Any]:
        """The solution in raw values."""
        values = dict(self.space.x)
        for unknown, at in zip(self.unknowns, solution.chosen, strict=True):
            if isinstance(unknown, Value):
                if at != unknown.x:
                    values[unknown.feature] = int(at) if unknown.whole else float(at)
            elif row := int(unknown.rows[int(at)]):
                table = self.space.domain.tables[unknown.group]
                values.update({f: table.values[f][row] for f in table.features})
        return values

    def _values(self, solution: Solution) -> list[tuple[Value, Fraction]]:
        pairs = zip(self.unknowns, solution.chosen, strict=True)
        return [(u, at) for u, at in pairs if isinstance(u, Value)]


class Bisection:
    """The bounds of the nearest solution's distance, narrowed until they are ``epsilon`` apart.

    Far away, where floats lie farther apart than ``epsilon``, until no float is left between them.
    """

    def __init__(self, formula: Formula, epsilon: float) -> None:
        self.formula, self.epsilon = formula, epsilon
        self.low, self.high = 0.0, np.inf
        self.asked = np.inf

    @property
    def narrow(self) -> bool:
        gap = self.high - self.low
        return gap <= self.epsilon or (gap < np.inf and not self.low < self._middle() < self.high)

    def step(self, seconds: float) -> Verdict:
        """Ask the solver half-way; before anything is known, for any solution at all."""
        self.asked = self._middle()
        verdict = self.formula.within(self.asked, seconds)
        if verdict == "none":
            self.low = self.asked
        return verdict

    def found(self, solution: Solution) -> None:
        """The solution is what it seemed to be, so nothing farther is of interest.

        It obeys the bound it was asked for, which its distance as a float may exceed by rounding.
        """
        self.high = min(self.high, self.asked, solution.distance)

    def _middle(self) -> float:
        return np.inf if self.high == np.inf else self.low + (self.high - self.low) / 2


def _fraction(value: Any) -> Fraction:
    return Fraction(value.as_fraction() if hasattr(value, "as_fraction") else value.as_long())
