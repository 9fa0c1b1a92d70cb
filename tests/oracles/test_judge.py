"""The judge of the soak must be able to say no: true explanations pass, each kind of lie is noticed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

import geco
from oracles.distance import Distance
from oracles.judge import Judge
from soak import explainer_for
from strategies import Problem

X = {"a": 0, "b": 0, "c": 0}
PROGRAM = "PLAF x_cf.c <= 1"


def model(frame: pd.DataFrame) -> Any:
    """Good from a + b = 3 on; c does not matter."""
    return (frame["a"] + frame["b"] >= 3).astype(float).to_numpy()


@pytest.fixture(scope="module")
def judge() -> Judge:
    frame = pd.DataFrame([(a, b, c) for a in range(4) for b in range(4) for c in range(3)], columns=list("abc"))
    problem = Problem(0, frame, PROGRAM, X, model, {}, {})
    return Judge(problem, explainer_for(problem, "frontier"), Distance(frame, PROGRAM))


@pytest.fixture(scope="module")
def explanation(judge: Judge) -> geco.Explanation:
    return judge.explainer.explain(X, k=1)


def answering(judge: Judge, explanation: geco.Explanation, **values: int) -> geco.Explanation:
    """The explanation with another answer, whose distance and groups are right."""
    x_cf = X | values
    cf = replace(explanation.counterfactuals[0], values=x_cf, groups=tuple(values), distance=judge.distance(X, x_cf))
    return replace(explanation, counterfactuals=(cf,))


def test_a_true_explanation_has_no_fault(judge, explanation):
    assert judge.faults([X], [explanation]) == [[]]


def test_an_answer_the_model_calls_bad_is_noticed(judge, explanation):
    lie = answering(judge, explanation, a=1)

    assert judge.faults([X], [lie]) == [["the model says bad to {'a': 1, 'b': 0, 'c': 0}"]]


def test_a_change_that_can_be_undone_is_noticed(judge, explanation):
    lie = answering(judge, explanation, a=3, c=1)

    assert judge.faults([X], [lie]) == [["the change of ('c',) can be undone"]]


def test_a_broken_rule_is_noticed_by_both_checkers(judge, explanation):
    faults = judge.faults([X], [answering(judge, explanation, a=3, c=2)])[0]

    assert [f for f in faults if f.startswith("explainer.check")] and [f for f in faults if f.startswith("breaks")]


def test_a_wrong_distance_is_noticed(judge, explanation):
    cf = explanation.counterfactuals[0]
    lie = replace(explanation, counterfactuals=(replace(cf, distance=cf.distance + 0.1),))

    assert [f for f in judge.faults([X], [lie])[0] if f.startswith("distance is")]


def test_a_value_of_another_type_is_noticed(judge, explanation):
    cf = answering(judge, explanation, a=3).counterfactuals[0]
    lie = replace(explanation, counterfactuals=(replace(cf, values=cf.values | {"a": 3.0}),))

    assert judge.faults([X], [lie]) == [["a = 3.0 is float, not ['int']"]]


@pytest.mark.parametrize("status", ["none_found", "infeasible", "failed"])
def test_answers_without_the_status_found_are_noticed(judge, explanation, status):
    lie = replace(explanation, status=status)

    assert f"status {status} with 1 answers" in judge.faults([X], [lie])[0]


def test_a_failed_explanation_is_a_fault_with_its_reason(judge, explanation):
    lie = replace(explanation, status="failed", counterfactuals=(), reason="the model raised")

    assert judge.faults([X], [lie]) == [["failed: the model raised"]]


def test_a_bad_x_that_is_called_good_is_noticed(judge, explanation):
    lie = replace(explanation, status="already_good", counterfactuals=())

    assert judge.faults([X], [lie]) == [["said already_good, but x is bad"]]


def test_an_x_that_breaks_a_rule_but_is_called_good_is_noticed(judge, explanation):
    lie = replace(explanation, status="already_good", counterfactuals=())

    assert judge.faults([{"a": 3, "b": 0, "c": 2}], [lie]) == [["said already_good, but x breaks a rule"]]


def test_a_good_x_that_is_not_called_good_is_noticed(judge, explanation):
    lie = replace(explanation, status="none_found", counterfactuals=())

    assert judge.faults([{"a": 3, "b": 0, "c": 0}], [lie]) == [["said none_found, but x is good and obeys every rule"]]


def test_each_fault_is_found_at_its_own_explanation(judge, explanation):
    lie = answering(judge, explanation, a=1)

    assert [bool(f) for f in judge.faults([X, X, X], [explanation, lie, explanation])] == [False, True, False]
