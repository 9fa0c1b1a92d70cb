"""Rounds: a search over a compiled model, whole rounds at a time in the native core (docs/decisions/0006).

In: the native search and a Sweep. It does what the loop in algorithm1.py does, ask, evaluate, tell, and gives the same.
Like a Request it is yielded to whoever drives the run, so that many can be carried out side by side.
"""

from __future__ import annotations

from collections.abc import Generator

from geco import _core
from geco.models.scoring.sweep import Sweep
from geco.trace import Trace

ALL = 1_000_000
SLICE = 0.1  # seconds in the core without a look at signals, such as Ctrl-C


class Rounds:
    """The rounds of one x: ``most`` of them are to be carried out, ``seconds`` is how long the last ones took."""

    def __init__(self, search: _core.Frontier, evaluate: Sweep, trace: Trace) -> None:
        self.search, self.evaluate, self.trace = search, evaluate, trace
        compiled = evaluate.compiled
        self.core = _core.Sweeping(search, compiled.core, evaluate.bound, compiled.verdict, evaluate.seconds)
        self.most = ALL
        self.seconds = 0.0
        self._laps = (0.0, 0.0, 0.0)

    def carry_out(self) -> None:
        """Here and now."""
        left = self.most
        while left > 0 and (done := self.core.run(left, SLICE)):
            left -= done

    def __call__(self, most: int = ALL) -> Generator[Rounds, None, None]:
        """Have up to ``most`` rounds carried out."""
        self.most = most
        yield self
        self.core.rethrow()
        laps = self.core.laps
        for operator, now, before in zip(("expand", "sweep", "select"), laps, self._laps, strict=True):
            self.trace.add(operator, now - before)
        self.seconds, self._laps = sum(laps) - sum(self._laps), laps
        self.trace.generations = self.search.rounds
        self.evaluate.swept(self.core)
