"""LightGBM's models give the same numbers compiled as asked themselves."""

from __future__ import annotations

from typing import Any

import pytest
from exact_data import (
    Data,
    adult,
    categories,
    count,
    credit,
    gaps,
    german,
    give,
    number,
    of,
    three,
    title,
    zeros,
)
from exactness import Case, case, compare

lightgbm = pytest.importorskip("lightgbm")


def native(options: str, data: Data, **parameters: Any) -> Case:
    """A Booster of LightGBM's own interface."""

    def fit() -> tuple[Any, Any]:
        x, y = data()
        settings = {"verbose": -1, "num_threads": 1, **parameters}
        return lightgbm.train(settings, lightgbm.Dataset(x, y), 12), x

    return Case("Booster (lightgbm)", options, title(data), fit, missing=True, unseen=True)


SETTINGS: dict[str, Any] = {"n_estimators": 15, "verbose": -1, "n_jobs": 1, "random_state": 0, "min_child_samples": 5}


def classifier(**parameters: Any) -> Any:
    return lightgbm.LGBMClassifier(**{**SETTINGS, **parameters})


def regressor(**parameters: Any) -> Any:
    return lightgbm.LGBMRegressor(**{**SETTINGS, **parameters})


BAGGED = {"boosting_type": "rf", "bagging_freq": 1, "bagging_fraction": 0.6, "feature_fraction": 0.7}
STOP = {"callbacks": [lightgbm.early_stopping(2, verbose=False)]}
ANY = {"missing": True, "unseen": True}
BINARY = [
    case(classifier(), "missing_type=None", missing=True),
    case(classifier(), "array, sample_weight", array=True, weights=True),
    case(classifier(), "missing", gaps, missing=True, infinite=True),
    case(classifier(use_missing=False), "use_missing=False", gaps, missing=True),
    case(classifier(zero_as_missing=True), "zero_as_missing", zeros, missing=True),
    case(classifier(), "values almost 0", zeros, missing=True),
    case(classifier(sigmoid=1.7, boost_from_average=False), "sigmoid=1.7, boost_from_average=False"),
    case(classifier(class_weight="balanced", is_unbalance=False), "class_weight", credit),
    case(classifier(monotone_constraints=[1, 0, -1, 0, 0, 0, 0]), "monotone_constraints"),
    case(classifier(n_estimators=80, learning_rate=0.6), "early stopping", stop=STOP),
    case(classifier(boosting_type="dart", drop_rate=0.5, skip_drop=0.2), "dart", gaps, missing=True),
    case(classifier(**BAGGED), "rf", gaps, missing=True),
    case(classifier(extra_trees=True, data_sample_strategy="goss"), "extra_trees, goss"),
    case(classifier(objective="cross_entropy"), "cross_entropy"),
    case(classifier(), "missing", give, missing=True),
]
SEVERAL = [
    case(classifier(), "", three),
    case(classifier(objective="multiclassova", sigmoid=0.8), "multiclassova", of(gaps, "three"), missing=True),
    case(classifier(n_estimators=80, learning_rate=0.6), "early stopping", three, stop=STOP),
    case(classifier(**BAGGED), "rf", three),
    case(classifier(boosting_type="dart", drop_rate=0.5), "dart", of(categories, "three"), **ANY),
]
CATEGORICAL = [
    case(classifier(min_data_per_group=2, cat_smooth=1, max_cat_to_onehot=1), "sets of categories", categories, **ANY),
    case(classifier(max_cat_to_onehot=99), "one category apart", categories, **ANY),
    case(classifier(min_data_per_group=2, cat_smooth=1), "categories", adult, **ANY),
    case(classifier(), "categories", german, **ANY),
    case(classifier(min_data_per_group=2), "codes", array=True, missing=True, given={"categorical_feature": [2]}),
    case(classifier(use_missing=False), "categories, use_missing=False", categories, **ANY),
]
NUMBERS = [
    *(
        case(regressor(objective=objective), objective, number, array=True)
        for objective in ("regression", "regression_l1", "huber", "fair", "quantile", "mape")
    ),
    *(case(regressor(objective=objective), objective, count) for objective in ("poisson", "gamma", "tweedie")),
    case(regressor(), "categories", of(categories, "number"), **ANY),
    case(regressor(**BAGGED), "rf", number),
    case(regressor(linear_tree=False, min_child_samples=1_000), "one leaf", number),
]
NATIVE = [
    native("binary", categories, objective="binary"),
    native("multiclass", of(gaps, "three"), objective="multiclass", num_class=3),
    native("poisson", of(gaps, "count"), objective="poisson"),
    native("rf", categories, objective="binary", boosting="rf", bagging_freq=1, bagging_fraction=0.5),
]
CASES = [*BINARY, *SEVERAL, *CATEGORICAL, *NUMBERS, *NATIVE]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_compiled_model_decides_as_the_users_model_on_every_row(case: Case) -> None:
    result = compare(case, rows=2_000)

    assert result.disagreements == 0
    assert result.difference <= 1e-12
