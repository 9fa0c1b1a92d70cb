"""Goal: a Target made definite for one model, and how the model's number becomes M(x') in [0, 1].

The decision is always taken on the model's number; the mapping only says which of two bad candidates is closer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from geco import _core
from geco.errors import ModelError
from geco.models.kinds.link import Link

Floats = npt.NDArray[np.float64]
Output = Literal["probability", "label", "number", "decision"]


@dataclass(frozen=True)
class Goal:
    """The model's output in, its own number and the mapped outcome out."""

    output: Output
    words: str
    columns: tuple[int, ...] = ()  # wanted columns of a probability table
    by_lead: bool = False  # multi-class: the best wanted class must lead the best unwanted one
    wanted: frozenset[Any] = frozenset()  # wanted labels where there are only labels
    threshold: float = 0.5
    low: float = -np.inf
    high: float = np.inf
    softness: float = 1.0  # regression: the distance at which a miss has lost most of its outcome
    margin: float = 0.0
    sign: int = 1  # decision functions are positive for the second class

    def judge(self, raw: npt.NDArray[Any]) -> tuple[Floats, Floats]:
        """M(x') in [0, 1], good ⇔ above 0.5, NaN only where the model's number is; and that number.

        The number is P(wanted), the prediction, or 1 and 0 for labels.
        """
        try:
            if self.output == "label":
                raw = np.array([plain(v) in self.wanted for v in raw], np.float64)
            numbers = np.ascontiguousarray(raw, np.float64)
        except (TypeError, ValueError) as error:
            kind = "labels" if self.output == "label" else "numbers"
            raise ModelError(f"the model returned {raw.dtype} values that are no {kind}: {error}") from error
        return self._of_answers(numbers if numbers.ndim == 2 else numbers[:, None])

    def outcome(self, raw: npt.NDArray[Any]) -> Floats:
        """M(x') alone."""
        return self.judge(raw)[0]

    def gap(self, outcome: float, number: float) -> float:
        """How far a number is from good, in its own units; 0 if it is good, 1 for a label."""
        if outcome > 0.5:
            return 0.0
        if self.output == "label":
            return 1.0
        if self.by_lead:
            return 1.0 - 2.0 * outcome  # what the best unwanted class leads by
        if self.output == "number":
            return max(self.low - number, number - self.high)
        return self.margin - self.sign * number if self.output == "decision" else self.threshold - number

    def verdict(self, link: Link, both: bool = False) -> _core.Verdict:
        """The same in the native core, from a compiled model's sums; ``both``: one column stands for two classes."""
        kind = "lead" if self.by_lead else {"number": "interval", "decision": "decision"}.get(self.output, "threshold")
        judge = _core.Judge(kind, self.threshold, self.low, self.high, self.softness, self.margin, self.sign)
        return _core.Verdict(link.core, both, self.columns, self.by_lead, judge)

    @cached_property
    def _of_answers(self) -> _core.Verdict:
        return self.verdict(Link("identity"))


def plain(value: Any) -> Any:
    """A NumPy scalar as the Python value it stands for."""
    return value.item() if isinstance(value, np.generic) else value
