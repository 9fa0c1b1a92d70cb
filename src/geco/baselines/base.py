"""What the systems of Sec. 6 share: candidates that are whole rows of D, and answers that promise nearness only."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from geco._core import Space
from geco.data.joint import joint_rows
from geco.params import Params
from geco.population.base import Rows, W, Ways
from geco.search.base import Archive, Kind, Prove, Ready, Search, Task
from geco.space.deployment import Deployment
from geco.space.feasible import FeasibleSpace

if TYPE_CHECKING:
    from geco.data.database import Database


OF_OTHERS: tuple[Kind, ...] = "sets", "top"  # the systems the paper compares with do not look for minimal ways


class OnPoints:
    """A method that proposes candidates one by one, scored by a compiled form of the model where there is one."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return OF_OTHERS

    def near(self, params: Params) -> Params:
        return params

    def proves(self, prove: Prove) -> Prove:
        return False

    def way(self, ways: Ways[W]) -> W:
        return ways.points


class OnRowsOfD(OnPoints, ABC):
    """A method that begins with the rows of D."""

    @property
    def several_models(self) -> bool:
        return False

    def prepare(self, database: Database, deployment: Deployment, compiled: object) -> WithRowsOfD:
        """Read the rows of D, once per Explainer."""
        return WithRowsOfD(self, joint_rows(database, deployment.domain))

    @abstractmethod
    def over(self, joint: Rows, task: Task) -> Search:
        """A run for one x that begins with these rows of D."""


@dataclass(frozen=True, eq=False)
class WithRowsOfD(Ready):
    """Such a method, ready: the rows of D are the same under every model."""

    settings: OnRowsOfD
    joint: Rows

    @property
    def several_models(self) -> bool:
        return False

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return OF_OTHERS

    def way(self, ways: Ways[W]) -> W:
        return self.settings.way(ways)

    def search(self, task: Task) -> Search:
        """A run for one x."""
        return self.settings.over(self.joint, task)

    def __repr__(self) -> str:
        return repr(self.settings)


@dataclass
class Dropped:
    """Candidates left out, by the rule across groups that they break; the last counts those without any row."""

    dropped: list[int]
    repaired: int = 0

    @classmethod
    def nothing(cls, space: FeasibleSpace) -> Dropped:
        return cls([0] * (len(space.rules) + 1))


@dataclass
class Obeying:
    """Keeps the candidates that obey every rule, and counts the others."""

    space: FeasibleSpace
    counts: Dropped = field(init=False)

    def __post_init__(self) -> None:
        self.counts = Dropped.nothing(self.space)

    def __call__(self, rows: Rows) -> Rows:
        broken = self.space.core.first_broken(rows)
        for rule, times in zip(*np.unique(broken[broken >= 0], return_counts=True), strict=True):
            self.counts.dropped[rule] += int(times)
        return np.ascontiguousarray(rows[broken == Space.NONE_BROKEN])


def rows_of_database(space: FeasibleSpace, joint: Rows) -> Rows:
    """The rows of D as candidates for x, those left out that a group's own rules forbid, and x itself.

    A group in which a row equals x is unchanged.
    """
    left = np.arange(len(joint))
    choices = [space.core.choices(group) for group in range(space.core.width)]
    for group in sorted(range(len(choices)), key=lambda g: len(choices[g])):  # FIXED groups leave few rows to look at
        allowed = np.zeros(space.domain.tables[group].rows + 1, bool)
        allowed[choices[group]] = True
        allowed[space.rows_like_x[group]] = group not in space.broken
        left = left[allowed[joint[left, group]]]
    rows = joint[left]
    for group, row in enumerate(space.rows_like_x):
        if row:
            rows[rows[:, group] == row, group] = 0
    return np.ascontiguousarray(rows[rows.any(axis=1)])


def nearest_answers(archive: Archive, n: int, kind: Kind) -> Rows:
    """The n nearest counterfactuals; unless the top is asked for one per set of changed groups, irreducible or not."""
    wanted = n
    while True:
        rows = archive.nearest(wanted)
        ways = rows[first_of_each_delta(rows)] if kind != "top" else rows
        if len(ways) >= n or len(rows) < wanted:
            return np.ascontiguousarray(ways[:n])
        wanted *= 4


def first_of_each_delta(rows: Rows) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Positions of the first candidate of each set of changed groups, in order."""
    if not len(rows):
        return np.zeros(0, np.int64)
    _, first = np.unique(np.packbits(rows != 0, axis=1), axis=0, return_index=True)
    return np.sort(first).astype(np.int64)


def free_groups(space: FeasibleSpace) -> list[int]:
    """Groups with a row to choose that the model reads; others move only by cascade."""
    return [g for g in range(space.core.width) if space.free[g] and len(space.core.choices(g))]
