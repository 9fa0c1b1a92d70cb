"""Every search that exists keeps the contract: ask and tell, judged from outside."""

from __future__ import annotations

import numpy as np
import pytest

import geco
from contracts.searches import CASES, DECLARED, METHODS, MOST_ROUNDS, Case, Game, K, begin, play, problem_of, told
from geco._core import Space
from soak import Manner, examined, explainer_for
from strategies import Problem

SEEDS = range(200, 210)


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


@pytest.fixture(scope="module")
def problems(case: Case) -> dict[int, Problem]:
    return {seed: problem_of(case, seed) for seed in SEEDS}


@pytest.fixture(scope="module")
def explainers(case: Case, problems: dict[int, Problem]) -> dict[int, geco.Explainer]:
    return {seed: explainer_for(problem, case.method) for seed, problem in problems.items()}


@pytest.fixture(scope="module")
def games(case: Case, problems: dict[int, Problem], explainers: dict[int, geco.Explainer]) -> dict[int, Game]:
    return {seed: play(case, explainer, problems[seed].x) for seed, explainer in explainers.items()}


def test_every_method_is_under_contract() -> None:
    assert set(DECLARED) <= set(METHODS) <= set(CASES)


def test_candidates_are_proposed(games):
    assert sum(len(game.proposed) for game in games.values()) >= 2 * len(SEEDS)


def test_every_proposed_candidate_obeys_every_rule(games):
    broken = [
        s
        for s, g in games.items()
        for p in g.proposals
        if (g.task.space.core.first_broken(p) != Space.NONE_BROKEN).any()
    ]

    assert broken == []


def test_no_candidate_is_proposed_twice(case, games):
    twice = [seed for seed, game in games.items() if len(game.proposed) != len(set(game.proposed))]

    assert twice == [] or not case.proposes_once


def test_x_itself_is_never_proposed(games):
    assert [s for s, g in games.items() for points in g.proposals if not points.any(axis=1).all()] == []


def test_it_ends(games):
    assert [s for s, g in games.items() if not g.search.converged or len(g.proposals) >= MOST_ROUNDS] == []


def test_the_same_seed_proposes_the_same(case, problems, explainers, games):
    again = {seed: play(case, explainer, problems[seed].x) for seed, explainer in explainers.items()}

    assert [seed for seed, game in games.items() if again[seed].proposed != game.proposed] == []


def test_the_best_are_candidates_it_was_told_are_good(games):
    best = [(game, row) for game in games.values() for row in game.search.best(K)]

    assert best
    assert all(tuple(row.tolist()) in game.known for game, row in best)
    assert all(game.search.archive.look_up(row).outcome > 0.5 for game, row in best)


def test_nothing_good_means_nothing_best(problems, explainers):
    for seed, explainer in explainers.items():
        search = begin(explainer, problems[seed].x).search
        proposal = search.ask()
        search.tell(proposal, told(proposal, np.zeros(len(proposal))))

        assert len(search.best(K)) == 0


def test_every_answer_passes_the_soak(case, problems):
    manner = Manner(case.method, irreducible=case.irreducible)
    verdicts = [examined(problem, manner, brute=True)[0] for problem in problems.values()]

    assert {v.seed: v.faults for v in verdicts if v.faults} == {}
