"""Together: candidates judged by several models, good only if they are good under all of them.

The paper's first future work: an answer that is to survive an update of the model should be good under more than one.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from geco.models.asking.batches import Request
from geco.models.scoring.materialize import Materialize
from geco.population.base import ASKED, Floats, LineCost, Outcome, Proposal, Rows


class Together(Materialize):
    """One evaluator per model; the outcome and number of a candidate are those of the model that likes it least."""

    def __init__(self, parts: Sequence[Materialize]) -> None:
        first = parts[0]
        self.parts = parts
        self.model, self.budget, self.trace = first.model, first.budget, first.trace
        self.goal = replace(first.goal, words=f"{first.goal.words} under all {len(parts)} models")
        self.lines = _lines(parts)
        self.note = next((part.note for part in parts if part.note), None)
        self.x_outcome = self.x_number = float("nan")
        self.stopped_by: Literal["budget", "deadline"] | None = None
        self.not_a_number = 0

    def __call__(self, proposal: Proposal) -> Generator[Request, None, Outcome]:
        scored, outcomes = self.trace.points_scored, []
        for part in self.parts:
            outcomes.append((yield from part(proposal)))
            self.stopped_by = self.stopped_by or part.stopped_by
        self.trace.points_scored = scored + len(proposal)
        self.not_a_number = sum(part.not_a_number for part in self.parts)
        x, x_number = _least([(np.array([o.x]), np.array([o.x_number])) for o in outcomes])
        self.x_outcome, self.x_number = float(x[0]), float(x_number[0])
        points, point_numbers = _least([(o.points, o.point_numbers) for o in outcomes])
        lines, line_numbers = _least([(o.lines, o.line_numbers) for o in outcomes])
        return Outcome(points, lines, point_numbers, line_numbers, self.x_outcome, self.x_number)

    def confirm(self, rows: Rows) -> Generator[Request, None, tuple[Floats, Floats]]:
        """Ask every one of the user's objects."""
        said: list[tuple[Floats, Floats]] = []
        for part in self.parts:
            said.append((yield from part.confirm(rows)))
        asked = min(len(outcome) for outcome, _ in said)  # by all of them
        return _least([(outcome[:asked], numbers[:asked]) for outcome, numbers in said])


def _least(said: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Outcome and number of the model with the lowest outcome; unknown where one of them is."""
    outcomes, numbers = np.stack([outcome for outcome, _ in said]), np.stack([number for _, number in said])
    which = outcomes.argmin(axis=0)[None]  # NaN is the least of all
    return np.take_along_axis(outcomes, which, 0)[0], np.take_along_axis(numbers, which, 0)[0]


def _lines(parts: Sequence[Materialize]) -> LineCost:
    """What the model costs that costs most."""
    if not all(part.lines.swept for part in parts):
        return ASKED
    rows = [part.lines.rows for part in parts if part.lines.rows is not None]
    return LineCost(min(rows, default=None), swept=True)
