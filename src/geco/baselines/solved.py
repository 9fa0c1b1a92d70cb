"""One x solved by MACE without row numbers: over the continuous domain answers lie off the tables of D.

Solutions are judged as raw values, by the independent check of the rules and by the user's model.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from geco.answers.candidates import Teller
from geco.answers.explanation import Counterfactual, Explanation
from geco.baselines.formula import RESERVED, Bisection, Formula, Solution
from geco.baselines.structure import OutOfTime
from geco.models.asking.meter import Clock
from geco.models.compiling.compiled import Compiled
from geco.space.check import violations
from geco.space.feasible import FeasibleSpace, feasible_space
from geco.space.ground import ground
from geco.trace import Trace

if TYPE_CHECKING:
    from geco.explainer import Explainer


class Solved:
    """One x over either domain, without row numbers: solutions are judged as raw values by the user's model."""

    def __init__(
        self,
        explainer: Explainer,
        compiled: Compiled,
        x: dict[str, Any],
        active: bool,
        epsilon: float,
        deadline: float | None,
    ) -> None:
        self.explainer, self.compiled, self.x, self.active, self.epsilon = explainer, compiled, x, active, epsilon
        self.clock = Clock(deadline)
        self.trace = Trace()
        self.found: Counterfactual | None = None
        self.stopped_by: Literal["converged", "exhausted", "deadline"] = "converged"

    def __call__(self) -> Explanation:
        outcome, number = self._asked(self.x)
        space = feasible_space(self.explainer.deployment, ground(self.x, self.explainer.deployment.rules), self.x)
        good = outcome > 0.5 and space.x_obeys
        if not good:
            self._bisect(space)
        status = "already_good" if good else "found" if self.found else "none_found"
        reasons = {
            "already_good": "x is good already and obeys every rule.",
            "found": f"Found the nearest up to {self.epsilon:g}; the solver proved the bound.",
            "none_found": "The solver proved that there is no counterfactual.",
        }
        late = self.stopped_by == "deadline"
        return Explanation(
            x=self.x,
            outcome=number,
            target=self.explainer.model.goal.words,
            status=status,  # type: ignore[arg-type]
            stopped_by=self.stopped_by,
            reason="The deadline is reached; nothing is proved." if late else reasons[status],
            counterfactuals=(self.found,) if self.found else (),
            nearest_miss=None,
            notes=(),
            trace=self.trace,
        )

    def _bisect(self, space: FeasibleSpace) -> None:
        try:
            with self.trace.lap("formula"):
                formula = Formula(space, self.explainer.deployment, self.compiled, self.active, self.clock)
        except OutOfTime:
            self.stopped_by = "deadline"
            return
        bisection = Bisection(formula, self.epsilon)
        while not bisection.narrow:
            with self.trace.lap("solve"):
                verdict = bisection.step(self.clock.left - RESERVED)
            self.trace.generations += 1
            if verdict == "unknown":
                self.stopped_by = "deadline"
                return
            if isinstance(verdict, Solution):
                if not formula.cut(verdict):
                    self._judge(formula, bisection, verdict)
            elif bisection.high == np.inf:
                self.stopped_by = "exhausted"
                return

    def _judge(self, formula: Formula, bisection: Bisection, solution: Solution) -> None:
        values = formula.values(solution)
        outcome, number = self._asked(values)
        if outcome <= 0.5 or self._broken(values):
            formula.rule_out(solution, same_groups=False)
            return
        bisection.found(solution)
        changed = [u.group for u, stays in zip(formula.unknowns, formula.stays(solution), strict=True) if not stays]
        tables = self.explainer.domain.tables
        self.found = Counterfactual(
            values=values,
            changes=tuple(action for g in changed for action in Teller.of(formula.space).actions(g, values)),
            distance=solution.distance,
            outcome=number,
            confirmed=True,
            groups=tuple(tables[g].name for g in changed),
        )

    def _asked(self, values: dict[str, Any]) -> tuple[float, float]:
        """M of any raw values: slot 0 is theirs."""
        model = self.explainer.model
        rows = np.zeros((1, len(self.explainer.domain.tables)), np.int32)
        start = perf_counter()
        outcome, numbers = model.goal.judge(model.predict(model.inputs.of(values).table(rows)))
        self.trace.model_called(1, perf_counter() - start)
        return float(outcome[0]), float(numbers[0])

    def _broken(self, values: dict[str, Any]) -> list[str]:
        """Rules broken in the independent check; values that D lacks are allowed over the continuous domain."""
        found = violations(self.explainer.program, self.explainer.domain, self.x, values)
        if self.active:
            return found
        return [text for text in found if not text.endswith("never occurs in D")]
