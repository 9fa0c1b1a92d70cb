"""SimCF: the adaptation of SimBA, an attack on classifiers, to counterfactual explanations (Sec. 6.1).

A walk takes the groups in random order; of each it draws a few feasible rows and keeps the best by score (Eq. 11),
better than before or not, until the outcome is good or no group is left. k answers are k walks, asked about together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from geco import _core
from geco.baselines.base import OnPoints, first_of_each_delta, free_groups
from geco.population.base import Outcome, Proposal, Rows
from geco.search.base import Archive, Ready, StoppedBy, Task
from geco.search.select import score
from geco.space.feasible import FeasibleSpace
from geco.whole import check_whole


@dataclass(frozen=True)
class SimCF(OnPoints, Ready):
    """Settings of SimCF.

    Parameters
    ----------
    values : feasible rows drawn of each group, by their frequency in D.

    Notes
    -----
    Another seed gives other answers. None of them is promised to be irreducible, and a walk may end without any.
    """

    values: int = 5

    def __post_init__(self) -> None:
        check_whole(self, "values")

    def search(self, task: Task) -> SimCFSearch:
        """A run for one x: k walks."""
        return SimCFSearch(task, self.values)


class Walk:
    """One random order of groups, and how far it has come."""

    def __init__(self, space: FeasibleSpace, rng: np.random.Generator) -> None:
        self.space, self.rng = space, rng
        self.groups = rng.permutation(free_groups(space)).tolist()
        self.at = np.array(space.core.start, np.int32)
        self.tried = self.at[None] if self.at.any() else self.at[None][:0]  # x is not a candidate, x repaired is one
        self.good = False

    @property
    def over(self) -> bool:
        return self.good or not self.groups

    def step(self, values: int, counts: _core.CascadeCounts) -> Rows:
        """Draw rows of the next group; what obeys every rule after action_cascade is to be scored."""
        group = self.groups.pop()
        choices = self.space.core.choices(group)
        weights = self.space.domain.tables[group].counts[choices].astype(float)
        drawn = self.rng.choice(choices, min(values, len(choices)), replace=False, p=weights / weights.sum())
        steps = np.repeat(self.at[None], len(drawn), axis=0)
        steps[:, group] = drawn
        repaired = [self.space.core.action_cascade(row, counts) for row in steps]
        kept = [row for obeys, row in repaired if obeys and row.any()]
        self.tried = np.array(kept, np.int32).reshape(-1, len(self.at))
        return self.tried

    def choose(self, archive: Archive) -> None:
        """Go to the best by score of those tried."""
        scored = [archive.look_up(row) for row in self.tried]
        if not scored or np.isnan([s.outcome for s in scored]).all():
            return
        scores = score(np.array([s.distance for s in scored]), np.array([s.outcome for s in scored]))
        best = scored[int(np.nanargmin(scores))]
        self.at, self.good = best.rows, best.outcome > 0.5


class SimCFSearch:
    """One run for one x."""

    limit = None
    proof = None
    native = None

    def __init__(self, task: Task, values: int) -> None:
        self.space, self.values, self.ways, self.trace = task.space, values, task.ways, task.trace
        self.archive = Archive(self.space)
        self.counts = _core.CascadeCounts(self.space.core)
        self.walks = [Walk(self.space, np.random.default_rng([task.seed, walk])) for walk in range(task.k)]
        self.converged = False
        self.stopped_by: StoppedBy = "converged"

    def ask(self) -> Proposal:
        if self.space.feasible is not _core.Feasible.YES:  # nothing to start from
            self.converged, self.stopped_by = True, "exhausted"
            return Proposal.of_points(self.space.x_rows[:0])
        walking = [walk for walk in self.walks if not walk.over]
        repaired = not self.trace.generations and len(self.walks[0].tried) > 0
        with self.trace.lap("draw"):
            tried = [walk.tried if repaired else walk.step(self.values, self.counts) for walk in walking]
        none = self.space.x_rows[:0]
        return Proposal.of_points(self.archive.claim(np.concatenate([none, *tried])))

    def tell(self, proposal: Proposal, outcome: Outcome) -> None:
        self.archive.score_latest(outcome.points, outcome.point_numbers)
        self.trace.generations += 1
        for walk in self.walks:
            if not walk.good:
                walk.choose(self.archive)
        if self.converged or all(walk.over for walk in self.walks):
            found = any(walk.good for walk in self.walks)
            self.converged, self.stopped_by = True, "converged" if found else "exhausted"

    def best(self, n: int) -> Rows:
        """The last candidates of the walks that reached a good outcome, nearest first."""
        ends = np.array([walk.at for walk in self.walks if walk.good], np.int32).reshape(-1, self.space.core.width)
        ends = np.unique(ends, axis=0)
        ends = ends[np.argsort(self.space.core.distance(ends), kind="stable")]
        return np.ascontiguousarray((ends[first_of_each_delta(ends)] if self.ways != "top" else ends)[:n])
