"""Together: candidates judged by several models, good only if they are good under all of them.

The paper's first future work: an answer that is to survive an update of the model should be good under more than one.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from geco import _core
from geco.models.asking.batches import Request
from geco.models.scoring.base import Answers, Evaluator, Limit
from geco.population.base import ASKED, Bounds, LineCost, Lines, Outcome, Proposal, Rows
from geco.space.feasible import FeasibleSpace
from geco.trace import Trace


class Together:
    """One evaluator per model; the outcome and number of a candidate are those of the model that likes it least."""

    native = None

    def __init__(
        self,
        parts: Sequence[Evaluator],
        standing: _core.Standing,
        space: FeasibleSpace,
        trace: Trace,
        bounds: Bounds | None,
    ) -> None:
        self.parts, self.standing, self.space, self.trace = parts, standing, space, trace
        self.target = f"{parts[0].target} under all {len(parts)} models"
        self.line_cost = _dearest(parts)._replace(bounds=bounds)

    @property
    def sweeps(self) -> bool:
        return all(part.sweeps for part in self.parts)

    @property
    def stopped_by(self) -> Limit | None:
        return next((part.stopped_by for part in self.parts if part.stopped_by), None)

    @property
    def not_a_number(self) -> int:
        return sum(part.not_a_number for part in self.parts)

    @property
    def note(self) -> str | None:
        return next((part.note for part in self.parts if part.note), None)

    def __call__(self, proposal: Proposal) -> Generator[Request, None, Outcome]:
        scored, outcomes = self.trace.points_scored, []
        for part in self.parts:
            outcomes.append((yield from part(proposal)))
        self.trace.points_scored = scored + len(proposal)
        x, x_number = _least([(np.array([o.x]), np.array([o.x_number])) for o in outcomes])
        self.standing.tell_x(x[0], x_number[0])
        points, point_numbers = _least([(o.points, o.point_numbers) for o in outcomes])
        lines, line_numbers = _least([(o.lines, o.line_numbers) for o in outcomes])
        return Outcome(points, lines, point_numbers, line_numbers, self.standing.x_outcome, self.standing.x_number)

    def sweep(self, lines: Lines) -> Answers | None:
        """What the model says that likes it least."""
        said = [part.sweep(lines) for part in self.parts]
        known = [answers for answers in said if answers is not None]
        return _least(known) if len(known) == len(said) else None

    def predicted(self, row: Rows) -> Any:
        """They may not agree on it."""
        return None

    def confirm(self, rows: Rows, more: int = 0) -> Generator[Request, None, Answers]:
        """Ask every one of the user's objects."""
        said: list[Answers] = []
        for part in self.parts:
            said.append((yield from part.confirm(rows, more)))
        asked = min(len(outcome) for outcome, _ in said)  # by all of them
        return _least([(outcome[:asked], numbers[:asked]) for outcome, numbers in said])


def _least(said: Sequence[Answers]) -> Answers:
    """Outcome and number of the model with the lowest outcome; unknown where one of them is."""
    outcomes, numbers = np.stack([outcome for outcome, _ in said]), np.stack([number for _, number in said])
    which = outcomes.argmin(axis=0)[None]  # NaN is the least of all
    return np.take_along_axis(outcomes, which, 0)[0], np.take_along_axis(numbers, which, 0)[0]


def _dearest(parts: Sequence[Evaluator]) -> LineCost:
    """What the model costs that costs most."""
    if not all(part.line_cost.swept for part in parts):
        return ASKED
    rows = [part.line_cost.rows for part in parts if part.line_cost.rows is not None]
    return LineCost(min(rows, default=None), swept=True)
