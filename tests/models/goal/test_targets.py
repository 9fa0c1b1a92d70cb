"""Every kind of target with every kind of model that can have it, and the words and errors that go with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from geco.errors import SettingsError, TargetError

METHODS = ("genetic", "frontier")
RNG = np.random.default_rng(4)
FRAME = pd.DataFrame({"a": RNG.integers(0, 30, 300), "b": RNG.integers(0, 30, 300)})
X = {"a": 4, "b": 15}
THREE = np.select([FRAME["a"] < 10, FRAME["a"] < 20], ["low", "mid"], "high")


class Named:
    """predict_proba over named classes, from scores of the columns."""

    def __init__(self, classes: list[Any], scores: Any) -> None:
        self.classes_, self.scores = np.array(classes), scores

    def predict_proba(self, frame: pd.DataFrame) -> np.ndarray:
        scores = np.exp(np.stack(self.scores(frame["a"].to_numpy(float), frame["b"].to_numpy(float)), axis=1))
        return scores / scores.sum(axis=1, keepdims=True)


def two(classes: list[Any]) -> Named:
    return Named(classes, lambda a, b: (np.zeros_like(a), a / 4 - 4))


def three() -> Named:
    return Named(["low", "mid", "high"], lambda a, b: (10 - a, 5 - abs(a - 15), a - 20))


def explainer(model: Any, target: Any = None, method: str = "frontier", **settings: Any) -> geco.Explainer:
    return geco.Explainer(model, geco.Database.from_frame(FRAME), target=target, method=method, **settings)


def words(model: Any, target: Any = None, **settings: Any) -> str:
    return explainer(model, target, **settings).explain(X, k=1).target


def rate(frame: pd.DataFrame) -> np.ndarray:
    return frame["a"].to_numpy() / 40


def price(frame: pd.DataFrame) -> np.ndarray:
    return frame["a"].to_numpy() * 100_000.0


def label(frame: pd.DataFrame) -> np.ndarray:
    return np.select([frame["a"] < 10, frame["a"] < 20], ["low", "mid"], "high")


def decision(classes: list[Any]) -> Any:
    from sklearn.svm import LinearSVC

    return LinearSVC(random_state=0).fit(FRAME, np.array(classes)[(FRAME["a"] > 15).to_numpy().astype(int)])


ASKED = [
    # model, target, settings, words, decision on a row by the model itself
    (two([0, 1]), None, {}, "P(1) > 0.5", lambda m, f: m.predict_proba(f)[:, 1] > 0.5),
    (two([False, True]), None, {}, "P(True) > 0.5", lambda m, f: m.predict_proba(f)[:, 1] > 0.5),
    (two(["no", "yes"]), "yes", {}, "P(yes) > 0.5", lambda m, f: m.predict_proba(f)[:, 1] > 0.5),
    (two([0, 1]), 0.8, {}, "P(1) > 0.8", lambda m, f: m.predict_proba(f)[:, 1] > 0.8),
    (two([0, 1]), None, {"margin": 0.1}, "P(1) > 0.6", lambda m, f: m.predict_proba(f)[:, 1] > 0.6),
    (
        two(["no", "yes"]),
        geco.Target("yes", threshold=0.9),
        {},
        "P(yes) > 0.9",
        lambda m, f: m.predict_proba(f)[:, 1] > 0.9,
    ),
    (three(), "high", {}, "prediction 'high'", lambda m, f: m.predict_proba(f).argmax(axis=1) == 2),
    (
        three(),
        {"mid", "high"},
        {},
        "prediction 'mid' or 'high'",
        lambda m, f: m.predict_proba(f).argmax(axis=1) > 0,
    ),
    (
        three(),
        "high",
        {"margin": 0.2},
        "prediction 'high', ahead by more than 0.2",
        lambda m, f: m.predict_proba(f)[:, 2] - m.predict_proba(f)[:, :2].max(axis=1) > 0.2,
    ),
    (
        three(),
        geco.Target({"mid", "high"}, threshold=0.7),
        {},
        "P(mid or high) > 0.7",
        lambda m, f: m.predict_proba(f)[:, 1:].sum(axis=1) > 0.7,
    ),
    (price, (1_500_000, None), {}, "prediction ≥ 1500000", lambda m, f: m(f) >= 1_500_000),
    (price, (None, 250_000), {}, "prediction ≤ 250000", lambda m, f: m(f) <= 250_000),
    (
        price,
        (1_500_000, 2_000_000),
        {"margin": 100_000},
        "prediction between 1600000 and 1900000",
        lambda m, f: (m(f) >= 1_600_000) & (m(f) <= 1_900_000),
    ),
    (rate, (0.4, 0.6), {}, "prediction between 0.4 and 0.6", lambda m, f: (m(f) >= 0.4) & (m(f) <= 0.6)),
    (rate, None, {}, "P(good) > 0.5", lambda m, f: m(f) > 0.5),
    (rate, 0.6, {"margin": 0.05}, "P(good) > 0.65", lambda m, f: m(f) > 0.65),
    (lambda f: rate(f)[:, None], None, {}, "P(good) > 0.5", lambda m, f: m(f)[:, 0] > 0.5),
    (lambda f: np.stack([1 - rate(f), rate(f)], 1), None, {}, "P(1) > 0.5", lambda m, f: m(f)[:, 1] > 0.5),
    (lambda f: np.stack([rate(f), 1 - rate(f)], 1), 0, {}, "P(0) > 0.5", lambda m, f: m(f)[:, 0] > 0.5),
    (
        lambda f: three().predict_proba(f),
        {1, 2},
        {},
        "prediction 1 or 2",
        lambda m, f: m(f).argmax(axis=1) > 0,
    ),
    (label, "high", {}, "prediction 'high'", lambda m, f: m(f) == "high"),
    (label, ["mid", "high"], {}, "prediction 'high' or 'mid'", lambda m, f: m(f) != "low"),
    (lambda f: (f["a"] // 10).to_numpy(), 2, {}, "prediction 2", lambda m, f: m(f) == 2),
    (lambda f: (f["a"] // 10).to_numpy(float), 2, {}, "prediction 2", lambda m, f: m(f) == 2),
    (lambda f: (f["a"] > 15).to_numpy(), None, {}, "prediction True", lambda m, f: m(f)),
    (lambda f: (f["a"] > 15).to_numpy(int), None, {}, "prediction 1", lambda m, f: m(f) == 1),
    (lambda f: (f["a"] < 15).to_numpy(int), 0, {}, "prediction 0", lambda m, f: m(f) == 0),
    (lambda f: list(map(bool, f["a"] > 15)), None, {}, "prediction True", lambda m, f: np.array(m(f))),
    (
        decision(["no", "yes"]),
        "yes",
        {},
        "prediction 'yes' (decision function > 0)",
        lambda m, f: m.predict(f) == "yes",
    ),
    (
        decision(["yes", "no"]),
        "no",
        {"margin": 0.5},
        "prediction 'no' (decision function < -0.5)",
        lambda m, f: m.decision_function(f) < -0.5,
    ),
    (decision([0, 1]), None, {}, "prediction 1 (decision function > 0)", lambda m, f: m.predict(f) == 1),
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("model", "target", "settings", "said", "good"), ASKED)
def test_every_answer_is_good_by_the_models_decision(model, target, settings, said, good, method):
    x = X if not good(model, pd.DataFrame([X]))[0] else {"a": 25, "b": 15}
    explanation = explainer(model, target, method, **settings).explain(x)
    answers = pd.DataFrame([cf.values for cf in explanation.counterfactuals])

    assert explanation.status == "found"
    assert good(model, answers).all() and not good(model, pd.DataFrame([x])).any()


@pytest.mark.parametrize(("model", "target", "settings", "said", "good"), ASKED)
def test_an_x_that_is_good_by_the_models_decision_is_already_good(model, target, settings, said, good):
    subject = explainer(model, target, **settings)
    rows = FRAME.head(25)
    statuses = [subject.explain(row, k=1, max_evals=50).status for row in rows.to_dict("records")]

    assert [s == "already_good" for s in statuses] == list(good(model, rows))


@pytest.mark.parametrize(("model", "target", "settings", "said", "good"), ASKED)
def test_what_is_wanted_is_said_in_words(model, target, settings, said, good):
    assert words(model, target, **settings) == said


def test_the_outcome_is_the_models_number():
    model = three()
    best = explainer(model, "high").explain(X, k=1).counterfactuals[0]

    assert best.outcome == model.predict_proba(pd.DataFrame([best.values]))[0, 2]


def test_one_column_of_predict_proba_is_the_second_class():
    class Model:
        classes_ = np.array(["no", "yes"])

        def predict_proba(self, frame: pd.DataFrame) -> np.ndarray:
            return rate(frame)

    assert explainer(Model(), "no").explain({"a": 27, "b": 3}, k=1).counterfactuals[0].values["a"] < 20


def test_the_good_class_of_0_and_1_is_1_in_any_order():
    best = explainer(Named([1, 0], lambda a, b: (a / 4 - 4, np.zeros_like(a)))).explain(X, k=1).counterfactuals[0]

    assert best.values["a"] > 16


@pytest.mark.parametrize(
    ("model", "target", "settings", "message"),
    [
        (
            two(["no", "yes"]),
            None,
            {},
            "say which outcome is good with target=...; the model's classes are 'no', 'yes'",
        ),
        (two([1, 2]), None, {}, "say which outcome is good with target=...; the model's classes are 1, 2"),
        (three(), None, {}, "the model's classes are 'low', 'mid', 'high'"),
        (three(), "hihg", {}, "the model has no class 'hihg'; its classes are 'low', 'mid', 'high'"),
        (two([0, 1]), "1", {}, "the model has no class '1'; its classes are 0, 1"),
        (
            three(),
            ["low", "mid", "high"],
            {},
            "every class of the model is wanted, so every prediction is good already",
        ),
        (three(), set(), {}, "target names no label; give at least one"),
        (two([0, 1]), (0, 1), {}, "a pair of numbers is an interval, for models that predict a quantity; this one"),
        (two([0, 1]), 0.95, {"margin": 0.1}, "threshold and margin add up to 1.05; no probability is above that"),
        (label, None, {}, "say which outcome is good with target=...; the model answered 'high', 'low', 'mid'"),
        (
            lambda f: f["a"].to_numpy() // 10,
            None,
            {},
            r"the model answered 0, 1, 2, or target=\(low, high\) if it is a",
        ),
        (label, "high", {"margin": 0.1}, "margin needs a model that returns a probability or a quantity; this one"),
        (label, 0.7, {}, "threshold 0.7 needs a model that returns a probability; give a label"),
        (decision([0, 1]), 0.7, {}, "threshold 0.7 needs a model that returns a probability; give a label"),
        (price, None, {}, r"predicts a quantity \(from 0 to 2900000 on a sample of D\); say what is good with target="),
        (price, 200, {}, r"predicts a quantity .*; say what is good with target=\(low, high\); one end may be None"),
        (price, (3, 1), {}, r"the interval \(3, 1\) is empty: its low end is above its high end"),
        (price, (None, None), {}, r"the interval \(None, None\) accepts every prediction; give at least one end"),
        (price, (0, 10), {"margin": 6}, r"a margin of 6 leaves nothing of the interval \(0, 10\)"),
        (rate, "yes", {}, "target 'yes' names a label, but the model returns one probability without labels; give a"),
        (rate, 1.0, {}, "target 1.0 cannot be a threshold: no probability is above it; give one above 0 and below 1"),
        (rate, 0.0, {}, "target 0.0 names a label, but the model returns one probability without labels; give a"),
        (rate, 1.5, {}, "threshold must be at least 0 and below 1, got 1.5"),
    ],
)
def test_what_cannot_be_wanted_is_an_error_that_says_what_can(model, target, settings, message):
    with pytest.raises(TargetError, match=message):
        explainer(model, target, **settings)


@pytest.mark.parametrize("target", [1, True, 1.0])
def test_one_is_a_label_where_the_model_answers_zeros_and_ones(target):
    def one(frame: pd.DataFrame) -> np.ndarray:
        return (frame["a"] > 16).to_numpy(float)

    assert explainer(one, target).explain(X, k=1).counterfactuals[0].values["a"] > 16


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"threshold": 1}, "threshold must be at least 0 and below 1, got 1"),
        ({"threshold": "high"}, "threshold must be at least 0 and below 1, got 'high'"),
        ({"threshold": True}, "threshold must be at least 0 and below 1, got True"),
        ({"interval": (1, 2, 3)}, r"an interval is a pair \(low, high\) of numbers or None, got \(1, 2, 3\)"),
        ({"interval": ("a", "b")}, "an interval is a pair"),
        ({"interval": (float("nan"), 1)}, "an interval is a pair"),
        ({"interval": (1, 2), "labels": "yes"}, "an interval goes with neither labels nor threshold"),
        ({"interval": (1, 2), "threshold": 0.3}, "an interval goes with neither labels nor threshold"),
    ],
)
def test_a_target_that_contradicts_itself_is_refused_when_made(parts, message):
    with pytest.raises(TargetError, match=message):
        geco.Target(**parts)


@pytest.mark.parametrize("margin", [-1, float("nan"), float("inf"), "much", True])
def test_a_margin_that_makes_no_sense_is_refused(margin):
    with pytest.raises(SettingsError, match="margin must be a number that is not negative, got"):
        geco.Target(margin=margin)


def test_a_margin_beside_a_target_object_counts():
    assert words(rate, geco.Target(threshold=0.5), margin=0.2) == "P(good) > 0.7"
