"""WIT: the nearest row of D that is predicted good and obeys every rule (Sec. 6.1), as in Google's What-If Tool.

Exact without asking the model about all of D: rows are asked nearest first, some at a time, until enough are good.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from geco.baselines.base import Dropped, Obeying, OnRowsOfD, nearest_answers, rows_of_database
from geco.population.base import Outcome, Proposal, Rows
from geco.search.base import Archive, StoppedBy, Task
from geco.whole import check_whole


@dataclass(frozen=True)
class Wit(OnRowsOfD):
    """Settings of the What-If Tool's search.

    Parameters
    ----------
    rows : rows of D that the model is asked about per round, nearest first; each round asks about twice as many.

    Notes
    -----
    Answers are whole rows of D: with ``ways="sets"`` no two of them change the same groups, but a change in them may
    well be left out without losing the good outcome.
    """

    rows: int = 500

    def __post_init__(self) -> None:
        check_whole(self, "rows")

    def over(self, joint: Rows, task: Task) -> WitSearch:
        """A run for one x; nothing in it is left to chance."""
        return WitSearch(task, joint, self.rows)


class WitSearch:
    """One run for one x."""

    limit = None
    proof = None
    native = None

    def __init__(self, task: Task, joint: Rows, rows: int) -> None:
        space = task.space
        self.k, self.ways, self.trace = task.k, task.ways, task.trace
        self.archive = Archive(space)
        with self.trace.lap("sort"):
            obeying = Obeying(space)
            candidates = obeying(rows_of_database(space, joint))
            self.waiting = candidates[np.argsort(space.core.distance(candidates), kind="stable")]
        self.counts: Dropped = obeying.counts
        self.rows = rows
        self.converged = False
        self.stopped_by: StoppedBy = "converged"

    def ask(self) -> Proposal:
        asked, self.waiting = self.waiting[: self.rows], self.waiting[self.rows :]
        self.rows *= 2
        return Proposal.of_points(self.archive.claim(np.ascontiguousarray(asked)))

    def tell(self, proposal: Proposal, outcome: Outcome) -> None:
        self.archive.score_latest(outcome.points, outcome.point_numbers)
        self.trace.generations += 1
        enough = len(self.best(self.k)) == self.k
        if enough or not len(self.waiting):
            self.converged, self.stopped_by = True, "converged" if enough else "exhausted"

    def best(self, n: int) -> Rows:
        """The nearest good rows of D."""
        return nearest_answers(self.archive, n, self.ways)
