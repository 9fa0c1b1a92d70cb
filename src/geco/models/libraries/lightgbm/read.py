"""LightGBM: the scikit-learn classes and the Booster, read from the text a booster saves itself as.

A value goes left if it is at most the threshold, in float64; codes of a node's set go left. What counts as missing is
said per node: nothing (NaN is 0), NaN, or 0 as well.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.models.kinds.forest import ZERO as ALMOST_ZERO
from geco.models.kinds.forest import Forest, Tree
from geco.models.kinds.link import Link, LinkName
from geco.models.libraries.bits import members
from geco.models.libraries.formulas import Formula, Matrix, Unknown, unread
from geco.models.libraries.reading import Adapted, FloatMatrix, Refusal, adapter
from geco.models.libraries.tables import codes, dense, frame, is_category, numbers

LINKS: dict[str, LinkName] = {
    "binary": "expit",
    "cross_entropy": "expit",
    "multiclass": "softmax",
    "multiclassova": "expit",
    "poisson": "exp",
    "gamma": "exp",
    "tweedie": "exp",
    "regression": "identity",
    "regression_l1": "identity",
    "huber": "identity",
    "fair": "identity",
    "quantile": "identity",
    "mape": "identity",
    "lambdarank": "identity",
    "rank_xendcg": "identity",
}
BY_CATEGORY, DEFAULT_LEFT = 1, 2  # bits of decision_type; the next two say what is missing
NOTHING, ZERO = 0, 1
CLASS_LINKS: dict[str, LinkName] = {
    "binary": "sigmoid",
    "cross_entropy": "sigmoid",
    "multiclass": "softmax",
    "multiclassova": "expit",
}
# A classifier or regressor hands these on to predict, which then leaves out trees.
LEAVES_OUT_TREES = ("pred_early_stop", "start_iteration_predict", "num_iteration_predict")


@adapter("lightgbm:Booster")
def booster(model: Any, method: str) -> Adapted:
    """One number per row, or one per class."""
    return _adapted(model, LINKS)


@adapter("lightgbm:LGBMRegressor", "lightgbm:LGBMRanker")
def regressor(model: Any, method: str) -> Adapted:
    """The same, asked through scikit-learn's interface."""
    _refuse_leaving_out(model)
    return _adapted(model.booster_, LINKS)


@adapter("lightgbm:LGBMClassifier")
def classifier(model: Any, method: str) -> Adapted:
    """A column per class."""
    if method != "predict_proba":
        raise Refusal(f"of a {type(model).__name__} only predict_proba is compiled, not {method}")
    _refuse_leaving_out(model)
    return _adapted(model.booster_, CLASS_LINKS)


def _refuse_leaving_out(model: Any) -> None:
    parameters = model.get_params()
    for name in LEAVES_OUT_TREES:
        if parameters.get(name):
            raise Refusal(f"{name}={parameters[name]} makes it answer from some of its trees only")


def _adapted(booster: Any, links: dict[str, LinkName]) -> Adapted:
    head, *trees = booster.model_to_string().partition("\nend of trees")[0].split("\nTree=")
    fields = _fields(head)
    outputs = int(fields["num_tree_per_iteration"])
    kind = Forest.from_trees(
        [_tree(_fields(text), number % outputs) for number, text in enumerate(trees)],
        np.zeros(outputs),
        _link(fields.get("objective", ""), links),
        divisor=len(trees) // outputs if "average_output" in fields else 1,
    )
    return Adapted(kind, _columns(booster.pandas_categorical), _through)


def _fields(text: str) -> dict[str, str]:
    """Lines such as ``num_class=3``; a word alone is a switch that is on."""
    return {name: value for name, _, value in (line.partition("=") for line in text.splitlines()) if name}


def _link(objective: str, links: dict[str, LinkName]) -> Link:
    """``binary sigmoid:1.5``: a name and its parameters."""
    name, *words = objective.split() or ["custom"]
    if name not in links or "sqrt" in words:
        raise Refusal(f"LightGBM's objective {objective or name!r} is not one that geco can compile")
    parameters = dict(word.split(":") for word in words if ":" in word)
    return Link(links[name], float(parameters.get("sigmoid", 1.0)))


def _tree(fields: dict[str, str], output: int) -> Tree:
    """Its inner nodes, then its leaves, which are numbered -1, -2, … in the text."""
    if fields.get("is_linear", "0") != "0":
        raise Refusal("trees with linear models in their leaves are not compiled")
    inner, leaves = int(fields["num_leaves"]) - 1, int(fields["num_leaves"])
    kinds = np.concatenate([_numbers(fields, "decision_type", inner, np.int64), np.zeros(leaves, np.int64)])
    threshold = np.concatenate([_numbers(fields, "threshold", inner), np.zeros(leaves)])
    by_category, default_left, missing = kinds & BY_CATEGORY != 0, kinds & DEFAULT_LEFT != 0, kinds >> 2 & 3
    value = np.concatenate([np.zeros(inner), _numbers(fields, "leaf_value", leaves)])
    return Tree(
        column=np.concatenate([_numbers(fields, "split_feature", inner), np.full(leaves, -1)]).astype(np.int32),
        threshold=threshold,
        left=_children(fields, "left_child", inner, leaves),
        right=_children(fields, "right_child", inner, leaves),
        value=value[:, None],
        # NaN is never in a set of categories; where nothing counts as missing it is taken for 0.
        missing_left=~by_category & np.where(missing == NOTHING, threshold >= 0.0, default_left),
        zero_missing=~by_category & (missing == ZERO),
        categories=np.where(by_category, threshold, -1).astype(np.int32),
        sets=_sets(fields),
        output=output,
    )


def _numbers(fields: dict[str, str], name: str, count: int, kind: type = np.float64) -> npt.NDArray[Any]:
    return np.array(fields.get(name, "").split(), kind) if count else np.zeros(0, kind)


def _children(fields: dict[str, str], name: str, inner: int, leaves: int) -> npt.NDArray[np.int32]:
    child = _numbers(fields, name, inner, np.int64)
    return np.concatenate([np.where(child < 0, inner - 1 - child, child), np.full(leaves, -1)]).astype(np.int32)


def _sets(fields: dict[str, str]) -> tuple[npt.NDArray[np.int64], ...]:
    ends = np.array(fields.get("cat_boundaries", "").split(), np.int64)
    words = np.array(fields.get("cat_threshold", "").split(), np.int64).astype(np.uint32)
    return tuple(members(words[start:end]) for start, end in pairwise(ends))


def _columns(categories: list[list[Any]] | None) -> Callable[[Any], FloatMatrix]:
    def columns(table: Any) -> FloatMatrix:
        table_frame = frame(table)
        values = _from_array(table) if table_frame is None else _from_frame(table_frame, categories or [])
        return np.where(np.abs(values) <= ALMOST_ZERO, 0.0, values)  # such values are not handed to the trees

    return columns


def _through(matrix: Matrix) -> Matrix:
    """Numbers stay as they are, but in an array that may be of integers: those are handed over as float32."""
    columns = matrix.columns or ()
    if matrix.names is None and all(isinstance(each, Unknown) or each.whole for each in columns):
        return unread(matrix)
    return matrix.each(lambda _, column: column.then("no_dust", ALMOST_ZERO) if isinstance(column, Formula) else column)


def _from_array(table: Any) -> FloatMatrix:
    """Whole numbers are handed over as float32."""
    whole = getattr(table, "dtype", np.dtype(float)).kind in "biu"
    return dense(table).astype(np.float32).astype(np.float64) if whole else dense(table)


def _from_frame(table: Any, categories: list[list[Any]]) -> FloatMatrix:
    """Columns of categories are recoded to those of training, one after the other."""
    columns = [table.iloc[:, number] for number in range(table.shape[1])]
    if sum(map(is_category, columns)) != len(categories):
        raise ValueError("train and valid dataset categorical_feature do not match.")
    trained = iter(categories)
    return np.stack([codes(c, next(trained)) if is_category(c) else numbers(c) for c in columns], axis=1)
