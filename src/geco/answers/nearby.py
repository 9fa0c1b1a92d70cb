"""Nearby: what answers are rounded to and what else would do, worked out before the confirmation and settled by it.

In: the best of a search as row numbers. Out: all that one call has to confirm (the answers, what they were before they
were rounded, the ends of their ranges), and then what is told of each answer. A black box cannot be swept: its answers
are rounded on trial, and ranges are asked for in one further call.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from geco import _core
from geco.answers.range import Range
from geco.answers.ranges import Found, around, by_feature, points_of, sweep
from geco.models.asking.batches import Request
from geco.models.scoring.base import Answers, Evaluator
from geco.population.base import Lines, Rows
from geco.space.feasible import FeasibleSpace


class Manner(NamedTuple):
    """How answers are told: in round numbers, with ranges?"""

    round: bool = True
    ranges: bool = True


LEAST = 1.0  # seconds that must be left before a deadline for a further call
TRIES = 12  # values of one change that a black box is asked about
MOST_TRIES = 120  # of all changes together
PLAIN = Manner(round=False, ranges=False)


@dataclass
class Told:
    """One answer: its rows, what they were before they were rounded, what the model says, what else would do."""

    rows: Rows
    unrounded: Rows | None = None
    number: float | None = None
    confirmed: bool = False
    predicted: Any = None
    ranges: Mapping[str, Range] = field(default_factory=dict)


class Nearby:
    """The answers of one search."""

    def __init__(self, space: FeasibleSpace, evaluate: Evaluator, answers: Rows, manner: Manner, verify: bool) -> None:
        self.space, self.evaluate, self.answers, self.manner = space, evaluate, answers, manner
        self.swept = len(answers) > 0 and evaluate.sweeps
        self.shown = answers
        self.found: list[Found] = []
        if len(answers) and (manner.round if not self.swept else manner.round or manner.ranges):
            self._look(verify)
        self.moved = self._moved() if self.shown is not answers else []

    def _look(self, verify: bool) -> None:
        scoring = self.evaluate.native if self.swept else None
        near = around(self.space, self.answers, self.manner.round, self.manner.ranges, scoring)
        if self.swept:
            complete = sweep(near, self.evaluate)
            if complete and self.manner.ranges:
                self.found = [Found(*each) for each in near.ranges()]
        elif verify:
            near.round_on_trial()
        if self.manner.round and (shown := near.answers()).tobytes() != self.answers.tobytes():
            self.shown = shown
        if again := self._containing():
            self._unround(again, scoring)

    def _moved(self) -> list[int]:
        """The numbers of the answers that are shown rounded."""
        moved: list[int] = (self.shown != self.answers).any(axis=1).nonzero()[0].tolist()
        return moved

    def _containing(self) -> list[int]:
        """The answers that contain another one only since they were rounded."""
        left_out, found = self.space.core.left_out, []
        moved = self._moved() if self.shown is not self.answers else []
        if not moved:
            return []
        final = (self.shown if self.swept else self.answers).copy()  # a black box may not agree to rounding
        changed = [frozenset(row.nonzero()[0].tolist()) for row in self.answers]
        for i in moved:
            shown, answer = self.shown[i], self.answers[i]
            nearer = [j for j in range(i) if changed[j] <= changed[i]]
            if any(left_out(shown, final[j]) and not left_out(answer, self.answers[j]) for j in nearer):
                found.append(i)
                final[i] = answer
        return found

    def _unround(self, answers: Sequence[int], scoring: _core.Scoring | None) -> None:
        """These stay as they were found, and so do their ranges."""
        self.shown = self.shown.copy()
        self.shown[answers] = self.answers[answers]
        if not self.found:
            return
        self.found = [each for each in self.found if each.answer not in answers]
        near = around(self.space, self.answers[answers], False, True, scoring)
        if sweep(near, self.evaluate):
            self.found += [each._replace(answer=answers[each.answer]) for each in map(Found._make, near.ranges())]

    def unconfirmed(self) -> list[Told]:
        """Without asking the user's model."""
        ranges = self._ranges([True] * len(self.found))
        number = self._numbers()
        return [
            Told(rows, self.answers[i] if i in self.moved else None, number.get(i), ranges=ranges[i])
            for i, rows in enumerate(self.shown)
        ]

    def confirm(self) -> Generator[Request, None, tuple[list[Told], int, int]]:
        """Those that the user's model calls good; how many it does not, and how many it could not be asked about."""
        ends = [each.ends(int(self.shown[each.answer, each.group])) for each in self.found]
        asked = [self.shown]
        if self.moved:
            asked.append(self.answers[self.moved])
        if self.found:
            asked.append(points_of(self.shown, self.found, ends))
        outcome, numbers = yield from self.evaluate.confirm(np.concatenate(asked))
        k, good, said = len(self.shown), (outcome > 0.5).tolist(), numbers.tolist()
        before = {i: k + n for n, i in enumerate(self.moved)}
        ranges = self._ranges(_all_good(good[k + len(before) :], ends))
        told: list[Told] = []
        for i in range(min(k, len(outcome))):
            j = before.get(i)
            if good[i]:
                unrounded = None if j is None else self.answers[i]
                label = self.evaluate.predicted(self.shown[i])
                told.append(Told(self.shown[i], unrounded, said[i], True, label, ranges[i]))
            elif j is not None and j < len(outcome) and good[j]:
                label = self.evaluate.predicted(self.answers[i])
                told.append(Told(self.answers[i], None, said[j], True, label))
        asked_about = min(k, len(outcome))
        return told, asked_about - len(told), k - asked_about

    def try_ranges(self, told: Sequence[Told]) -> Generator[Request, None, None]:
        """Ask a black box about some values of each change, where time and budget are left."""
        if self.swept or not self.manner.ranges or not told or self.evaluate.standing.seconds < LEAST:
            return
        answers = np.stack([each.rows for each in told])
        near = around(self.space, answers, False, True)
        each_line = min(TRIES, MOST_TRIES // max(1, near.lines))
        points = near.tries(each_line) if each_line >= 2 else answers[:0]
        if not len(points):
            return
        asked: Answers = yield from self.evaluate.confirm(points)
        if len(asked[0]) < len(points):
            return  # the budget does not reach
        near.tell_tries(asked[0] > 0.5)
        found = [Found(*each) for each in near.ranges()]
        for each, ranges in zip(told, by_feature(self.space, found, len(told)), strict=True):
            each.ranges = ranges

    def _ranges(self, holds: Sequence[bool]) -> list[Mapping[str, Range]]:
        """Per answer those whose ends hold."""
        kept = [each for each, good in zip(self.found, holds, strict=True) if good]
        return by_feature(self.space, kept, len(self.shown))

    def _numbers(self) -> dict[int, float]:
        """The compiled model's number for what was rounded."""
        moved = self.moved
        if not moved or not self.swept:
            return {}
        points = self.shown[moved]
        groups = points.argmax(axis=1).astype(np.int32)
        rows = points[np.arange(len(moved)), groups]
        said = self.evaluate.sweep(Lines(points, groups, np.arange(len(moved) + 1), rows))
        return {} if said is None else dict(zip(moved, said[1].tolist(), strict=True))


def _all_good(good: Sequence[bool], ends: Sequence[Sequence[int]]) -> list[bool]:
    """Per range whether all of its ends are; False where one was not asked about."""
    at, found = 0, []
    for rows in ends:
        part = good[at : at + len(rows)]
        found.append(len(part) == len(rows) and all(part))
        at += len(rows)
    return found
