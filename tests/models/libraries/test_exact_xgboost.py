"""XGBoost's models give the same numbers compiled as asked themselves, float32 sums included."""

from __future__ import annotations

from typing import Any

import pytest
from exact_data import (
    Data,
    adult,
    categories,
    compas,
    count,
    credit,
    gaps,
    give,
    number,
    of,
    three,
    title,
    zeros,
)
from exactness import Case, case, compare
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder

xgboost = pytest.importorskip("xgboost")
SINGLE = 1.2e-7  # one unit in the last place of a float32 probability
RECODES = hasattr(xgboost.Booster, "get_categories")  # since 3.1 an unseen category is an error


def native(options: str, data: Data, **parameters: Any) -> Case:
    """A Booster trained and asked by way of a DMatrix."""

    def fit() -> tuple[Any, Any]:
        x, y = data()
        matrix = xgboost.DMatrix(x, y, enable_categorical=True)
        return xgboost.train({"max_depth": 4, "nthread": 1, **parameters}, matrix, 12), x

    def ask(model: Any, table: Any) -> Any:
        return model.predict(xgboost.DMatrix(table, enable_categorical=True))

    return Case("Booster (xgboost)", options, title(data), fit, missing=True, ask=ask)


def classifier(**parameters: Any) -> Any:
    return xgboost.XGBClassifier(**{"n_estimators": 15, "max_depth": 4, "n_jobs": 1, "random_state": 0, **parameters})


def regressor(**parameters: Any) -> Any:
    return xgboost.XGBRegressor(**{"n_estimators": 15, "max_depth": 4, "n_jobs": 1, "random_state": 0, **parameters})


def one_hot(model: Any, sparse: bool) -> Pipeline:
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=sparse)
    parts = [("text", encoder, make_column_selector(dtype_include="category"))]
    return make_pipeline(ColumnTransformer(parts, remainder="passthrough", sparse_threshold=float(sparse)), model)


DROPPING = {"booster": "dart", "rate_drop": 0.4, "skip_drop": 0.2}
QUIET = {"verbose": False}
UNSEEN = {"missing": True, "unseen": not RECODES}
BINARY = [
    case(classifier()),
    case(classifier(), "array, sample_weight", array=True, weights=True),
    case(classifier(), "missing", gaps, missing=True, infinite=True),
    case(classifier(tree_method="exact", gamma=1.5, max_depth=6), "gamma: nodes pruned", gaps, missing=True),
    case(classifier(base_score=0.2, scale_pos_weight=3, learning_rate=1.0), "base_score=0.2, scale_pos_weight"),
    case(classifier(monotone_constraints=(1, 0, -1, 0, 0, 0, 0)), "monotone_constraints"),
    case(classifier(missing=0.0), "missing=0", zeros, array=True, missing=True),
    case(classifier(missing=0.3), "missing=0.3", array=True),
    case(
        classifier(n_estimators=60, early_stopping_rounds=3, learning_rate=0.7),
        "early stopping",
        stop=QUIET,
    ),
    case(classifier(num_parallel_tree=3, subsample=0.5, n_estimators=6), "num_parallel_tree=3"),
    case(classifier(tree_method="exact"), "tree_method=exact", gaps, missing=True),
    case(classifier(grow_policy="lossguide", max_leaves=9, max_depth=0), "lossguide"),
    case(classifier(**DROPPING), "dart", gaps, missing=True),
    case(classifier(n_estimators=100, max_depth=6), "100 trees", credit),
    case(classifier(), "missing", give, missing=True),
    case(classifier(booster="gblinear", max_depth=None), "gblinear", missing=True),
    case(xgboost.XGBRFClassifier(n_estimators=15, max_depth=5, n_jobs=1, random_state=0)),
]
SEVERAL = [
    case(classifier(), "", three),
    case(classifier(objective="multi:softmax"), "multi:softmax", three),
    case(classifier(num_parallel_tree=2, subsample=0.6), "num_parallel_tree=2", of(gaps, "three"), missing=True),
    case(
        classifier(n_estimators=60, early_stopping_rounds=2, learning_rate=0.8),
        "early stopping",
        three,
        stop=QUIET,
    ),
    case(classifier(base_score=0.7), "base_score=0.7", three),
    case(classifier(**DROPPING), "dart", three),
    case(classifier(booster="gblinear", max_depth=None), "gblinear", three),
    case(xgboost.XGBRFClassifier(n_estimators=10, max_depth=5, n_jobs=1, random_state=0), "", three),
]
CATEGORICAL = [
    case(classifier(enable_categorical=True, max_cat_to_onehot=1), "partitions of categories", categories, **UNSEEN),
    case(classifier(enable_categorical=True, max_cat_to_onehot=99), "one category apart", categories, **UNSEEN),
    case(classifier(enable_categorical=True), "categories", of(categories, "three"), **UNSEEN),
    case(classifier(enable_categorical=True), "categories", adult, **UNSEEN),
    case(
        classifier(enable_categorical=True, feature_types=["q", "q", "c", "q", "q", "q", "q"]),
        "feature_types, array",
        array=True,
        missing=True,
    ),
    case(one_hot(classifier(), sparse=True), "one-hot, sparse: 0 is missing", compas, unseen=True),
    case(one_hot(classifier(), sparse=False), "one-hot", compas, unseen=True),
]
NUMBERS = [
    *(
        case(regressor(objective=objective), objective, number, array=True)
        for objective in ("reg:squarederror", "reg:absoluteerror", "reg:pseudohubererror")
    ),
    *(
        case(regressor(objective=objective), objective, count)
        for objective in ("count:poisson", "reg:gamma", "reg:tweedie", "reg:squaredlogerror")
    ),
    case(regressor(objective="reg:logistic", base_score=0.3), "reg:logistic, base_score=0.3"),
    case(regressor(objective="reg:quantileerror", quantile_alpha=0.8), "reg:quantileerror", number),
    case(regressor(base_score=17.5), "base_score=17.5", of(gaps, "number"), missing=True),
    case(regressor(enable_categorical=True), "categories", of(categories, "number"), **UNSEEN),
    case(regressor(**DROPPING), "dart", number),
    case(regressor(booster="gblinear", max_depth=None), "gblinear", number),
    case(xgboost.XGBRFRegressor(n_estimators=15, max_depth=5, n_jobs=1, random_state=0), "", number),
]
NATIVE = [
    native("binary:logistic", categories, objective="binary:logistic"),
    native("binary:logitraw", gaps, objective="binary:logitraw", base_score=0.4),
    native("multi:softprob", of(gaps, "three"), objective="multi:softprob", num_class=3),
    native("count:poisson", of(gaps, "count"), objective="count:poisson"),
]
CASES = [*BINARY, *SEVERAL, *CATEGORICAL, *NUMBERS, *NATIVE]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_compiled_model_decides_as_the_users_model_on_every_row(case: Case) -> None:
    result = compare(case, rows=2_000)

    assert result.disagreements == 0
    assert result.difference <= SINGLE
