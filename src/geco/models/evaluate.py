"""evaluate: score a Proposal. Materialize hands full feature vectors to the user's own model, through Requests; Sweep
asks its compiled form and leaves only the confirmation to the user's own.

An evaluator is a generator: where Algorithm 1 calls M it yields a Request, and whoever drives it (one explanation or
many in lock-step) has ``answer`` put all waiting requests into few calls of the user's object.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Literal

import numpy as np
import numpy.typing as npt

from geco.errors import ModelDisagreement, ModelError
from geco.models.answer import Request
from geco.models.callable import BlackBox
from geco.models.compiled import Bound, Compiled
from geco.models.encode import NotSeparable
from geco.models.meter import Budget, Clock
from geco.population.base import ASKED, Floats, Outcome, Proposal, Rows
from geco.space.feasible import FeasibleSpace
from geco.trace import Trace

DECIDED = 1e-9  # how far beyond the threshold a disagreement is not put down to rounding


class Materialize:
    """The black box way (Sec. 5.1): copy row numbers to full feature vectors, one request per round.

    x travels as the first row of the first request, which saves a call; its answer is ``x_outcome`` and ``x_number``.
    """

    lines = ASKED
    note: str | None = None

    def __init__(self, model: BlackBox, space: FeasibleSpace, budget: Budget, trace: Trace) -> None:
        self.goal, self.budget, self.trace = model.goal, budget, trace
        self.inputs = model.inputs.of(space.x)
        self.x_rows = space.x_rows
        self.x_outcome = float("nan")
        self.x_number = float("nan")
        self.not_a_number = 0
        self.stopped_by: Literal["budget", "deadline"] | None = None

    def __call__(self, proposal: Proposal) -> Generator[Request, None, Outcome]:
        first = np.isnan(self.x_outcome)
        rows = np.concatenate([*([self.x_rows] if first else []), proposal.points, proposal.lines.as_points()])
        allowed = self.budget.allow(len(rows))
        order = _spread(len(rows)) if allowed < len(rows) else slice(None)
        request = yield from self._ask(rows[order], allowed, confirming=False)
        outcome, numbers = np.empty(len(rows)), np.empty(len(rows))
        outcome[order], numbers[order] = request.outcome, request.numbers
        if request.answered < allowed:
            self.stopped_by = "deadline"
        elif allowed < len(rows):
            self.stopped_by = "budget"
        self.trace.points_scored += max(0, request.answered - first)
        if first:
            self._x_answered(request)
            outcome, numbers = outcome[1:], numbers[1:]
        n = len(proposal.points)
        return Outcome(outcome[:n], outcome[n:], numbers[:n], numbers[n:], self.x_outcome, self.x_number)

    def confirm(self, rows: Rows) -> Generator[Request, None, tuple[Floats, Floats]]:
        """Ask the user's object once more about x and the best candidates, together."""
        rows = rows[: max(0, self.budget.allow_confirmation(len(rows) + 1) - 1)]
        if not len(rows):
            return np.zeros(0), np.zeros(0)
        request = yield from self._ask(np.concatenate([self.x_rows, rows]), len(rows) + 1, confirming=True)
        return request.outcome[1:], request.numbers[1:]

    def _ask(self, rows: Rows, allowed: int, confirming: bool) -> Generator[Request, None, Request]:
        kept_rows = 0 if confirming else self.budget.kept_rows
        request = Request(self.inputs, rows, allowed, self.trace, kept_rows, confirming)
        if allowed:
            yield request
        self.budget.spend(request.answered)
        broken = np.isnan(request.outcome[: request.answered])
        if broken.any():  # an answer that is no answer is a bad one
            self.not_a_number += int(broken.sum())
            request.outcome[: request.answered][broken] = 0.0
        return request

    def _x_answered(self, request: Request) -> None:
        if request.answered:
            self.x_outcome, self.x_number = float(request.outcome[0]), float(request.numbers[0])
            if np.isnan(self.x_number):
                raise ModelError("the model returned NaN for x, so nothing can be said about it")


class Sweep(Materialize):
    """The compiled way: candidates are scored by their row numbers, lines as a whole, and no request is made.

    The clock is looked at between rounds, and time for the confirmation is kept back.
    """

    def __init__(
        self, compiled: Compiled, bound: Bound, space: FeasibleSpace, budget: Budget, trace: Trace, clock: Clock
    ) -> None:
        super().__init__(compiled.model, space, budget, trace)
        self.compiled, self.bound, self.clock = compiled, bound, clock
        self.lines = compiled.lines_cost
        self.kept_seconds = compiled.model.probe_seconds

    def __call__(self, proposal: Proposal) -> Generator[Request, None, Outcome]:
        first = np.isnan(self.x_outcome)
        if self.clock.left <= self.kept_seconds and not first:
            self.stopped_by = "deadline"
            unknown = np.full(len(proposal.points), np.nan), np.full(len(proposal.lines.rows), np.nan)
            return Outcome(*unknown, *unknown, self.x_outcome, self.x_number)
        with self.trace.lap("sweep"):
            points = np.concatenate([self.x_rows, proposal.points]) if first else proposal.points
            outcome, numbers = self.compiled.score(self.bound, points, proposal.lines)
        if first:
            self.x_outcome, self.x_number = float(outcome[0]), float(numbers[0])
            outcome, numbers = outcome[1:], numbers[1:]
        self.trace.points_scored += len(proposal)
        n = len(proposal.points)
        return Outcome(outcome[:n], outcome[n:], numbers[:n], numbers[n:], self.x_outcome, self.x_number)
        yield  # a generator like its base, though it never waits

    def confirm(self, rows: Rows) -> Generator[Request, None, tuple[Floats, Floats]]:
        """As its base; what the compiled model calls good and the user's own does not is a mistake of ours."""
        outcome, numbers = yield from super().confirm(rows)
        apart = np.flatnonzero(outcome < 0.5 - DECIDED)
        if len(apart):
            raise ModelDisagreement(
                f"the compiled model calls a candidate good that the model itself gives {numbers[apart[0]]:.6g}; "
                "give the Explainer compile=False, and please report it"
            )
        return outcome, numbers


def evaluator(
    model: BlackBox,
    compiled: Compiled | None,
    space: FeasibleSpace,
    budget: Budget,
    trace: Trace,
    clock: Clock,
) -> Materialize:
    """How candidates of this x are scored: by the compiled model if there is one and x can be put into its terms."""
    if compiled is None:
        return Materialize(model, space, budget, trace)
    bound = compiled.bind(space.own, lambda: model.inputs.of(space.x).table(space.x_rows))
    if isinstance(bound, NotSeparable):
        evaluate = Materialize(model, space, budget, trace)
        evaluate.note = f"the model was asked row by row: {bound.reason}"
        return evaluate
    compiled.thin(space)
    return Sweep(compiled, bound, space, budget, trace, clock)


def _spread(n: int) -> npt.NDArray[np.intp]:
    """An order of 0..n-1, 0 first, of which any beginning is spread evenly: a small budget reaches every group."""
    return np.argsort(np.arange(n) * ((5**0.5 - 1) / 2) % 1.0, kind="stable")
