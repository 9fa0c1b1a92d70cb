"""scikit-learn's trees: single, forests, and both kinds of gradient boosting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from geco.models.kinds.forest import Floats, Forest, Tree
from geco.models.kinds.link import Link, LinkName
from geco.models.libraries.bits import members
from geco.models.libraries.formulas import as_singles
from geco.models.libraries.reading import Adapted, FloatMatrix, Refusal, adapter
from geco.models.libraries.sklearn.steps import through
from geco.models.libraries.sklearn.validation import validated
from geco.models.libraries.tables import dense

REGRESSOR_LINKS: dict[str, LinkName] = {"LogLink": "exp", "IdentityLink": "identity"}
UNKNOWN = object()


@adapter(
    "sklearn:DecisionTreeClassifier",
    "sklearn:DecisionTreeRegressor",
    "sklearn:ExtraTreeClassifier",
    "sklearn:ExtraTreeRegressor",
)
def tree(model: Any, method: str) -> Adapted:
    """A tree answers with the value of the leaf."""
    kind = _average([model.tree_], model, method)
    return Adapted(kind, lambda table: dense(model._validate_X_predict(table, check_input=True)), as_singles)


@adapter(
    "sklearn:RandomForestClassifier",
    "sklearn:RandomForestRegressor",
    "sklearn:ExtraTreesClassifier",
    "sklearn:ExtraTreesRegressor",
)
def forest(model: Any, method: str) -> Adapted:
    """A forest answers with the mean of its trees."""
    kind = _average([estimator.tree_ for estimator in model.estimators_], model, method)
    return Adapted(kind, lambda table: dense(model._validate_X_predict(table)), as_singles)


@adapter("sklearn:GradientBoostingClassifier", "sklearn:GradientBoostingRegressor")
def gradient_boosting(model: Any, method: str) -> Adapted:
    """A constant and, stage by stage, one tree per output, each shrunk by the learning rate."""
    trees = [
        _tree(stage.tree_, model.learning_rate * stage.tree_.value[:, 0, :], output)
        for stages in model.estimators_
        for output, stage in enumerate(stages)
    ]
    kind = Forest.from_trees(trees, _initial(model), _boosted_link(model, method), single=True)
    return Adapted(kind, _float32_columns(model), as_singles)


@adapter("sklearn:HistGradientBoostingClassifier", "sklearn:HistGradientBoostingRegressor")
def hist_gradient_boosting(model: Any, method: str) -> Adapted:
    """The same on float64; its own preprocessing turns categories into codes and unknown ones into missing."""
    trees = [
        _hist_tree(predictor, output) for predictors in model._predictors for output, predictor in enumerate(predictors)
    ]
    base = np.asarray(model._baseline_prediction, np.float64).ravel()
    preprocess = model._preprocess_X  # looked up now, so that another version is refused and not asked
    kind = Forest.from_trees(trees, base, _boosted_link(model, method))
    first = getattr(model, "_preprocessor", UNKNOWN)  # None where there are no categories
    return Adapted(kind, lambda table: dense(preprocess(table, reset=False)), lambda matrix: through(first, matrix))


def _average(trees: list[Any], model: Any, method: str) -> Forest:
    if model.n_outputs_ != 1:
        raise Refusal(f"this {type(model).__name__} has {model.n_outputs_} outputs; geco compiles one")
    classifies = hasattr(model, "classes_")
    if classifies and method != "predict_proba":
        raise Refusal(f"the {method} of a {type(model).__name__} returns labels")
    outputs = int(model.n_classes_) if classifies else 1
    values = [_shares(tree.value[:, 0, :]) if classifies else tree.value[:, 0, :] for tree in trees]
    return Forest.from_trees(
        [_tree(tree, value, -1 if classifies else 0) for tree, value in zip(trees, values, strict=True)],
        np.zeros(outputs),
        Link("proba" if classifies else "identity"),
        single=True,
        divisor=len(trees),
    )


def _shares(value: Floats) -> Floats:
    """Shares of the classes; older versions keep weights, which predict_proba divides by their sum."""
    total = value.sum(axis=1, keepdims=True)
    if np.allclose(total, 1.0, atol=1e-6):
        return value
    return value / np.where(total == 0.0, 1.0, total)


def _tree(tree: Any, value: Floats, output: int) -> Tree:
    inner = tree.children_left >= 0
    missing_left = getattr(tree, "missing_go_to_left", None)  # since 1.3
    return Tree(
        column=np.where(inner, tree.feature, -1).astype(np.int32),
        threshold=tree.threshold,
        left=tree.children_left.astype(np.int32),
        right=tree.children_right.astype(np.int32),
        value=value,
        missing_left=np.zeros(len(inner), np.bool_) if missing_left is None else missing_left.astype(np.bool_),
        output=output,
    )


def _initial(model: Any) -> Floats:
    """Where the sums of a GradientBoosting begin: the same for every row, unless another model says."""
    init = model.init_
    if not isinstance(init, str) and type(init).__name__ not in ("DummyClassifier", "DummyRegressor"):
        raise Refusal(f"this {type(model).__name__} begins with a {type(init).__name__} that geco does not compile")
    initial: Floats = model._raw_predict_init(np.zeros((1, model.n_features_in_), np.float32))
    return np.asarray(initial, np.float64).ravel()


def _boosted_link(model: Any, method: str) -> Link:
    if method == "decision_function":
        return Link("identity")
    classifies = hasattr(model, "classes_")
    if classifies and method != "predict_proba":
        raise Refusal(f"the {method} of a {type(model).__name__} returns labels")
    loss = model._loss
    if not classifies:
        return Link(REGRESSOR_LINKS[type(loss.link).__name__])
    if len(model.classes_) > 2:
        return Link("softmax")
    return Link("sigmoid", 2.0 if type(loss).__name__ == "ExponentialLoss" else 1.0)


def _float32_columns(model: Any) -> Callable[[Any], FloatMatrix]:
    return lambda table: dense(validated(model, table, dtype=np.float32, accept_sparse="csr"))


def _hist_tree(predictor: Any, output: int) -> Tree:
    nodes = predictor.nodes
    leaf = nodes["is_leaf"].astype(np.bool_)
    by_category = nodes["is_categorical"].astype(np.bool_) & ~leaf
    return Tree(
        column=np.where(leaf, -1, nodes["feature_idx"]).astype(np.int32),
        threshold=nodes["num_threshold"],
        left=nodes["left"].astype(np.int32),
        right=nodes["right"].astype(np.int32),
        value=nodes["value"][:, None],
        missing_left=nodes["missing_go_to_left"].astype(np.bool_),
        categories=np.where(by_category, nodes["bitset_idx"].astype(np.int64), -1).astype(np.int32),
        sets=tuple(members(words) for words in predictor.raw_left_cat_bitsets),
        output=output,
    )
