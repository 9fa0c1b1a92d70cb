"""The order of the changes of an answer, and what each brings."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import geco
from oracles.obstacles import disagreement
from oracles.steps import faults
from oracles.what_if import asked


def study() -> geco.Explainer:
    """A better job needs a degree, and a degree needs two more years."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"job": rng.integers(0, 3, 200), "degree": rng.integers(0, 2, 200), "age": rng.integers(20, 40, 200)}
    )
    rules = """
    PLAF IF x_cf.job > x.job THEN x_cf.degree = 1
    PLAF IF x_cf.degree > x.degree THEN x_cf.age >= x.age + 2
    """
    return geco.Explainer(lambda f: 0.2 + 0.3 * (f.job == 2) + 0.1 * f.degree, geco.Database.from_frame(frame),
                          geco.parse_plaf(rules))  # fmt: skip


def test_the_order_of_steps_breaks_no_rule_on_the_way() -> None:
    [cf] = study().explain({"job": 0, "degree": 0, "age": 25}, k=1).counterfactuals

    assert [step.group for step in cf.steps] == ["age", "degree", "job"]
    assert [step.broken for step in cf.steps] == [None, None, None]


def test_steps_say_what_the_model_says_after_each() -> None:
    explanation = study().explain({"job": 0, "degree": 0, "age": 25}, k=1, ranges=False)
    [cf] = explanation.counterfactuals

    assert [step.outcome for step in cf.steps] == pytest.approx([0.2, 0.3, 0.6])
    assert [step.good for step in cf.steps] == [False, False, True]
    assert explanation.trace.model_calls <= 4


def test_steps_are_data_and_are_read_back() -> None:
    explanation = study().explain({"job": 0, "degree": 0, "age": 25}, k=1, ranges=False)

    assert geco.Explanation.from_dict(explanation.to_dict()).counterfactuals == explanation.counterfactuals


def test_steps_go_on_where_no_rows_are_left_to_ask_about_them() -> None:
    explanation = study().explain({"job": 0, "degree": 0, "age": 25}, k=1, max_evals=300)

    assert all(len(cf.steps) == len(cf.groups) for cf in explanation.counterfactuals)


@pytest.mark.parametrize("seed", [3, 7, 12])
def test_no_order_breaks_fewer_rules(seed: int) -> None:
    assert faults(seed)[1] == []


@pytest.mark.parametrize("seed", [4, 5])
def test_prices_of_rules_are_those_of_brute_force(seed: int) -> None:
    assert disagreement(seed)[1] == []
    assert disagreement(seed, usual=True)[1] == []


@pytest.mark.parametrize("seed", [0, 1])
def test_what_if_agrees_with_the_model_and_a_second_checker(seed: int) -> None:
    assert asked(seed, 5)[1] == []
