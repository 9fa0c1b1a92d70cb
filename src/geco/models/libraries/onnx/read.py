"""ONNX graphs that end in trees, a linear model or a chain of layers, read from the model a session was made of.

What stands before the first of these nodes is preprocessing: it is not read but run, by ONNX Runtime itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from geco.models.asking.wrap import wrap
from geco.models.kinds.forest import Forest
from geco.models.kinds.linear import Linear
from geco.models.kinds.link import LinkName
from geco.models.kinds.network import Mlp
from geco.models.libraries.onnx.ask import OnnxModel, opened
from geco.models.libraries.onnx.dense import chain_of, linear_of
from geco.models.libraries.onnx.ensemble import spelled_out
from geco.models.libraries.onnx.graph import PASSES_ON, Graph
from geco.models.libraries.onnx.trees import Codes, forest_of, with_codes
from geco.models.libraries.reading import Adapted, FloatMatrix, Refusal, adapter

Read = tuple[
    Forest | Linear | Mlp, str, Codes
]  # of the last nodes: what they are, the tensor they take, see with_codes
LINKS: dict[str, LinkName] = {"Sigmoid": "expit", "Softmax": "softmax", "Exp": "exp"}


@adapter("onnxruntime:InferenceSession")
def session(model: Any, method: str) -> Adapted:
    """The output that the wrapper asks for."""
    asked: OnnxModel = wrap(model)
    if asked.graph is None:
        raise Refusal("its graph cannot be seen: pip install onnx, and give the file or a session made of it")
    kind, front, codes = _read(asked.graph, asked.output)
    single = not isinstance(kind, Forest) or kind.single
    return Adapted(kind, with_codes(_front(asked, asked.graph, front), codes, single))


def _read(graph: Graph, name: str) -> Read:
    """Walk back from an output to the nodes that answer."""
    node = graph.maker.get(name)
    if node is None:
        raise Refusal(f"nothing in the graph makes {name!r}")
    attributes = graph.attributes(node)
    if node.op_type in PASSES_ON:
        return _read(graph, node.input[0])
    if node.op_type in ("TreeEnsembleClassifier", "TreeEnsembleRegressor", "TreeEnsemble"):
        trees = spelled_out(attributes) if node.op_type == "TreeEnsemble" else attributes
        forest, codes = forest_of(trees, *_tensor(graph, node.input[0], trees))
        return forest, node.input[0], codes
    if node.op_type in ("LinearClassifier", "LinearRegressor"):
        return linear_of(attributes, node.op_type == "LinearClassifier"), node.input[0], {}
    if node.op_type in LINKS:
        if node.op_type == "Softmax" and attributes.get("axis", -1) not in (1, -1):
            raise Refusal("its Softmax goes over rows")
        return _linked(_read(graph, node.input[0]), LINKS[node.op_type], node.op_type)
    if node.op_type == "Normalizer":
        return _normalised(_read(graph, node.input[0]), attributes)
    if node.op_type == "Concat":
        return _both(graph, node)
    kind, front = chain_of(graph, name)
    return kind, front, {}


def _linked(read: Read, name: LinkName, op: str) -> Read:
    kind, front, codes = read
    if kind.link.name != "identity":
        raise Refusal(f"its graph has a {op} after {kind.link.name}")
    return replace(kind, link=replace(kind.link, name=name)), front, codes


def _normalised(read: Read, attributes: dict[str, Any]) -> Read:
    """Shares that add up to 1; probabilities do already."""
    kind, front, codes = read
    if attributes.get("norm") != b"L1" or kind.link.name not in ("expit", "softmax", "sigmoid"):
        raise Refusal("its graph ends in a Normalizer that is not of probabilities")
    name: LinkName = "ovr" if kind.link.name == "expit" else kind.link.name
    return replace(kind, link=replace(kind.link, name=name)), front, codes


def _both(graph: Graph, node: Any) -> Read:
    """[1 - p, p] of one probability."""
    less = graph.maker.get(node.input[0])
    opposite = less is not None and less.op_type == "Sub" and list(node.input[1:]) == [less.input[1]]
    one = graph.constant(less.input[0]) if less is not None and opposite else None
    if one is None or not (one == 1).all():
        raise Refusal("its graph ends in a Concat that is not of 1 - p and p")
    kind, front, codes = _read(graph, node.input[1])
    if kind.link.name != "expit":
        raise Refusal("its graph ends in 1 - p and p of something else than a sigmoid")
    return replace(kind, link=replace(kind.link, name="sigmoid")), front, codes


def _tensor(graph: Graph, name: str, attributes: dict[str, Any]) -> tuple[int, bool]:
    """How many columns a tensor of trees has at least, and whether it is of float32."""
    from onnx import TensorProto, shape_inference

    known = shape_inference.infer_shapes(graph.proto).graph
    types = {v.name: v.type.tensor_type for v in (*known.input, *known.value_info)}
    width = int(max(attributes["nodes_featureids"])) + 1
    if name not in types:
        return width, True
    shape = types[name].shape.dim
    return max(width, shape[1].dim_value if len(shape) > 1 else 0), types[name].elem_type != TensorProto.DOUBLE


def _front(asked: OnnxModel, graph: Graph, name: str) -> Callable[[Any], FloatMatrix]:
    """A table ▶ this tensor."""
    if name in {tensor.name for tensor in asked.inputs}:
        return lambda table: np.asarray(asked.feeds(table)[name], np.float64)
    part = opened(graph.up_to(name))
    wanted = [tensor.name for tensor in part.get_inputs()]

    def columns(table: Any) -> FloatMatrix:
        feeds = asked.feeds(table)
        [numbers] = part.run([name], {tensor: feeds[tensor] for tensor in wanted})
        return np.asarray(numbers, np.float64)

    return columns
