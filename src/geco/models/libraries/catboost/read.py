"""CatBoost: symmetric and other trees of its classifier, regressor and plain model, from the JSON a model saves.

A value is cast to float32 and goes right if it is larger than the border, or if it is the category of a one-hot test;
NaN goes left unless training took it for the largest value. Statistics of the target that stand for a category are
columns of their own, see columns.py.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from geco.models.kinds.forest import Forest, Tree
from geco.models.kinds.link import Link, LinkName
from geco.models.libraries.catboost.columns import columns_of
from geco.models.libraries.reading import Adapted, Refusal, adapter

CLASS_LINKS: dict[str, LinkName] = {
    "Logloss": "sigmoid",
    "CrossEntropy": "sigmoid",
    "MultiClass": "softmax",
    "MultiClassOneVsAll": "expit",
}
EXPONENTS = ("Poisson", "Tweedie")
SEVERAL = ("MultiRMSE", "MultiRMSEWithMissingValues", "RMSEWithUncertainty", "MultiQuantile", "SurvivalAft")


@adapter("catboost:CatBoostClassifier")
def classifier(model: Any, method: str) -> Adapted:
    """A column per class."""
    if method != "predict_proba":
        raise Refusal(f"the {method} of a {type(model).__name__} returns labels")
    saved = _saved(model)
    loss = _loss(saved)
    if loss not in CLASS_LINKS:
        raise Refusal(f"CatBoost's loss {loss!r} is not one whose probabilities geco can compile")
    return _adapted(saved, Link(CLASS_LINKS[loss]))


@adapter("catboost:CatBoostRegressor", "catboost:CatBoostRanker")
def regressor(model: Any, method: str) -> Adapted:
    """One number per row."""
    saved = _saved(model)
    loss = _loss(saved)
    if loss in SEVERAL:
        raise Refusal(f"with {loss} a model has several outputs; geco compiles one")
    return _adapted(saved, Link("exp" if loss in EXPONENTS else "identity"))


@adapter("catboost:CatBoost")
def plain(model: Any, method: str) -> Adapted:
    """As the wrapper asks it: for probabilities if it was trained on classes."""
    return classifier(model, method) if method == "predict_proba" else regressor(model, method)


def _saved(model: Any) -> dict[str, Any]:
    for kind, found in (
        ("text", model.get_text_feature_indices()),
        ("embedding", model.get_embedding_feature_indices()),
    ):
        if found:
            raise Refusal(f"CatBoost's {kind} features are not compiled")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        saved: dict[str, Any] = json.loads(path.read_text())
    return saved


def _loss(saved: dict[str, Any]) -> str:
    return str(saved["model_info"]["params"]["loss_function"]["type"])


def _adapted(saved: dict[str, Any], link: Link) -> Adapted:
    scale, bias = saved["scale_and_bias"]
    base = np.array(bias, np.float64)
    features = saved["features_info"]
    tests = _tests(features)
    if "oblivious_trees" in saved:
        trees = [_symmetric(tree, tests, len(base), scale) for tree in saved["oblivious_trees"]]
    else:
        trees = [_grown(tree, tests, len(base), scale) for tree in saved["trees"]]
    return Adapted(Forest.from_trees(trees, base, link, single=True), columns_of(features, saved.get("ctr_data") or {}))


@dataclass(frozen=True)
class _Test:
    """A question with two answers: is the value above the border, or is it this category?"""

    column: int
    threshold: float = 0.0
    missing_left: bool = True
    code: int = -1  # of a category


def _tests(features: dict[str, Any]) -> list[_Test]:
    """All questions a model may ask; trees name them by their number: borders, then categories, then statistics."""
    floats, cats = features.get("float_features") or [], features.get("categorical_features") or []
    tests = []
    for column, feature in enumerate(floats):
        left = feature["nan_value_treatment"] != "AsTrue"
        tests += [_Test(column, float(np.float32(border)), left) for border in feature["borders"]]
    for column, feature in enumerate(cats, len(floats)):
        tests += [_Test(column, code=code) for code in range(len(feature.get("values") or ()))]
    for column, feature in enumerate(features.get("ctrs") or (), len(floats) + len(cats)):
        tests += [_Test(column, float(np.float32(border))) for border in feature["borders"]]
    return tests


def _symmetric(tree: dict[str, Any], tests: Sequence[_Test], outputs: int, scale: float) -> Tree:
    """One question per level; the answers are the bits of a leaf's number, the first question's the lowest."""
    asked = [tests[split["split_index"]] for split in tree["splits"] or ()]
    depth = len(asked)
    levels = np.repeat(np.arange(depth), 2 ** np.arange(depth))
    inner = [asked[depth - 1 - level] for level in levels]
    child = 2 * np.arange(len(inner)) + 1
    values = np.array(tree["leaf_values"], np.float64).reshape(-1, outputs) * scale
    return _tree(inner, child, child + 1, values)


def _grown(tree: dict[str, Any], tests: Sequence[_Test], outputs: int, scale: float) -> Tree:
    """A tree of any shape: inner nodes first, then leaves, each in the order of a walk."""
    nodes = [tree]
    for node in nodes:
        nodes += [node[side] for side in ("left", "right") if "split" in node]
    inner, leaves = [n for n in nodes if "split" in n], [n for n in nodes if "split" not in n]
    position = {id(node): number for number, node in enumerate([*inner, *leaves])}
    values = np.array([n["value"] for n in leaves], np.float64).reshape(-1, outputs) * scale
    asked = [tests[n["split"]["split_index"]] for n in inner]
    left, right = (np.array([position[id(n[side])] for n in inner], np.int64) for side in ("left", "right"))
    return _tree(asked, left, right, values)


def _tree(inner: Sequence[_Test], no: Any, yes: Any, values: Any) -> Tree:
    """Inner nodes, then leaves. A category's own rows go left in a Forest, so there the answers change sides."""
    leaf = np.full(len(values), -1)
    one_hot = np.array([test.code >= 0 for test in inner], np.bool_)
    sets = tuple(np.array([test.code], np.int64) for test in inner if test.code >= 0)
    return Tree(
        column=np.concatenate([[test.column for test in inner], leaf]).astype(np.int32),
        threshold=np.concatenate([[test.threshold for test in inner], leaf]),
        left=np.concatenate([np.where(one_hot, yes, no), leaf]).astype(np.int32),
        right=np.concatenate([np.where(one_hot, no, yes), leaf]).astype(np.int32),
        value=np.concatenate([np.zeros((len(inner), values.shape[1])), values]),
        missing_left=np.array([test.missing_left and test.code < 0 for test in inner] + [False] * len(leaf), np.bool_),
        categories=np.concatenate([np.where(one_hot, np.cumsum(one_hot) - 1, -1), leaf]).astype(np.int32),
        sets=sets,
    )
