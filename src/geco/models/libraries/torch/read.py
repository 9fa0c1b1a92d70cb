"""PyTorch: a module that is a chain of layers we know becomes an Mlp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from geco.models.kinds.link import Link, LinkName
from geco.models.kinds.network import Dense, Floats, Mlp, Scale, Step
from geco.models.libraries.reading import Adapted, FloatMatrix, Refusal, adapter
from geco.models.libraries.torch.ask import Torch
from geco.models.libraries.torch.layers import NotAChain, chain, own_name

Part = Dense | Scale | Step
LINKS: dict[str, LinkName] = {"Sigmoid": "expit", "Softmax": "softmax"}


@adapter("torch:Torch")
def wrapped(model: Torch, method: str) -> Adapted:
    """Layers in float64, the link as the module has it; its own preprocessing comes first."""
    layers = _layers(model)
    if not any(own_name(layer) == "Linear" for layer in layers):
        raise Refusal("it has no Linear layer")
    single = next(iter(model.module.parameters())).element_size() < 8
    name = LINKS.get(type(layers[-1]).__name__) if model.output != "number" else None
    if name:
        last = layers.pop()
        if name == "softmax" and last.dim not in (None, 1, -1):
            raise Refusal(f"its Softmax goes along dimension {last.dim}, over rows")
    parts = [part for layer in layers for part in _parts(layer)]
    dense = [part for part in parts if isinstance(part, Dense)]
    outputs = dense[-1].weights.shape[1]
    if model.output == "logit":
        name = "expit" if outputs == 1 else "softmax"
    kind = Mlp.chain(dense[0].weights.shape[0], parts, Link(name or "identity", single=single))
    return Adapted(kind, lambda table: _columns(model, table))


def _layers(model: Torch) -> list[Any]:
    try:
        return chain(model.module)
    except NotAChain as reason:
        raise Refusal(str(reason)) from reason


def _columns(model: Torch, table: Any) -> FloatMatrix:
    tensors = model.inputs(table)
    if len(tensors) != 1:
        raise Refusal(f"its preprocessing makes {len(tensors)} tensors; geco compiles one")
    return np.asarray(tensors[0].cpu().numpy(), np.float64)


def _parts(layer: Any) -> list[Part]:
    if reader := _READERS.get(own_name(layer)):
        return [reader(layer)]
    raise Refusal(f"a module with a {type(layer).__name__} layer is not one geco can compile")


def _floats(tensor: Any) -> Floats:
    return np.asarray(tensor.detach().cpu().numpy(), np.float64)


def _linear(layer: Any) -> Dense:
    biases = np.zeros(layer.out_features) if layer.bias is None else _floats(layer.bias)
    return Dense(_floats(layer.weight).T, biases)


def _batch_norm(layer: Any) -> Scale:
    if layer.running_mean is None:
        raise Refusal("its BatchNorm1d keeps no running statistics, so an answer depends on the other rows")
    gain = 1.0 / np.sqrt(_floats(layer.running_var) + layer.eps)
    if layer.affine:
        gain = gain * _floats(layer.weight)
    shift = -_floats(layer.running_mean) * gain
    return Scale(gain, shift + _floats(layer.bias) if layer.affine else shift)


def _layer_norm(layer: Any) -> Step:
    if len(layer.normalized_shape) != 1:
        raise Refusal(f"its LayerNorm goes over {len(layer.normalized_shape)} dimensions")
    ones, zeros = np.ones(layer.normalized_shape), np.zeros(layer.normalized_shape)
    gain = ones if layer.weight is None else _floats(layer.weight)
    return Step("norm", layer.eps, gain, zeros if layer.bias is None else _floats(layer.bias))


_READERS: dict[str, Callable[[Any], Part]] = {
    "Linear": _linear,
    "BatchNorm1d": _batch_norm,
    "LayerNorm": _layer_norm,
    "ReLU": lambda layer: Step("relu"),
    "Tanh": lambda layer: Step("tanh"),
    "Sigmoid": lambda layer: Step("logistic"),
    "LeakyReLU": lambda layer: Step("leaky_relu", layer.negative_slope),
    "ELU": lambda layer: Step("elu", layer.alpha),
    "GELU": lambda layer: Step("gelu" if layer.approximate == "none" else "gelu_tanh"),
}
