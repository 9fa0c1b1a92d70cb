"""A small soak in every test run; ``make soak`` runs thousands more."""

from __future__ import annotations

import pytest

from soak import Verdict, examine, examine_all
from strategies import random_instances, random_problem

PROBLEMS = range(150)
ANSWERED = {"frontier": 0.995, "genetic": 0.97}
# The first way is fixed before others are looked for (docs/decisions/0008): that costs the frontier one in a hundred.
OPTIMAL = {"frontier": 0.97, "genetic": 0.9}


@pytest.fixture(scope="module", params=["frontier", "genetic"])
def method(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def verdicts(method: str) -> list[Verdict]:
    return [examine(seed, method, brute=True) for seed in PROBLEMS]


def test_no_random_problem_shows_a_violation_a_crash_or_a_hang(verdicts):
    assert {v.seed: v.faults for v in verdicts if v.faults} == {}


def test_an_answer_is_found_in_nearly_every_problem_that_has_one(verdicts, method):
    solvable = [v for v in verdicts if v.solution.good and v.status != "already_good"]

    assert sum(v.status == "found" for v in solvable) >= ANSWERED[method] * len(solvable)


def test_the_optimum_is_found_in_most_problems(verdicts, method):
    solvable = [v for v in verdicts if v.solution.good and v.status != "already_good"]

    assert sum(v.optimal for v in solvable) >= OPTIMAL[method] * len(solvable)


def test_the_problems_are_hard_enough_to_mean_something(verdicts):
    solvable = [v for v in verdicts if v.solution.good]

    assert sum(v.solution.changes > 1 for v in solvable) >= 0.3 * len(solvable)
    assert {v.status for v in verdicts} == {"found", "none_found", "infeasible", "already_good"}
    assert sum(v.cascades > 0 for v in verdicts) >= 0.1 * len(verdicts)


def test_no_x_of_a_problem_shows_a_fault_when_several_share_their_model_calls(method):
    verdicts = [v for seed in range(20) for v in examine_all(seed, method, instances=5)]

    assert {(v.seed, v.instance): v.faults for v in verdicts if v.faults} == {}
    assert len(verdicts) == 100


def test_an_answer_first_found_when_patience_ends_is_still_made_irreducible():
    assert [v.faults for v in examine_all(4066, "frontier", instances=5)] == [[]] * 5


def test_more_x_of_a_problem_are_all_different_and_begin_with_its_own():
    problem = random_problem(7)
    xs = random_instances(problem, 20)

    assert xs[0] == problem.x
    assert len(xs) == 20 and all(x not in xs[:i] for i, x in enumerate(xs))
    assert xs[:5] == random_instances(problem, 5)


@pytest.mark.parametrize("seed", [51, 14795])  # one text in every row, and none
def test_a_column_without_two_different_texts_is_given_no_order(seed):
    problem = random_problem(seed)
    poor = [c for c in problem.frame if problem.frame[c].nunique() < 2]

    assert poor and not [c for c in poor if f"ORDER {c}:" in problem.program]
    assert examine(seed, "genetic", brute=True).faults == []
