"""OwnModel: the user's object as the evaluators of one x ask it, within the budget."""

from __future__ import annotations

from collections.abc import Generator
from math import isnan
from typing import Any

import numpy as np

from geco.models.asking.batches import Request
from geco.models.asking.blackbox import BlackBox
from geco.models.asking.meter import Budget
from geco.models.scoring.base import Answers
from geco.population.base import Rows
from geco.space.feasible import FeasibleSpace
from geco.trace import Trace


class OwnModel:
    """Row numbers of one x ▶ answers of the user's object."""

    def __init__(self, model: BlackBox, space: FeasibleSpace, budget: Budget, trace: Trace) -> None:
        self.model, self.budget, self.trace = model, budget, trace
        self.inputs = model.inputs.of(space.x, space.rows_like_x)
        self.x_rows = space.x_rows
        self.not_a_number = 0
        self._labels: dict[bytes, Any] = {}

    def ask(self, rows: Rows, allowed: int, confirming: bool) -> Generator[Request, None, Request]:
        """Have the first ``allowed`` of these rows answered, as far as the clock allows it too."""
        kept_rows = 0 if confirming else self.budget.kept_rows
        request = Request(self.model, self.inputs, rows, allowed, self.trace, kept_rows, confirming)
        if allowed:
            yield request
        else:
            request.unknown()
        self.budget.spend(request.answered)
        said = request.outcome[: request.answered]
        if len(said) and isnan(said.min()):  # NaN is the least of all, and counts as a bad answer
            broken = np.isnan(said)
            self.not_a_number += int(broken.sum())
            said[broken] = 0.0
        return request

    def confirm(self, rows: Rows) -> Generator[Request, None, Answers]:
        """Ask once more about x and the best candidates, together."""
        rows = rows[: max(0, self.budget.allow_confirmation(len(rows) + 1) - 1)]
        if not len(rows):
            return np.zeros(0), np.zeros(0)
        request = yield from self.ask(np.concatenate([self.x_rows, rows]), len(rows) + 1, confirming=True)
        if request.labels:
            self._labels |= {row.tobytes(): label for row, label in zip(rows, request.labels[1:], strict=False)}
        return request.outcome[1:], request.numbers[1:]

    def predicted(self, row: Rows) -> Any:
        """The class of a candidate that was confirmed, where the model has more than two; None elsewhere."""
        return self._labels.get(row.tobytes()) if self._labels else None
