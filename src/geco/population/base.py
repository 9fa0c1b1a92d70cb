"""What operators may ask of a set of candidates, and what a search proposes.

Two representations (delta.py, listing.py) answer to ``Candidates``; a ``Proposal`` carries points (row numbers for all
groups) and lines (a parent, one group, a list of its rows), and an ``Outcome`` one number for each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from geco import _core

Rows = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]
Representation = Literal["delta", "listing"]
W = TypeVar("W")


class Candidates(Protocol):
    """A set of candidates in either representation; immutable."""

    @staticmethod
    def from_rows(space: _core.Space, rows: Rows) -> Candidates: ...
    def __len__(self) -> int: ...
    def rows(self) -> Rows: ...
    def take(self, indices: Indices) -> Self: ...
    def select(self, space: _core.Space, points: Rows, indices: Indices) -> Self: ...
    def best_per_delta(self) -> Indices: ...
    def mutate(
        self, space: _core.Space, m: int, selective: bool, seed: int, round: int, counts: _core.CascadeCounts
    ) -> Self: ...
    def crossover(self, space: _core.Space, seed: int, round: int, counts: _core.CascadeCounts) -> Self: ...
    @staticmethod
    def stored(space: _core.Space, points: Rows) -> tuple[int, int]: ...


@dataclass(frozen=True)
class Lines:
    """For each line its parent (dense rows), the group that varies, and the rows it takes (ragged, by offsets)."""

    parents: Rows
    groups: npt.NDArray[np.int32]
    offsets: Indices
    rows: Rows

    @classmethod
    def none(cls, width: int) -> Lines:
        empty = np.zeros(0, np.int32)
        return cls(np.zeros((0, width), np.int32), empty, np.zeros(1, np.int64), empty)

    def as_points(self) -> Rows:
        """Every row of every line as a candidate of its own."""
        if not len(self.rows):
            return self.parents[:0]
        return self._points(np.repeat(np.arange(len(self.groups)), np.diff(self.offsets)), self.rows)

    def points_at(self, positions: Indices) -> Rows:
        """The same for the rows in these positions only."""
        return self._points(self.offsets.searchsorted(positions, side="right") - 1, self.rows[positions])

    def _points(self, lines: Indices, rows: Rows) -> Rows:
        points = self.parents[lines]
        points[np.arange(len(points)), self.groups[lines]] = rows
        return points


class Bounds(Protocol):
    """Whoever scores candidates may also know bounds of their outcome over whole boxes of them."""

    @property
    def core(self) -> _core.Bounds: ...
    @property
    def standing(self) -> _core.Standing: ...
    @property
    def quick(self) -> bool:
        """Proofs by default are worth their time."""

    @property
    def single(self) -> bool:
        """It is one tree, whose leaves can be looked at one by one."""

    @property
    def sets(self) -> bool:
        """Whether it can be said of a box that all of it is good."""


class LineCost(NamedTuple):
    """What the lines of a proposal cost whoever scores them, and whether outcomes have bounds."""

    rows: int | None  # of a line that can be afforded in a round; None for all
    swept: bool  # a row costs next to nothing, so that many are asked about and few kept
    bounds: Bounds | None = None
    scoring: _core.Scoring | None = None  # by one model in the core, which may know where its lines turn good


class Ways(NamedTuple, Generic[W]):
    """The ways in which proposals can be scored, for a method to choose from; what they are is in models/scoring/."""

    materialize: W  # by the user's model
    specialize: W  # by M_Δ of the compiled model, which it must have
    sweep: W  # by the compiled model where there is one, over the rows that it can tell apart; with bounds, if it has
    points: W  # the same over all rows
    bounded: W  # as sweep; the model must be a compiled forest, so that there are bounds for a proof


ASKED = LineCost(_core.FrontierSettings.ASKED_ROWS, swept=False)  # row by row, by the user's model


@dataclass(frozen=True)
class Proposal:
    """What a search wants scored next: CAND of Algorithm 1."""

    points: Rows
    lines: Lines

    @classmethod
    def of_points(cls, points: Rows) -> Proposal:
        return cls(points, Lines.none(points.shape[1]))

    def __len__(self) -> int:
        return len(self.points) + len(self.lines.rows)


@dataclass(frozen=True)
class Outcome:
    """M(x') for a proposal, mapped to [0, 1] with good above 0.5; NaN where the budget ended before it was asked.

    ``point_numbers`` and ``line_numbers`` are the model's numbers, in the same order.
    """

    points: Floats
    lines: Floats
    point_numbers: Floats
    line_numbers: Floats
    x: float = np.nan  # M(x), from the first call
    x_number: float = np.nan

    @classmethod
    def of(cls, outcome: Floats, numbers: Floats, points: int, standing: _core.Standing) -> Outcome:
        """What was said of so many points and, after them, of the rows of lines; what was said of x is known by now."""
        x, x_number = standing.x_outcome, standing.x_number
        return cls(outcome[:points], outcome[points:], numbers[:points], numbers[points:], x, x_number)
