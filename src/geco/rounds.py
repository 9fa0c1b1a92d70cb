"""Rounds: the loop of algorithm1.py in the native core, whole rounds at a time (docs/decisions/0006).

In: a search and an evaluator that are both in the core. They do what the loop does, ask, score, tell, and give the
same. Like a Request it is yielded to whoever drives the run, so that many can be carried out side by side.
"""

from __future__ import annotations

from collections.abc import Generator

from geco import _core
from geco.answers.nearby import Nearby
from geco.models.scoring.base import check_x
from geco.trace import Trace

ALL = 1_000_000
LAPS = "expand", "sweep", "select", "prove"
SLICE = 0.1  # seconds in the core without a look at signals, such as Ctrl-C


class Rounds:
    """The rounds of one x: ``most`` of them are to be carried out, ``seconds`` is how long the last ones took."""

    def __init__(self, search: _core.Frontier, scoring: _core.Scoring, standing: _core.Standing, trace: Trace) -> None:
        self.search, self.standing, self.trace = search, standing, trace
        self.core = _core.Sweeping(search, scoring, standing)
        self.most = ALL
        self.seconds = 0.0
        self._laps = (0.0, 0.0, 0.0, 0.0)

    @classmethod
    def of(cls, nearby: Nearby, trace: Trace) -> Rounds | None:
        """Where both are in the core; None elsewhere. The last round makes the answers ready."""
        search, evaluate = nearby.search.native, nearby.evaluate.native
        if search is None or evaluate is None:
            return None
        rounds = cls(search, evaluate, nearby.evaluate.standing, trace)
        nearby.then(rounds.core)
        return rounds

    def carry_out(self) -> None:
        """In the thread of the caller, until they are done."""
        left = self.most
        while left > 0 and (done := self.core.run(left, SLICE)):
            left -= done

    def __call__(self, most: int = ALL) -> Generator[Rounds, None, None]:
        """Have up to ``most`` rounds carried out."""
        self.most = most
        yield self
        self.core.rethrow()
        laps = self.core.laps
        for operator, now, before in zip(LAPS, laps, self._laps, strict=True):
            if now > before:
                self.trace.add(operator, now - before)
        self.seconds, self._laps = sum(laps) - sum(self._laps), laps
        self.trace.generations = self.search.rounds
        self.trace.points_scored = self.core.scored
        check_x(self.standing)
