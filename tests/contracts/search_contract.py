"""What every Search must do. A new one subclasses SearchContract, names its method, and inherits all tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from geco.search.base import Task
from geco.space.feasible import feasible_space
from geco.space.ground import ground
from geco.trace import Trace
from soak import examine, explainer_for
from strategies import Problem, random_problem

SEEDS = range(200, 215)
MOST_ROUNDS = 200


class SearchContract:
    """Ask and tell, judged from outside."""

    method: Any
    irreducible = (
        True  # of k different ways, no change can be left out; the systems geco is compared with do not say so
    )

    @pytest.fixture(params=SEEDS)
    def problem(self, request: pytest.FixtureRequest) -> Problem:
        return random_problem(request.param)

    def rounds(self, problem: Problem, seed: int = 0) -> tuple[Any, Any, list[np.ndarray]]:
        """Play the loop with random outcomes; every proposal is kept."""
        explainer = explainer_for(problem, self.method)
        space = feasible_space(explainer.deployment, ground(problem.x, explainer.program.rules), problem.x)
        search = explainer.method.search(Task(space, Trace(), 3, seed))
        rng, proposals = np.random.default_rng(seed), []
        while not search.converged and len(proposals) < MOST_ROUNDS:
            proposal = search.ask()
            points = np.concatenate([proposal.points, proposal.lines.as_points()])
            proposals.append(points)
            outcome = rng.random(len(points))
            n = len(proposal.points)
            search.tell(proposal, geco_outcome(outcome, n))
        return space, search, proposals

    def test_every_proposed_candidate_obeys_every_rule(self, problem):
        space, _, proposals = self.rounds(problem)

        assert all((space.core.first_broken(points) == -1).all() for points in proposals)

    def test_no_candidate_is_proposed_twice(self, problem):
        _, _, proposals = self.rounds(problem)
        everything = [tuple(row) for points in proposals for row in points]

        assert len(everything) == len(set(everything))

    def test_x_itself_is_never_proposed(self, problem):
        _, _, proposals = self.rounds(problem)

        assert all(points.any(axis=1).all() for points in proposals)

    def test_it_ends(self, problem):
        _, search, proposals = self.rounds(problem)

        assert search.converged and len(proposals) < MOST_ROUNDS

    def test_the_same_seed_proposes_the_same(self, problem):
        first, second = (self.rounds(problem)[2] for _ in range(2))

        assert [p.tolist() for p in first] == [p.tolist() for p in second]

    def test_the_best_are_candidates_it_was_told_are_good(self, problem):
        _, search, proposals = self.rounds(problem)
        proposed = {tuple(row) for points in proposals for row in points}
        best = search.best(3)

        assert {tuple(row) for row in best} <= proposed
        assert all(search.archive.look_up(row).outcome > 0.5 for row in best)

    def test_nothing_good_means_nothing_best(self, problem):
        explainer = explainer_for(problem, self.method)
        space = feasible_space(explainer.deployment, ground(problem.x, explainer.program.rules), problem.x)
        search = explainer.method.search(Task(space, Trace(), 3))
        proposal = search.ask()
        search.tell(proposal, geco_outcome(np.zeros(len(proposal)), len(proposal.points)))

        assert len(search.best(3)) == 0

    def test_every_answer_passes_the_soak(self, problem):
        assert examine(problem.seed, self.method, brute=True, irreducible=self.irreducible).faults == []


def geco_outcome(outcome: np.ndarray, points: int) -> Any:
    from geco.population.base import Outcome

    return Outcome(outcome[:points], outcome[points:], outcome[:points], outcome[points:])
