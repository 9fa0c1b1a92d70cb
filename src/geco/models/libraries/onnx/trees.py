"""TreeEnsemble nodes of ONNX as a Forest.

Values are compared as the node's input has them, float32 as a rule; sums run in the same type, tree by tree, and what
they begin with is added last. A test for one value becomes a test of that value's code, in a column of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.models.kinds.forest import Floats, Forest, Tree
from geco.models.kinds.link import Link, LinkName
from geco.models.libraries.reading import FloatMatrix, Refusal

Array = npt.NDArray[Any]
Codes = Mapping[int, Floats]  # per column the values it is tested to be equal to
LINKS: dict[bytes, LinkName] = {b"NONE": "identity", b"LOGISTIC": "expit", b"SOFTMAX": "softmax"}
MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "LEAF")
LEQ, LT, GTE, GT, EQ, NEQ, LEAF = range(7)


@dataclass(frozen=True, eq=False)
class _Nodes:
    """The nodes of all trees, tree by tree, the root of each first; children by their position."""

    tree: Array
    column: Array
    mode: Array
    split: Array
    yes: Array
    no: Array
    tracks: Array  # a missing value takes the way of yes


def forest_of(attributes: dict[str, Any], width: int, single: bool) -> tuple[Forest, Codes]:
    """A TreeEnsembleClassifier or TreeEnsembleRegressor over ``width`` columns."""
    nodes, positions = _nodes(attributes)
    classifies = "class_ids" in attributes
    part = "class" if classifies else "target"
    labels = attributes.get("classlabels_int64s") or attributes.get("classlabels_strings") or ()
    outputs = len(labels) if classifies else int(attributes.get("n_targets", 1))
    kinds = np.array(attributes[f"{part}_ids"], np.int64)
    weights = np.asarray(_either(attributes, f"{part}_weights"), np.float64)
    leaf = positions(attributes[f"{part}_treeids"], attributes[f"{part}_nodeids"])
    base = np.asarray(_either(attributes, "base_values"), np.float64)
    link = Link(_link(attributes), single=single)
    if classifies and outputs == 2 and len(set(kinds.tolist())) == 1:
        kinds, outputs, link = np.zeros_like(kinds), 1, _of_one_class(weights, base, link)
    value = np.zeros((len(nodes.tree), outputs))
    np.add.at(value, (leaf, kinds), weights)
    codes = {int(c): np.unique(nodes.split[(nodes.column == c) & _by_value(nodes)]) for c in _equal_columns(nodes)}
    trees = _trees(nodes, value, {c: width + n for n, c in enumerate(codes)}, codes, single)
    divisor = _divisor(attributes, len(trees), base)
    if base.any():
        trees.append(_leaf(np.broadcast_to(base, outputs)))
    return Forest.from_trees(trees, np.zeros(outputs), link, single=single, single_sum=single, divisor=divisor), codes


def with_codes(columns: Callable[[Any], FloatMatrix], codes: Codes, single: bool) -> Callable[[Any], FloatMatrix]:
    """The columns, and after them the position of each value among those it is tested for; -1 if it is none of them."""
    if not codes:
        return columns

    def coded(table: Any) -> FloatMatrix:
        values = columns(table)
        extra = [_code(values[:, c].astype(np.float32 if single else np.float64), known) for c, known in codes.items()]
        return np.column_stack([values, *extra])

    return coded


def _code(values: Array, known: Floats) -> Floats:
    position = np.minimum(np.searchsorted(known, values), len(known) - 1)
    return np.where(np.isnan(values), np.nan, np.where(known[position] == values, position, -1.0))


def _either(attributes: dict[str, Any], name: str) -> Any:
    """Numbers as a list, or as a tensor where they are of another type than float32."""
    tensor = attributes.get(f"{name}_as_tensor")
    return attributes.get(name, ()) if tensor is None else tensor


def _link(attributes: dict[str, Any]) -> LinkName:
    transform = attributes.get("post_transform", b"NONE")
    if transform not in LINKS:
        raise Refusal(f"ONNX's post_transform {transform.decode()} is not one that geco can compile")
    return LINKS[transform]


def _divisor(attributes: dict[str, Any], trees: int, base: Array) -> float:
    how = attributes.get("aggregate_function", b"SUM")
    if how == b"SUM":
        return 1.0
    if how != b"AVERAGE" or base.any():
        raise Refusal(f"trees whose {how.decode()} counts are not compiled")
    return float(trees)


def _of_one_class(weights: Array, base: Array, link: Link) -> Link:
    """The link of trees that score one of two classes; ONNX Runtime takes sums that cannot be negative for P."""
    if len(base) > 1:
        raise Refusal("its trees score one class and have two base values")
    if (weights >= 0).all():
        return Link("identity", single=link.single)  # one column for two classes is the probability of the second
    if link.name != "expit":
        raise Refusal("its trees have scores of one class and no probabilities")
    return Link("sigmoid", single=link.single)


def _nodes(attributes: dict[str, Any]) -> tuple[_Nodes, Callable[[Any, Any], Array]]:
    """The nodes in the order of their trees, and where a (tree, node) is among them."""
    trees, ids = np.array(attributes["nodes_treeids"], np.int64), np.array(attributes["nodes_nodeids"], np.int64)
    most = int(ids.max()) + 1
    order = np.argsort(trees, kind="stable")
    trees, ids = trees[order], ids[order]
    keys = trees * most + ids
    sorted_keys = np.argsort(keys)

    def positions(tree: Any, node: Any) -> Array:
        wanted = np.asarray(tree) * most + np.asarray(node)
        return np.asarray(sorted_keys[np.searchsorted(keys[sorted_keys], wanted)])

    def listed(name: str) -> Array:
        return np.asarray(_either(attributes, name))[order]

    mode = np.array([MODES.index(m.decode()) for m in attributes["nodes_modes"]])[order]
    inner = mode != LEAF
    yes, no = (np.where(inner, listed(f"nodes_{side}nodeids"), 0) for side in ("true", "false"))
    tracks = attributes.get("nodes_missing_value_tracks_true")
    return _Nodes(
        tree=trees,
        column=np.where(inner, listed("nodes_featureids"), -1),
        mode=mode,
        split=listed("nodes_values").astype(np.float64),
        yes=np.where(inner, positions(trees, np.where(inner, yes, ids)), -1),
        no=np.where(inner, positions(trees, np.where(inner, no, ids)), -1),
        tracks=np.asarray(tracks)[order] != 0 if tracks else np.zeros(len(trees), np.bool_),
    ), positions


def _by_value(nodes: _Nodes) -> Array:
    return np.asarray((nodes.mode == EQ) | (nodes.mode == NEQ))


def _equal_columns(nodes: _Nodes) -> Array:
    return np.unique(nodes.column[_by_value(nodes)])


def _trees(nodes: _Nodes, value: Floats, code_column: dict[int, int], codes: Codes, single: bool) -> list[Tree]:
    """A Forest asks "at most the threshold?": what is asked the other way round changes sides."""
    by_value = _by_value(nodes)
    turned = np.isin(nodes.mode, (GTE, GT, NEQ))
    below = (
        np.nextafter(nodes.split.astype(np.float32), np.float32(-np.inf))
        if single
        else np.nextafter(nodes.split, -np.inf)
    )
    threshold = np.where(np.isin(nodes.mode, (LT, GTE)), below.astype(np.float64), nodes.split)
    column = np.array([code_column[c] if v else c for c, v in zip(nodes.column.tolist(), by_value, strict=True)])
    left, right = np.where(turned, nodes.no, nodes.yes), np.where(turned, nodes.yes, nodes.no)
    missing_left = np.where(turned, ~nodes.tracks & (nodes.mode != NEQ), nodes.tracks)
    starts = np.flatnonzero(np.diff(nodes.tree, prepend=-1))
    trees = []
    for start, end in zip(starts, [*starts[1:], len(nodes.tree)], strict=True):
        part = slice(start, end)
        inner = nodes.mode[part] != LEAF
        named = np.flatnonzero(by_value[part])
        known = [codes[int(nodes.column[start + n])] for n in named]
        sets = tuple(np.searchsorted(k, nodes.split[[start + n]]) for n, k in zip(named, known, strict=True))
        categories = np.full(end - start, -1, np.int32)
        categories[named] = np.arange(len(named))
        trees.append(
            Tree(
                column=column[part].astype(np.int32),
                threshold=threshold[part],
                left=np.where(inner, left[part] - start, -1).astype(np.int32),
                right=np.where(inner, right[part] - start, -1).astype(np.int32),
                value=value[part],
                missing_left=missing_left[part].astype(np.bool_),
                categories=categories,
                sets=sets,
            )
        )
    return trees


def _leaf(value: Floats) -> Tree:
    """A tree of one leaf: what is added after all others."""
    none, zero = np.full(1, -1, np.int32), np.zeros(1)
    return Tree(none, zero, none, none, np.array(value)[None, :], np.zeros(1, np.bool_))
