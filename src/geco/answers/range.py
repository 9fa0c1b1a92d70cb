"""Range: which other values of one changed feature would also do, while all else in the answer stays as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from geco.answers.values import plain


@dataclass(frozen=True)
class Range:
    """Around the chosen value, the values of D that keep every rule and the good outcome.

    Attributes
    ----------
    low, high : the ends of the run; of a category both are the chosen value.
    least, most : nothing that the rules allow lies below ``low``, or above ``high``, on this side of x.
    lowest, highest : D has nothing below ``low``, or above ``high``: whatever is there, rules or not, is in the range.
    others : of categories and ordered text, the other values that would also do.
    tried : how many values the model was asked about; None where a compiled model judged all of them.
    """

    low: Any
    high: Any
    least: bool = False
    most: bool = False
    others: tuple[Any, ...] = ()
    tried: int | None = None
    lowest: bool = False
    highest: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {
            "low": plain(self.low),
            "high": plain(self.high),
            "least": bool(self.least),
            "most": bool(self.most),
            "others": [plain(value) for value in self.others],
            "tried": self.tried,
            "lowest": bool(self.lowest),
            "highest": bool(self.highest),
        }
