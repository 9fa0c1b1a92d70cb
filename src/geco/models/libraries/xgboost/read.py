"""XGBoost: trees (gbtree, dart, random forests) and linear boosters, from the scikit-learn classes or the Booster.

A value is cast to float32 and goes left if it is smaller than the split; codes of a node's categories go right. Sums
run in float32, tree by tree, and so do the links. Read from the JSON that a booster saves itself as.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.models.kinds.forest import Floats, Forest, Tree
from geco.models.kinds.linear import Linear
from geco.models.kinds.link import Link, LinkName
from geco.models.libraries.formulas import Matrix, Unknown, features_of, unread
from geco.models.libraries.reading import Adapted, FloatMatrix, Refusal, adapter
from geco.models.libraries.tables import codes, dense, frame, is_category, numbers

LINKS: dict[str, LinkName] = {
    "binary:logistic": "expit",
    "reg:logistic": "expit",
    "binary:logitraw": "identity",
    "multi:softprob": "softmax",
    "count:poisson": "exp",
    "reg:gamma": "exp",
    "reg:tweedie": "exp",
    "survival:cox": "exp",
    "survival:aft": "exp",
    "reg:squarederror": "identity",
    "reg:squaredlogerror": "identity",
    "reg:pseudohubererror": "identity",
    "reg:absoluteerror": "identity",
    "reg:quantileerror": "identity",
    "rank:pairwise": "identity",
    "rank:ndcg": "identity",
    "rank:map": "identity",
}


@adapter("xgboost:Booster")
def booster(model: Any, method: str) -> Adapted:
    """All its trees; the columns are those a DMatrix is made of."""
    saved = _saved(model)
    return _adapted(saved, _link(saved, LINKS), None, np.nan, in_place=False)


@adapter("xgboost:XGBRegressor", "xgboost:XGBRFRegressor", "xgboost:XGBRanker")
def regressor(model: Any, method: str) -> Adapted:
    """The trees up to the best iteration."""
    saved = _saved(model.get_booster())
    return _adapted(saved, _link(saved, LINKS), _rounds(model), model.missing)


@adapter("xgboost:XGBClassifier", "xgboost:XGBRFClassifier")
def classifier(model: Any, method: str) -> Adapted:
    """The same with a column per class."""
    if method != "predict_proba":
        raise Refusal(f"the {method} of a {type(model).__name__} returns labels")
    if callable(model.objective):
        raise Refusal("an objective of the user's own says nothing of probabilities")
    saved = _saved(model.get_booster())
    links: dict[str, LinkName] = {
        "binary:logistic": "sigmoid",
        "multi:softprob": "softmax",
        "multi:softmax": "softmax",
    }
    return _adapted(saved, _link(saved, links), _rounds(model), model.missing)


def _saved(booster: Any) -> dict[str, Any]:
    learner: dict[str, Any] = json.loads(booster.save_raw("json"))["learner"]
    if int(learner["learner_model_param"].get("num_target", 1)) > 1:
        raise Refusal("this booster has several targets; geco compiles one")
    return learner


def _link(learner: dict[str, Any], links: dict[str, LinkName]) -> Link:
    objective = learner["objective"]["name"]
    if objective not in links:
        raise Refusal(f"XGBoost's objective {objective!r} is not one that geco can compile")
    return Link(links[objective], single=True)


def _rounds(model: Any) -> int | None:
    """How many rounds predict uses; None for all."""
    try:
        return int(model.best_iteration) + 1
    except AttributeError:
        return None


def _adapted(learner: dict[str, Any], link: Link, rounds: int | None, missing: float, in_place: bool = True) -> Adapted:
    parts = learner["gradient_booster"]
    base = _base(learner)
    if parts["name"] == "gblinear":
        return Adapted(_linear(parts["model"], base, link), _columns((), (), missing))
    trees = parts.get("gbtree", parts)["model"]
    categories = _categories(trees)
    if any(c is not None for c in categories) and not np.isnan(missing):
        raise Refusal(f"missing={missing} beside columns of categories is ambiguous")
    read = _trees(trees, rounds, len(base))
    if weights := parts.get("weight_drop"):
        read = [_weighted(t, w, base if in_place else None) for t, w in zip(read, weights, strict=False)]
    elif weights := trees.get("weight_drop"):  # since XGBoost 3.3 with the trees, and a leaf is weighted as it is
        read = [_weighted(t, w, None) for t, w in zip(read, weights, strict=False)]
    kind = Forest.from_trees(read, base, link, strict=True, single=True, single_sum=True)
    types = learner.get("feature_types", ())
    return Adapted(kind, _columns(categories, types, missing), partial(_through, types, missing))


def _base(learner: dict[str, Any]) -> Floats:
    """Where the sums begin: base_score in the space of the trees, in float32 as XGBoost has it."""
    param = learner["learner_model_param"]
    score = np.array(json.loads(param["base_score"]), np.float32).ravel()
    outputs = max(int(param["num_class"]), 1)
    link = LINKS.get(learner["objective"]["name"], "identity")
    if link == "expit":
        odds = np.float32(1.0) / score - np.float32(1.0)
        score = -np.log(odds.astype(np.float64)).astype(np.float32)
    elif link == "exp":
        score = np.log(score.astype(np.float64)).astype(np.float32)
    return np.broadcast_to(score.astype(np.float64), outputs).copy()


def _linear(model: dict[str, Any], base: Floats, link: Link) -> Linear:
    """One weight per column and output, the biases last; every output begins with the first one's base."""
    weights = np.array(model["weights"], np.float32).reshape(-1, len(base))
    intercept = weights[-1] + np.float32(base[0])
    return Linear(weights[:-1].astype(np.float64), intercept.astype(np.float64), link, single=True)


def _trees(model: dict[str, Any], rounds: int | None, outputs: int) -> list[Tree]:
    """The trees of the rounds that count, in order."""
    count = len(model["trees"])
    if rounds is not None:
        count = min(count, rounds * outputs * int(model["gbtree_model_param"]["num_parallel_tree"]))
    pairs = zip(model["trees"][:count], model["tree_info"][:count], strict=True)
    return [_tree(tree, int(output)) for tree, output in pairs]


def _weighted(tree: Tree, weight: float, base: Floats | None) -> Tree:
    """A tree of a dart booster; asked in place, it is added to the base first, which is then taken off again."""
    leaf = tree.value.astype(np.float32)
    if base is not None:
        begin = np.float32(base[tree.output])
        leaf = (begin + leaf) - begin
    return replace(tree, value=(leaf * np.float32(weight)).astype(np.float64))


def _tree(tree: dict[str, Any], output: int) -> Tree:
    if int(tree["tree_param"].get("size_leaf_vector", 1)) > 1:
        raise Refusal("trees with several numbers per leaf are not compiled")
    left, right = np.array(tree["left_children"], np.int32), np.array(tree["right_children"], np.int32)
    leaf = left < 0
    conditions = np.array(tree["split_conditions"], np.float64).astype(np.float32)
    by_category = np.array(tree["split_type"], np.int32).astype(np.bool_) & ~leaf
    default_left = np.array(tree["default_left"], np.int32).astype(np.bool_)
    categories, sets = _sets(tree, len(left))
    return Tree(
        column=np.where(leaf, -1, tree["split_indices"]).astype(np.int32),
        threshold=conditions.astype(np.float64),
        # XGBoost sends the categories of a node to the right, a Forest to the left.
        left=np.where(by_category, right, left),
        right=np.where(by_category, left, right),
        value=conditions.astype(np.float64)[:, None],
        missing_left=default_left ^ by_category,
        categories=categories,
        sets=sets,
        output=output,
    )


def _sets(tree: dict[str, Any], nodes: int) -> tuple[npt.NDArray[np.int32], tuple[npt.NDArray[np.int64], ...]]:
    number = np.full(nodes, -1, np.int32)
    number[tree["categories_nodes"]] = np.arange(len(tree["categories_nodes"]))
    codes = np.array(tree["categories"], np.int64)
    segments = zip(tree["categories_segments"], tree["categories_sizes"], strict=True)
    return number, tuple(np.sort(codes[start : start + size]) for start, size in segments)


def _categories(model: dict[str, Any]) -> list[list[Any] | None]:
    """Per column the categories of the training frame, which new frames are recoded to (since 3.1); else none."""
    return [_decoded(column) for column in model.get("cats", {}).get("enc", ())]


def _decoded(column: dict[str, Any]) -> list[Any] | None:
    values, offsets = column["values"], column.get("offsets")
    if not values:
        return None
    if offsets is None:
        return list(values)
    text = bytes(value % 256 for value in values)
    return [text[start:end].decode() for start, end in pairwise(offsets)]


def _columns(
    categories: Sequence[list[Any] | None], types: Sequence[str], missing: float
) -> Callable[[Any], FloatMatrix]:
    def columns(table: Any) -> FloatMatrix:
        table_frame = frame(table)
        # What a sparse matrix does not store is missing to XGBoost, not 0.
        values = dense(table, absent=np.nan) if table_frame is None else _from_frame(table_frame, categories)
        for number, kind in enumerate(types):
            if kind == "c":
                values[:, number] = np.floor(values[:, number])
        if not np.isnan(missing):
            values[values.astype(np.float32) == np.float32(missing)] = np.nan
        return values

    return columns


def _through(types: Sequence[str], missing: float, matrix: Matrix) -> Matrix:
    """Numbers stay as they are; of categories, and of zeros that a sparse matrix does not store, nothing is known."""
    if matrix.sparse or not np.isnan(missing):
        return unread(matrix)
    coded = {number for number, kind in enumerate(types) if kind == "c"}
    return matrix.each(lambda number, column: Unknown(features_of([column])) if number in coded else column)


def _from_frame(table: Any, categories: Sequence[list[Any] | None]) -> FloatMatrix:
    columns = []
    for number in range(table.shape[1]):
        column = table.iloc[:, number]
        trained = categories[number] if number < len(categories) else None
        columns.append(_recoded(column, trained) if is_category(column) else numbers(column))
    return np.stack(columns, axis=1)


def _recoded(column: Any, trained: list[Any] | None) -> FloatMatrix:
    unknown = [] if trained is None else [c for c in column.cat.categories if c not in trained]
    if unknown:
        raise ValueError(f"Found a category not in the training set for column {column.name!r}: {unknown[0]!r}")
    return codes(column, trained)
