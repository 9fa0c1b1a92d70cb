"""OnRows: a Proposal scored by the compiled model, from row numbers; the confirmation is left to the user's own."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from geco import _core
from geco.errors import ModelDisagreement
from geco.models.asking.batches import Request
from geco.models.kinds.blend import Kind
from geco.models.kinds.forest import Forest
from geco.models.scoring.base import Answers, Limit, Scorer, check_x
from geco.models.scoring.own import OwnModel
from geco.population.base import Lines, Outcome, Proposal, Rows
from geco.space.feasible import FeasibleSpace

DECIDED = 1e-9  # how far beyond the threshold a disagreement is not put down to rounding
SINGLE = 1e-6  # the same for a model that answers in float32
ROUGH = 1e-4  # the same for a network that adds in float32, in an order of its own


class OnRows:
    """The compiled way: candidates are scored by their row numbers, and no request is made but for the confirmation.

    A round that is under way when the time is over is given up; time for the confirmation is kept back.
    """

    note = None
    sweeps = True

    def __init__(
        self, scorer: Scorer, kind: Kind, own: OwnModel, standing: _core.Standing, space: FeasibleSpace
    ) -> None:
        self.scorer, self.kind, self.own, self.standing, self.space = scorer, kind, own, standing, space
        self.target = own.model.goal.words
        self.line_cost = scorer.line_cost
        self.predicted = own.predicted

    @property
    def native(self) -> _core.Scoring | None:
        return self.scorer.native

    @property
    def stopped_by(self) -> Limit | None:
        return "deadline" if self.standing.was_late else None

    @property
    def not_a_number(self) -> int:
        return self.own.not_a_number

    def __call__(self, proposal: Proposal) -> Generator[Request, None, Outcome]:
        standing, points, trace = self.standing, proposal.points, self.own.trace
        first = standing.first
        asked = np.concatenate([self.own.x_rows, points]) if first else points
        try:
            if standing.late():
                raise _core.OutOfTime
            with trace.lap(self.scorer.lap):
                outcome, numbers = self.scorer.score(asked, proposal.lines, standing.seconds)
        except _core.OutOfTime:
            standing.give_up()
            unknown = np.full(len(proposal), np.nan)
            return Outcome.of(unknown, unknown, len(points), standing)
        if first:
            standing.tell_x(outcome[0], numbers[0])
            check_x(standing)
            outcome, numbers = outcome[1:], numbers[1:]
        trace.points_scored += len(proposal)
        return Outcome.of(outcome, numbers, len(points), standing)
        yield  # a generator like every evaluator, though it never waits

    def sweep(self, lines: Lines) -> Answers | None:
        try:
            with self.own.trace.lap(self.scorer.lap):
                return self.scorer.score(self.own.x_rows[:0], lines, self.standing.seconds)
        except _core.OutOfTime:
            return None

    def confirm(self, rows: Rows, more: int = 0) -> Generator[Request, None, Answers]:
        """What the compiled model calls good and the user's own does not is a mistake of ours."""
        outcome, numbers = yield from self.own.confirm(rows)
        called_good = outcome[: len(rows) - more]
        if len(called_good) and called_good.min() < 0.5 - _rounding(self.kind):
            first = np.flatnonzero(called_good < 0.5 - _rounding(self.kind))[0]
            raise ModelDisagreement(
                f"the compiled model calls a candidate good that the model itself gives {numbers[first]:.6g}; "
                "give the Explainer compile=False, and please report it"
            )
        return outcome, numbers


def _rounding(kind: Kind) -> float:
    """How far rounding alone may take the user's answer from the compiled one."""
    if not kind.link.single:
        return DECIDED
    return SINGLE if isinstance(kind, Forest) else ROUGH
