"""Exact: the frontier's search with proofs that go as far as it takes, for compiled trees and forests.

The proof is native (native/core/proofs.hpp); this module says how far it goes and what it means not to get there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from geco import _core
from geco.errors import SettingsError, shown
from geco.population.base import W, Ways
from geco.search.base import Prove, Ready, StoppedBy, Task
from geco.search.frontier import Frontier, FrontierSearch
from geco.whole import check_whole


@dataclass(frozen=True)
class Exact(Ready):
    """The nearest ways, proved; for compiled trees and forests.

    Parameters
    ----------
    start : the frontier search that finds the answers to be proved.
    max_boxes : boxes after which the proof is given up; the answer is then returned with its gap.
    """

    start: Frontier = field(default_factory=Frontier)
    max_boxes: int = 200_000

    def __post_init__(self) -> None:
        if not isinstance(self.start, Frontier):
            raise SettingsError(f"start must be a geco.Frontier(...), got {shown(self.start)}")
        check_whole(self, "max_boxes")

    def proves(self, prove: Prove) -> Prove:
        if prove is False:
            raise SettingsError("method 'exact' is a proof; use method='frontier' with prove=False")
        return prove

    def way(self, ways: Ways[W]) -> W:
        return ways.bounded

    def search(self, task: Task) -> ExactSearch:
        """A run for one x; ``prove=`` may give it less time."""
        return ExactSearch(task, self.start.stages(task), self.max_boxes)


class ExactSearch(FrontierSearch):
    """One run for one x; it ends short of its aim where the proof does."""

    def __init__(self, task: Task, stages: list[_core.FrontierSettings], max_boxes: int) -> None:
        super().__init__(task, stages, max_boxes, several=True)
        self.max_boxes, self.seconds = max_boxes, task.prove
        self.aim = task.k if task.ways != "top" else 1

    @property
    def stopped_by(self) -> StoppedBy:
        ended = super().stopped_by
        if self.proofs is None or self._proved:
            return ended
        return "budget"

    @property
    def limit(self) -> str:
        if self.proofs is None or self._proved:
            return super().limit
        if self.proofs.full:
            return "the proof reached its limit of memory"
        if self.seconds != "quick":
            return f"the proof reached its limit of time (prove={self.seconds:g})"
        return f"the proof reached its limit of boxes (max_boxes={self.max_boxes})"

    @property
    def _proved(self) -> bool:
        proof = self.proof
        return proof is not None and (proof.none_left or proof.ways >= self.aim)
