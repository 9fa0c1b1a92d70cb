"""Sweep: whole lines scored by the compiled model."""

from __future__ import annotations

from geco import _core
from geco.models.asking.meter import Budget, Clock
from geco.models.compiling.compiled import Bound, Compiled
from geco.models.scoring.onrows import OnRows
from geco.population.base import Floats, Lines, Rows
from geco.space.feasible import FeasibleSpace
from geco.trace import Trace


class Sweep(OnRows):
    """Lines are scored as a whole, for little more than a few of their rows."""

    lap = "sweep"

    def __init__(
        self, compiled: Compiled, bound: Bound, space: FeasibleSpace, budget: Budget, trace: Trace, clock: Clock
    ) -> None:
        super().__init__(compiled, bound, space, budget, trace, clock)
        self.lines = compiled.lines_cost

    def score(self, points: Rows, lines: Lines, seconds: float) -> tuple[Floats, Floats]:
        return self.compiled.score(self.bound, points, lines, seconds)

    def swept(self, run: _core.Sweeping) -> None:
        """Take over what rounds in the native core have shown."""
        self.trace.points_scored = run.scored
        if run.out_of_time:
            self.stopped_by = "deadline"
        self._x_scored(run.x_outcome, run.x_number)
