"""ExactSearch: the frontier's answer first, then the proof that nothing nearer exists, or what is nearer.

Branch and bound over boxes of rows is native (native/core/exact.hpp); this module says when it ends. The nearest answer
is proved first: every allowed good candidate is at least as far. Where k > 1 ways are asked for the proof then goes on
to all of them: everything that is nearer than the last is one of them, or left out by one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from geco import _core
from geco.errors import SettingsError, shown
from geco.population.base import Outcome, Proposal, Rows, W, Ways
from geco.search.base import Archive, Proof, Ready, StoppedBy, Task
from geco.search.frontier import Frontier, FrontierSearch
from geco.whole import check_whole

SLICE = 256  # boxes between two looks at the clock
BEYOND = 1 + 1e-9  # times the distance of the last way: what is as near is looked at, whatever it is rounded to


@dataclass(frozen=True)
class Exact(Ready):
    """The nearest answer, proved; for compiled trees and forests.

    Parameters
    ----------
    start : the frontier search that finds the answer to be proved, and the further ways where k > 1.
    max_boxes : boxes after which the proof is given up; the answer is then returned with its gap.
    """

    start: Frontier = field(default_factory=Frontier)
    max_boxes: int = 200_000

    def __post_init__(self) -> None:
        if not isinstance(self.start, Frontier):
            raise SettingsError(f"start must be a geco.Frontier(...), got {shown(self.start)}")
        check_whole(self, "max_boxes")

    @property
    def several_models(self) -> bool:
        return False

    def way(self, ways: Ways[W]) -> W:
        return ways.bounded

    def search(self, task: Task) -> ExactSearch:
        """A run for one x."""
        return ExactSearch(task, self.start.search(task), self.max_boxes)


class ExactSearch:
    """One run for one x: the frontier, a proof of the nearest answer, and where more are asked for a proof of all."""

    native = None

    def __init__(self, task: Task, start: FrontierSearch, max_boxes: int) -> None:
        self.space, self.trace, self.bounds, self.ways = task.space, task.trace, task.lines.bounds, task.ways
        self.start, self.max_boxes = start, max_boxes
        self.answers = task.k if task.ways != "top" else 1  # that are to be proved
        self.archive: Archive = start.archive
        self.prover: _core.Exact | None = None
        self.aim = 1  # so many ways are being proved
        self.proved = 0  # so many are
        self.reach = np.inf  # of the prover
        self.boxes = 0  # of provers that have ended
        self.judging = False  # the first candidate proposed is the prover's
        self.converged = False
        self.stopped_by: StoppedBy = "converged"

    @property
    def counts(self) -> _core.CascadeCounts:
        return self.start.counts

    @property
    def proof(self) -> Proof:
        """How far the proof has come."""
        if self.space.feasible is _core.Feasible.NO:
            return Proof(np.inf, complete=True)
        nearest = self._distance(1) if self.proved else 0.0
        if self.prover is None:
            return Proof(nearest, complete=False, answers=self.answers)
        return Proof(max(nearest, self.prover.lower), self._complete(), self.answers)

    @property
    def limit(self) -> str:
        if self.prover is None:
            return self.start.limit
        if self.prover.full:
            return "the proof reached its limit of memory"
        return f"the proof reached its limit of boxes (max_boxes={self.max_boxes})"

    def ask(self) -> Proposal:
        if not self.start.converged:
            return self.start.ask()
        with self.trace.lap("prove"):
            return Proposal.of_points(self._next())

    def tell(self, proposal: Proposal, outcome: Outcome) -> None:
        if self.converged:
            return  # nothing was left to propose
        if self.prover is None:
            self.start.tell(proposal, outcome)
            # Without bounds (x cannot be put into the compiled model's terms) or a start there is nothing to prove.
            if self.start.converged and (self.bounds is None or self.space.feasible is _core.Feasible.NO):
                self.converged, self.stopped_by = True, self.start.stopped_by
            return
        self.archive.score(proposal.points, outcome.points, outcome.point_numbers)
        if self.judging and not np.isnan(outcome.points).any():
            good, *undos = outcome.points > 0.5
            self.prover.tell(bool(good), any(undos), self._reach())
            self.judging = False

    def best(self, n: int) -> Rows:
        return self.start.best(n)

    def _distance(self, k: int) -> float:
        """The distance of the k-th way known so far; one that may still turn out reducible is none."""
        rows = self.archive.best(k, "top" if k == 1 and self.ways != "minimal" else self.ways)
        return self.archive.look_up(rows[k - 1]).distance if len(rows) >= k else np.inf

    def _reach(self) -> float:
        """How far the prover has to look; of minimal ways that are equally near a certain one comes first."""
        distance = self._distance(self.aim)
        return float(np.nextafter(distance * BEYOND, np.inf)) if self.ways == "minimal" else distance

    def _next(self) -> Rows:
        """The next candidates to be judged, the prover's with what it leads to if a change is undone; none for now."""
        if self.prover is None and not self._begin():
            return self.space.x_rows[:0]
        assert self.prover is not None and self.bounds is not None
        if not self.prover.complete and self.boxes + self.prover.boxes < self.max_boxes and not self.prover.full:
            rows = self.prover.ask(self.space.core, SLICE, self.bounds.seconds)
            self.judging = len(rows) > 0
            return np.concatenate([rows, self._undos(rows[0])]) if self.judging and self._sets else rows
        # An answer is settled once all its undos are known.
        pending = self.archive.ways(self.answers + 1, self.answers, "sets" if self.ways == "top" else self.ways)[2]
        if len(pending):
            return pending
        if self.prover.complete and not self._complete():
            self._farther()
        else:
            self.converged = True
            complete: StoppedBy = "converged" if len(self.archive.nearest(1)) else "exhausted"
            self.stopped_by = complete if self.prover.complete else "budget"
        return pending

    @property
    def _sets(self) -> bool:
        """Sets of changed groups are being proved."""
        return self.aim > 1 and self.ways == "sets"

    def _complete(self) -> bool:
        """All is proved that was asked for: there are as many ways as that, or no others at all."""
        if self.prover is None or not self.prover.complete:
            return False
        found = self.prover.ways if self.ways == "minimal" else self.answers
        return self.aim == self.answers and (found >= self.answers or self._reach() <= self.reach)

    def _farther(self) -> None:
        """On to all ways once the nearest is proved, or farther if some were left out by what was proved meanwhile."""
        assert self.prover is not None
        if self.ways != "minimal" or self.prover.ways >= self.aim or self._reach() <= self.reach:
            self.aim = self.answers
        self.proved = max(1, self.prover.ways)
        self._begin()

    def _begin(self) -> bool:
        """False if there is no time to build what a proof needs; that ends the search."""
        assert self.bounds is not None
        self.boxes += self.prover.boxes if self.prover else 0
        self.archive.core.unfix_first()  # what the proof finds nearer comes before it
        self.reach = self._reach()
        self.prover = None
        try:
            self.prover = self.bounds.prover(self.space.core, self.reach, self.aim, self.ways == "minimal")
            for way in self.archive.best(self.proved, self.ways) if self.ways == "minimal" else ():
                self.prover.leave_out(self.space.core, way)
        except _core.OutOfTime:
            self.converged, self.stopped_by = True, "deadline"
        return not self.converged

    def _undos(self, rows: Rows) -> Rows:
        """The candidate with each of its changes undone, where the rules allow that."""
        undos = np.repeat(rows[None], np.count_nonzero(rows), axis=0)
        undos[np.arange(len(undos)), rows.nonzero()[0]] = 0
        obeys: npt.NDArray[np.bool_] = self.space.core.first_broken(undos) == _core.Space.NONE_BROKEN
        return np.ascontiguousarray(undos[obeys & undos.any(axis=1)])
