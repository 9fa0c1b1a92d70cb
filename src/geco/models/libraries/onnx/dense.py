"""Linear models of ONNX, and chains of matrix products and activations, as a Linear or an Mlp.

They add in float32, in an order that is ONNX Runtime's own; here they add in float64, and answers differ in their last
bits, which the link says by ``single``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from geco.models.kinds.linear import Linear
from geco.models.kinds.link import Link
from geco.models.kinds.network import Dense, Mlp, Scale, Step
from geco.models.libraries.onnx.graph import PASSES_ON, Graph
from geco.models.libraries.onnx.trees import LINKS
from geco.models.libraries.reading import Refusal

Part = Dense | Scale | Step
Array = npt.NDArray[Any]


def linear_of(attributes: dict[str, Any], classifies: bool) -> Linear:
    """A LinearClassifier or LinearRegressor."""
    transform = attributes.get("post_transform", b"NONE")
    if transform not in LINKS:
        raise Refusal(f"ONNX's post_transform {transform.decode()} is not one that geco can compile")
    intercept = np.array(attributes.get("intercepts") or [0.0] * attributes.get("targets", 1), np.float64)
    coefficient = np.array(attributes["coefficients"], np.float64).reshape(len(intercept), -1).T
    name = LINKS[transform]
    if classifies and len(intercept) == 1:
        if name != "expit":
            raise Refusal("it has the score of one class and no probabilities")
        name = "sigmoid"
    return Linear(np.ascontiguousarray(coefficient), intercept, Link(name, single=True))


def chain_of(graph: Graph, name: str) -> tuple[Linear | Mlp, str]:
    """Products and activations that end in this tensor, and the tensor that the first product takes."""
    parts: list[Part] = []
    front, cut, here = "", 0, name
    while (node := graph.maker.get(here)) is not None:
        found = _part(graph, node)
        if found is None:
            break
        part, here = found
        parts += [part] if part is not None else []
        if isinstance(part, Dense):
            front, cut = here, len(parts)  # what comes before the first product is preprocessing
    if not cut:
        what = "an input" if node is None else f"a {node.op_type}"
        raise Refusal(f"its graph ends in {what} and not in trees, a linear model or a chain of layers that geco knows")
    used = parts[:cut][::-1]
    kind = Mlp.chain(used[0].weights.shape[0], used, Link("identity", single=True))  # type: ignore[union-attr]
    if len(kind.weights) == 1:
        return Linear(kind.weights[0], kind.biases[0], kind.link), front
    return kind, front


def _part(graph: Graph, node: Any) -> tuple[Part | None, str] | None:
    """What a node does to a layer (None: it only hands it on), and the tensor it takes; None if geco does not know."""
    attributes = graph.attributes(node)
    before = node.input[0]
    if node.op_type in PASSES_ON:
        return None, before
    if step := _step(node.op_type, attributes):
        return step, before
    if node.op_type == "Gemm":
        return _gemm(graph, node, attributes)
    if node.op_type == "BatchNormalization":
        return _batch_norm(graph, node, attributes), before
    return _binary(graph, node)


def _step(name: str, attributes: dict[str, Any]) -> Step | None:
    if name == "Gelu":
        return Step("gelu_tanh" if attributes.get("approximate") == b"tanh" else "gelu")
    known = {
        "Relu": Step("relu"),
        "Tanh": Step("tanh"),
        "Sigmoid": Step("logistic"),
        "LeakyRelu": Step("leaky_relu", float(attributes.get("alpha", 0.01))),
        "Elu": Step("elu", float(attributes.get("alpha", 1.0))),
    }
    return known.get(name)


def _gemm(graph: Graph, node: Any, attributes: dict[str, Any]) -> tuple[Part, str] | None:
    weights = graph.constant(node.input[1])
    biases = graph.constant(node.input[2]) if len(node.input) > 2 else np.zeros(1)
    if weights is None or biases is None or attributes.get("transA", 0):
        return None
    weights = (weights.T if attributes.get("transB", 0) else weights) * np.float64(attributes.get("alpha", 1.0))
    biases = biases.ravel() * np.float64(attributes.get("beta", 1.0))
    return Dense(weights, np.broadcast_to(biases, weights.shape[1])), node.input[0]


def _batch_norm(graph: Graph, node: Any, attributes: dict[str, Any]) -> Scale:
    values = [graph.constant(name) for name in node.input[1:5]]
    if any(v is None for v in values):
        raise Refusal("its BatchNormalization has statistics that are not constant")
    gain, shift, mean, variance = (np.asarray(v, np.float64) for v in values)
    gain = gain / np.sqrt(variance + float(attributes.get("epsilon", 1e-5)))
    return Scale(gain, shift - mean * gain)


def _binary(graph: Graph, node: Any) -> tuple[Part, str] | None:
    """A product with constant weights, or a constant added, taken away, multiplied or divided by."""
    if node.op_type not in ("MatMul", "Add", "Sub", "Mul", "Div"):
        return None
    first, second = (graph.constant(name) for name in node.input)
    if node.op_type == "MatMul":
        good = first is None and second is not None and second.ndim == 2
        return (Dense(_wide(second), np.zeros(second.shape[1])), node.input[0]) if good and second is not None else None
    turned = node.op_type in ("Add", "Mul") and second is None
    constant, before = (first, node.input[1]) if turned else (second, node.input[0])
    if constant is None or (first is not None) != turned or _rows(constant) != 1:
        return None
    values = _wide(constant).ravel()
    ones, zeros = np.ones_like(values), np.zeros_like(values)
    parts = {"Add": (ones, values), "Sub": (ones, -values), "Mul": (values, zeros), "Div": (1.0 / values, zeros)}
    return Scale(*parts[node.op_type]), before


def _rows(constant: Array) -> int:
    return constant.size // constant.shape[-1] if constant.ndim else 1


def _wide(constant: Array) -> npt.NDArray[np.float64]:
    return np.asarray(constant, np.float64)
