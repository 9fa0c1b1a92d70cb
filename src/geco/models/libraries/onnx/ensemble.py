"""The newer TreeEnsemble node of ONNX, spelled as the older TreeEnsembleRegressor has it.

It numbers inner nodes and leaves of all trees apart and names a root per tree; the older one has nodes by tree.
"""

from __future__ import annotations

from typing import Any

from geco.models.libraries.onnx.trees import MODES
from geco.models.libraries.reading import Refusal

AGGREGATES = (b"AVERAGE", b"SUM", b"MIN", b"MAX")
MEMBER = 6


def spelled_out(attributes: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a TreeEnsembleRegressor that gives the same sums."""
    if (attributes["nodes_modes"] == MEMBER).any():
        raise Refusal("trees that test for a set of values are not compiled from ONNX")
    if attributes.get("post_transform", 0):  # 1 and 2 are softmax and logistic by the standard; ONNX Runtime swaps them
        raise Refusal("a TreeEnsemble with a post_transform is not compiled")
    nodes: list[tuple[int, int, int, float, str, int, int, int]] = []
    leaves: list[tuple[int, int, int, float]] = []
    for tree, root in enumerate(attributes["tree_roots"]):
        _walk(attributes, tree, int(root), nodes, leaves)
    names = ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids")
    columns = dict(zip((*names, "missing_value_tracks_true"), zip(*nodes, strict=True), strict=True))
    columns["modes"] = tuple(mode.encode() for mode in columns["modes"])
    targets = zip(("treeids", "nodeids", "ids", "weights"), zip(*leaves, strict=True), strict=True)
    return {
        **{f"nodes_{name}": values for name, values in columns.items()},
        **{f"target_{name}": values for name, values in targets},
        "n_targets": attributes["n_targets"],
        "aggregate_function": AGGREGATES[attributes.get("aggregate_function", 1)],
    }


def _walk(attributes: dict[str, Any], tree: int, root: int, nodes: list[Any], leaves: list[Any]) -> None:
    """The nodes and leaves of one tree, numbered as they are met, the root first."""
    tracks = attributes.get("nodes_missing_value_tracks_true") or [0] * len(attributes["nodes_modes"])
    waiting = [(root, False)]
    for number, (position, is_leaf) in enumerate(waiting):
        if is_leaf:
            leaves.append(
                (tree, number, attributes["leaf_targetids"][position], float(attributes["leaf_weights"][position]))
            )
            nodes.append((tree, number, 0, 0.0, "LEAF", 0, 0, 0))
            continue
        first = len(waiting)
        for side in ("true", "false"):
            waiting.append(
                (attributes[f"nodes_{side}nodeids"][position], bool(attributes[f"nodes_{side}leafs"][position]))
            )
        mode, split = MODES[attributes["nodes_modes"][position]], float(attributes["nodes_splits"][position])
        column = attributes["nodes_featureids"][position]
        nodes.append((tree, number, column, split, mode, first, first + 1, tracks[position]))
