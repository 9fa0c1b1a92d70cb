"""Objects that are models in a way of their own."""

import numpy as np
import pandas as pd
import pytest

import geco
from geco.errors import DataError, TargetError

xgboost = pytest.importorskip("xgboost")


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {"a": rng.normal(size=300), "b": rng.integers(0, 9, 300), "c": pd.Categorical(rng.choice(list("xyz"), 300))}
    )


def booster(frame, objective):
    wanted = (frame.a + 0.3 * frame.b > 1.2).astype(int)
    return xgboost.train({"objective": objective}, xgboost.DMatrix(frame, wanted, enable_categorical=True), 20)


def test_an_xgboost_booster_is_taken_as_it_is_and_compiled(frame):
    model = booster(frame, "binary:logistic")
    explainer = geco.Explainer(model, geco.Database.from_frame(frame))
    x = frame.iloc[int(np.argmin(model.predict(xgboost.DMatrix(frame, enable_categorical=True))))].to_dict()

    [cf] = explainer.explain(x, k=1).counterfactuals
    assert cf.confirmed and cf.outcome > 0.5
    assert "Booster.predict" in explainer.describe() and "compiled" in explainer.describe()


def test_a_booster_of_a_regression_has_an_interval_for_a_target(frame):
    explainer = geco.Explainer(booster(frame, "reg:squarederror"), geco.Database.from_frame(frame), target=(0.8, None))

    assert "prediction ≥ 0.8" in explainer.explain(frame.iloc[0].to_dict(), k=1).target


@pytest.mark.parametrize("target", [0, 1, 2])
def test_a_booster_that_answers_with_classes_has_labels_for_a_target(frame, target):
    wanted = frame.b // 3
    data = xgboost.DMatrix(frame, wanted, enable_categorical=True)
    model = xgboost.train({"objective": "multi:softmax", "num_class": 3}, data, 5)
    explainer = geco.Explainer(model, geco.Database.from_frame(frame), target=target)
    x = frame[wanted != target].iloc[0]

    [cf] = explainer.explain(x, k=1).counterfactuals
    assert cf.values["b"] // 3 == target
    with pytest.raises(TargetError, match="the model has no class 3; its classes are 0, 1, 2"):
        geco.Explainer(model, geco.Database.from_frame(frame), target=3)


def lightgbm_booster(frame, objective, names=True):
    lightgbm = pytest.importorskip("lightgbm")
    wanted = (frame.a + 0.3 * frame.b > 1.2).astype(int)
    data = lightgbm.Dataset(frame if names else frame.to_numpy(), wanted)
    return lightgbm.train({"objective": objective, "verbose": -1}, data, 20)


@pytest.mark.parametrize("compile", [True, False])
def test_a_lightgbm_booster_gets_its_columns_by_name(frame, compile):
    model = lightgbm_booster(frame[["a", "b"]], "binary")
    other = frame[["c", "b", "a"]]
    explainer = geco.Explainer(model, geco.Database.from_frame(other), compile=compile)
    x = other.iloc[int(np.argmin(model.predict(frame[["a", "b"]])))].to_dict()

    [cf] = explainer.explain(x, k=1).counterfactuals
    assert cf.outcome == model.predict(pd.DataFrame([cf.values])[["a", "b"]])[0]
    assert ("compiled" in explainer.describe()) == compile


def test_a_lightgbm_booster_of_an_array_takes_as_many_columns_as_it_was_trained_on(frame):
    model = lightgbm_booster(frame[["a", "b"]], "binary", names=False)

    assert geco.Explainer(model, geco.Database.from_frame(frame[["a", "b"]])).model.goal.words == "P(good) > 0.5"
    with pytest.raises(DataError, match="the model was fitted on 2 columns but D has 3"):
        geco.Explainer(model, geco.Database.from_frame(frame))


def test_a_lightgbm_booster_of_a_regression_gives_no_probability(frame):
    model = lightgbm_booster(frame[["a", "b"]], "regression")

    with pytest.raises(TargetError, match="this model predicts a quantity"):
        geco.Explainer(model, geco.Database.from_frame(frame[["a", "b"]]))
