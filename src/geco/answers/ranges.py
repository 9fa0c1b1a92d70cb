"""ranges: what the core found around answers, in the user's values.

The core looks along lines (native/core/around/): for each change of an answer all values that the rules allow, the rest
as it is. A compiled model judges them in few rounds; the ends are confirmed with the answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from geco import _core
from geco.answers.onehot import category
from geco.answers.range import Range
from geco.data.domain import GroupTable
from geco.models.scoring.base import Evaluator
from geco.population.base import Lines, Rows
from geco.space.feasible import FeasibleSpace

NAMED = 3  # other categories that sentences name, and that the user's model is asked about


class Found(NamedTuple):
    """What else would do for one change, as rows of the group's table."""

    answer: int
    group: int
    feature: int  # of the group's table; below 0 for a one-hot set
    low: int
    high: int
    least: bool
    most: bool
    others: Sequence[int]
    tried: int | None

    def ends(self, chosen: int) -> list[int]:
        """The rows that the user's model confirms: both ends of a run, or the first of other categories."""
        if self.low != self.high:
            return [row for row in (self.low, self.high) if row != chosen]
        return [row for row in dict.fromkeys((self.low, *self.others[:NAMED])) if row != chosen]


def around(
    space: FeasibleSpace, answers: Rows, round: bool, ranges: bool, scoring: _core.Scoring | None = None
) -> _core.Around:
    """Looks for rounder values and for what else would do; ``scoring`` is what the compiled model scores with."""
    deployment = space.deployment
    return _core.Around(deployment.core, space.core, space.numbers, deployment.natures, answers, round, ranges, scoring)


def sweep(around: _core.Around, evaluate: Evaluator) -> bool:
    """Let the compiled model say all that is asked; False if there is no time for it."""
    if evaluate.native is not None:
        return around.sweep(evaluate.native, evaluate.standing.seconds)
    while True:
        lines = Lines(*around.ask())
        if not len(lines.rows):
            return True
        said = evaluate.sweep(lines)
        if said is None:
            return False
        around.tell(said[0])


def points_of(answers: Rows, found: Sequence[Found], ends: Sequence[Sequence[int]]) -> Rows:
    """The answers with the rows at the ends of ranges."""
    of_answer: list[int] = []
    places, chosen = [], []
    width = answers.shape[1]
    for each, rows in zip(found, ends, strict=True):
        for row in rows:
            places.append(len(of_answer) * width + each.group)
            of_answer.append(each.answer)
            chosen.append(row)
    points = answers.take(of_answer, axis=0)
    points.put(places, chosen)
    return points


def by_feature(space: FeasibleSpace, found: Iterable[Found], answers: int) -> list[Mapping[str, Range]]:
    """Per answer its ranges under the names that actions have."""
    ranges: list[dict[str, Range]] = [{} for _ in range(answers)]
    for each in found:
        name, run = _named(space, each)
        ranges[each.answer][name] = run
    return list(ranges)


def _named(space: FeasibleSpace, found: Found) -> tuple[str, Range]:
    table = space.domain.tables[found.group]
    if found.feature < 0:
        low, high, *others = [_category(table, row) for row in (found.low, found.high, *found.others)]
        return table.onehot or "", Range(low, high, found.least, found.most, tuple(others), found.tried)
    name = table.features[found.feature]
    values, numbers = table.values[name], table.numbers[name]
    more = tuple([values[row] for row in found.others])
    lowest, highest = table.ends(name)
    ends = numbers.item(found.low) <= lowest, numbers.item(found.high) >= highest
    return name, Range(values[found.low], values[found.high], found.least, found.most, more, found.tried, *ends)


def _category(table: GroupTable, row: int) -> Any:
    return category(table.features, {f: table.values[f][row] for f in table.features})
