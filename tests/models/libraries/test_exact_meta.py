"""Models of scikit-learn made of models give the same numbers compiled as asked themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn
from exact_data import Data, adult, count, credit, german, number, plain, three
from exactness import Case, case, compare
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor, make_column_selector, make_column_transformer
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from geco.models.compiling.adapt import NotCompiled, adapt

TEMPERATURE = tuple(int(n) for n in sklearn.__version__.split(".")[:2]) >= (1, 8)


def forest(**parameters: Any) -> RandomForestClassifier:
    return RandomForestClassifier(12, max_depth=5, random_state=0, **parameters)


def scaled(model: Any) -> Any:
    return make_pipeline(StandardScaler(), model)


def one_hot(model: Any) -> Any:
    encoder = OneHotEncoder(handle_unknown="ignore")
    parts = make_column_transformer(
        (encoder, make_column_selector(dtype_include="category")), remainder=StandardScaler(), sparse_threshold=0
    )
    return make_pipeline(parts, model)


def logistic() -> Any:
    return scaled(LogisticRegression(max_iter=500))


def network() -> Any:
    return scaled(MLPClassifier((8,), max_iter=60, random_state=0))


def calibrated(model: Any, method: str, data: Data = plain, **parameters: Any) -> Case:
    options = f"{method}, {type(model).__name__}" + "".join(f", {k}={v}" for k, v in parameters.items())
    return case(CalibratedClassifierCV(model, method=method, cv=3, **parameters), options, data)


NAMED = [("a", forest()), ("b", logistic()), ("c", GradientBoostingClassifier(n_estimators=10, random_state=0))]
NUMBERS = [("a", RandomForestRegressor(8, max_depth=4, random_state=0)), ("b", scaled(Ridge()))]
CASES = [
    calibrated(forest(), "sigmoid"),
    calibrated(forest(), "isotonic"),
    calibrated(forest(), "isotonic", credit, ensemble=False),
    calibrated(forest(), "isotonic", three),
    calibrated(DecisionTreeClassifier(max_depth=4), "isotonic"),
    calibrated(GradientBoostingClassifier(n_estimators=10, random_state=0), "isotonic"),
    calibrated(HistGradientBoostingClassifier(max_iter=10, random_state=0), "sigmoid", three),
    calibrated(logistic(), "sigmoid", ensemble=False),
    calibrated(scaled(LinearSVC(dual=False)), "sigmoid", three),
    calibrated(network(), "sigmoid"),
    *([calibrated(forest(), "temperature"), calibrated(logistic(), "temperature", three)] if TEMPERATURE else []),
    case(VotingClassifier(NAMED, voting="soft"), "soft"),
    case(VotingClassifier(NAMED, voting="soft", weights=[3, 1, 2]), "soft, weights", three),
    case(VotingClassifier([*NAMED, ("d", "drop")], voting="soft"), "soft, one dropped"),
    case(one_hot(VotingClassifier(NAMED, voting="soft")), "soft, one-hot", adult, unseen=True),
    case(
        VotingClassifier([("a", one_hot(forest())), ("b", one_hot(LogisticRegression(max_iter=500)))], voting="soft"),
        "soft, pipelines within",
        german,
        unseen=True,
    ),
    case(
        VotingClassifier([("a", CalibratedClassifierCV(forest(), method="isotonic")), *NAMED[1:]], voting="soft"),
        "soft, one calibrated",
    ),
    case(VotingRegressor(NUMBERS), "", number),
    case(VotingRegressor(NUMBERS, weights=[1, 4]), "weights", number),
    case(StackingClassifier(NAMED, LogisticRegression()), "logistic regression last"),
    case(StackingClassifier(NAMED, scaled(LogisticRegression())), "pipeline last", three),
    case(StackingClassifier(NAMED, forest()), "forest last", credit),
    case(StackingClassifier(NAMED[:2], stack_method="predict_proba"), "stack_method", three),
    case(StackingRegressor(NUMBERS), "", number),
    case(StackingRegressor(NUMBERS, RandomForestRegressor(5, random_state=0)), "forest last", number),
    case(BaggingClassifier(n_estimators=8, random_state=0)),
    case(BaggingClassifier(logistic(), n_estimators=5, max_features=0.6, random_state=0), "max_features", three),
    case(BaggingRegressor(n_estimators=8, max_features=4, random_state=0), "max_features", number, array=True),
    case(OneVsRestClassifier(forest()), "forest", three),
    case(OneVsRestClassifier(logistic())),
    case(TransformedTargetRegressor(scaled(LinearRegression()), func=np.log1p, inverse_func=np.expm1), "log1p", count),
    case(
        TransformedTargetRegressor(RandomForestRegressor(8, random_state=0), transformer=StandardScaler()), "", number
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_blend_decides_as_the_users_model_on_every_row(case: Case) -> None:
    result = compare(case, rows=2_000)

    assert result.disagreements == 0
    assert result.difference <= 1e-9


@pytest.mark.parametrize(
    ("model", "method", "reason"),
    [
        (VotingClassifier(NAMED), "predict", "returns labels"),
        (VotingClassifier([*NAMED, ("d", GaussianNB())], voting="soft"), "predict_proba", "GaussianNB is not one"),
        (StackingClassifier(NAMED, passthrough=True), "predict_proba", "sees the table itself"),
        (BaggingClassifier(LinearSVC(dual=False), n_estimators=3), "predict_proba", "vote by labels"),
        (CalibratedClassifierCV(logistic(), method="isotonic"), "predict_proba", "isotonic calibration has steps"),
    ],
    ids=["hard voting", "a part that is not compiled", "passthrough", "votes", "isotonic of a sum of products"],
)
def test_what_cannot_be_blended_says_why(model: Any, method: str, reason: str) -> None:
    adapted = adapt(model.fit(*plain()), method)

    assert isinstance(adapted, NotCompiled) and reason in adapted.reason
