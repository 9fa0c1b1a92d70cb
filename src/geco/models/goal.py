"""Goal: a Target made definite for one model, and how the model's own number becomes M(x') in [0, 1].

The decision is always taken on the model's own number; the mapping only says which of two bad candidates is closer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Output = Literal["probability", "label", "number", "decision"]
JUST_GOOD = float(np.nextafter(0.5, 1))


@dataclass(frozen=True)
class Goal:
    """The model's output in, its own number and the mapped outcome out."""

    output: Output
    words: str
    columns: tuple[int, ...] = ()  # wanted columns of a probability table
    by_lead: bool = False  # multi-class: the best wanted class must lead the best unwanted one
    wanted: frozenset[Any] = frozenset()  # wanted labels where only labels are to be had
    threshold: float = 0.5
    low: float = -np.inf
    high: float = np.inf
    softness: float = 1.0  # regression: the distance at which a miss has lost most of its outcome
    margin: float = 0.0
    sign: int = 1  # decision functions are positive for the second class

    def judge(self, raw: npt.NDArray[Any]) -> tuple[Floats, Floats]:
        """M(x') in [0, 1], good ⇔ above 0.5, NaN only where the model's number is; and that number."""
        number = self.numbers(raw)
        return self._outcome(number, raw), number

    def numbers(self, raw: npt.NDArray[Any]) -> Floats:
        """The model's own number per row: P(wanted), the prediction, or 1 and 0 for labels."""
        if self.output == "label":
            return np.array([plain(v) in self.wanted for v in raw], np.float64)
        number = np.asarray(raw, np.float64)
        if number.ndim == 1:
            return number
        if len(self.columns) == 1:
            return number[:, self.columns[0]]
        wanted = number[:, self.columns]
        return np.asarray(wanted.max(axis=1) if self.by_lead else wanted.sum(axis=1))

    def outcome(self, raw: npt.NDArray[Any]) -> Floats:
        """M(x') alone."""
        return self.judge(raw)[0]

    def _outcome(self, number: Floats, raw: npt.NDArray[Any]) -> Floats:
        if self.by_lead:
            unwanted = np.delete(np.asarray(raw, np.float64), self.columns, axis=1).max(axis=1)
            lead = number - unwanted - self.margin
            return _never_even(lead > 0, 0.5 + lead / 2)
        if self.output == "number":
            return self._inside(number)
        if self.output == "decision":
            beyond = self.sign * number - self.margin
            return _never_even(beyond > 0, 1 / (1 + np.exp(-np.clip(beyond, -500, 500))))
        t, good = self.threshold, number > self.threshold
        with np.errstate(over="ignore"):
            below = number / (2 * t) if t > 0 else np.where(np.isnan(number), np.nan, 0.0)
        return _never_even(good, np.where(good, 0.5 + (number - t) / (2 * (1 - t)), below))

    def _inside(self, number: Floats) -> Floats:
        """1 inside the interval, falling with the gap outside."""
        with np.errstate(invalid="ignore", over="ignore"):
            gap = np.where(number < self.low, self.low - number, np.where(number > self.high, number - self.high, 0.0))
            outside = 0.5 * np.exp(-gap / self.softness)
        return np.where(np.isnan(number), np.nan, np.where(gap == 0, 1.0, outside))


def plain(value: Any) -> Any:
    """A NumPy scalar as the Python value it stands for."""
    return value.item() if isinstance(value, np.generic) else value


def _never_even(good: npt.NDArray[np.bool_], outcome: Floats) -> Floats:
    """Good must stay strictly above 0.5 and bad must not rise above it, whatever rounding does."""
    least, most = np.where(good, JUST_GOOD, 0.0), np.where(good, 1.0, 0.5)
    return np.asarray(np.minimum(np.maximum(outcome, least), most))
