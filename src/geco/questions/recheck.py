"""recheck: earlier answers under a new model: which still hold, and what would replace the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np

from geco.answers.explanation import Counterfactual, Explanation
from geco.answers.explanations import Explanations
from geco.answers.values import plain
from geco.data.domain import Domain
from geco.data.instance import read_instance
from geco.errors import ModelError, SettingsError
from geco.models.asking.batches import Request, answer
from geco.models.asking.blackbox import BlackBox
from geco.models.asking.meter import Clock
from geco.trace import Trace


@dataclass(frozen=True)
class Rechecked:
    """One earlier answer under the new model.

    Attributes
    ----------
    row, place : the explanation it belongs to (from 0) and its place there (from 1).
    counterfactual : as it was given.
    holds : it is good under the new model too.
    outcome : the new model's number for it; of several models, the least favourable.
    gap : how far that number is from good; 0 if it holds.
    instead : if it does not hold, the nearest answer for the same x under the new model; None if none was found.
    unneeded : if it does not hold, whether the new model calls x itself good, so that nothing has to replace it.
    """

    row: int
    place: int
    counterfactual: Counterfactual
    holds: bool
    outcome: float
    gap: float
    instead: Counterfactual | None = None
    unneeded: bool = False

    @property
    def farther(self) -> float:
        """How much farther from x the nearest good one is now; 0 if this one holds, infinite if there is none."""
        if self.holds:
            return 0.0
        if self.unneeded:
            return -self.counterfactual.distance
        return np.inf if self.instead is None else self.instead.distance - self.counterfactual.distance


class Rechecks(Sequence[Rechecked]):
    """All of them, in the order of the explanations."""

    def __init__(self, rechecked: Iterable[Rechecked]) -> None:
        self._all = tuple(rechecked)

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, place: int) -> Rechecked: ...
    @overload
    def __getitem__(self, place: slice) -> Rechecks: ...
    def __getitem__(self, place: int | slice) -> Rechecked | Rechecks:
        return Rechecks(self._all[place]) if isinstance(place, slice) else self._all[place]

    @property
    def holding(self) -> int:
        """How many still hold."""
        return sum(each.holds for each in self._all)

    def __repr__(self) -> str:
        return f"<Rechecks: {self.holding:,} of {len(self):,} answers hold>"

    def to_dicts(self) -> list[dict[str, Any]]:
        """Plain data, ready for JSON: dates are ISO text, what is missing or not a number is None."""
        return [
            {
                "row": each.row,
                "place": each.place,
                "holds": each.holds,
                "outcome": plain(each.outcome),
                "gap": plain(each.gap),
                "values": each.counterfactual.to_dict()["values"],
                "distance": float(each.counterfactual.distance),
                "instead": None if each.instead is None else each.instead.to_dict(),
                "unneeded": each.unneeded,
            }
            for each in self._all
        ]


def recheck(
    explanations: Sequence[Explanation],
    models: Sequence[BlackBox],
    domain: Domain,
    explain_many: Callable[..., Explanations],
) -> Rechecks:
    """Ask the new models about every answer at once; explain anew those rows of which an answer no longer holds."""
    given = [(r, p, cf) for r, e in enumerate(explanations) for p, cf in enumerate(e.counterfactuals, 1)]
    said = [_ask(model, given, domain) for model in models]
    least = [min(of_one, key=lambda each: each.outcome) for of_one in zip(*said, strict=True)]
    broken = sorted({r for (r, _, _), new in zip(given, least, strict=True) if not new.good})
    anew = explain_many([explanations[r].x for r in broken], k=1)
    in_its_place = {r: _in_its_place(e) for r, e in zip(broken, anew, strict=True)}
    return Rechecks(
        Rechecked(row, place, cf, new.good, new.number, new.gap, *((None, False) if new.good else in_its_place[row]))
        for (row, place, cf), new in zip(given, least, strict=True)
    )


def explanations_of(given: Any) -> list[Explanation]:
    """One explanation or several, as a list."""
    one = isinstance(given, Explanation) or not isinstance(given, Iterable)
    try:
        several = [given] if one else list(given)
    except Exception:  # NumPy calls an array without dimensions iterable
        several = [given]
    for each in several:
        if not isinstance(each, Explanation):
            raise SettingsError(
                f"explanations must be what explain or explain_many returned, got {type(each).__name__}"
            )
    return several


def _in_its_place(anew: Explanation) -> tuple[Counterfactual | None, bool]:
    """The nearest answer now, and whether x needs none."""
    return (anew.counterfactuals[0] if anew.counterfactuals else None), anew.status == "already_good"


class _Said(NamedTuple):
    outcome: float  # M(x'); 0 where the model's number is none
    number: float
    gap: float

    @property
    def good(self) -> bool:
        return self.outcome > 0.5


def _ask(model: BlackBox, given: Sequence[tuple[int, int, Counterfactual]], domain: Domain) -> list[_Said]:
    """What the model says of each."""
    x_rows = np.zeros((1, len(domain.tables)), np.int32)
    trace = Trace()
    inputs = [model.inputs.of(read_instance(cf.values, domain)) for _, _, cf in given]
    requests = [Request(model, each, x_rows, 1, trace) for each in inputs]
    answer(requests, Clock(None))
    for (row, place, _), request in zip(given, requests, strict=True):
        if request.error is not None:
            raise ModelError(f"answer {place} of explanation {row} cannot be rechecked: {request.error}")
    judged = [(float(np.nan_to_num(request.outcome[0])), float(request.numbers[0])) for request in requests]
    return [_Said(outcome, number, model.goal.gap(outcome, number)) for outcome, number in judged]
