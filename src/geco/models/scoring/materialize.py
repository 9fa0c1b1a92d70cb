"""Materialize: a Proposal as full feature vectors, handed to the user's model through Requests (Sec. 5.1)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import numpy.typing as npt

from geco import _core
from geco.models.asking.batches import Request
from geco.models.scoring.base import Answers, Limit, check_x
from geco.models.scoring.own import OwnModel
from geco.population.base import ASKED, Lines, Outcome, Proposal, Rows
from geco.space.feasible import FeasibleSpace


class Materialize:
    """The black box way: copy row numbers to full feature vectors, one request per round.

    x travels as the first row of the first request, which saves a call.
    """

    line_cost = ASKED
    native = None
    sweeps = False

    def __init__(self, own: OwnModel, standing: _core.Standing, space: FeasibleSpace, note: str | None = None) -> None:
        self.own, self.standing, self.space, self.note = own, standing, space, note
        self.target = own.model.goal.words
        self.stopped_by: Limit | None = None

    @property
    def not_a_number(self) -> int:
        return self.own.not_a_number

    def __call__(self, proposal: Proposal) -> Generator[Request, None, Outcome]:
        own, first = self.own, self.standing.first
        rows = np.concatenate([*([own.x_rows] if first else []), proposal.points, proposal.lines.as_points()])
        allowed = own.budget.allow(len(rows))
        order = _spread(len(rows)) if allowed < len(rows) else slice(None)
        request = yield from own.ask(rows[order], allowed, confirming=False)
        outcome, numbers = np.empty(len(rows)), np.empty(len(rows))
        outcome[order], numbers[order] = request.outcome, request.numbers
        if request.answered < allowed:
            self.stopped_by = "deadline"
        elif allowed < len(rows):
            self.stopped_by = "budget"
        own.trace.points_scored += max(0, request.answered - first)
        if first:
            self._x_answered(request)
            outcome, numbers = outcome[1:], numbers[1:]
        return Outcome.of(outcome, numbers, len(proposal.points), self.standing)

    def sweep(self, lines: Lines) -> Answers | None:
        return None

    def predicted(self, row: Rows) -> Any:
        return self.own.predicted(row)

    def confirm(self, rows: Rows, more: int = 0) -> Generator[Request, None, Answers]:
        return (yield from self.own.confirm(rows))

    def _x_answered(self, request: Request) -> None:
        if request.answered:
            self.standing.tell_x(request.outcome[0], request.numbers[0])
            check_x(self.standing)


def _spread(n: int) -> npt.NDArray[np.intp]:
    """An order of 0..n-1, 0 first, of which any beginning is spread evenly: a small budget reaches every group."""
    return np.argsort(np.arange(n) * ((5**0.5 - 1) / 2) % 1.0, kind="stable")
