"""CatBoost's models give the same numbers compiled as asked themselves, statistics of categories included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from exact_data import Data, adult, compas, count, credit, filled, gaps, german, give, number, of, three, title
from exactness import Case, case, compare
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import geco
from geco.errors import ModelError
from geco.models.compiling.adapt import NotCompiled, adapt
from geco.models.libraries.catboost.cityhash import city_hash

catboost = pytest.importorskip("catboost")
QUIET: dict[str, Any] = {"verbose": 0, "thread_count": 1, "allow_writing_files": False, "random_seed": 0}
SETTINGS = {"iterations": 15, "depth": 4, **QUIET}
CATEGORIES = ["job", "code", "city", "grade"]


def classifier(**parameters: Any) -> Any:
    return catboost.CatBoostClassifier(**{**SETTINGS, **parameters})


def regressor(**parameters: Any) -> Any:
    return catboost.CatBoostRegressor(**{**SETTINGS, **parameters})


def with_text(options: str, data: Data, **parameters: Any) -> Case:
    """A real data set whose columns of the category dtype are declared."""

    def fit() -> tuple[Any, Any]:
        x, y = data()
        text = [name for name in x.columns if x[name].dtype == "category"]
        x = x.astype(dict.fromkeys(text, str))
        return classifier(cat_features=text, **parameters).fit(x, y), x

    return Case("CatBoostClassifier", options, title(data), fit)


def scaled() -> tuple[Any, Any]:
    x, y = gaps("three")
    model = classifier().fit(x, y)
    model.set_scale_and_bias(0.7, [0.1, -0.2, 0.4])
    return model, x


def one_hot(sparse: bool) -> Any:
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=sparse)
    parts = [("text", encoder, make_column_selector(dtype_include="category"))]
    return make_pipeline(
        ColumnTransformer(parts, remainder="passthrough", sparse_threshold=float(sparse)), classifier()
    )


KNOWN = {"given": {"cat_features": CATEGORIES}, "unseen": True}
NUMERIC = [
    case(classifier()),
    case(classifier(), "array, sample_weight", array=True, weights=True),
    case(classifier(), "missing", gaps, missing=True, infinite=True),
    case(classifier(), "missing never seen", missing=True),
    case(classifier(nan_mode="Max"), "nan_mode=Max", gaps, missing=True),
    case(classifier(grow_policy="Depthwise"), "Depthwise", gaps, missing=True),
    case(classifier(grow_policy="Lossguide", max_leaves=9), "Lossguide", gaps, missing=True),
    case(classifier(class_weights=[1, 3], boost_from_average=True), "class_weights, boost_from_average"),
    case(classifier(iterations=100, learning_rate=0.6), "early stopping", stop={"early_stopping_rounds": 3}),
    case(classifier(iterations=100, depth=6), "100 trees", credit),
    case(classifier(), "missing", give, missing=True),
    case(classifier(loss_function="CrossEntropy"), "CrossEntropy"),
    case(classifier(), "", three),
    case(classifier(loss_function="MultiClassOneVsAll"), "MultiClassOneVsAll", of(gaps, "three"), missing=True),
    case(classifier(grow_policy="Depthwise"), "Depthwise", three),
    Case("CatBoostClassifier", "set_scale_and_bias", "gaps three", scaled, missing=True),
    case(one_hot(sparse=False), "one-hot", compas, unseen=True),
    case(one_hot(sparse=True), "one-hot, sparse", compas, unseen=True),
]
CATEGORICAL = [
    case(classifier(one_hot_max_size=99), "one_hot_max_size=99", filled, **KNOWN),
    case(classifier(), "statistics", filled, **KNOWN),
    case(classifier(max_ctr_complexity=3), "statistics of three together", filled, **KNOWN),
    case(classifier(simple_ctr=["Buckets", "Counter"]), "Buckets, Counter", of(filled, "three"), **KNOWN),
    case(classifier(simple_ctr=["BinarizedTargetMeanValue"]), "BinarizedTargetMeanValue", filled, **KNOWN),
    case(classifier(), "statistics", of(filled, "three"), **KNOWN),
    case(classifier(grow_policy="Lossguide"), "statistics, Lossguide", filled, **KNOWN),
    case(regressor(max_ctr_complexity=2), "statistics", of(filled, "number"), **KNOWN),
    with_text("text", adult),
    with_text("text, statistics of four together", german, max_ctr_complexity=4),
]
NUMBERS = [
    *(
        case(regressor(loss_function=loss), loss, number, array=True)
        for loss in ("RMSE", "MAE", "Quantile:alpha=0.8", "Huber:delta=1", "LogCosh")
    ),
    *(case(regressor(loss_function=loss), loss, count) for loss in ("Poisson", "Tweedie:variance_power=1.5", "MAPE")),
    case(regressor(grow_policy="Lossguide"), "Lossguide", of(gaps, "number"), missing=True),
    case(catboost.CatBoost({"loss_function": "RMSE", **SETTINGS}), "RMSE", number),
]
CASES = [*NUMERIC, *CATEGORICAL, *NUMBERS]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_compiled_model_decides_as_the_users_model_on_every_row(case: Case) -> None:
    result = compare(case, rows=2_000)

    assert result.disagreements == 0
    assert result.difference <= 1e-12


def test_categories_have_the_hash_that_catboost_gives_them(tmp_path):
    rng = np.random.default_rng(0)
    letters = list("abcXYZ 0189_-éß漢😀")
    x = pd.DataFrame({"c": ["".join(rng.choice(letters, size)) for size in range(200)], "a": rng.normal(size=200)})
    model = classifier(cat_features=["c"]).fit(x, np.arange(200) % 2)
    model.save_model(str(tmp_path / "m.json"), format="json", pool=catboost.Pool(x, cat_features=["c"]))
    theirs = pd.read_json(tmp_path / "m.json", typ="series")["features_info"]["cat_features_hash"]

    assert len(theirs) == 200
    assert all(city_hash(pair["value"].encode()) & 0xFFFFFFFF == pair["hash"] for pair in theirs)


def explained(model: Any, x: pd.DataFrame, **settings: Any) -> tuple[geco.Explainer, geco.Explanation]:
    explainer = geco.Explainer(model, geco.Database.from_frame(x), **settings)
    worst = int(np.argmin(model.predict(x, prediction_type="RawFormulaVal")))
    return explainer, explainer.explain(x.iloc[worst].to_dict(), k=1)


@pytest.mark.parametrize("column", ["category", "str", "object", "int64"])
def test_categories_of_every_dtype_that_catboost_takes_are_explained(column):
    x, y = filled()
    x = x[["age", "code", "hours"]].assign(age=x["age"].fillna(40))
    x["code"] = x["code"] if column == "int64" else x["code"].astype(str).astype(column)
    explainer, explanation = explained(classifier(cat_features=["code"]).fit(x, y), x)

    assert explanation.counterfactuals[0].confirmed
    assert "compiled" in explainer.describe()


def test_a_plain_model_trained_on_classes_is_asked_for_probabilities():
    x, y = filled()
    model = catboost.CatBoost({"loss_function": "Logloss", **SETTINGS}).fit(x, y, cat_features=CATEGORIES)
    explainer, explanation = explained(model, x)

    assert 0.5 < explanation.counterfactuals[0].outcome <= 1
    assert "CatBoost.predict_proba" in explainer.describe() and "compiled" in explainer.describe()


def test_statistics_of_categories_together_are_compiled_if_they_are_one_group():
    x, y = filled()
    x = x[["job", "code"]]
    model = classifier(max_ctr_complexity=2, iterations=40).fit(x, y, cat_features=["job", "code"])
    apart, _ = explained(model, x)
    together, explanation = explained(model, x, program=geco.parse_plaf("GROUP job, code"))

    assert "depends on 'job' and on 'code'" in apart.describe()
    assert "compiled" in together.describe() and explanation.counterfactuals[0].confirmed


def test_a_missing_category_is_named_with_what_to_do():
    x, y = filled()
    model = classifier().fit(x, y, cat_features=CATEGORIES)
    x.loc[::3, "city"] = None

    with pytest.raises(ModelError, match=r"'city' is missing in \d+ of them, and CatBoost takes no missing category"):
        geco.Explainer(model, geco.Database.from_frame(x))


def test_a_missing_category_of_x_is_named_with_what_to_do():
    x, y = filled()
    explainer = geco.Explainer(classifier().fit(x, y, cat_features=CATEGORIES), geco.Database.from_frame(x))

    with pytest.raises(ModelError, match=r"'city' is .*, and CatBoost takes .*: give a gap a text such as 'missing'"):
        explainer.explain({**x.iloc[0], "city": None})


def test_what_cannot_be_compiled_says_why():
    x, y = filled("number")
    words = x[["age"]].assign(text=x["job"].astype(str) + " of " + x["city"])
    text = classifier(text_features=["text"]).fit(words, y > np.median(y))
    two = regressor(loss_function="RMSEWithUncertainty").fit(x[["age", "hours"]], y)

    assert adapt(text, "predict_proba") == NotCompiled("CatBoost's text features are not compiled")
    assert adapt(two, "predict").why.endswith("a model has several outputs; geco compiles one")
