"""ranges: what else would do for each change of an answer, while the others stay as they are.

Compiled models judge all values of D; their ends are confirmed with the answers. Black boxes are asked about a few
values on either side, the nearest and the farthest among them, in one further call for all answers together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from geco.answers.lines import Judged, Line, Truths
from geco.answers.onehot import category
from geco.answers.range import Range
from geco.population.base import Rows
from geco.space.feasible import FeasibleSpace

TRIES = 12  # values of one line that a black box is asked about
MOST_TRIES = 120  # of all lines together
NAMES = 20  # other categories that are kept


def range_of(space: FeasibleSpace, line: Line, judged: Judged, tried: int | None = None) -> Range:
    """What a line says."""
    chosen = _value(space, line, line.chosen)
    if line.feature is None or not space.domain.features[line.feature].ordered:
        others = [_value(space, line, i) for i in np.flatnonzero(judged.good).tolist() if i != line.chosen]
        return Range(chosen, chosen, others=tuple(others[:NAMES]), tried=tried)
    first, last = judged.run(line.chosen)
    least, most = not judged.allowed[:first].any(), not judged.allowed[last + 1 :].any()
    others = []
    if space.domain.features[line.feature].type == "text":
        others = [_value(space, line, i) for i in range(first, last + 1) if i != line.chosen]
    ends = _value(space, line, first), _value(space, line, last)
    return Range(*ends, least, most, tuple(others[:NAMES]), tried)


def ends_of(line: Line, judged: Judged) -> list[int]:
    """The positions that the user's own model confirms: both ends of a run."""
    return [i for i in dict.fromkeys(judged.run(line.chosen)) if i != line.chosen]


def points_of(answers: Rows, line: Line, positions: Sequence[int]) -> Rows:
    """The answer with other values of this line."""
    points = np.repeat(answers[line.answer][None], len(positions), axis=0)
    points[:, line.group] = line.rows[list(positions)]
    return points


def tries(line: Line, allowed: Truths, most: int) -> list[int]:
    """Some positions of a line around the chosen one: its neighbours, both ends, and ever farther ones between."""
    places = np.flatnonzero(allowed)
    below, above = places[places < line.chosen][::-1], places[places > line.chosen]
    found: set[int] = set()
    for side in (below, above):
        if len(side):
            steps = np.geomspace(1, len(side), max(2, most // 2)).round().astype(int) - 1
            found.update(side[np.unique(steps)].tolist())
    return sorted(found)


def by_feature(space: FeasibleSpace, ranges: Sequence[tuple[Line, Range]]) -> Mapping[str, Range]:
    """Under the names that actions have."""
    tables = space.domain.tables
    return {line.feature or tables[line.group].onehot or "": run for line, run in ranges}


def _value(space: FeasibleSpace, line: Line, position: int) -> Any:
    table, row = space.domain.tables[line.group], line.rows[position]
    if line.feature is not None:
        return table.values[line.feature][row]
    return category(table.features, {f: table.values[f][row] for f in table.features})
