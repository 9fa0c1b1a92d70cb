"""Sweep: whole lines scored by the compiled model, for little more than a few of their rows."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from geco import _core
from geco.models.compiling.compiled import Anchor, Compiled
from geco.models.scoring.base import Answers
from geco.population.base import LineCost, Lines, Rows


class Sweep:
    """A model in the core: points and lines in one call."""

    lap = "sweep"

    def __init__(self, scoring: _core.Scoring, line_cost: LineCost) -> None:
        self.native, self.line_cost = scoring, line_cost

    def score(self, points: Rows, lines: Lines, seconds: float) -> Answers:
        return self.native.score(points, lines.parents, lines.groups, lines.offsets, lines.rows, seconds)


class SweepParts:
    """A model made of models: their sums are the core's, what makes one answer of them is Python."""

    lap = "sweep"
    native = None

    def __init__(self, compiled: Compiled, anchor: Anchor, jumps: bool) -> None:
        self.compiled, self.anchor, self.jumps, self.line_cost = compiled, anchor, jumps, compiled.line_cost

    def score(self, points: Rows, lines: Lines, seconds: float) -> Answers:
        core, anchor, ends = self.compiled.core, self.anchor, perf_counter() + seconds
        sums = core.points(anchor, points, seconds)
        if not len(lines.rows):
            return self.compiled.judged(sums)
        along = core.lines(anchor, lines.parents, lines.groups, lines.offsets, lines.rows, ends - perf_counter())
        outcome, numbers = self.compiled.judged(np.concatenate([sums, along]))
        close = _core.unsure(outcome[len(points) :], self.jumps)
        if len(close):
            again = len(points) + close
            outcome[again], numbers[again] = self.compiled.points(anchor, lines.points_at(close), ends - perf_counter())
        return outcome, numbers
