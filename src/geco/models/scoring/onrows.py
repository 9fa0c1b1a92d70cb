"""OnRows: a Proposal scored by the compiled model, from row numbers; the confirmation is left to the user's own."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Generator

import numpy as np

from geco import _core
from geco.errors import ModelDisagreement
from geco.models.asking.batches import Request
from geco.models.asking.meter import Budget, Clock
from geco.models.compiling.compiled import Bound, Compiled
from geco.models.kinds.blend import Kind
from geco.models.kinds.forest import Forest
from geco.models.scoring.materialize import Materialize
from geco.population.base import Floats, Lines, Outcome, Proposal, Rows
from geco.space.feasible import FeasibleSpace
from geco.trace import Trace

DECIDED = 1e-9  # how far beyond the threshold a disagreement is not put down to rounding
SINGLE = 1e-6  # the same for a model that answers in float32
ROUGH = 1e-4  # the same for a network that adds in float32, in an order of its own


class OnRows(Materialize, ABC):
    """The compiled way: candidates are scored by their row numbers, and no request is made but for the confirmation.

    A round that is under way when the time is over is given up; time for the confirmation is kept back.
    """

    lap: str

    def __init__(
        self, compiled: Compiled, bound: Bound, space: FeasibleSpace, budget: Budget, trace: Trace, clock: Clock
    ) -> None:
        super().__init__(compiled.model, space, budget, trace)
        self.compiled, self.bound, self.clock = compiled, bound, clock
        self.kept_seconds = compiled.model.probe_seconds

    @property
    def seconds(self) -> float:
        """That are left for all but the confirmation."""
        return self.clock.left - self.kept_seconds

    def __call__(self, proposal: Proposal) -> Generator[Request, None, Outcome]:
        first = np.isnan(self.x_outcome)
        points = np.concatenate([self.x_rows, proposal.points]) if first else proposal.points
        seconds = math.inf if first else self.seconds  # of x itself something must be known, however late it is
        try:
            if seconds <= 0:
                raise _core.OutOfTime
            with self.trace.lap(self.lap):
                outcome, numbers = self.score(points, proposal.lines, seconds)
        except _core.OutOfTime:
            self.stopped_by = "deadline"
            unknown = np.full(len(proposal.points), np.nan), np.full(len(proposal.lines.rows), np.nan)
            return Outcome(*unknown, *unknown, self.x_outcome, self.x_number)
        if first:
            self._x_scored(outcome[0], numbers[0])
            outcome, numbers = outcome[1:], numbers[1:]
        self.trace.points_scored += len(proposal)
        n = len(proposal.points)
        return Outcome(outcome[:n], outcome[n:], numbers[:n], numbers[n:], self.x_outcome, self.x_number)
        yield  # a generator like its base, though it never waits

    @abstractmethod
    def score(self, points: Rows, lines: Lines, seconds: float) -> tuple[Floats, Floats]:
        """Outcome and the model's own number for points and then every row of every line.

        Raises ``_core.OutOfTime`` where that takes much longer than ``seconds``.
        """

    def confirm(self, rows: Rows) -> Generator[Request, None, tuple[Floats, Floats]]:
        """As its base; what the compiled model calls good and the user's own does not is a mistake of ours."""
        outcome, numbers = yield from super().confirm(rows)
        apart = np.flatnonzero(outcome < 0.5 - _rounding(self.compiled.kind))
        if len(apart):
            raise ModelDisagreement(
                f"the compiled model calls a candidate good that the model itself gives {numbers[apart[0]]:.6g}; "
                "give the Explainer compile=False, and please report it"
            )
        return outcome, numbers


def _rounding(kind: Kind) -> float:
    """How far rounding alone may take the user's own answer from the compiled one."""
    if not kind.link.single:
        return DECIDED
    return SINGLE if isinstance(kind, Forest) else ROUGH
