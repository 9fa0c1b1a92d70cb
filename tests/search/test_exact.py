"""The exact search: what it proves is true, and what it cannot prove it says."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier

import geco
from geco import _core
from geco.models.compiling.bounds import bounds_of
from geco.space.feasible import FeasibleSpace, feasible_space
from geco.space.ground import ground
from oracles.optimum import disagreement
from oracles.proved import disagreement as proved_disagreement

PROBLEMS = range(60)
FIVE_WAYS = [
    *range(100, 120),
    187,
    196,
    334,
]  # the last three: rules that put answers out of order, answers not settled, ties
X = {"a": 5.0, "b": 5.0, "c": 5.0, "d": 5.0}


def frame(rows: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame({name: rng.integers(0, 100, rows).astype(float) for name in "abcd"})


def labels(table: pd.DataFrame) -> np.ndarray:
    return (table["a"] + table["b"] * table["c"] / 50 - table["d"] > 90).to_numpy(int)


def explainer(model: object, program: str = "", **options: object) -> geco.Explainer:
    table = frame()
    options = {"method": "exact"} | options
    return geco.Explainer(
        model.fit(table, labels(table)), geco.Database.from_frame(table), geco.parse_plaf(program), **options
    )


@pytest.mark.parametrize("seed", PROBLEMS)
def test_it_agrees_with_brute_force(seed):
    _, difference = disagreement(seed)

    assert difference is None


@pytest.mark.parametrize("seed", FIVE_WAYS)
def test_five_sets_are_the_five_nearest(seed):
    _, difference = disagreement(seed, k=5)

    assert difference is None


def test_the_nearest_answer_of_a_forest_is_proved():
    explanation = explainer(RandomForestClassifier(20, max_depth=4, random_state=0)).explain(X, k=1)

    assert (explanation.proven, explanation.gap, explanation.stopped_by) == (True, 0.0, "converged")


def test_no_answer_of_the_frontier_is_nearer_than_the_proved_one():
    model = GradientBoostingClassifier(n_estimators=30, max_depth=3, random_state=0)
    nearest = explainer(model).explain(X, k=1).counterfactuals[0].distance

    assert nearest <= explainer(model, method="frontier").explain(X, k=1).counterfactuals[0].distance


def test_a_proof_that_is_given_up_leaves_a_gap_that_covers_the_optimum():
    model = RandomForestClassifier(60, max_depth=8, random_state=0)
    given_up = explainer(model, method=geco.Exact(max_boxes=1)).explain(X, k=1)
    nearest = explainer(model).explain(X, k=1).counterfactuals[0].distance

    assert given_up.proven is False
    assert given_up.stopped_by == "budget" and "limit of boxes (max_boxes=1)" in given_up.reason
    assert 0 < given_up.gap <= given_up.counterfactuals[0].distance
    assert given_up.counterfactuals[0].distance - given_up.gap <= nearest


def test_a_deadline_ends_the_proof_and_the_answer_is_kept():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.random((400, 10)), columns=list("abcdefghij"))
    model = RandomForestClassifier(100, max_features=1, random_state=0).fit(table, table.sum(axis=1) > 6.5)
    subject = geco.Explainer(model, geco.Database.from_frame(table), target=0.6, method="exact")
    explanation = subject.explain(dict.fromkeys(table, 0.2), k=1, deadline=0.5)  # no proof within half an hour

    assert explanation.status == "found"
    assert (explanation.proven, explanation.stopped_by) == (False, "deadline")
    assert explanation.seconds < 10


def prover(
    subject: geco.Explainer,
    seconds: float = np.inf,
    ways: int = 1,
    of: dict[str, float] = X,
    reach: float = np.inf,
) -> tuple[_core.Exact, FeasibleSpace]:
    """Begun for X, with nothing known."""
    space = feasible_space(subject.deployment, ground(of, subject.deployment.rules), of)
    x = subject.compiled.encoding.of(space.rows_like_x, of, lambda: subject.model.inputs.of(of).table(space.x_rows))
    standing = _core.Standing(_core.Clock(seconds), 0.0, True)
    standing.tell_x(0.0, 0.0)
    bounds = bounds_of(subject.compiled, x, standing).core
    return _core.Exact(space.core, bounds, reach, ways, ways > 1, seconds), space


def test_values_of_x_that_d_lacks_help_column_by_column():
    frame = pd.DataFrame(list(itertools.product([0.0, 10.0], repeat=2)), columns=["a", "b"])
    model = LinearRegression().fit(frame, frame.a + frame.b)
    subject = geco.Explainer(model, geco.Database.from_frame(frame), target=(13.0, None), method="exact")
    exact, space = prover(subject, of={"a": 4.0, "b": 6.0})  # a is 4 above its neighbour, b 4 below
    handed_out = []
    while len(rows := exact.ask(space.core, 1000)):
        handed_out += rows.tolist()
        exact.tell(False, False, np.inf)

    assert [0, 2] in handed_out  # a stays, b becomes 10: 14


def test_x_is_no_row_that_it_stands_beside():
    _, difference = proved_disagreement(100035, "linear", 20.0)

    assert difference is None


def test_bounds_that_cannot_be_built_in_time_are_given_up():
    subject = explainer(RandomForestClassifier(150, random_state=0))
    started = time.process_time()
    prover(subject)
    seconds = time.process_time() - started

    started = time.process_time()
    with pytest.raises(_core.OutOfTime):
        prover(subject, seconds / 20)
    assert time.process_time() - started < seconds / 2


def test_a_proof_without_time_for_its_bounds_keeps_the_answer():
    subject = explainer(RandomForestClassifier(20, max_depth=4, random_state=0))
    proved = subject.explain(X, k=1)
    explanation = subject.explain(X, k=1, prove=1e-9)

    assert (explanation.proven, explanation.stopped_by) == (False, "budget")
    assert "the proof reached its limit of time (prove=1e-09)" in explanation.reason
    best, nearest = (each.unrounded or each for each in (explanation.counterfactuals[0], proved.counterfactuals[0]))
    assert explanation.gap == best.distance >= nearest.distance


@pytest.mark.parametrize("ways", [1, 5])
def test_a_proof_that_is_interrupted_goes_on_where_it_was(ways):
    subject = explainer(RandomForestClassifier(20, max_depth=4, random_state=0))

    def judged(pauses: Iterator[float]) -> tuple[list[list[int]], int]:
        proof, space = prover(subject, ways=ways)
        handed_out = []
        while not proof.complete and len(handed_out) < 50:
            rows = proof.ask(space.core, 1000, next(pauses))
            if len(rows):
                handed_out.append(rows[0].tolist())
                proof.tell(False, False, np.inf)
        return handed_out, proof.boxes

    assert judged(itertools.cycle([1e-6, 1e-5, 0.0, 1e-4, 1e-3])) == judged(itertools.repeat(np.inf))


@pytest.mark.parametrize("seed", range(12))
def test_what_is_just_within_reach_is_found_and_nothing_nearer_is(seed):
    forest = RandomForestClassifier(12, max_depth=4, max_features=1, random_state=seed)
    subject = explainer(forest, "PLAF x_cf.a <= 60\nPLAF x_cf.b <= 80")

    def nearest(reach: float) -> float:
        proof, space = prover(subject, reach=reach)
        while not proof.complete:
            rows = proof.ask(space.core, 1000)
            if len(rows):
                good = bool(forest.predict(pd.DataFrame([space.values(rows[0])]))[0])
                proof.tell(good, False, float(space.core.distance(rows)[0]) if good else proof.reach)
        return proof.lower

    known = nearest(np.inf)

    assert 0 < known < np.inf
    assert [nearest(1.001 * known), nearest(1.05 * known)] == pytest.approx([known, known], rel=1e-12)
    assert nearest(0.999 * known) == 0.999 * known


def test_where_the_rules_leave_no_answer_it_is_proved_that_there_is_none():
    explanation = explainer(DecisionTreeClassifier(random_state=0), "FIXED a, b, c").explain(X)

    assert (explanation.status, explanation.proven, explanation.gap) == ("none_found", True, None)
    assert explanation.reason.endswith("; that is proved.")


def test_an_answer_that_the_budget_left_unconfirmed_is_not_proved_away():
    explanation = explainer(DecisionTreeClassifier(max_depth=4, random_state=0)).explain(X, k=1, max_evals=1)

    assert (explanation.status, explanation.proven) == ("none_found", False)


def test_a_proof_is_part_of_the_text_and_of_the_data():
    explanation = explainer(DecisionTreeClassifier(random_state=0)).explain(X, k=1)

    assert "proved: nothing nearer" in str(explanation)
    assert json.loads(explanation.to_json())["proven"] is True


@pytest.mark.parametrize("options", [{"prove": False}, {"method": "genetic"}, {"compile": False}])
def test_where_there_is_no_proof_nothing_is_said_of_one(options):
    explanation = explainer(DecisionTreeClassifier(random_state=0), **{"method": "frontier"} | options).explain(X, k=1)

    assert (explanation.proven, explanation.gap, explanation.proven_ways) == (None, None, None)


def test_exact_without_a_proof_is_refused():
    with pytest.raises(geco.GecoError, match="method 'exact' is a proof; use method='frontier' with prove=False"):
        explainer(DecisionTreeClassifier(random_state=0)).explain(X, prove=False)


def test_the_first_of_several_ways_can_be_proved_when_the_others_are_not():
    model = GradientBoostingClassifier(n_estimators=30, max_depth=3, random_state=0)
    explanation = explainer(model, method=geco.Exact(max_boxes=200)).explain(X, k=5)

    assert 1 <= explanation.proven_ways < len(explanation.counterfactuals)
    assert (explanation.proven, explanation.gap, explanation.stopped_by) == (True, 0.0, "budget")


@pytest.mark.parametrize(
    ("layers", "settings", "why"),
    [((17,), {}, "this one has 17"), ((4, 4), {}, "other layers"), ((4,), {"activation": "tanh"}, "other layers")],
)
def test_a_network_that_is_too_large_for_proofs_is_refused(layers, settings, why):
    with pytest.raises(geco.GecoError, match=f"one hidden layer.*{why}; use method='frontier'"):
        explainer(MLPClassifier(layers, max_iter=20, random_state=0, **settings))


def test_a_network_over_too_many_features_is_refused_and_without_a_proof_explained():
    table = pd.DataFrame(np.random.default_rng(0).integers(0, 4, (40, 11)).astype(float), columns=list("abcdefghijk"))
    model = MLPClassifier((4,), max_iter=20, random_state=0).fit(table, np.arange(40) % 2)
    database = geco.Database.from_frame(table)
    with pytest.raises(geco.GecoError, match="this table has 11"):
        geco.Explainer(model, database, method="exact")

    assert geco.Explainer(model, database).explain(table.iloc[0].to_dict(), prove=1.0).proven is None


def brute_force(model: Any, table: pd.DataFrame, x: dict[str, float], params: geco.Params) -> float:
    """The distance of the nearest row of all combinations that the model calls good."""
    values = [[x[name], *sorted(set(table[name]))] for name in table]
    spread = [table[name].max() - table[name].min() for name in table]
    every = pd.DataFrame(list(itertools.product(*values)), columns=list(table))
    good = every[model.predict_proba(every)[:, 1] > 0.5]
    far = sum((good[name] - x[name]).abs() / s for name, s in zip(table, spread, strict=True)) / len(spread)
    changed = sum((good[name] != x[name]).astype(float) for name in table) / len(spread)
    return float((params.alpha * changed + params.beta * far).min())


@pytest.mark.parametrize("kind", ["linear", "network"])
@pytest.mark.parametrize("seed", range(12))
def test_a_model_of_sums_is_proved(seed, kind):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({name: rng.integers(0, 12, 60).astype(float) for name in "abc"})
    score = table @ rng.normal(size=3) + rng.normal(size=60)
    network = MLPClassifier((8,), max_iter=60, learning_rate_init=0.05, random_state=seed)
    model = (network if kind == "network" else LogisticRegression()).fit(table, (score > score.median()).astype(int))
    asked = geco.Explainer(model, geco.Database.from_frame(table), params=geco.Params(round=False), method="exact")
    x = {name: float(rng.integers(0, 12)) + (0.5 if seed % 3 == 0 else 0.0) for name in "abc"}  # 0.5: not in D
    explanation = asked.explain(x, k=1)
    if explanation.status == "already_good":
        x = dict.fromkeys("abc", 0.0)
        explanation = asked.explain(x, k=1)

    assert explanation.status in ("found", "already_good")
    if explanation.status == "found":
        assert explanation.proven
        assert explanation.counterfactuals[0].distance == pytest.approx(
            brute_force(model, table, x, asked.params), abs=1e-12
        )


def test_a_model_that_stays_a_black_box_is_refused_with_the_reason():
    with pytest.raises(geco.GecoError, match="cannot be compiled: compile=False; use method='frontier'"):
        explainer(DecisionTreeClassifier(), compile=False)


def test_the_same_question_gets_the_same_answer_twice():
    asked = explainer(RandomForestClassifier(30, max_depth=5, random_state=0))

    assert asked.explain(X, k=3) == asked.explain(X, k=3)


def test_many_rows_get_the_answers_of_single_ones():
    asked = explainer(RandomForestClassifier(15, max_depth=4, random_state=0))
    rows = frame()[labels(frame()) == 0].iloc[:5]
    alone = [asked.explain(row, k=1) for row in rows.to_dict("records")]

    assert list(asked.explain_many(rows, k=1)) == alone


@pytest.mark.parametrize("setting", [{"max_boxes": 0}, {"max_boxes": True}, {"start": "frontier"}])
def test_settings_that_make_no_sense_are_refused(setting):
    with pytest.raises(geco.GecoError, match=next(iter(setting))):
        geco.Exact(**setting)
