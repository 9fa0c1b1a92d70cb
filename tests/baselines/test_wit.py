"""WIT against a scan of all rows of D."""

from __future__ import annotations

import numpy as np
import pytest

import geco
from geco.errors import SettingsError
from oracles.distance import Distance
from oracles.exact import plain
from oracles.rules import violations
from soak import explainer_for
from strategies import Problem, random_problem


def scanned(problem: Problem) -> list[float]:
    """The distances of all good rows of D that obey the rules, sorted."""
    distance = Distance(problem.frame, problem.program, problem.kinds, **problem.params)
    good = np.asarray(problem.model(problem.frame), float).ravel() > 0.5
    rows = [{f: plain(v) for f, v in row.items()} for row in problem.frame[good].to_dict("records")]
    distinct = list({tuple(row.values()): row for row in rows}.values())
    x = {f: plain(v) for f, v in problem.x.items()}
    allowed = [r for r in distinct if r != x and not violations(problem.program, x, r, problem.frame)]
    return sorted(distance(x, row) for row in allowed)


@pytest.mark.parametrize("seed", range(60))
def test_the_answers_are_the_nearest_good_rows_of_D_that_obey_the_rules(seed):
    problem = random_problem(seed)

    explanation = explainer_for(problem, geco.Wit(rows=3)).explain(problem.x, k=4, ways="top")

    found = [cf.distance for cf in explanation.counterfactuals]
    wanted = [] if explanation.status == "already_good" else scanned(problem)[:4]
    assert found == pytest.approx(wanted)


def test_the_model_is_asked_about_no_more_of_D_than_it_takes():
    problem = next(p for p in map(random_problem, range(100)) if len(scanned(p)) > 10)
    few, all_rows = (
        explainer_for(problem, geco.Wit(rows=rows)).explain(problem.x, k=1).trace.points_scored for rows in (1, 10_000)
    )

    assert few < all_rows


def test_D_without_a_good_row_gives_no_answer_and_says_that_nothing_is_left():
    problem = random_problem(1)
    explainer = geco.Explainer(
        lambda rows: np.zeros(len(rows)), geco.Database.from_frame(problem.frame, kinds=problem.kinds), method="wit"
    )

    explanation = explainer.explain(problem.x)

    assert (explanation.status, explanation.stopped_by) == ("none_found", "exhausted")


def test_the_compiled_model_and_the_black_box_give_the_same_answers():
    import geco.demo

    frame, model, database, _ = geco.demo.load()
    x = frame.drop(columns="risk").iloc[3]
    first, second = (
        geco.Explainer(model, database, target="good", method="wit", compile=compile).explain(x)
        for compile in (True, False)
    )

    assert [cf.values for cf in first.counterfactuals] == [cf.values for cf in second.counterfactuals] != []


def test_settings_that_make_no_sense_are_named():
    with pytest.raises(SettingsError, match="rows must be a whole number of at least 1, got 0"):
        geco.Wit(rows=0)
