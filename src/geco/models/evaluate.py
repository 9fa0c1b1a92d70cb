"""evaluate: score a Proposal. Materialize builds full feature vectors and asks the user's own model."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from geco.errors import ModelError
from geco.models.callable import BlackBox
from geco.models.meter import Meter
from geco.population.base import Floats, Outcome, Proposal, Rows
from geco.space.feasible import FeasibleSpace
from geco.trace import Trace


class Materialize:
    """The black box way (Sec. 5.1): copy row numbers to full feature vectors, one model call per round.

    x travels as the first row of the first call, which saves a call; its answer is ``x_outcome`` and ``x_number``.
    """

    def __init__(self, model: BlackBox, space: FeasibleSpace, meter: Meter, trace: Trace) -> None:
        self.model, self.meter, self.trace = model, meter, trace
        self.inputs = model.inputs.of(space.x)
        self.x_rows = space.x_rows
        self.x_outcome = float("nan")
        self.x_number = float("nan")
        self.not_a_number = 0

    def __call__(self, proposal: Proposal) -> Outcome:
        rows = np.concatenate([proposal.points, proposal.lines.as_points()])
        first = not self.trace.model_calls
        outcome, numbers = self._score(np.concatenate([self.x_rows, rows]) if first else rows)
        if first and len(outcome):
            self.x_outcome, self.x_number = float(outcome[0]), float(numbers[0])
            outcome, numbers = outcome[1:], numbers[1:]
            if np.isnan(self.x_number):
                raise ModelError("the model returned NaN for x, so nothing can be said about it")
        n = len(proposal.points)
        self.trace.points_scored += int((~np.isnan(outcome)).sum())
        return Outcome(outcome[:n], outcome[n:], numbers[:n], numbers[n:], self.x_outcome, self.x_number)

    def confirm(self, rows: Rows) -> tuple[Floats, Floats]:
        """Ask the user's object about x and the best candidates in one call of their own."""
        rows = rows[: max(0, self.meter.allow_confirmation(len(rows) + 1) - 1)]
        if not len(rows):
            return np.zeros(0), np.zeros(0)
        outcome, numbers = self._call(np.concatenate([self.x_rows, rows]))
        return outcome[1:], numbers[1:]

    def _score(self, rows: Rows) -> tuple[Floats, Floats]:
        outcome, numbers = np.full(len(rows), np.nan), np.full(len(rows), np.nan)
        done = 0
        while done < len(rows) and (allowed := self.meter.allow(len(rows) - done)):
            part = slice(done, done + allowed)
            outcome[part], numbers[part] = self._call(rows[part])
            done += allowed
        return outcome, numbers

    def _call(self, rows: Rows) -> tuple[Floats, Floats]:
        with self.trace.lap("materialize"):
            table = self.inputs.table(rows)
        started = perf_counter()
        raw = self.model.predict(table)
        seconds = perf_counter() - started
        self.meter.called(len(rows), seconds)
        self.trace.seconds["model"] = self.trace.seconds.get("model", 0.0) + seconds
        with self.trace.lap("materialize"):
            numbers, outcome = self.model.goal.numbers(raw), self.model.goal.outcome(raw)
            broken = np.isnan(outcome)
            if broken.any():  # an answer that is no answer is a bad one
                self.not_a_number += int(broken.sum())
                outcome[broken] = 0.0
        return outcome, numbers
