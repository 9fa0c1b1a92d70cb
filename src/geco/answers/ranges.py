"""ranges: what the core found around answers, in the user's values.

The core looks along lines (native/core/around/): for each change of an answer all values that the rules allow, the rest
as it is. A compiled model judges them in few rounds; the ends are confirmed with the answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from geco import _core
from geco.answers.onehot import category
from geco.answers.range import Range
from geco.data.domain import Domain, GroupTable
from geco.models.scoring.base import Evaluator
from geco.population.base import Lines, Rows
from geco.space.feasible import FeasibleSpace

# What else would do for one change: the number of the answer, the group, which feature of its table (below 0 for a
# one-hot set), the rows low and high, whether nothing lies beyond them, other rows, and how many were tried.
Found = tuple[int, int, int, int, int, bool, bool, Sequence[int], int | None]


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


def by_feature(domain: Domain, found: Iterable[Found]) -> dict[str, Range]:
    """The ranges of one answer under the names that its actions have."""
    return dict([_named(domain.tables[each[1]], *each[2:]) for each in found])


def _named(
    table: GroupTable,
    feature: int,
    low: int,
    high: int,
    least: bool,
    most: bool,
    others: Sequence[int],
    tried: int | None,
) -> tuple[str, Range]:
    if feature < 0:
        first, last, *rest = [_category(table, row) for row in (low, high, *others)]
        return table.onehot or "", Range(first, last, least, most, tuple(rest), tried)
    name = table.features[feature]
    values, numbers = table.values[name], table.numbers[name]
    lowest, highest = table.ends(name)
    ends = numbers.item(low) <= lowest, numbers.item(high) >= highest
    return name, Range(values[low], values[high], least, most, tuple([values[row] for row in others]), tried, *ends)


def _category(table: GroupTable, row: int) -> Any:
    return category(table.features, {f: table.values[f][row] for f in table.features})
