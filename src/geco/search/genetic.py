"""GeneticSearch: the body of Algorithm 1, exactly as in the paper; points only.

Beyond the paper: it also stops when CAND is empty (fewer than k answers may exist) or after ``max_generations``, and
unless ``ways="top"`` parts of the best answers are proposed too, so that TOPK is k different, irreducible ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from geco import _core
from geco.errors import SettingsError
from geco.given import choice
from geco.population.base import Candidates, Outcome, Proposal, Representation, Rows, W, Ways
from geco.population.delta import Delta
from geco.population.listing import Listing
from geco.search.base import Archive, Ready, StoppedBy, Task
from geco.search.crossover import crossover
from geco.search.mutate import mutate, selective_mutate
from geco.search.select import Population, select_fittest
from geco.trace import Size
from geco.whole import check_whole

WIDTH = 8
PATIENCE = 3  # generations without a new way before fewer than k different ways are taken as all there are


@dataclass(frozen=True)
class Genetic(Ready):
    """The paper's search and its hyperparameters (Sec. 4.6).

    Parameters
    ----------
    q : candidates kept from one generation to the next.
    m_init, m_mut : rows drawn per group for the first population and in each later mutation.
    max_generations : the search ends here at the latest.
    representation : ``"delta"`` (Sec. 5.1) or the naive ``"listing"``.
    mutate : mutate ``"all"`` candidates, or only the ``"best"`` of each Δ set (Sec. 4.6).
    evaluation : ``"materialize"`` asks the user's model about full feature vectors, as a black box. With
        ``"specialize"`` candidates of one Δ set are scored by M_Δ, the model partially evaluated on x (Sec. 5.2), and
        the user's model is asked for the confirmation only; it must be one that geco can compile.
    """

    q: int = 100
    m_init: int = 20
    m_mut: int = 5
    max_generations: int = 30
    representation: Representation = "delta"
    mutate: Literal["all", "best"] = "all"
    evaluation: Literal["materialize", "specialize"] = "materialize"

    def __post_init__(self) -> None:
        check_whole(self, "q", "m_init", "m_mut", "max_generations")
        choice("representation", self.representation, ("delta", "listing"))
        choice("mutate", self.mutate, ("all", "best"))
        choice("evaluation", self.evaluation, ("materialize", "specialize"))

    def way(self, ways: Ways[W]) -> W:
        return ways.specialize if self.evaluation == "specialize" else ways.materialize

    def search(self, task: Task) -> GeneticSearch:
        """A run for one x; what the model can afford changes nothing: the paper's search proposes as it does."""
        if task.k >= self.q:
            raise SettingsError(f"k must be smaller than q={self.q}, got {task.k}; give method=geco.Genetic(q=...)")
        return GeneticSearch(task, self)


class GeneticSearch:
    """One run for one x."""

    proof = None
    native = None

    def __init__(self, task: Task, settings: Genetic) -> None:
        space = task.space
        self.space, self.settings, self.trace = space, settings, task.trace
        self.k, self.seed, self.ways = task.k, task.seed, task.ways
        self.archive = Archive(space)
        self.counts = _core.CascadeCounts(space.core)
        self.representation: type[Candidates] = Delta if settings.representation == "delta" else Listing
        self.top_k = np.zeros((0, space.core.width), np.int32)
        self.population = Population.nobody(self.representation.from_rows(space.core, self.top_k))
        self.undos = self.top_k
        self.stable = 0
        self.converged = False
        self.stopped_by: StoppedBy = "converged"

    @property
    def limit(self) -> str:
        return f"the search reached its limit of generations (max_generations={self.settings.max_generations})"

    def ask(self) -> Proposal:
        if self.space.feasible is not _core.Feasible.YES:  # nothing to start from
            self.converged, self.stopped_by = True, "exhausted"
            return Proposal.of_points(self.top_k)
        parts = (
            self._next_generation(self.population.candidates, 1) if len(self.population) else self._first_generation()
        )
        rows = self._fresh(parts)
        wider = 1
        while not len(rows) and wider < self._widest():
            # A plateau: all neighbours of the fittest are known. Look at more parents and more rows before giving up.
            wider *= 2
            more = self.representation.from_rows(self.space.core, self.archive.fittest(self.settings.q * wider))
            rows = self._fresh(self._next_generation(more, wider))
        if not len(rows):
            self.converged, self.stopped_by = True, "exhausted"
        return Proposal.of_points(rows)

    def tell(self, proposal: Proposal, outcome: Outcome) -> None:
        with self.trace.lap("select"):
            distance = self.archive.score_latest(outcome.points, outcome.point_numbers)
            self.population = select_fittest(
                self.population, self.space.core, proposal.points, distance, outcome.points, self.settings.q
            )
            before = self.top_k
            self.top_k = self.best(self.k)
            # ask() never repeats a candidate; otherwise a re-proposed winner would keep the loop alive.
            self.stable = self.stable + 1 if np.array_equal(before, self.top_k) and len(before) else 0
        self._record(proposal.points)
        if self.stable >= (1 if len(self.top_k) == self.k else PATIENCE):
            self.converged = True
        elif self.trace.generations > self.settings.max_generations and not self.converged:
            self.converged, self.stopped_by = True, "budget"

    def best(self, n: int) -> Rows:
        """TOPK: different irreducible ways, or (as in the paper) the first n counterfactuals of the population."""
        if self.ways != "top":
            # Most combinations of two changes owe their outcome to one of them; looking at the parts of many at once
            # finds the true ways in few generations.
            _, _, self.undos = self.archive.ways(WIDTH * n, n, self.ways)
            return self.archive.best(n, self.ways)
        top = self.population.candidates.take(np.flatnonzero(self.population.outcome[:n] > 0.5))
        return top.rows()

    def _first_generation(self) -> list[Candidates]:
        start = np.array([self.space.core.start], np.int32)
        x = self.representation.from_rows(self.space.core, start)
        with self.trace.lap("mutate"):
            mutated = mutate(x, self.space.core, self.settings.m_init, self.seed, 0, self.counts)
        return [mutated, x] if start.any() else [mutated]  # x is not a candidate, x repaired is one

    def _next_generation(self, population: Candidates, wider: int) -> list[Candidates]:
        m = self.settings.m_mut * wider
        arguments = self.seed, self.trace.generations, self.counts
        parents = population.take(population.best_per_delta()) if self._only_best(wider) else population
        with self.trace.lap("crossover"):
            crossed = crossover(population, self.space.core, *arguments)
        with self.trace.lap("mutate"):
            mutated = mutate(parents, self.space.core, m, *arguments)
        with self.trace.lap("selective_mutate"):
            nearer = selective_mutate(parents, self.space.core, m, *arguments)
        return [crossed, mutated, nearer, self.representation.from_rows(self.space.core, self.undos)]

    def _only_best(self, wider: int) -> bool:
        return self.settings.mutate == "best" and wider == 1

    def _fresh(self, parts: list[Candidates]) -> Rows:
        with self.trace.lap("claim"):
            return np.concatenate([self.archive.claim(part) for part in parts])

    def _widest(self) -> int:
        """Factor at which every candidate is a parent and every row of every group is drawn."""
        largest = max(table.rows for table in self.space.domain.tables)
        return max(-(-len(self.archive) // self.settings.q), -(-largest // self.settings.m_mut))

    def _record(self, points: Rows) -> None:
        self.trace.generations += 1
        features = len(self.space.domain.schema)
        self.trace.sizes.append(Size(*self.representation.stored(self.space.core, points), features * len(points)))
