"""adapt reads what it knows, says why it does not read the rest, and never raises."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import polars as pl
import pytest
from exact_data import categories, gaps, plain
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from geco.models.compiling.adapt import NotCompiled, adapt
from geco.models.kinds.forest import Forest
from geco.models.kinds.linear import Linear
from geco.models.kinds.network import Mlp
from geco.models.libraries.reading import Adapted

lightgbm = pytest.importorskip("lightgbm")
xgboost = pytest.importorskip("xgboost")


def reason(model: Any, method: str = "predict_proba") -> str:
    answer = adapt(model, method)
    assert isinstance(answer, NotCompiled)
    return answer.reason


def compiled(model: Any, method: str = "predict_proba") -> Adapted:
    answer = adapt(model, method)
    assert isinstance(answer, Adapted), answer
    return answer


def tree(cls: Any = DecisionTreeClassifier, **settings: Any) -> Any:
    x, y = plain()
    return cls(max_depth=3, random_state=0, **settings).fit(x, y)


class Renamed(DecisionTreeClassifier):  # type: ignore[misc]
    """A subclass that changes nothing about answers."""

    def fit(self, X: Any, y: Any) -> Any:
        return super().fit(X, y)

    def explain(self) -> str:
        return "because"


class Softened(DecisionTreeClassifier):  # type: ignore[misc]
    def predict_proba(self, X: Any, check_input: bool = True) -> Any:
        return (super().predict_proba(X, check_input) + 0.5) / 2


class Clipped(DecisionTreeClassifier):  # type: ignore[misc]
    def _validate_X_predict(self, X: Any, check_input: bool) -> Any:
        return np.clip(super()._validate_X_predict(X, check_input), 0, 1)


class Sampling(Pipeline):  # type: ignore[misc]
    """As imbalanced-learn has it: some steps are left out when asked."""

    def predict_proba(self, X: Any) -> Any:
        return self.steps[-1][1].predict_proba(X)


def test_an_unknown_model_is_named() -> None:
    said = reason(KNeighborsClassifier().fit([[0.0], [1.0]], [0, 1]), "predict_proba")

    assert said == "a KNeighborsClassifier is not one of the models geco can compile"


@pytest.mark.parametrize("model", [len, None, 3, object(), DecisionTreeClassifier], ids=lambda m: type(m).__name__)
def test_something_that_is_not_a_model_is_refused_without_an_exception(model: Any) -> None:
    assert "not one of the models geco can compile" in reason(model)


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(),
        RandomForestClassifier(),
        LogisticRegression(),
        MLPClassifier(),
        make_pipeline(StandardScaler(), GradientBoostingClassifier()),
        HistGradientBoostingClassifier(),
        xgboost.XGBClassifier(),
        lightgbm.LGBMClassifier(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_model_that_was_never_fitted_is_refused_and_not_raised(model: Any) -> None:
    assert "cannot be read" in reason(model)


def test_a_subclass_that_answers_the_same_is_compiled() -> None:
    assert isinstance(compiled(tree(Renamed)).kind, Forest)


@pytest.mark.parametrize(("cls", "name"), [(Softened, "predict_proba"), (Clipped, "_validate_X_predict")])
def test_a_subclass_that_answers_otherwise_is_refused(cls: Any, name: str) -> None:
    assert reason(tree(cls)) == f"a {cls.__name__} is a DecisionTreeClassifier with a {name} of its own"


def test_a_method_put_on_the_object_itself_is_seen() -> None:
    model = tree()
    model.predict_proba = lambda X: np.full((len(X), 2), 0.5)

    assert reason(model) == "this DecisionTreeClassifier has a predict_proba of its own"


def test_a_pipeline_with_rules_of_its_own_is_refused() -> None:
    x, y = plain()
    model = Sampling([("scale", StandardScaler()), ("tree", DecisionTreeClassifier())]).fit(x, y)

    assert reason(model) == "a Sampling is a Pipeline with a predict_proba of its own"


def test_a_pipeline_is_refused_for_its_last_step() -> None:
    x, y = plain()
    model = make_pipeline(StandardScaler(), KNeighborsClassifier()).fit(x, y)

    assert reason(model) == "a KNeighborsClassifier is not one of the models geco can compile"


def test_a_model_around_models_is_refused_for_the_one_that_is_not_known() -> None:
    x, y = plain()

    assert "KNeighborsClassifier is not one" in reason(CalibratedClassifierCV(KNeighborsClassifier()).fit(x, y))


@pytest.mark.parametrize(
    "model",
    [DecisionTreeRegressor(), LinearRegression(), MLPRegressor(max_iter=5, tol=1e9, n_iter_no_change=1)],
    ids=lambda m: type(m).__name__,
)
def test_several_outputs_are_refused(model: Any) -> None:
    x, y = plain("number")
    model.fit(x[["a", "c"]], np.stack([y, -y], axis=1))

    assert "2 outputs; geco compiles one" in reason(model, "predict")


@pytest.mark.parametrize(
    "model", [DecisionTreeClassifier(), GradientBoostingClassifier(n_estimators=2), LogisticRegression()], ids=str
)
def test_labels_are_refused(model: Any) -> None:
    x, y = plain()

    assert "returns labels" in reason(model.fit(x[["a", "c"]], y), "predict")


@pytest.mark.parametrize(
    ("model", "method"),
    [(MLPClassifier(max_iter=5, tol=1e9, n_iter_no_change=1), "predict_proba"), (LinearRegression(), "predict")],
    ids=lambda value: type(value).__name__,
)
def test_sums_in_single_precision_are_refused(model: Any, method: str) -> None:
    x, y = plain()
    model.fit(x[["a", "c"]].to_numpy(np.float32), y.astype(np.float32))

    assert "fitted on float32 columns" in reason(model, method)


def test_boosting_that_begins_with_another_model_is_refused() -> None:
    x, y = plain()
    model = GradientBoostingClassifier(init=LogisticRegression(), n_estimators=2).fit(x[["a", "c"]], y)

    assert "begins with a LogisticRegression" in reason(model)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (lightgbm.LGBMRegressor(linear_tree=True, n_estimators=3, verbose=-1), "linear models in their leaves"),
        (lightgbm.LGBMRegressor(reg_sqrt=True, n_estimators=3, verbose=-1), "objective 'regression sqrt'"),
        (lightgbm.LGBMRegressor(pred_early_stop=True, n_estimators=3, verbose=-1), "pred_early_stop=True"),
        (
            lightgbm.LGBMRegressor(objective=lambda y, p: (p - y, np.ones_like(y)), n_estimators=3, verbose=-1),
            "objective 'custom'",
        ),
        (xgboost.XGBRegressor(objective="binary:hinge", n_estimators=3), "objective 'binary:hinge'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_options_without_a_compiled_form_are_named(model: Any, words: str) -> None:
    x, y = plain("binary" if "hinge" in words else "number")

    assert words in reason(model.fit(x[["a", "c"]], y), "predict")


def test_missing_marked_by_a_number_beside_categories_is_refused() -> None:
    x, y = categories()
    model = xgboost.XGBClassifier(missing=0.0, enable_categorical=True, n_estimators=2)
    answer = adapt(model.fit(x, y), "predict_proba")
    recodes = hasattr(xgboost.Booster, "get_categories")

    assert isinstance(answer, NotCompiled) == recodes


def test_the_kind_fits_the_model() -> None:
    x, y = plain()
    scaled = make_pipeline(StandardScaler(), LogisticRegression()).fit(x, y)
    network = make_pipeline(StandardScaler(), MLPClassifier(max_iter=3, tol=1e9, n_iter_no_change=1)).fit(x, y)

    assert [type(compiled(m).kind) for m in (tree(), scaled, network)] == [Forest, Linear, Mlp]


@pytest.mark.parametrize("cls", [DecisionTreeClassifier, GradientBoostingClassifier], ids=lambda c: c.__name__)
def test_columns_raise_where_the_model_would(cls: Any) -> None:
    x, y = plain()
    model = cls(max_depth=2).fit(x, y)
    infinite = x.astype(np.float64)
    infinite.iloc[0, 0] = np.inf

    with pytest.raises(ValueError, match="infinity"):
        compiled(model).columns(infinite)


def test_an_unseen_category_raises_where_xgboost_raises() -> None:
    x, y = categories()
    model = xgboost.XGBClassifier(enable_categorical=True, n_estimators=2).fit(x, y)
    strange = x.assign(job=x["job"].cat.add_categories(["pope"]))
    failures = []
    for asked in (model.predict_proba, compiled(model).columns):
        try:
            asked(strange)
        except ValueError as error:
            failures.append("not in the training set" in str(error))

    assert failures in ([], [True, True])


@pytest.mark.parametrize(
    "order", [["miner", "king", "clerk", "cook", "judge"], ["cook", "judge", "miner", "clerk", "king"]]
)
@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "sklearn"])
def test_categories_in_another_order_are_the_same_categories(library: str, order: list[str]) -> None:
    x, y = categories()
    model = {
        "xgboost": xgboost.XGBClassifier(enable_categorical=True, n_estimators=5),
        "lightgbm": lightgbm.LGBMClassifier(n_estimators=5, verbose=-1),
        "sklearn": HistGradientBoostingClassifier(categorical_features="from_dtype", max_iter=5),
    }[library].fit(x, y)
    adapted, turned = compiled(model), x.assign(job=x["job"].cat.set_categories(order))

    np.testing.assert_allclose(
        adapted.kind.predict(adapted.columns(turned)), model.predict_proba(turned), rtol=0, atol=1e-7
    )


@pytest.mark.parametrize("library", ["xgboost", "lightgbm"])
def test_codes_that_are_not_whole_numbers_go_where_the_library_sends_them(library: str) -> None:
    x, y = plain()
    table = x[["c", "a"]].to_numpy(np.float64)
    if library == "xgboost":
        model = xgboost.XGBClassifier(enable_categorical=True, feature_types=["c", "q"], n_estimators=9).fit(table, y)
    else:
        model = lightgbm.LGBMClassifier(min_data_per_group=2, n_estimators=9, verbose=-1)
        model.fit(table, y, categorical_feature=[0])
    adapted, asked = compiled(model), np.repeat(table[:50], 9, axis=0)
    asked[:, 0] = np.tile([0.0, 0.9, -0.5, -1.0, -7.3, 2.5, 8.999, 9.0, 4000.0], 50)

    assert adapted.kind.sets
    np.testing.assert_allclose(
        adapted.kind.predict(adapted.columns(asked)), model.predict_proba(asked), rtol=0, atol=1e-7
    )


@pytest.mark.parametrize(
    ("library", "dtype"),
    [
        ("xgboost", "Float64"),
        ("xgboost", "float32"),
        ("xgboost", "double[pyarrow]"),
        ("lightgbm", "Float64"),
        ("lightgbm", "float32"),
    ],
)
def test_a_column_means_the_same_in_every_dtype_the_library_takes(library: str, dtype: str) -> None:
    x, y = gaps()
    model = {
        "xgboost": xgboost.XGBClassifier(n_estimators=5),
        "lightgbm": lightgbm.LGBMClassifier(n_estimators=5, verbose=-1),
    }[library].fit(x, y)
    adapted, asked = compiled(model), x.astype(dtype)

    np.testing.assert_allclose(
        adapted.kind.predict(adapted.columns(asked)), model.predict_proba(asked), rtol=0, atol=1e-7
    )


@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "sklearn"])
def test_a_polars_frame_gives_the_columns_of_a_pandas_frame(library: str) -> None:
    x, y = gaps()
    model = {
        "xgboost": xgboost.XGBClassifier(n_estimators=5),
        "lightgbm": lightgbm.LGBMClassifier(n_estimators=5, verbose=-1),
        "sklearn": DecisionTreeClassifier(max_depth=4),
    }[library].fit(x, y)
    columns = compiled(model).columns
    frame = pl.DataFrame({name: x[name].to_numpy() for name in x.columns})

    np.testing.assert_array_equal(columns(frame), columns(x))


def test_geco_reads_a_forest_without_importing_other_libraries() -> None:
    program = (
        "import sys\nfrom geco.models.compiling.adapt import adapt\nadapt(len, 'predict')\n"
        "assert not {'sklearn', 'xgboost', 'lightgbm'} & set(sys.modules)\n"
        "from sklearn.tree import DecisionTreeClassifier as Tree\n"
        "print(type(adapt(Tree().fit([[0], [1]], [0, 1]), 'predict_proba')).__name__)\n"
        "assert not {'xgboost', 'lightgbm'} & set(sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert run.stdout == "Adapted\n", run.stderr
