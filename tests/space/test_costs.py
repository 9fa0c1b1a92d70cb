"""Weights, costs by direction, steps, scales and support: by hand, and against brute force on random problems."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from asking import METHODS, changed, explain, found
from geco.errors import SettingsError
from oracles.brute import solve
from oracles.distance import Distance
from strategies import Problem, random_problem

FRAME = pd.DataFrame({"a": np.arange(101) % 101, "b": np.arange(101)[::-1] % 101, "c": np.arange(101) % 2})
X = {"a": 50, "b": 50, "c": 0}
both = pytest.mark.parametrize("method", METHODS)


def either(frame: pd.DataFrame) -> np.ndarray:
    """Good if a or b moves by 10 in any direction."""
    far = np.maximum(abs(frame["a"] - 50), abs(frame["b"] - 50)).to_numpy()
    return np.clip(far / 20 + 0.01, 0, 1)


def best(method: str, frame: pd.DataFrame = FRAME, x: Any = X, model: Any = either, **params: Any) -> Any:
    return found(model, frame, x, method, params=geco.Params(**params), k=1).counterfactuals[0]


@both
def test_a_weight_turns_the_search_to_the_other_feature(method):
    assert {a.feature for a in best(method, weights={"a": 5}).changes} == {"b"}


@both
def test_a_weight_of_0_makes_changes_free(method):
    assert best(method, weights={"b": 0}).distance == 0


@both
def test_raising_may_cost_more_than_lowering(method):
    cf = best(method, costs={"a": (3, 1), "b": (3, 1)})

    assert all(action.after < action.before for action in cf.changes)


@both
def test_lowering_may_cost_more_than_raising(method):
    cf = best(method, costs={"a": (1, 3), "b": (1, 3)})

    assert all(action.after > action.before for action in cf.changes)


@both
def test_the_distance_is_the_cost_of_the_direction_taken(method):
    cf = best(method, alpha=0, costs={"a": (9, 2), "b": (9, 9)}, model=lambda f: np.where(f["a"] == 40, 0.9, 0.1))

    assert cf.distance == pytest.approx(2 * 0.1 / 3)


@both
def test_smaller_changes_than_a_step_are_not_offered(method):
    explanation = found(either, FRAME, X, method, params=geco.Params(steps={"a": 25, "b": 40}), k=9)
    moved = {(a.feature, abs(a.after - a.before)) for cf in explanation.counterfactuals for a in cf.changes}

    assert all(size >= {"a": 25, "b": 40, "c": 0}[feature] for feature, size in moved)


@both
def test_a_change_of_exactly_one_step_is_offered(method):
    frame = pd.DataFrame({"rate": [0.1, 0.2, 0.3]})
    cf = best(method, frame, {"rate": 0.3}, lambda f: 0.6 - f["rate"].to_numpy() * 0.4, steps={"rate": 0.1})

    assert cf.values["rate"] == 0.2


@both
def test_steps_of_dates_are_days(method):
    frame = pd.DataFrame({"due": pd.date_range("2024-01-01", periods=60)})
    cf = best(method, frame, {"due": "2024-01-01"}, lambda f: f["due"].dt.month / 3.5, steps={"due": 40})

    assert (cf.changes[0].after - cf.changes[0].before).days >= 40


@both
def test_steps_of_ordered_text_are_ranks(method):
    frame = pd.DataFrame({"level": pd.Categorical(list("abcd"), ordered=True)})
    model = lambda f: np.where(f["level"] == "a", 0.1, 0.9)  # noqa: E731
    explanation = found(model, frame, {"level": "a"}, method, params=geco.Params(steps={"level": 2}), k=5, ways="top")

    assert {cf.values["level"] for cf in explanation.counterfactuals} == {"c", "d"}


@both
@pytest.mark.parametrize(("scale", "spread"), [("range", 1000), ("mad", 10), ("std", np.std([0, 10, 20, 30, 1000]))])
def test_a_difference_is_divided_by_the_spread_asked_for(method, scale, spread):
    frame = pd.DataFrame({"a": [0, 10, 20, 30, 1000], "b": [0, 1, 2, 3, 4]})
    cf = best(method, frame, {"a": 10, "b": 1}, lambda f: np.where(f["a"] == 20, 0.9, 0.1), alpha=0, scale=scale)

    assert cf.distance == pytest.approx(10 / spread / 2)


@both
def test_a_median_deviation_of_0_falls_back_to_the_range(method):
    frame = pd.DataFrame({"a": [0] * 9 + [10]})
    cf = best(method, frame, {"a": 0}, lambda f: np.where(f["a"] == 10, 0.9, 0.1), scale="mad")

    assert cf.distance == 1


@both
def test_an_x_that_differs_from_a_constant_is_one_away_from_it(method):
    frame = pd.DataFrame({"a": [7] * 9})

    assert best(method, frame, {"a": 5000}, lambda f: np.where(f["a"] == 7, 0.9, 0.1)).distance == 1


@both
def test_values_seen_too_rarely_are_not_offered(method):
    frame = pd.DataFrame({"a": [1] * 9 + [2] + [3] * 5})
    model = lambda f: np.where(f["a"] > 1, 0.9, 0.1)  # noqa: E731

    assert best(method, frame, {"a": 1}, model, min_support=1).values == {"a": 2}
    assert best(method, frame, {"a": 1}, model, min_support=5).values == {"a": 3}


@both
def test_a_support_that_nothing_has_leaves_nothing_to_change(method):
    explanation = explain(either, FRAME, X, method, params=geco.Params(min_support=1000))

    assert explanation.status == "infeasible"


@both
def test_fewer_features_change_when_changes_themselves_cost(method):
    model = lambda f: np.clip(((f["a"] - 50) + (f["b"] - 50)).to_numpy() / 40, 0, 1)  # noqa: E731
    cf = best(method, FRAME, X, model, alpha=0.9, beta=0.1)

    assert len(cf.changes) == 1


@both
def test_a_forbidden_transition_is_not_taken(method):
    frame = pd.DataFrame({"job": ["clerk", "nurse", "pilot"] * 5, "age": range(15)})
    model = lambda f: np.where(f["job"] == "clerk", 0.1, 0.9)  # noqa: E731
    x = {"job": "clerk", "age": 4}
    program = "PLAF IF x.job = 'clerk' THEN x_cf.job != 'nurse'"
    explanation = found(model, frame, x, method, program, k=5, ways="top")

    assert {cf.values["job"] for cf in explanation.counterfactuals} == {"pilot"}


@both
def test_a_onehot_set_is_weighed_by_its_name(method):
    frame = pd.DataFrame({"c_red": [1, 0] * 9, "c_blue": [0, 1] * 9, "age": range(18)})
    model = lambda f: np.where((f["c_blue"] == 1) | (f["age"] > 12), 0.9, 0.1)  # noqa: E731
    x = {"c_red": 1, "c_blue": 0, "age": 3}
    heavy, light = (
        found(model, frame, x, method, "ONEHOT c: c_red, c_blue", k=1, params=geco.Params(weights={"c": w}))
        for w in (5, 0.1)
    )

    assert (changed(heavy), changed(light)) == ({"age"}, {"c"})


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"weights": {"d": 1}}, "weights: D has no feature 'd'"),
        ({"costs": {"ag": (1, 2)}}, r"costs: D has no feature 'ag' \(did you mean 'age'\?\)"),
        ({"steps": {"job": 1}}, "'job' is categorical: it has no up, down or step; use weights"),
        ({"costs": {"c": (1, 2)}}, "'c' is categorical: it has no up, down or step; use weights"),
        ({"weights": {"c_red": 1}}, "weights: 'c_red' is a column of the ONEHOT set 'c'; name that"),
    ],
)
def test_a_cost_of_something_else_is_named(params, message):
    frame = pd.DataFrame({"c_red": [1, 0], "c_blue": [0, 1], "job": ["a", "b"], "age": [3, 4]})

    with pytest.raises(SettingsError, match=message):
        explain(lambda f: f["age"] / 9, frame, {}, "frontier", "ONEHOT c: c_red, c_blue", params=geco.Params(**params))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"weights": {"a": -1}}, r"weights\['a'\] must be a number that is not negative, got -1"),
        ({"weights": {"a": "much"}}, r"weights\['a'\] must be a number that is not negative, got 'much'"),
        ({"weights": ["a"]}, r"weights must be a dict by feature, got \['a'\]"),
        ({"costs": {"a": 3}}, r"costs\['a'\] must be a pair \(raising, lowering\), got 3"),
        ({"costs": {"a": (1, float("nan"))}}, r"costs\['a'\] must be a number that is not negative, got nan"),
        ({"steps": {"a": float("inf")}}, r"steps\['a'\] must be a number that is not negative, got inf"),
        ({"scale": "iqr"}, "scale must be 'range', 'mad' or 'std', got 'iqr'"),
        ({"min_support": 0}, "min_support must be a whole number of at least 1, got 0"),
        ({"min_support": True}, "min_support must be a whole number of at least 1, got True"),
    ],
)
def test_params_that_make_no_sense_are_refused_when_made(params, message):
    with pytest.raises(SettingsError, match=message):
        geco.Params(**params)


def test_numbers_of_numpy_are_numbers():
    params = geco.Params(weights={"a": np.float32(2)}, min_support=np.int64(3))

    assert (params.weights["a"], params.min_support) == (2, 3)


def costly(seed: int) -> tuple[Problem, dict[str, Any]]:
    """A random problem with random weights, costs by direction, and a scale."""
    problem = random_problem(seed)
    rng = np.random.default_rng([77, seed])
    groups = geco.parse_plaf(problem.program).groups
    inside = {f: g.onehot for g in groups if g.onehot for f in g.features}
    names = sorted({inside.get(f, f) for f in problem.frame})
    ordered = [
        f
        for f in sorted(problem.frame)
        if f not in inside
        and f not in problem.kinds
        and pd.api.types.is_numeric_dtype(problem.frame[f])
        and not pd.api.types.is_bool_dtype(problem.frame[f])
    ]
    extra = {
        "weights": {n: float(rng.choice([0.1, 0.5, 2, 7])) for n in names if rng.random() < 0.5},
        "costs": {n: tuple(map(float, rng.choice([0.2, 1, 3], 2))) for n in ordered if rng.random() < 0.6},
        "scale": str(rng.choice(["range", "mad", "std"])),
    }
    return replace(problem, params={**problem.params, **extra}), extra


def answered(seed: int, method: str) -> tuple[Problem, Any, Distance]:
    problem, _ = costly(seed)
    explainer = geco.Explainer(
        problem.model,
        geco.Database.from_frame(problem.frame, kinds=problem.kinds),
        geco.parse_plaf(problem.program),
        method=method,
        params=geco.Params(**problem.params),
    )
    distance = Distance(problem.frame, problem.program, problem.kinds, **problem.params)
    return problem, explainer.explain(problem.x, seed=seed), distance


@both
@pytest.mark.parametrize("seed", range(40))
def test_distances_are_those_of_the_plain_definition(seed, method):
    problem, explanation, distance = answered(seed, method)
    answers = explanation.counterfactuals

    assert [cf.distance for cf in answers] == pytest.approx([distance(problem.x, cf.values) for cf in answers])


@pytest.mark.parametrize(("method", "share"), [("frontier", 0.95), ("genetic", 0.85)])
def test_the_nearest_answer_of_brute_force_is_found_under_costs(method, share):
    optimal, solved = 0, 0
    for seed in range(60):
        problem, explanation, distance = answered(seed, method)
        if explanation.status == "already_good":
            continue
        solution = solve(problem.frame, problem.program, problem.x, problem.model, distance)
        if solution.distance is None:
            continue
        solved += 1
        optimal += bool(
            explanation.counterfactuals and explanation.counterfactuals[0].distance <= solution.distance + 1e-9
        )

    assert solved > 30
    assert optimal >= share * solved, f"{optimal} of {solved}"
