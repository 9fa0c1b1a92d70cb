"""CERTIFAI: the conventional genetic algorithm, in the variant that the paper compares with (Sec. 4.7, called CERT).

The first population are all rows of D that are predicted good and obey every rule. Each generation exchanges and
mutates groups at random; only counterfactuals survive, the nearest of them. Nothing prefers few changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from geco.baselines.base import Dropped, Obeying, OnRowsOfD, free_groups, nearest_answers, rows_of_database
from geco.errors import SettingsError, shown
from geco.given import number
from geco.population.base import Outcome, Proposal, Rows
from geco.search.base import Archive, StoppedBy, Task
from geco.space.feasible import FeasibleSpace
from geco.whole import check_whole


@dataclass(frozen=True)
class Certifai(OnRowsOfD):
    """Settings of the conventional genetic algorithm.

    Parameters
    ----------
    generations : how many there are after the first population; it never ends earlier.
    population : counterfactuals kept from one generation to the next. The first population itself is not limited.
    crossover, mutation : shares of the population that exchange groups, and that have groups changed.

    Notes
    -----
    Without a good row of D that obeys the rules there is nothing to begin with, and no answer. With ``ways="sets"`` no
    two answers change the same groups, but none is promised to be irreducible.
    """

    generations: int = 300
    population: int = 100
    crossover: float = 0.5
    mutation: float = 0.5

    def __post_init__(self) -> None:
        check_whole(self, "generations", "population")
        for name in ("crossover", "mutation"):
            share = getattr(self, name)
            if not 0 <= (-1.0 if (plain := number(share)) is None else plain) <= 1:
                raise SettingsError(f"{name} must be a share between 0 and 1, got {shown(share)}")

    def over(self, joint: Rows, task: Task) -> CertifaiSearch:
        """A run for one x."""
        return CertifaiSearch(task, self, joint)


class CertifaiSearch:
    """One run for one x."""

    proof = None
    native = None

    def __init__(self, task: Task, settings: Certifai, joint: Rows) -> None:
        space = task.space
        self.space, self.settings, self.joint = space, settings, joint
        self.seed, self.ways, self.trace = task.seed, task.ways, task.trace
        self.archive = Archive(space)
        self.obeying = Obeying(space)
        self.spaces = [_Draws(space, group) for group in free_groups(space)]
        self.converged = False
        self.stopped_by: StoppedBy = "budget"

    @property
    def counts(self) -> Dropped:
        return self.obeying.counts

    @property
    def limit(self) -> str:
        return f"the search reached its limit of generations (generations={self.settings.generations})"

    def ask(self) -> Proposal:
        if not self.trace.generations:
            candidates = rows_of_database(self.space, self.joint)
        else:
            rng = np.random.default_rng([self.seed, self.trace.generations])
            population = self.archive.nearest(self.settings.population)
            with self.trace.lap("crossover"):
                population = np.concatenate([population, self._crossed(population, rng)])
            with self.trace.lap("mutate"):
                mutated = self._mutated(population, rng)
            candidates = np.concatenate([population, mutated])
        with self.trace.lap("claim"):
            obeying = self.obeying(candidates)
            return Proposal.of_points(self.archive.claim(obeying[obeying.any(axis=1)]))

    def tell(self, proposal: Proposal, outcome: Outcome) -> None:
        self.archive.score_latest(outcome.points, outcome.point_numbers)
        self.trace.generations += 1
        if not len(self.archive.nearest(1)):
            self.converged, self.stopped_by = True, "exhausted"  # D has no counterfactual for x
        elif self.trace.generations > self.settings.generations:
            self.converged = True

    def best(self, n: int) -> Rows:
        """The nearest of the last population; none that was ever better has been lost."""
        return nearest_answers(self.archive, n, self.ways)

    def _crossed(self, population: Rows, rng: np.random.Generator) -> Rows:
        """Pairs of candidates with some of their groups exchanged."""
        pairs = int(self.settings.crossover * len(population)) // 2
        parents = population[rng.permutation(len(population))[: 2 * pairs]].reshape(2, pairs, population.shape[1])
        exchanged = _some_groups(pairs, population.shape[1], rng)
        return np.concatenate([np.where(exchanged, parents[1], parents[0]), np.where(exchanged, *parents)])

    def _mutated(self, population: Rows, rng: np.random.Generator) -> Rows:
        """Candidates with some of their groups drawn anew, each by the frequencies in D."""
        chosen = rng.permutation(len(population))[: int(self.settings.mutation * len(population))]
        mutated = population[chosen]
        changed = _some_groups(len(mutated), len(self.spaces), rng)
        for position, draws in enumerate(self.spaces):
            mutated[changed[:, position], draws.group] = draws(int(changed[:, position].sum()), rng)
        return mutated


class _Draws:
    """Rows of DG by their frequency in D; x's own is none of them, so groups come back to x by crossover only."""

    def __init__(self, space: FeasibleSpace, group: int) -> None:
        self.group = group
        self.rows = space.core.choices(group)
        self.running = np.cumsum(space.domain.tables[group].counts[self.rows])

    def __call__(self, n: int, rng: np.random.Generator) -> Rows:
        drawn: Rows = self.rows[np.searchsorted(self.running, rng.random(n) * self.running[-1], side="right")]
        return drawn


def _some_groups(candidates: int, groups: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Per candidate which groups change: a random number of them, at least one."""
    if not groups:
        return np.zeros((candidates, 0), np.bool_)
    order = rng.random((candidates, groups)).argsort(axis=1)
    return order < rng.integers(1, groups + 1, (candidates, 1))
