"""Nearby: what answers are rounded to and what else would do, worked out before the confirmation and settled by it.

In: the best of a search as row numbers. Out: what is told of each answer that the user's model confirmed. All that one
call has to say (the answers, what they were before they were rounded, the ends of their ranges, the steps that lead to
them) the core puts together (native/core/around/prepared.hpp), for searches in the core with their last round. A black
box cannot be swept: its answers are rounded on trial, and ranges are asked for in one further call.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from geco import _core
from geco.answers.range import Range
from geco.answers.ranges import around, by_feature, sweep
from geco.models.asking.batches import Request
from geco.models.scoring.base import Answers, Evaluator
from geco.population.base import Floats, Lines, Rows
from geco.search.base import Kind, Search
from geco.space.feasible import FeasibleSpace


class Wanted(NamedTuple):
    """Which answers, and how they are told: in round numbers, with ranges, confirmed?"""

    k: int
    ways: Kind
    round: bool
    ranges: bool
    verify: bool

    @property
    def steps(self) -> int:
        """Of how many rows of the confirmation the way is asked about."""
        return self.k if self.verify else 0


LEAST = 1.0  # seconds that must be left before a deadline for a further call
TRIES = 12  # values of one change that a black box is asked about
MOST_TRIES = 120  # of all changes together
MINIMAL: Mapping[Kind, bool | None] = {"minimal": True, "sets": False, "top": None}  # as the core has it
UNKNOWN = np.zeros(0)


@dataclass(slots=True)
class Told:
    """One answer: what the core knows of it, the class that the model predicts, what else would do if asked later."""

    facts: _core.Facts
    confirmed: bool = False
    predicted: Any = None
    ranges: Mapping[str, Range] | None = None


class Nearby:
    """The answers of one search."""

    def __init__(self, space: FeasibleSpace, search: Search, evaluate: Evaluator, wanted: Wanted) -> None:
        self.space, self.search, self.evaluate, self.wanted = space, search, evaluate, wanted

    def then(self, core: _core.Sweeping) -> None:
        """Have the answers made ready by whoever carries out the last round."""
        space, deployment, wanted = self.space, self.space.deployment, self.wanted
        core.then(
            deployment.core,
            space.core,
            self.search.archive.core,
            space.numbers,
            deployment.natures,
            wanted.k,
            MINIMAL[wanted.ways],
            wanted.round,
            wanted.ranges,
            wanted.steps,
        )

    def ready(self, rows: Rows, steps: int) -> _core.Prepared:
        """The same of these rows, here and now."""
        wanted, swept = self.wanted, self.evaluate.sweeps
        on_trial = wanted.round and wanted.verify
        round, ranges = (wanted.round, wanted.ranges) if swept else (on_trial, False)
        near = around(self.space, rows, round, ranges, self.evaluate.native if swept else None)
        if not swept:
            near.round_on_trial()
        known = swept and sweep(near, self.evaluate)
        return _core.Prepared(self.search.archive.core, near, known and ranges, steps)

    def unconfirmed(self, prepared: _core.Prepared) -> list[Told]:
        """Without asking the user's model."""
        return [Told(facts) for facts in prepared.unconfirmed(self._numbers(prepared))]

    def confirm(self, prepared: _core.Prepared) -> Generator[Request, None, tuple[list[Told], int, int]]:
        """Those that the user's model calls good; how many it does not, and how many it could not be asked about."""
        asked, predicted = prepared.asked(), self.evaluate.predicted
        outcome, numbers = yield from self.evaluate.confirm(asked, prepared.between)
        told = [Told(facts, True, predicted(asked[facts.place])) for facts in prepared.confirmed(outcome, numbers)]
        asked_about = min(len(prepared), len(outcome))
        return told, asked_about - len(told), len(prepared) - asked_about

    def try_ranges(self, told: Sequence[Told]) -> Generator[Request, None, None]:
        """Ask a black box about some values of each change, where time and budget are left."""
        if self.evaluate.sweeps or not self.wanted.ranges or not told or self.evaluate.standing.seconds < LEAST:
            return
        answers = np.zeros((len(told), self.space.core.width), np.int32)
        for row, each in zip(answers, told, strict=True):
            row[each.facts.changed] = each.facts.rows
        near = around(self.space, answers, False, True)
        each_line = min(TRIES, MOST_TRIES // max(1, near.lines))
        points = near.tries(each_line) if each_line >= 2 else answers[:0]
        if not len(points):
            return
        asked: Answers = yield from self.evaluate.confirm(points)
        if len(asked[0]) < len(points):
            return  # the budget does not reach
        near.tell_tries(asked[0] > 0.5)
        found = near.ranges()
        for number, each in enumerate(told):
            each.ranges = by_feature(self.space.domain, [run for run in found if run[0] == number])

    def _numbers(self, prepared: _core.Prepared) -> Floats:
        """The compiled model's number for what was rounded."""
        moved = prepared.moved
        if not moved or not self.evaluate.sweeps:
            return UNKNOWN
        points = prepared.shown()[moved]
        groups = points.argmax(axis=1).astype(np.int32)
        rows = points[np.arange(len(moved)), groups]
        said = self.evaluate.sweep(Lines(points, groups, np.arange(len(moved) + 1), rows))
        return UNKNOWN if said is None else said[1]
