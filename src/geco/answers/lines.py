"""Lines through answers: for one changed feature all values that the rules of its group allow, the rest as it is.

In: answers as row numbers. Out: which rows of each line keep every rule and, by the compiled model, the good outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from geco import _core
from geco.models.scoring.base import Evaluator
from geco.population.base import Lines, Rows
from geco.space.feasible import FeasibleSpace

Truths = npt.NDArray[np.bool_]
NEAR = 64  # rows on either side of the chosen one


class Line(NamedTuple):
    """The values of one feature of one answer, sorted; ``chosen`` is where the answer's own value stands."""

    answer: int
    group: int
    feature: str | None  # None for a one-hot set, whose rows are categories
    rows: Rows
    chosen: int
    begin: int = 0  # where it begins in the line that it was cut from

    def cut(self, first: int, last: int) -> Line:
        """From one position to another, both included."""
        return self._replace(rows=self.rows[first : last + 1], chosen=self.chosen - first, begin=first)

    def near(self) -> tuple[int, int]:
        """Where the part around the chosen value begins and ends that is looked at first."""
        if self.feature is None or len(self.rows) <= 4 * NEAR:
            return 0, len(self.rows) - 1
        return max(0, self.chosen - NEAR), min(len(self.rows) - 1, self.chosen + NEAR)


class Judged(NamedTuple):
    """Per row of a line: does it keep the rules, and is it good as well?"""

    allowed: Truths
    good: Truths

    def run(self, chosen: int) -> tuple[int, int]:
        """The first and the last of the good rows around the chosen one."""
        bad = np.flatnonzero(~self.good)
        at = int(bad.searchsorted(chosen))
        first = int(bad[at - 1]) + 1 if at else 0
        return first, int(bad[at]) - 1 if at < len(bad) else len(self.good) - 1

    def open(self, part: Line, line: Line) -> bool:
        """The run goes on beyond this part of the line, or may."""
        first, last = self.run(part.chosen)
        return (first == 0 < part.begin) or (last == len(part.rows) - 1 and part.begin + last < len(line.rows) - 1)

    def over(self, part: Line, allowed: Truths) -> Judged:
        """The same over the whole line, of which these rows keep the rules; what was not looked at is not good."""
        if len(part.rows) == len(allowed):
            return self
        good = np.zeros(len(allowed), bool)
        good[part.begin : part.begin + len(part.rows)] = self.good
        return Judged(allowed, good)


class LineMaker:
    """Lines of one space; what a group allows is looked up once."""

    def __init__(self, space: FeasibleSpace) -> None:
        self.space = space
        self._allowed: dict[int, Rows] = {}

    def lines(self, answers: Rows) -> list[Line]:
        """One for every changed feature of every answer, in the order of the groups."""
        found = []
        for number, rows in enumerate(answers):
            for group in rows.nonzero()[0].tolist():
                table = self.space.domain.tables[group]
                if table.onehot:
                    found.append(self._line(number, group, None, int(rows[group])))
                    continue
                for f in table.features:
                    if table.values[f][rows[group]] != self.space.x[f] and table.values[f][rows[group]] is not None:
                        found.append(self._line(number, group, f, int(rows[group])))
        return found

    def moved(self, lines: Sequence[Line], answers: Rows) -> list[Line]:
        """The same lines through answers of which some have other values in groups of one feature."""
        return [
            line
            if line.rows[line.chosen] == (row := answers[line.answer, line.group])
            else line._replace(chosen=int(line.rows.searchsorted(row)))
            for line in lines
        ]

    def _line(self, answer: int, group: int, feature: str | None, row: int) -> Line:
        table, rows = self.space.domain.tables[group], self._choices(group)
        if feature is None or len(table.features) == 1:
            return Line(answer, group, feature, rows, int(rows.searchsorted(row)))
        for other in table.features:
            if other != feature:
                numbers, own = table.numbers[other][rows], table.numbers[other][row]
                rows = rows[(numbers == own) | (np.isnan(numbers) & np.isnan(own))]
        numbers = table.numbers[feature][rows]
        rows = rows[np.argsort(numbers, kind="stable")][: len(rows) - int(np.isnan(numbers).sum())]
        return Line(answer, group, feature, rows, int(np.flatnonzero(rows == row)[0]))

    def _choices(self, group: int) -> Rows:
        """The rows that may be chosen, sorted; in a group of one feature without a missing value."""
        if group not in self._allowed:
            table, rows = self.space.domain.tables[group], np.sort(self.space.core.choices(group))
            if len(table.features) == 1:
                rows = rows[~np.isnan(table.numbers[table.features[0]][rows])]
            self._allowed[group] = rows
        return self._allowed[group]


def judge_runs(space: FeasibleSpace, evaluate: Evaluator, answers: Rows, lines: Sequence[Line]) -> list[Judged] | None:
    """As `judge`, but of a long line first what is near the chosen value: most runs end there."""
    near = [line.cut(*line.near()) for line in lines]
    judged = judge(space, evaluate, answers, near)
    if judged is None:
        return None
    far = [i for i, line in enumerate(lines) if len(near[i].rows) < len(line.rows) and judged[i].open(near[i], line)]
    again = judge(space, evaluate, answers, [lines[i] for i in far]) if far else []
    if again is None:
        return None
    whole = dict(zip(far, again, strict=True))
    allowed = keeping(space, answers, lines)
    return [whole.get(i) or each.over(near[i], allowed[i]) for i, each in enumerate(judged)]


def judge(space: FeasibleSpace, evaluate: Evaluator, answers: Rows, lines: Sequence[Line]) -> list[Judged] | None:
    """By the rules and the compiled model; None where only the user's own could say, or in no time."""
    ragged = as_lines(answers, lines)
    said = evaluate.sweep(ragged)
    if said is None:
        return None
    outcome = said[0]
    good = np.split(outcome > 0.5, ragged.offsets[1:-1])
    return [Judged(kept, kept & own) for kept, own in zip(keeping(space, answers, lines), good, strict=True)]


def as_lines(answers: Rows, lines: Sequence[Line]) -> Lines:
    """As evaluators take them."""
    offsets = np.cumsum([0, *(len(line.rows) for line in lines)]).astype(np.int64)
    groups = np.array([line.group for line in lines], np.int32)
    parents = np.ascontiguousarray(answers[[line.answer for line in lines]], np.int32)
    return Lines(parents, groups, offsets, np.concatenate([line.rows for line in lines]).astype(np.int32))


def keeping(space: FeasibleSpace, answers: Rows, lines: Sequence[Line]) -> list[Truths]:
    """Which rows keep the rules across groups; those of the group itself are kept by all that may be chosen."""
    touched = {space.domain.group_of[f] for rule in space.rules for f in rule.features}
    return [
        _unbroken(space, answers[line.answer], line) if line.group in touched else np.ones(len(line.rows), bool)
        for line in lines
    ]


def _unbroken(space: FeasibleSpace, answer: Rows, line: Line) -> Truths:
    points = np.repeat(answer[None], len(line.rows), axis=0)
    points[:, line.group] = line.rows
    return np.asarray(space.core.first_broken(points) == _core.Space.NONE_BROKEN)
