"""CERTIFAI as the paper has it: from the good rows of D, generation by generation nearer."""

from __future__ import annotations

import numpy as np
import pytest

import geco
import geco.demo
from geco.errors import SettingsError


@pytest.fixture(scope="module")
def german():
    frame, model, database, _ = geco.demo.load()
    return frame.drop(columns="risk"), model, database, geco.parse_plaf("FIXED sex")


def distance(german, method, **options) -> float:
    frame, model, database, program = german
    explainer = geco.Explainer(model, database, program, target="good", method=method)
    return explainer.explain(frame.iloc[3], k=1, **options).counterfactuals[0].distance


def test_it_begins_with_the_answer_of_wit_and_never_gets_farther(german):
    by_generations = [distance(german, geco.Certifai(generations=n)) for n in (1, 10, 60)]

    assert distance(german, "wit") >= by_generations[0] >= by_generations[1] >= by_generations[2]
    assert by_generations[2] < by_generations[0]


def test_it_runs_for_exactly_the_generations_it_is_given(german):
    frame, model, database, program = german
    explainer = geco.Explainer(model, database, program, target="good", method=geco.Certifai(generations=7))

    explanation = explainer.explain(frame.iloc[3])

    assert (explanation.trace.generations, explanation.stopped_by) == (8, "budget")  # the first population is one


def test_without_a_good_row_of_D_there_is_nothing_to_begin_with(german):
    frame, _, database, program = german
    nobody = geco.Explainer(lambda rows: np.zeros(len(rows)), database, program, method="certifai")

    explanation = nobody.explain(frame.iloc[3])

    assert (explanation.status, explanation.stopped_by) == ("none_found", "exhausted")


def test_another_seed_takes_another_way(german):
    frame, model, database, program = german
    explainer = geco.Explainer(model, database, program, target="good", method=geco.Certifai(generations=10))

    first, second, again = (explainer.explain(frame.iloc[3], seed=seed).trace.points_scored for seed in (0, 1, 0))

    assert first == again != second


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"generations": 0}, "generations must be a whole number"),
        ({"population": 2.5}, "population must be a whole number"),
        ({"mutation": 2}, "mutation must be a share between 0 and 1"),
    ],
)
def test_settings_that_make_no_sense_are_named(settings, says):
    with pytest.raises(SettingsError, match=says):
        geco.Certifai(**settings)
