"""scikit-learn's models give the same numbers compiled as asked themselves."""

from __future__ import annotations

from typing import Any

import pytest
from exact_data import adult, categories, compas, count, credit, gaps, german, give, number, of, three
from exactness import Case, case, compare
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import (
    ElasticNet,
    GammaRegressor,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    PoissonRegressor,
    Ridge,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

UP = [1, 0, -1, 0, 0, 0, 0]


def scaled(model: Any) -> Pipeline:
    return make_pipeline(StandardScaler(), model)


def encoded(model: Any, sparse: bool = True, output: str = "default") -> Pipeline:
    """One-hot for categories, imputed and scaled numbers."""
    numeric = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=sparse)
    columns = [
        ("text", one_hot, make_column_selector(dtype_include="category")),
        ("rest", numeric, make_column_selector(dtype_exclude="category")),
    ]
    return make_pipeline(ColumnTransformer(columns, sparse_threshold=1.0 if sparse else 0.0), model).set_output(
        transform=output
    )  # type: ignore[arg-type]


TREES = [
    case(DecisionTreeClassifier(random_state=0)),
    case(
        DecisionTreeClassifier(max_depth=6, class_weight="balanced", random_state=0),
        "depth 6, class_weight",
        weights=True,
    ),
    case(DecisionTreeClassifier(random_state=0), "", three, array=True),
    case(DecisionTreeClassifier(max_depth=5, random_state=0), "missing", gaps, missing=True),
    case(DecisionTreeClassifier(max_depth=5, monotonic_cst=UP), "monotonic_cst"),
    case(DecisionTreeRegressor(random_state=0), "", number),
    case(DecisionTreeRegressor(criterion="absolute_error", max_depth=6), "absolute_error", number),
    case(DecisionTreeRegressor(max_depth=7), "missing", of(gaps, "number"), missing=True),
    case(ExtraTreeClassifier(max_depth=8, random_state=0)),
    case(ExtraTreeRegressor(max_depth=8, random_state=0), "", number),
    case(RandomForestClassifier(20, random_state=0)),
    case(RandomForestClassifier(20, random_state=0), "full depth", three),
    case(RandomForestClassifier(20, max_depth=7, random_state=0), "depth 7, missing", gaps, missing=True),
    case(RandomForestClassifier(20, random_state=0), "sample_weight", array=True, weights=True),
    case(RandomForestClassifier(10, min_samples_leaf=5, random_state=0, n_jobs=2), "n_jobs=2", credit),
    case(RandomForestClassifier(10, max_depth=6, monotonic_cst=UP, random_state=0), "monotonic_cst"),
    case(RandomForestRegressor(15, random_state=0), "", number),
    case(RandomForestRegressor(15, max_depth=8, random_state=0), "missing", of(gaps, "number"), missing=True),
    case(RandomForestRegressor(10, criterion="poisson", max_depth=8, random_state=0), "poisson", count),
    case(ExtraTreesClassifier(20, max_depth=9, random_state=0)),
    case(ExtraTreesClassifier(20, max_depth=9, random_state=0), "", three),
    case(ExtraTreesRegressor(20, random_state=0), "", number),
]
BOOSTED = [
    case(GradientBoostingClassifier(n_estimators=20, random_state=0)),
    case(GradientBoostingClassifier(n_estimators=20, random_state=0), "sample_weight", array=True, weights=True),
    case(
        GradientBoostingClassifier(n_estimators=20, init="zero", subsample=0.7, random_state=0), "init=zero, subsample"
    ),
    case(GradientBoostingClassifier(n_estimators=20, loss="exponential", random_state=0), "exponential"),
    case(GradientBoostingClassifier(n_estimators=12, random_state=0), "", three),
    case(GradientBoostingClassifier(n_estimators=12, init="zero", random_state=0), "init=zero", three),
    case(GradientBoostingClassifier(n_estimators=20, random_state=0), "", credit),
    *(
        case(GradientBoostingRegressor(n_estimators=20, loss=loss, random_state=0), loss, number)
        for loss in ("squared_error", "absolute_error", "huber", "quantile")
    ),
    case(GradientBoostingRegressor(n_estimators=20, init="zero", random_state=0), "init=zero", number),
    case(HistGradientBoostingClassifier(max_iter=20, random_state=0)),
    case(HistGradientBoostingClassifier(max_iter=20, random_state=0), "missing", gaps, missing=True, infinite=True),
    case(HistGradientBoostingClassifier(max_iter=20, random_state=0), "array, sample_weight", array=True, weights=True),
    case(
        HistGradientBoostingClassifier(max_iter=15, class_weight="balanced"),
        "class_weight",
        of(gaps, "three"),
        missing=True,
    ),
    case(HistGradientBoostingClassifier(max_iter=15, monotonic_cst=UP), "monotonic_cst"),
    case(HistGradientBoostingClassifier(max_iter=60, early_stopping=True, random_state=0), "early_stopping"),
    case(
        HistGradientBoostingClassifier(max_iter=20, categorical_features="from_dtype"),
        "from_dtype",
        categories,
        missing=True,
        unseen=True,
    ),
    case(
        HistGradientBoostingClassifier(max_iter=15, categorical_features="from_dtype"),
        "from_dtype",
        of(categories, "three"),
        missing=True,
        unseen=True,
    ),
    case(
        HistGradientBoostingClassifier(max_iter=15, categorical_features="from_dtype"),
        "from_dtype",
        adult,
        missing=True,
        unseen=True,
    ),
    case(HistGradientBoostingClassifier(max_iter=15), "missing", give, missing=True),
    case(
        HistGradientBoostingClassifier(max_iter=15, categorical_features=[2]),
        "categorical_features=list",
        array=True,
        missing=True,
    ),
    case(
        HistGradientBoostingClassifier(max_iter=15, categorical_features=[c == "c" for c in "abcdefg"]),
        "categorical_features=mask",
        missing=True,
    ),
    case(HistGradientBoostingRegressor(max_iter=20), "", number),
    *(
        case(HistGradientBoostingRegressor(max_iter=20, loss=loss), loss, count)
        for loss in ("poisson", "gamma", "absolute_error")
    ),
    case(HistGradientBoostingRegressor(max_iter=20, loss="quantile", quantile=0.8), "quantile", number),
    case(
        HistGradientBoostingRegressor(max_iter=20, categorical_features="from_dtype"),
        "from_dtype",
        of(categories, "number"),
        missing=True,
        unseen=True,
    ),
]
LINEAR = [
    case(scaled(LogisticRegression())),
    case(scaled(LogisticRegression(solver="liblinear", fit_intercept=False)), "liblinear, no intercept"),
    case(scaled(LogisticRegression(class_weight="balanced")), "class_weight", credit),
    case(scaled(LogisticRegression()), "multinomial", three),
    case(scaled(LogisticRegressionCV(Cs=2, cv=2, max_iter=300)), "", three),
    case(encoded(LogisticRegression(max_iter=300)), "one-hot", adult, missing=True, unseen=True),
    case(scaled(SGDClassifier(loss="log_loss", random_state=0)), "log_loss"),
    case(scaled(SGDClassifier(loss="log_loss", random_state=0)), "log_loss", three),
    case(scaled(SGDClassifier(loss="modified_huber", random_state=0)), "modified_huber"),
    case(scaled(SGDClassifier(loss="modified_huber", random_state=0)), "modified_huber", three),
    case(scaled(SGDClassifier(loss="hinge", random_state=0)), "hinge"),
    case(scaled(SGDClassifier(loss="hinge", random_state=0)), "hinge", three),
    case(scaled(LinearSVC(random_state=0))),
    case(scaled(LinearSVC(random_state=0)), "", three),
    case(scaled(RidgeClassifier())),
    case(scaled(RidgeClassifier()), "", three),
    case(scaled(LinearRegression()), "", number),
    case(LinearRegression(positive=True), "positive", number),
    case(scaled(Ridge(alpha=3.0)), "", number),
    case(scaled(ElasticNet(alpha=0.1)), "", number),
    case(scaled(PoissonRegressor()), "", count),
    case(scaled(GammaRegressor()), "", count),
]
NETWORKS = [
    *(
        case(
            scaled(MLPClassifier(hidden_layer_sizes=(8,), activation=activation, max_iter=60, random_state=0)),
            activation,
        )
        for activation in ("relu", "tanh", "logistic", "identity")
    ),
    case(scaled(MLPClassifier(hidden_layer_sizes=(9, 5, 4), max_iter=60, random_state=0)), "three layers", three),
    case(
        encoded(MLPClassifier(hidden_layer_sizes=(10,), max_iter=40, random_state=0)),
        "one-hot",
        german,
        missing=True,
        unseen=True,
    ),
    *(
        case(
            scaled(MLPRegressor(hidden_layer_sizes=(8, 4), activation=activation, max_iter=60, random_state=0)),
            activation,
            number,
        )
        for activation in ("relu", "tanh", "logistic", "identity")
    ),
]
PIPELINES = [
    case(
        encoded(RandomForestClassifier(15, max_depth=8, random_state=0)),
        "one-hot, sparse",
        categories,
        missing=True,
        unseen=True,
    ),
    case(
        encoded(RandomForestClassifier(15, max_depth=8, random_state=0), False),
        "one-hot",
        compas,
        missing=True,
        unseen=True,
    ),
    case(
        encoded(RandomForestClassifier(15, max_depth=8, random_state=0), False, "pandas"),
        "one-hot, set_output=pandas",
        categories,
        missing=True,
        unseen=True,
    ),
    case(
        encoded(HistGradientBoostingClassifier(max_iter=10), False, "pandas"),
        "one-hot, set_output=pandas",
        categories,
        missing=True,
        unseen=True,
    ),
    case(
        make_pipeline(
            ColumnTransformer(
                [
                    (
                        "codes",
                        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
                        make_column_selector(dtype_include="category"),
                    )
                ],
                remainder="passthrough",
            ),
            "passthrough",
            GradientBoostingClassifier(n_estimators=15, random_state=0),
        ),
        "ordinal, passthrough",
        german,
        unseen=True,
    ),
    case(
        GridSearchCV(
            make_pipeline("passthrough", DecisionTreeClassifier(random_state=0)),
            {"decisiontreeclassifier__max_depth": [2, 4]},
            cv=2,
        ),
        "around a pipeline",
    ),
]
if "multi_class" in LogisticRegression().get_params():  # before 1.8
    LINEAR += [
        case(scaled(LogisticRegression(solver="liblinear")), "liblinear", three),
        case(scaled(LogisticRegression(multi_class="ovr")), "multi_class=ovr", three),
        case(scaled(LogisticRegression(multi_class="multinomial")), "multi_class=multinomial"),
    ]
CASES = [*TREES, *BOOSTED, *LINEAR, *NETWORKS, *PIPELINES]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_compiled_model_decides_as_the_users_model_on_every_row(case: Case) -> None:
    result = compare(case, rows=2_000)

    assert result.disagreements == 0
    assert result.difference <= 1e-12
