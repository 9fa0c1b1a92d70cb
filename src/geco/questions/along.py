"""Along: a search that goes along one group, nearest first, and drags along what the rules ask for, no more than that.

In: the number of a group. Out: per row of it one candidate: x with that row and, where this breaks a rule, the nearest
repair by action_cascade. So every answer changes the group, and whatever else it changes a rule makes it change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from geco import _core
from geco._core import Space
from geco.baselines.base import OnPoints
from geco.population.base import Outcome, Proposal, Rows
from geco.search.base import Archive, Ready, Search, StoppedBy, Task

FIRST = 200  # rows of the first round; each asks about twice as many
MOST = 10_000  # rows that are tried at first, evenly chosen where there are more


@dataclass(frozen=True)
class Along(OnPoints, Ready):
    """The method; ``group`` is the only one that is chosen."""

    group: int

    def search(self, task: Task) -> Search:
        """A run for one x; nothing in it is left to chance."""
        return AlongSearch(task, self.group)


class AlongSearch:
    """One run for one x."""

    limit = None
    proof = None
    native = None

    def __init__(self, task: Task, group: int) -> None:
        self.core, self.group, self.k, self.trace = task.space.core, group, task.k, task.trace
        self.archive = Archive(task.space)
        self.counts = _core.CascadeCounts(self.core)
        self.order = self.core.choices(group)  # nearest first
        self.step = max(1, math.ceil(len(self.order) / MOST))
        self.waiting = self.order[:: self.step]
        self.rows = FIRST
        self.converged = False
        self.stopped_by: StoppedBy = "converged"

    def ask(self) -> Proposal:
        asked, self.waiting = self.waiting[: self.rows], self.waiting[self.rows :]
        self.rows *= 2
        with self.trace.lap("cascade"):
            rows, kept = dragged(self.core, self.group, asked, self.counts)
        return Proposal.of_points(self.archive.claim(np.ascontiguousarray(rows[kept])))

    def tell(self, proposal: Proposal, outcome: Outcome) -> None:
        self.archive.score_latest(outcome.points, outcome.point_numbers)
        self.trace.generations += 1
        found = self.best(self.k)
        enough = len(found) == self.k and self._farther(found[-1])
        if not enough and len(self.waiting):
            return
        if len(found) and self.step > 1:
            self.waiting, self.step = self._between(found), 1
        else:
            self.converged, self.stopped_by = True, "converged" if enough else "exhausted"

    def best(self, n: int) -> Rows:
        """The nearest; none that changes all that a nearer one does, and more."""
        wanted = max(n, FIRST)
        while True:
            rows = self.archive.nearest(wanted)
            ways: dict[frozenset[int], int] = {}
            for i, row in enumerate(rows):
                changed = frozenset(row.nonzero()[0].tolist())
                if not any(way <= changed for way in ways):
                    ways[changed] = i
            if len(ways) >= n or len(rows) < wanted:
                return np.ascontiguousarray(rows[list(ways.values())[:n]])
            wanted *= 4

    def _farther(self, found: Rows) -> bool:
        """Is all that waits farther from x than this, whatever it drags along?"""
        if not len(self.waiting):
            return True
        alone = np.zeros((2, self.core.width), np.int32)
        alone[0, self.group], alone[1] = self.waiting[0], found
        nearest, distance = self.core.distance(alone)
        return bool(nearest >= distance)

    def _between(self, found: Rows) -> Rows:
        """The rows that were left out just before those of the answers."""
        places = np.flatnonzero(np.isin(self.order, found[:, self.group]))
        left_out = [self.order[max(0, at - self.step + 1) : at] for at in places.tolist()]
        return np.concatenate(left_out)


def dragged(core: Space, group: int, asked: Rows, counts: _core.CascadeCounts) -> tuple[Rows, npt.NDArray[np.bool_]]:
    """x with each of these rows and what the rules drag along; and for which of them every rule can be kept."""
    rows = np.tile(np.array(core.start, np.int32), (len(asked), 1))
    rows[:, group] = asked
    kept = np.ones(len(rows), bool)
    moved = (core.first_broken(rows) != Space.NONE_BROKEN) | (np.count_nonzero(rows, axis=1) > 1)
    for i in moved.nonzero()[0].tolist():
        repaired, row = core.action_cascade(rows[i], counts)
        kept[i] = repaired and row[group] == asked[i]
        rows[i] = _only_needed(core, group, row) if kept[i] else row
    return rows, kept & (core.first_broken(rows) == Space.NONE_BROKEN)


def _only_needed(core: Space, group: int, row: Rows) -> Rows:
    """The same without what turned out to be needless once all was repaired."""
    while True:
        required = zip(row.nonzero()[0].tolist(), core.required(row), strict=True)
        needless = [g for g, rule in required if rule == Space.NONE_BROKEN and g != group]
        if not needless:
            return row
        row[needless[0]] = 0
