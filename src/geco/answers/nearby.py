"""Nearby: what answers are rounded to and what else would do, worked out before the confirmation and settled by it.

In: the best of a search as row numbers. Out: all that one call has to confirm (the answers, what they were before they
were rounded, the ends of their ranges), and then what is told of each answer. A black box cannot be swept: its answers
are rounded on trial, and ranges are asked for in one further call.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from geco.answers.lines import Judged, Line, LineMaker, as_lines, judge_runs, keeping
from geco.answers.range import Range
from geco.answers.ranges import MOST_TRIES, TRIES, by_feature, ends_of, points_of, range_of, tries
from geco.answers.rounding import rounded, rounded_on_trial
from geco.models.asking.batches import Request
from geco.models.scoring.base import Answers, Evaluator
from geco.population.base import Rows
from geco.space.feasible import FeasibleSpace


class Manner(NamedTuple):
    """How answers are told: in round numbers, with ranges?"""

    round: bool = True
    ranges: bool = True


LEAST = 1.0  # seconds that must be left before a deadline for a further call
PLAIN = Manner(round=False, ranges=False)


@dataclass
class Told:
    """One answer: its rows, what they were before they were rounded, the model's number, what else would do."""

    rows: Rows
    unrounded: Rows | None = None
    number: float | None = None
    confirmed: bool = False
    ranges: Mapping[str, Range] = field(default_factory=dict)


class Nearby:
    """The answers of one search."""

    def __init__(self, space: FeasibleSpace, evaluate: Evaluator, answers: Rows, manner: Manner, verify: bool) -> None:
        self.space, self.evaluate, self.answers, self.manner = space, evaluate, answers, manner
        self.maker = LineMaker(space)
        self.swept = len(answers) > 0 and evaluate.sweeps
        lines = self.maker.lines(answers) if manner.round or manner.ranges else []
        self.shown = self._rounded(lines, verify) if manner.round and len(answers) else answers
        self.moved = (self.shown != answers).any(axis=1)
        self.lines: list[Line] = []
        self.judged: list[Judged] = []
        if manner.ranges and self.swept:
            lines = self.maker.moved(lines, self.shown) if self.moved.any() else lines
            judged = judge_runs(space, evaluate, self.shown, lines) if lines else None
            if judged is not None:
                self.lines, self.judged = lines, judged

    def _rounded(self, lines: Sequence[Line], verify: bool) -> Rows:
        made = None
        if self.swept:
            made = rounded(self.space, self.evaluate, self.answers, lines)
        elif verify:
            made = rounded_on_trial(self.space, self.answers, lines)
        return self.answers if made is None else made

    def unconfirmed(self) -> list[Told]:
        """Without asking the user's model."""
        ranges = self._ranges([None] * len(self.lines))
        number = self._numbers()
        return [
            Told(rows, self.answers[i] if self.moved[i] else None, number.get(i), ranges=ranges[i])
            for i, rows in enumerate(self.shown)
        ]

    def confirm(self) -> Generator[Request, None, tuple[list[Told], int, int]]:
        """Those that the user's model calls good; how many it does not, and how many it could not be asked about."""
        ends = [ends_of(line, judged) for line, judged in zip(self.lines, self.judged, strict=True)]
        points = [points_of(self.shown, line, own) for line, own in zip(self.lines, ends, strict=True) if own]
        outcome, numbers = yield from self.evaluate.confirm(
            np.concatenate([self.shown, self.answers[self.moved], *points])
        )
        k, good = len(self.shown), outcome > 0.5
        before = {int(i): k + n for n, i in enumerate(np.flatnonzero(self.moved))}
        ranges = self._ranges(_parts(good[k + len(before) :], ends))
        told: list[Told] = []
        for i in range(min(k, len(outcome))):
            j = before.get(i)
            if good[i]:
                unrounded = None if j is None else self.answers[i]
                told.append(Told(self.shown[i], unrounded, float(numbers[i]), True, ranges[i]))
            elif j is not None and j < len(outcome) and good[j]:
                told.append(Told(self.answers[i], None, float(numbers[j]), True))
        asked = min(k, len(outcome))
        return told, asked - len(told), k - asked

    def try_ranges(self, told: Sequence[Told]) -> Generator[Request, None, None]:
        """Ask a black box about some values of each change, where time and budget are left."""
        if self.swept or not self.manner.ranges or not told or self.evaluate.standing.seconds < LEAST:
            return
        answers = np.stack([each.rows for each in told])
        lines = self.maker.lines(answers)
        most = min(TRIES, MOST_TRIES // max(1, len(lines)))
        places = [tries(ln, kept, most) for ln, kept in zip(lines, keeping(self.space, answers, lines), strict=True)]
        points = [points_of(answers, line, own) for line, own in zip(lines, places, strict=True) if own]
        if most < 2 or not points:
            return
        asked: Answers = yield from self.evaluate.confirm(np.concatenate(points))
        found: list[list[tuple[Line, Range]]] = [[] for _ in told]
        for line, own, good in zip(lines, places, _parts(asked[0] > 0.5, places), strict=True):
            if good is not None:
                found[line.answer].append((line, _tried(self.space, line, own, good)))
        for each, runs in zip(told, found, strict=True):
            each.ranges = by_feature(self.space, runs)

    def _ranges(self, confirmed: Sequence[Sequence[bool] | None]) -> list[Mapping[str, Range]]:
        """Per answer those whose ends hold; None stands for ends that nobody was asked about."""
        found: list[list[tuple[Line, Range]]] = [[] for _ in self.shown]
        for line, judged, ends in zip(self.lines, self.judged, confirmed, strict=True):
            if ends is None or all(ends):
                found[line.answer].append((line, range_of(self.space, line, judged)))
        return [by_feature(self.space, runs) for runs in found]

    def _numbers(self) -> dict[int, float]:
        """The compiled model's number for what was rounded."""
        moved = np.flatnonzero(self.moved).tolist()
        lines = [Line(i, g, None, self.shown[i, g : g + 1], 0) for i in moved for g in [int(self.shown[i].argmax())]]
        said = self.evaluate.sweep(as_lines(self.shown, lines)) if lines else None
        return {} if said is None else dict(zip(moved, said[1].tolist(), strict=True))


def _parts(good: np.ndarray[tuple[int], np.dtype[np.bool_]], ends: Sequence[Sequence[int]]) -> list[list[bool] | None]:
    """What was said of each line's own rows; False for those that nobody was asked about."""
    parts: list[list[bool] | None] = []
    at = 0
    for own in ends:
        said = good[at : at + len(own)].tolist()
        parts.append([*said, *[False] * (len(own) - len(said))])
        at += len(own)
    return parts


def _tried(space: FeasibleSpace, line: Line, places: Sequence[int], good: Sequence[bool]) -> Range:
    """The range that the values show which were asked about."""
    every = sorted({*places, line.chosen})
    holds = dict(zip(places, good, strict=True)) | {line.chosen: True}
    sub = line._replace(rows=line.rows[every], chosen=every.index(line.chosen))
    judged = Judged(np.ones(len(every), bool), np.array([holds[i] for i in every]))
    return range_of(space, sub, judged, tried=len(places))
