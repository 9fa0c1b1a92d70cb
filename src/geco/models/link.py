"""Link: what a model makes of its sums, from a sum of leaves or products to the answer of the user's own method.

In: sums of shape [n, K]. Out: the model's raw answer, [n] or [n, classes].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

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
        scaled = sums if self.scale == 1.0 else sums * self.scale
        with np.errstate(over="ignore"):  # exp of a large sum is inf, as it is in the libraries
            raw = _LINKS[self.name](scaled, self._round)
        return raw[:, 0] if raw.shape[1] == 1 else raw

    def _round(self, numbers: Floats) -> Floats:
        """Every step of a float32 link is rounded to float32; exp is taken in float64 so that it is rounded once."""
        return numbers.astype(np.float32).astype(np.float64) if self.single else numbers


Round = Callable[[Floats], Floats]


def _identity(sums: Floats, rounded: Round) -> Floats:
    return sums


def _exp(sums: Floats, rounded: Round) -> Floats:
    return rounded(np.exp(sums))


def _expit(sums: Floats, rounded: Round) -> Floats:
    return rounded(1.0 / rounded(1.0 + rounded(np.exp(-sums))))


def _sigmoid(sums: Floats, rounded: Round) -> Floats:
    return _both(_expit(sums, rounded), rounded)


def _softmax(sums: Floats, rounded: Round) -> Floats:
    powers = rounded(np.exp(rounded(sums - sums.max(axis=1, keepdims=True))))
    return rounded(powers / rounded(powers.sum(axis=1, keepdims=True)))


def _ovr(sums: Floats, rounded: Round) -> Floats:
    return _shares(_expit(sums, rounded))


def _huber(sums: Floats, rounded: Round) -> Floats:
    chances = (np.clip(sums, -1.0, 1.0) + 1.0) / 2.0
    return _both(chances, rounded) if sums.shape[1] == 1 else _shares(chances)


def _both(chances: Floats, rounded: Round) -> Floats:
    return np.concatenate([rounded(1.0 - chances), chances], axis=1)


def _shares(chances: Floats) -> Floats:
    """Divided by their sum; all equal where every one is 0, as scikit-learn has it."""
    total = chances.sum(axis=1, keepdims=True)
    return np.where(total == 0.0, 1.0 / chances.shape[1], chances / np.where(total == 0.0, 1.0, total))


_LINKS: dict[str, Callable[[Floats, Round], Floats]] = {
    "identity": _identity,
    "exp": _exp,
    "expit": _expit,
    "sigmoid": _sigmoid,
    "softmax": _softmax,
    "ovr": _ovr,
    "proba": _identity,
    "huber": _huber,
}
