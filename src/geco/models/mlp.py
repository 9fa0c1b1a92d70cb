"""Mlp: a network of dense layers over encoded columns (Sec. 5.2).

In: encoded columns. Out: the answer of the user's own method.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from geco.models.link import Link

Floats = npt.NDArray[np.float64]
Activation = Literal["relu", "tanh", "logistic", "identity"]


@dataclass(frozen=True, eq=False)
class Mlp:
    """Layers of weights and biases; ``activation`` after every layer but the last, which has the link.

    Attributes
    ----------
    weights : one matrix per layer, [inputs, outputs].
    biases : one vector per layer.
    """

    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]
    activation: Activation
    link: Link

    def sums(self, X: Floats) -> Floats:
        """[n, K]: the last layer before the link."""
        layer = X
        activate = _ACTIVATIONS[self.activation]
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            layer = activate(layer @ weight + bias)
        return np.asarray(layer @ self.weights[-1] + self.biases[-1])

    def linked(self, sums: Floats) -> Floats:
        """The raw answer for these sums."""
        return self.link(sums)

    def predict(self, X: Floats) -> Floats:
        """The user's own method on encoded rows."""
        return self.linked(self.sums(X))


def _relu(layer: Floats) -> Floats:
    return np.maximum(layer, 0.0)


def _tanh(layer: Floats) -> Floats:
    return np.tanh(layer)


def _logistic(layer: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(-layer)))


def _as_it_is(layer: Floats) -> Floats:
    return layer


_ACTIVATIONS: dict[str, Callable[[Floats], Floats]] = {
    "relu": _relu,
    "tanh": _tanh,
    "logistic": _logistic,
    "identity": _as_it_is,
}
