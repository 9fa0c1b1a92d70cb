"""Materialize: a Proposal as full feature vectors, handed to the user's own model through Requests (Sec. 5.1).

An evaluator is a generator: where Algorithm 1 calls M it yields a Request, and whoever drives it (one explanation or
many in lock-step) has ``answer`` put all waiting requests into few calls of the user's object.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Literal

import numpy as np
import numpy.typing as npt

from geco.errors import ModelError
from geco.models.asking.batches import Request
from geco.models.asking.blackbox import BlackBox
from geco.models.asking.meter import Budget
from geco.population.base import ASKED, Floats, Outcome, Proposal, Rows
from geco.space.feasible import FeasibleSpace
from geco.trace import Trace


class Materialize:
    """The black box way (Sec. 5.1): copy row numbers to full feature vectors, one request per round.

    x travels as the first row of the first request, which saves a call; its answer is ``x_outcome`` and ``x_number``.
    """

    lines = ASKED
    note: str | None = None

    def __init__(self, model: BlackBox, space: FeasibleSpace, budget: Budget, trace: Trace) -> None:
        self.model, self.goal, self.budget, self.trace = model, model.goal, budget, trace
        self.inputs = model.inputs.of(space.x, space.own)
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
        request = Request(self.model, self.inputs, rows, allowed, self.trace, kept_rows, confirming)
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
            self._x_scored(request.outcome[0], request.numbers[0])

    def _x_scored(self, outcome: float, number: float) -> None:
        self.x_outcome, self.x_number = float(outcome), float(number)
        if np.isnan(self.x_number):
            raise ModelError("the model returned NaN for x, so nothing can be said about it")


def _spread(n: int) -> npt.NDArray[np.intp]:
    """An order of 0..n-1, 0 first, of which any beginning is spread evenly: a small budget reaches every group."""
    return np.argsort(np.arange(n) * ((5**0.5 - 1) / 2) % 1.0, kind="stable")
