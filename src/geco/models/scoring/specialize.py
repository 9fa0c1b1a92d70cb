"""Specialize: candidates scored by M_Δ, the model partially evaluated on x (Sec. 5.2)."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import numpy.typing as npt

from geco import _core
from geco.models.compiling.compiled import Anchor, Compiled
from geco.models.scoring.base import Answers
from geco.population.base import ASKED, Lines, Rows

HELD = 4_000_000  # nodes or numbers of all M_Δ of one x: at most 64 MB


class Specialize:
    """The paper's way: candidates of one Δ set are scored by M_Δ on R_Δ; M_Δ is made once and kept for x."""

    lap = "specialize"
    line_cost = ASKED
    native = None

    def __init__(self, compiled: Compiled, anchor: Anchor) -> None:
        self.compiled, self.anchor = compiled, anchor
        self._specialized: dict[bytes, _core.SpecializedForest | _core.SpecializedNetwork] = {}
        self._held = 0

    def score(self, points: Rows, lines: Lines, seconds: float) -> Answers:
        ends = perf_counter() + seconds
        rows = np.concatenate([points, lines.as_points()])
        sums = np.empty((len(rows), self.compiled.core.outputs))
        for members in _by_delta(rows):
            if perf_counter() > ends:
                raise _core.OutOfTime
            delta = np.flatnonzero(rows[members[0]]).astype(np.int32)
            sums[members] = self._of(delta).points(rows[np.ix_(members, delta)])
        return self.compiled.judged(sums)

    def _of(self, delta: npt.NDArray[np.int32]) -> _core.SpecializedForest | _core.SpecializedNetwork:
        """M_Δ."""
        key = delta.tobytes()
        if key not in self._specialized:
            made = self._specialized[key] = self.compiled.core.specialize(self.anchor, delta)
            self._held += made.size
            while self._held > HELD and len(self._specialized) > 1:  # the one used longest ago
                self._held -= self._specialized.pop(next(iter(self._specialized))).size
        self._specialized[key] = self._specialized.pop(key)
        return self._specialized[key]


def _by_delta(rows: Rows) -> list[npt.NDArray[np.intp]]:
    """Which candidates have the same Δ set: their positions, Δ set by Δ set."""
    if not len(rows):
        return []
    changed = np.packbits(rows != 0, axis=1)
    order = np.lexsort(changed.T)  # several times faster than np.unique of rows
    changed = changed[order]
    return np.split(order, np.flatnonzero((changed[1:] != changed[:-1]).any(axis=1)) + 1)
