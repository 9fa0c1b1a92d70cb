"""Models that return NaN, raise, are random, or answer in an odd shape: one clear error, or an honest explanation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection

import geco
from geco.errors import DataError, ModelError, SettingsError

METHODS = ("genetic", "frontier")
FRAME = pd.DataFrame({"a": np.arange(200) % 20, "b": np.arange(200) % 13})
X = {"a": 3, "b": 4}


def explainer(model: Any, method: str = "frontier", **settings: Any) -> geco.Explainer:
    return geco.Explainer(model, geco.Database.from_frame(FRAME), method=method, **settings)


@pytest.mark.parametrize("method", METHODS)
def test_nan_for_some_candidates_counts_as_bad_and_is_noted(method):
    model = lambda f: np.where(f["a"] % 2 == 0, np.nan, f["a"] / 25)  # noqa: E731
    explanation = explainer(model, method).explain(X, k=1)

    assert explanation.counterfactuals[0].values["a"] in (13, 15, 17, 19)
    assert any("returned NaN for" in note for note in explanation.notes)


@pytest.mark.parametrize("method", METHODS)
def test_nan_for_x_is_an_error(method):
    model = lambda f: np.where(f["a"] == 3, np.nan, f["a"] / 25)  # noqa: E731

    with pytest.raises(ModelError, match="the model returned NaN for x, so nothing can be said about it"):
        explainer(model, method).explain(X)


@pytest.mark.parametrize("method", METHODS)
def test_a_model_that_returns_nan_on_all_of_d_finds_nothing(method):
    model = lambda f: np.where((f["a"] == 3) & (f["b"] == 4), 0.1, np.nan)  # noqa: E731

    assert explainer(model, method).explain(X).status == "none_found"


@pytest.mark.parametrize("method", METHODS)
def test_a_regressor_that_returns_nan_is_treated_alike(method):
    model = lambda f: np.where(f["a"] % 2 == 0, np.nan, f["a"] * 10.0)  # noqa: E731
    explanation = explainer(model, method, target=(120, None)).explain(X, k=1)

    assert explanation.counterfactuals[0].outcome >= 120


@pytest.mark.parametrize("labels", [(0.1, 0.9), (0, 1), (False, True), ("no", "yes")], ids=str)
def test_an_answer_under_a_mask_is_a_bad_one(labels):
    model = lambda f: np.ma.array(np.where(f["a"] > 12, *labels[::-1]), mask=f["a"] == 13)  # noqa: E731
    target = "yes" if labels[1] == "yes" else None

    assert explainer(model, target=target).explain(X, k=1).counterfactuals[0].values["a"] == 14


@pytest.mark.parametrize("answers", ["boolean", "Float64", "string"])
def test_an_answer_that_pandas_calls_missing_is_a_bad_one(answers):
    labels = {"boolean": (False, True), "Float64": (0.1, 0.9), "string": ("no", "yes")}[answers]
    model = lambda f: pd.Series(np.where(f["a"] > 12, labels[1], labels[0])).astype(answers).where(f["a"] != 13)  # noqa: E731
    target = "yes" if answers == "string" else None
    explanation = explainer(model, target=target).explain(X, k=1)

    assert explanation.counterfactuals[0].values["a"] == 14


@pytest.mark.parametrize("method", METHODS)
def test_infinite_predictions_of_a_quantity_are_only_far_away(method):
    model = lambda f: np.where(f["a"] > 15, np.inf, f["a"] * 10.0)  # noqa: E731
    explanation = explainer(model, method, target=(120, 140)).explain(X, k=1)

    assert explanation.counterfactuals[0].values["a"] in (12, 13, 14)


@pytest.mark.parametrize("method", METHODS)
def test_a_model_that_raises_later_names_its_error(method):
    def model(frame: pd.DataFrame) -> np.ndarray:
        if (frame["a"] == 77).any():
            raise KeyError("no such code")
        return np.full(len(frame), 0.1)

    subject = explainer(model, method)

    with pytest.raises(ModelError, match=r"the model raised KeyError on \d+ rows: 'no such code'"):
        subject.explain({"a": 77, "b": 1})


def test_a_model_that_raises_at_once_is_an_error_of_the_explainer():
    def model(frame: Any) -> Any:
        raise RuntimeError("not fitted\nsecond line")

    with pytest.raises(ModelError, match="cannot be asked about rows of D: on pandas input the model raised Runtime"):
        explainer(model)


@pytest.mark.parametrize("method", METHODS)
def test_a_random_model_gets_no_unconfirmed_answer(method):
    rng = np.random.default_rng(0)
    last: list[Any] = []

    def model(frame: pd.DataFrame) -> np.ndarray:
        p = rng.random(len(frame))
        last[:] = [frame.copy(), p]
        return p

    for seed in range(5):
        explanation = explainer(model, method, params=geco.Params(round=False)).explain(X, seed=seed, ranges=False)
        shown, p = last
        good = {(int(a), int(b)) for a, b in shown[p > 0.5][["a", "b"]].to_numpy()}
        if explanation.status == "found":
            assert all((cf.values["a"], cf.values["b"]) in good for cf in explanation.counterfactuals)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda f: 0.5, r"returned an array of shape \(\) for 64 rows; expected one answer per row"),
        (lambda f: np.zeros(3), r"returned an array of shape \(3,\) for 64 rows"),
        (lambda f: np.zeros((len(f), 2, 2)), r"returned an array of shape \(64, 2, 2\)"),
        (lambda f: None, r"returned an array of shape \(\)"),
        (lambda f: np.zeros(len(f), complex), "returned complex128 values; expected probabilities, labels or numbers"),
        (lambda f: np.full((len(f), 3), 4.0), "a table of 3 columns with numbers outside 0 to 1; return probabilities"),
        ("model", "a str is not a model: give an object with predict_proba or predict, or a function of a frame"),
    ],
)
def test_answers_of_no_use_are_named(answer, message):
    with pytest.raises(ModelError, match=message):
        explainer(answer)


THRESHOLDS = ("FixedThresholdClassifier", "TunedThresholdClassifierCV")  # since scikit-learn 1.5
UNFITTED = ("CatBoost", "CatBoostClassifier", "Booster", *(t for t in THRESHOLDS if hasattr(model_selection, t)))


def unfitted(name: str) -> Any:
    from sklearn.linear_model import LogisticRegression

    if name == "Booster":
        return pytest.importorskip("xgboost").Booster()
    if name.startswith("CatBoost"):
        return getattr(pytest.importorskip("catboost"), name)()
    return getattr(model_selection, name)(LogisticRegression())


@pytest.mark.parametrize("name", UNFITTED)
def test_a_model_that_was_never_fitted_is_one_clear_error(name):
    with pytest.raises(ModelError, match=rf"this {name} cannot be looked at \(.*\); is it fitted\?"):
        explainer(unfitted(name))


def test_a_model_of_several_outputs_is_one_clear_error():
    from sklearn.tree import DecisionTreeClassifier

    model = DecisionTreeClassifier().fit(FRAME, np.column_stack([FRAME["a"] > 4, FRAME["b"] % 3]))

    with pytest.raises(ModelError, match="this DecisionTreeClassifier has 2 outputs; give a function"):
        explainer(model)


def test_scores_in_one_column_are_not_called_a_table():
    class Model:
        def predict_proba(self, frame: pd.DataFrame) -> np.ndarray:
            return np.full(len(frame), 4.0)

    with pytest.raises(ModelError, match="the model returned numbers outside 0 to 1; return probabilities"):
        explainer(Model())


def test_predict_proba_with_too_few_columns_is_named():
    class Model:
        classes_ = np.array(["a", "b", "c"])

        def predict_proba(self, frame: pd.DataFrame) -> np.ndarray:
            return np.full((len(frame), 2), 0.5)

    with pytest.raises(ModelError, match="predict_proba returned 2 columns, but the model has 3 classes"):
        explainer(Model(), target="a")


def test_a_model_fitted_on_other_columns_is_named():
    from sklearn.tree import DecisionTreeClassifier

    model = DecisionTreeClassifier().fit(FRAME.rename(columns={"a": "aa"}), FRAME["a"] > 4)

    with pytest.raises(DataError, match=r"the model reads columns that D does not have: 'aa' \(did you mean 'a'\?\)"):
        explainer(model)


def test_a_model_fitted_on_another_number_of_columns_is_named():
    from sklearn.tree import DecisionTreeClassifier

    model = DecisionTreeClassifier().fit(np.zeros((9, 5)), np.arange(9) > 4)

    with pytest.raises(DataError, match="the model was fitted on 5 columns but D has 2; exclude what it does not take"):
        explainer(model)


def test_an_unknown_input_form_is_named():
    with pytest.raises(SettingsError, match="input must be 'auto', 'frame' or 'array', got 'tensor'"):
        explainer(lambda f: f["a"] / 20, input="tensor")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"params": {"alpha": 1.0}}, r"params must be geco\.Params\(\.\.\.\), got {'alpha': 1\.0}"),
        ({"params": {}}, r"params must be geco\.Params\(\.\.\.\), got {}"),
        ({"method": geco.Genetic}, "method must be a name or an object such as geco.Genetic"),
    ],
)
def test_settings_of_another_type_are_named(settings, message):
    with pytest.raises(SettingsError, match=message):
        geco.Explainer(lambda f: f["a"] / 25, geco.Database.from_frame(FRAME), **settings)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"deadline": "5"}, "deadline must be a positive number of seconds, got '5'"),
        ({"seed": 2**64}, "seed must be at most 18446744073709551615"),
        ({"k": 2**31}, "k must be at most 1000000"),
        ({"k": 2.0}, r"k must be a whole number of at least 1, got 2\.0"),
    ],
)
def test_a_question_that_makes_no_sense_is_named(question, message):
    with pytest.raises(SettingsError, match=message):
        explainer(lambda f: f["a"] / 25).explain(X, **question)


def test_whole_numbers_of_numpy_are_whole_numbers():
    subject = explainer(lambda f: f["a"] / 25)

    assert subject.explain(X, k=np.int64(2), seed=np.uint8(1)) == subject.explain(X, k=2, seed=1)


def test_more_ways_may_be_asked_for_than_there_are():
    from sklearn.tree import DecisionTreeClassifier

    subject = explainer(DecisionTreeClassifier(max_depth=3).fit(FRAME, FRAME["a"] > 12))

    assert subject.explain(X, k=500).counterfactuals == subject.explain(X, k=5).counterfactuals


def test_a_model_reads_its_columns_in_its_own_order():
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression().fit(FRAME[["b", "a"]], FRAME["a"] > 10)
    explanation = explainer(model).explain(X, k=1)

    assert explanation.counterfactuals[0].values["a"] > 3
