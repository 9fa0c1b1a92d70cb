"""Mlp: a network of dense layers over encoded columns (Sec. 5.2).

In: encoded columns. Out: the answer of the user's method. ``Mlp.chain`` makes one of what other
libraries have: layers and steps in any order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from geco.models.kinds.link import Link

Floats = npt.NDArray[np.float64]
StepName = Literal[
    "relu",
    "tanh",
    "logistic",
    "identity",
    "leaky_relu",  # parameter: the slope below 0
    "elu",  # parameter: alpha
    "gelu",  # by the error function
    "gelu_tanh",  # its approximation by tanh
    "norm",  # (v - mean) / √(variance + parameter) · gain + shift over the numbers of a row
]
_NONE = np.zeros(0)
_erfc = np.vectorize(math.erfc, otypes=[np.float64])  # NumPy has none


@dataclass(frozen=True, eq=False)
class Step:
    """What is done to the numbers of a layer: to each alone, or (``norm``) to all of a row together.

    Attributes
    ----------
    gain, shift : of ``norm`` only, one number per output of the layer.
    """

    name: StepName
    parameter: float = 0.0
    gain: Floats = field(default_factory=lambda: _NONE)
    shift: Floats = field(default_factory=lambda: _NONE)

    def __call__(self, layer: Floats) -> Floats:
        if self.name != "norm":
            with np.errstate(over="ignore"):
                return _ACTIVATIONS[self.name](layer, self.parameter)
        apart = layer - layer.mean(axis=1, keepdims=True)
        variance = np.square(apart).mean(axis=1, keepdims=True)
        return np.asarray(apart / np.sqrt(variance + self.parameter) * self.gain + self.shift)

    @property
    def arrays(self) -> tuple[StepName, float, Floats, Floats]:
        """For the native core."""
        return self.name, self.parameter, self.gain, self.shift


@dataclass(frozen=True, eq=False)
class Dense:
    """A layer of a chain: weights [inputs, outputs] and biases."""

    weights: Floats
    biases: Floats


@dataclass(frozen=True, eq=False)
class Scale:
    """A layer of a chain that multiplies and shifts each number separately: a fitted BatchNorm."""

    gain: Floats
    shift: Floats


@dataclass(frozen=True, eq=False)
class Mlp:
    """Layers of weights and biases; steps after every layer but the last, which has the link.

    Attributes
    ----------
    weights : one matrix per layer, [inputs, outputs].
    biases : one vector per layer.
    steps : one tuple per layer but the last, in order.
    """

    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]
    steps: tuple[tuple[Step, ...], ...]
    link: Link

    @classmethod
    def chain(cls, width: int, parts: Sequence[Dense | Scale | Step], link: Link) -> Mlp:
        """Layers and steps in any order, on ``width`` encoded columns.

        A Scale is folded into the Dense right before or after it; where there is none, and where steps come before the
        first or after the last layer, a layer is put in that changes nothing else.
        """
        layers: list[tuple[Dense | Scale, list[Step]]] = [(Scale(np.ones(width), np.zeros(width)), [])]
        for part in parts:
            last, steps = layers[-1]
            if isinstance(part, Step):
                steps.append(part)
            elif not steps and (folded := _folded(last, part)):
                layers[-1] = folded, steps
            else:
                layers.append((part, []))
        last, steps = layers[-1]
        if steps:
            outputs = len(_dense(last).biases)
            layers.append((Scale(np.ones(outputs), np.zeros(outputs)), []))
        dense = [_dense(layer) for layer, _ in layers]
        weights = tuple(np.ascontiguousarray(layer.weights, np.float64) for layer in dense)
        biases = tuple(np.ascontiguousarray(layer.biases, np.float64) for layer in dense)
        return cls(weights, biases, tuple(tuple(steps) for _, steps in layers[:-1]), link)

    def sums(self, X: Floats) -> Floats:
        """[n, K]: the last layer before the link."""
        layer = X
        for weight, bias, steps in zip(self.weights[:-1], self.biases[:-1], self.steps, strict=True):
            layer = layer @ weight + bias
            for step in steps:
                layer = step(layer)
        return np.asarray(layer @ self.weights[-1] + self.biases[-1])

    def linked(self, sums: Floats) -> Floats:
        """The raw answer for these sums."""
        return self.link(sums)

    def predict(self, X: Floats) -> Floats:
        """The user's method on encoded rows."""
        return self.linked(self.sums(X))


def _folded(first: Dense | Scale, second: Dense | Scale) -> Dense | Scale | None:
    """Both in one layer; two that are dense stay apart, because together they may be larger."""
    if isinstance(second, Scale) and isinstance(first, Scale):
        return Scale(first.gain * second.gain, first.shift * second.gain + second.shift)
    if isinstance(second, Scale) and isinstance(first, Dense):
        return Dense(first.weights * second.gain, first.biases * second.gain + second.shift)
    if isinstance(first, Scale) and isinstance(second, Dense):
        return Dense(first.gain[:, None] * second.weights, first.shift @ second.weights + second.biases)
    return None


def _dense(layer: Dense | Scale) -> Dense:
    return layer if isinstance(layer, Dense) else Dense(np.diag(layer.gain), layer.shift)


def _relu(layer: Floats, parameter: float) -> Floats:
    return np.maximum(layer, 0.0)


def _tanh(layer: Floats, parameter: float) -> Floats:
    return np.tanh(layer)


def _logistic(layer: Floats, parameter: float) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-layer)))


def _as_it_is(layer: Floats, parameter: float) -> Floats:
    return layer


def _leaky_relu(layer: Floats, slope: float) -> Floats:
    return np.where(layer > 0.0, layer, slope * layer)


def _elu(layer: Floats, alpha: float) -> Floats:
    return np.where(layer > 0.0, layer, alpha * np.expm1(np.minimum(layer, 0.0)))


def _gelu(layer: Floats, parameter: float) -> Floats:
    return np.asarray(0.5 * layer * _erfc(-layer * math.sqrt(0.5)))


def _gelu_tanh(layer: Floats, parameter: float) -> Floats:
    return np.asarray(0.5 * layer * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (layer + 0.044715 * layer**3))))


_ACTIVATIONS: dict[str, Callable[[Floats, float], Floats]] = {
    "relu": _relu,
    "tanh": _tanh,
    "logistic": _logistic,
    "identity": _as_it_is,
    "leaky_relu": _leaky_relu,
    "elu": _elu,
    "gelu": _gelu,
    "gelu_tanh": _gelu_tanh,
}
