"""MACE against brute force: over the active domain within ε of the optimum, over the continuous one no farther."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import geco
from geco.baselines.formula import Bisection, Solution
from geco.errors import SettingsError
from oracles.brute import solve
from oracles.distance import Distance

pytest.importorskip("z3")

PROGRAM = """
INCREASE age
GROUP job, hours
PLAF IF x_cf.income > x.income + 2 THEN x_cf.age >= x.age + 1
"""


def table(seed: int, rows: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(20, 28, rows),
            "income": rng.integers(0, 9, rows) / 2,
            "job": rng.choice(["clerk", "cook", "none"], rows),
            "hours": rng.integers(1, 4, rows) * 10,
        }
    )


def label(frame: pd.DataFrame, seed: int) -> pd.Series:
    rng = np.random.default_rng(seed)
    lean = 0.2 * frame["age"] + frame["income"] + (frame["job"] == "cook") + 0.03 * frame["hours"]
    return (lean + rng.normal(0, 0.5, len(frame)) > 8.0).astype(int)


class Farther:
    """A formula whose only solution is so far away, as a float one step farther where that is what rounding does."""

    def __init__(self, nearest: float) -> None:
        self.nearest = nearest

    def within(self, bound: float, seconds: float) -> Solution | str:
        return Solution((), np.nextafter(self.nearest, np.inf)) if bound >= self.nearest else "none"


CLASSIFIERS = {
    "tree": lambda seed: DecisionTreeClassifier(random_state=seed),
    "forest": lambda seed: RandomForestClassifier(n_estimators=3, max_depth=3, random_state=seed),
    "linear": lambda seed: LogisticRegression(),
}


def problem(kind: str, seed: int):
    """D, the fitted pipeline and some x that it refuses."""
    frame = table(seed)
    encoder = make_column_transformer(
        (OneHotEncoder(sparse_output=False), ["job"]), (StandardScaler(), ["age", "income", "hours"])
    )
    model = make_pipeline(encoder, CLASSIFIERS[kind](seed)).fit(frame, label(frame, seed))
    refused = np.flatnonzero(model.predict_proba(frame)[:, 1] <= 0.5)
    return frame, model, [dict(frame.iloc[int(row)]) for row in refused[:3]]


def explainer(frame, model, **options):
    return geco.Explainer(model, geco.Database.from_frame(frame), geco.parse_plaf(PROGRAM), **options)


def optimum(frame, model, x) -> float | None:
    def good(rows):
        return model.predict_proba(rows)[:, 1]

    return solve(frame, PROGRAM, x, good, Distance(frame, PROGRAM, {})).distance


def nearest(explanation: geco.Explanation) -> float | None:
    return explanation.counterfactuals[0].distance if explanation.counterfactuals else None


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_over_the_active_domain_the_answer_is_the_optimum_up_to_epsilon(kind, seed):
    frame, model, xs = problem(kind, seed)
    method = explainer(frame, model, method=geco.Mace(epsilon=1e-6))

    for x in xs:
        best, ours = optimum(frame, model, x), nearest(method.explain(x, k=1))

        assert (best is None and ours is None) or ours == pytest.approx(best, abs=2e-6)


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_over_the_continuous_domain_it_is_no_farther_and_obeys_every_rule_but_the_domain(kind):
    frame, model, xs = problem(kind, 1)
    lender = explainer(frame, model)

    for x in xs:
        best = optimum(frame, model, x)
        explanation = geco.Mace(epsilon=1e-6, domain="continuous").explain(lender, x)
        [answer] = explanation.counterfactuals

        assert best is None or answer.distance <= best + 2e-6
        assert all(text.endswith("never occurs in D") for text in lender.check(x, answer.values))
        assert model.predict_proba(pd.DataFrame([answer.values]))[0, 1] > 0.5


def test_both_ways_to_ask_over_the_active_domain_agree():
    frame, model, xs = problem("tree", 2)
    method = explainer(frame, model, method=geco.Mace(epsilon=1e-6))

    by_search, by_hand = (nearest(e) for e in (method.explain(xs[0], k=1), geco.Mace(1e-6).explain(method, xs[0])))

    assert by_search == pytest.approx(by_hand, abs=2e-6)


def test_several_answers_change_different_groups_and_come_nearest_first():
    frame, model, xs = problem("tree", 0)

    answers = explainer(frame, model, method="mace").explain(xs[0], k=3).counterfactuals

    assert len({cf.groups for cf in answers}) == len(answers) == 3
    assert [cf.distance for cf in answers] == sorted(cf.distance for cf in answers)


def test_a_proof_that_there_is_no_counterfactual_is_told_from_a_search_that_ended():
    frame, model, xs = problem("tree", 0)
    program = geco.parse_plaf("FIXED age, income, job, hours")
    fixed = geco.Explainer(model, geco.Database.from_frame(frame), program)

    explanation = geco.Mace(domain="continuous").explain(fixed, xs[0])

    assert (explanation.status, explanation.stopped_by) == ("none_found", "exhausted")


def test_x_that_is_good_already_is_not_solved():
    frame, model, _ = problem("tree", 0)
    good = dict(frame.iloc[int(np.argmax(model.predict_proba(frame)[:, 1]))])
    method = explainer(frame, model, method="mace")

    assert method.explain(good).status == geco.Mace().explain(method, good).status == "already_good"


@pytest.mark.parametrize("way", ["search", "by hand"])
def test_a_deadline_holds(way):
    frame = table(3, rows=3000).assign(income=np.random.default_rng(3).normal(2, 1, 3000))
    noise = np.random.default_rng(4).random(3000) > 0.8
    encoder = make_column_transformer((OneHotEncoder(sparse_output=False), ["job"]), remainder="passthrough")
    forest = RandomForestClassifier(n_estimators=40, random_state=0)
    model = make_pipeline(encoder, forest).fit(frame, noise.astype(int))
    x = dict(frame.iloc[int(np.argmin(model.predict_proba(frame)[:, 1]))])
    method = explainer(frame, model, method="mace")
    start = time.perf_counter()

    explanation = method.explain(x, deadline=0.5) if way == "search" else geco.Mace().explain(method, x, deadline=0.5)

    assert time.perf_counter() - start < 1.5
    assert explanation.stopped_by == "deadline"


@pytest.mark.parametrize("domain", ["active", "continuous"])
def test_a_one_hot_set_is_one_change_by_hand_too(domain):
    frame = pd.DataFrame({"color_red": [1, 0, 0], "color_green": [0, 1, 0], "color_blue": [0, 0, 1]})
    tree = DecisionTreeClassifier(random_state=0).fit(frame, [0, 1, 0])
    program = geco.parse_plaf("ONEHOT color: color_red, color_green, color_blue")
    lender = geco.Explainer(tree, geco.Database.from_frame(frame), program)
    [best] = geco.Mace(domain=domain).explain(lender, frame.iloc[0].to_dict()).counterfactuals

    assert [(a.feature, a.before, a.after) for a in best.changes] == [("color", "red", "green")]


@pytest.mark.parametrize(
    ("deadline", "stopped_by", "words"),
    [(0.3, "deadline", "the deadline is reached"), (None, "budget", "the solver gave no verdict")],
)
def test_a_solver_that_gives_no_verdict_is_out_of_time_only_under_a_deadline(monkeypatch, deadline, stopped_by, words):
    frame, model, xs = problem("tree", 0)
    method = explainer(frame, model, method="mace")

    def no_verdict(bisection: Bisection, seconds: float) -> str:
        time.sleep(seconds if seconds < 1 else 0)
        return "unknown"

    monkeypatch.setattr(Bisection, "step", no_verdict)

    explanation = method.explain(xs[0], deadline=deadline)

    assert explanation.stopped_by == stopped_by and words in explanation.reason


@pytest.mark.parametrize("nearest", [1e300, 4.05, 1.7e308])
def test_bounds_between_which_no_float_is_left_are_narrow(nearest):
    bisection = Bisection(Farther(nearest), epsilon=1e-30)
    for _ in range(3000):
        if bisection.narrow:
            break
        if isinstance(verdict := bisection.step(1.0), Solution):
            bisection.found(verdict)

    assert bisection.narrow and bisection.high == nearest


def test_a_cost_beyond_epsilon_of_floats_ends():
    frame, model, xs = problem("tree", 0)
    costly = geco.Params(beta=1, alpha=0, gamma=0, costs={"age": (1e300, 1.0)})
    method = geco.Explainer(model, geco.Database.from_frame(frame), method="mace", params=costly)
    ends = {e.stopped_by for e in method.explain_many(xs[:6], deadline=20.0, only=["age"])}

    assert ends <= {"converged", "exhausted"}


@pytest.mark.parametrize("seed", [1, 2])
def test_what_was_solved_before_does_not_change_the_answer(seed):
    frame, model, xs = problem("tree", seed)
    method = explainer(frame, model, method="mace")
    answers = [method.explain(xs[2], k=4, ways="top") for _ in range(8)]

    assert answers == [answers[0]] * 8


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_network_is_refused_with_what_mace_reads():
    frame, _, _ = problem("tree", 0)
    features = ["age", "income", "hours"]
    network = MLPClassifier((3,), max_iter=5, random_state=0).fit(frame[features], label(frame, 0))

    with pytest.raises(SettingsError, match="trees, forests and linear models, and this model is a network"):
        geco.Explainer(network, geco.Database.from_frame(frame[features]), method="mace")


@pytest.mark.parametrize("regressor", [LinearRegression(), RandomForestRegressor(3, max_depth=3, random_state=0)])
def test_a_target_that_no_larger_or_smaller_sum_reaches_is_refused_before_any_x(regressor):
    frame, features = table(0), ["age", "income", "hours"]
    model = regressor.fit(frame[features], label(frame, 0))

    with pytest.raises(SettingsError, match="MACE needs a target that a larger or a smaller sum reaches"):
        geco.Explainer(model, geco.Database.from_frame(frame[features]), method="mace", target=(0.4, 0.6))


def test_a_model_that_cannot_be_read_is_refused_with_the_reason():
    frame, _, _ = problem("tree", 0)

    with pytest.raises(SettingsError, match="MACE needs a tree, a forest or a linear model that geco can read: a func"):
        explainer(frame, lambda rows: np.full(len(rows), 0.2), method="mace")


def test_the_continuous_domain_as_a_method_says_what_to_call_instead():
    frame, model, _ = problem("tree", 0)

    with pytest.raises(SettingsError, match=r"call geco.Mace\(domain=\"continuous\"\).explain"):
        explainer(frame, model, method=geco.Mace(domain="continuous"))


def test_combined_norms_are_refused():
    frame, model, _ = problem("tree", 0)

    with pytest.raises(SettingsError, match="MACE does not combine norms"):
        explainer(frame, model, method="mace", params=geco.Params(alpha=0.5, beta=0.5))


def test_without_z3_the_error_says_what_to_install(monkeypatch):
    frame, model, _ = problem("tree", 0)
    monkeypatch.setitem(__import__("sys").modules, "z3", None)

    with pytest.raises(SettingsError, match=r"pip install 'geco-explain\[mace\]'"):
        explainer(frame, model, method="mace")


@pytest.mark.parametrize(("settings", "says"), [({"epsilon": 0}, "epsilon"), ({"domain": "all"}, "domain")])
def test_settings_that_make_no_sense_are_named(settings, says):
    with pytest.raises(SettingsError, match=says):
        geco.Mace(**settings)
