"""The oracles checked by hand and against each other."""

from __future__ import annotations

from random import Random

import numpy as np
import pandas as pd
import pytest

from oracles import brute, paper
from oracles.distance import Distance
from oracles.rules import as_program, groups_of, type_faults, violations
from strategies import random_problem

FRAME = pd.DataFrame({"age": [20, 30, 40], "city": ["Bonn", "Rome", None], "zip": [1, 2, 3], "rate": [0.0, 0.5, 2.0]})
X = {"age": 30, "city": "Rome", "zip": 2, "rate": 0.5}


@pytest.mark.parametrize(
    ("program", "change", "broken"),
    [
        ("PLAF x_cf.age >= x.age", {"age": 20}, True),
        ("PLAF x_cf.age >= x.age", {"age": 40}, False),
        ("PLAF IF x_cf.age > x.age THEN x_cf.rate > x.rate + 1", {"age": 40}, True),
        ("PLAF IF x_cf.age > x.age THEN x_cf.rate > x.rate + 1", {"age": 40, "rate": 2.0}, False),
        ("PLAF IF x_cf.age > 30 THEN 1 = 2", {"age": 40}, True),
        ("FIXED city", {"city": "Bonn"}, True),
        ("PLAF x_cf.city IN ('Rome', 'Bonn')", {"city": "Bonn"}, False),
        ("PLAF x_cf.age BETWEEN 25 AND 35", {"age": 40}, True),
        ("ORDER city: 'Rome' < 'Bonn'\nDECREASE city", {"city": "Bonn"}, True),
        ("ORDER city: 'Bonn' < 'Rome'\nDECREASE city", {"city": "Bonn"}, False),
    ],
)
def test_the_second_checker_reads_rules_as_the_language_defines_them(program, change, broken):
    assert bool(violations(program, X, X | change, FRAME)) == broken


@pytest.mark.parametrize(
    ("program", "x", "x_cf", "broken"),
    [
        ("PLAF x_cf.rate > x.rate", {"rate": None}, {"rate": 0.5}, False),
        ("PLAF x_cf.rate = x.rate", {"rate": None}, {"rate": 0.5}, True),
        ("PLAF x_cf.rate = x.rate", {"rate": None}, {"rate": None}, False),
        ("PLAF x_cf.rate > 0", {"rate": None}, {"rate": None}, True),
        ("PLAF IF x_cf.rate > 0 THEN 1 = 2", {"rate": None}, {"rate": None}, False),
        ("", {}, {"city": None}, True),
        ("ALLOW MISSING city", {}, {"city": None}, False),
    ],
)
def test_the_second_checker_treats_missing_values_as_the_design_says(program, x, x_cf, broken):
    assert bool(violations(program, X | x, X | x | x_cf, FRAME)) == broken


def test_a_combination_of_a_group_must_occur_or_be_that_of_x():
    program = "GROUP city, zip"

    assert violations(program, X, X | {"city": "Bonn"}, FRAME) == ["(city, zip) = ('Bonn', 2) never occurs"]
    assert violations(program, X | {"zip": 9}, X | {"zip": 9}, FRAME) == []


def test_a_float_in_an_integer_column_is_a_fault():
    assert len(type_faults(X | {"age": 30.0}, FRAME)) == 1


def test_the_distance_adds_up_as_equation_2_says():
    distance = Distance(FRAME, "", alpha=0.2, beta=0.3, gamma=0.5)

    assert distance(X, X | {"age": 40, "city": "Bonn"}) == pytest.approx(0.2 * 2 / 4 + 0.3 * 1.5 / 4 + 0.5 * 1)


def test_a_onehot_set_counts_once_in_the_distance():
    frame = pd.DataFrame({"a": [1, 0, 0], "b": [0, 1, 0], "c": [0, 0, 1], "age": [10, 20, 30]})
    distance = Distance(frame, "ONEHOT letter: a, b, c")
    x = {"a": 1, "b": 0, "c": 0, "age": 10}

    assert distance(x, x | {"a": 0, "b": 1, "age": 20}) == pytest.approx((1 + 0.5) / 2)


@pytest.mark.parametrize("seed", range(12))
def test_brute_force_allows_exactly_what_the_second_checker_allows(seed):
    problem, rng = random_problem(seed), np.random.default_rng(seed)
    program = as_program(problem.program)
    groups = groups_of(program, problem.frame.columns)
    options = [brute.options_of(problem.frame, g, problem.x, program) for g in groups]
    mask = brute.allowed_mask(program, groups, options, problem.x)
    drawn = [tuple(rng.integers(0, n) for n in mask.shape) for _ in range(60)]
    judged = [
        not violations(program, problem.x, brute.candidate(groups, options, rows), problem.frame) for rows in drawn
    ]

    assert [bool(mask[rows]) for rows in drawn] == judged


@pytest.mark.parametrize("seed", range(12))
def test_the_papers_algorithm_returns_only_allowed_counterfactuals(seed):
    problem = random_problem(seed)
    space = paper.feasible_space(problem.frame, problem.program, problem.x)
    distance = Distance(problem.frame, problem.program, problem.kinds, **problem.params)

    def outcome(values):
        return float(problem.model(brute.as_frame([values], problem.frame))[0])

    answers = paper.explain(space, outcome, distance, Random(seed), k=2, q=8, m_init=4, m_mut=2, most=2)

    assert [violations(problem.program, problem.x, values, problem.frame) for values, _ in answers] == [[]] * len(
        answers
    )
    assert all(outcome(values) > 0.5 for values, _ in answers)
