"""Link: what a model makes of its sums, from a sum of leaves or products to the answer of the user's method.

In: sums of shape [n, K]. Out: the model's raw answer, [n] or [n, classes].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from geco import _core

Floats = npt.NDArray[np.float64]
LinkName = Literal[
    "identity",  # the sums themselves: a regressor, a decision function
    "exp",  # exp(s): Poisson, gamma, Tweedie
    "expit",  # σ(s), one column per sum: a booster that returns P(1), or classes judged one by one
    "sigmoid",  # K = 1: [1 - σ(s), σ(s)]
    "softmax",  # exp(s_k) / Σ exp(s)
    "ovr",  # σ(s_k) / Σ σ(s): one against the rest
    "proba",  # the sums are the probabilities of K classes
    "huber",  # (clip(s, -1, 1) + 1) / 2: K = 1: [1 - p, p], else divided by its sum
]


@dataclass(frozen=True)
class Link:
    """The link by name; ``scale`` multiplies the sums first, ``single`` says that it works in float32.

    Examples
    --------
    >>> Link("sigmoid")(np.array([[0.0]]))
    array([[0.5, 0.5]])
    """

    name: LinkName
    scale: float = 1.0
    single: bool = False

    def __call__(self, sums: Floats) -> Floats:
        """The model's raw answer for its sums."""
        raw = self.core(np.ascontiguousarray(sums))
        return raw[:, 0] if raw.shape[1] == 1 else raw

    @cached_property
    def core(self) -> _core.Link:
        """The same in the native core, where the rounds of a search are judged."""
        return _core.Link(self.name, self.scale, self.single)
