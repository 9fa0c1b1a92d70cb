"""Scale: an outcome as a person reads it: a probability as a number out of 100, anything else as it is."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from geco.answers.speech import Speech, is_quantity, written
from geco.answers.values import shorten

if TYPE_CHECKING:
    from geco.answers.explanation import Explanation

_MOST_DIGITS = 17  # behind the point: as many as tell two probabilities apart


@dataclass(frozen=True)
class Scale:
    """``limit`` is the probability above which a yes begins; None where the outcome is no probability."""

    speech: Speech
    limit: float | None

    @classmethod
    def of(cls, explanation: Explanation, speech: Speech) -> Scale:
        """Of what counts as good in this explanation, by its words: ``P(good) > 0.5``."""
        what, _, limit = explanation.target.rpartition(" > ")
        if not what.startswith("P(") or not is_quantity(explanation.outcome):
            return cls(speech, None)
        try:
            return cls(speech, float(limit))
        except ValueError:
            return cls(speech, None)

    def told(self, outcome: Any) -> str:
        """A whole number, with more digits where it would read as the limit itself."""
        if self.limit is None or not is_quantity(outcome):
            return shorten(outcome)
        for digits in range(_MOST_DIGITS):
            short = round(Decimal(repr(float(outcome))) * 100, digits)
            if short != round(Decimal(repr(self.limit)) * 100, digits) or outcome == self.limit:
                break
        return written(short, self.speech.texts)
