"""recheck: earlier answers under a new model: which still hold, and what would take the place of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np

from geco.batch.explanations import Explanations
from geco.data.domain import Domain
from geco.explanation import Counterfactual, Explanation
from geco.instance import read_instance
from geco.models.answer import Request, answer
from geco.models.callable import BlackBox
from geco.models.meter import Clock
from geco.rendering import plain
from geco.trace import Trace


@dataclass(frozen=True)
class Rechecked:
    """One earlier answer under the new model.

    Attributes
    ----------
    row, place : the explanation it belongs to (from 0) and its place there (from 1).
    counterfactual : as it was given.
    holds : it is good under the new model too.
    outcome : the new model's own number for it; of several models, that of the one that likes it least.
    gap : how far that number is from good; 0 if it holds.
    instead : if it does not hold, the nearest answer for the same x under the new model; None if none was found.
    """

    row: int
    place: int
    counterfactual: Counterfactual
    holds: bool
    outcome: float
    gap: float
    instead: Counterfactual | None = None

    @property
    def farther(self) -> float:
        """How much farther from x the nearest answer is now; 0 if this one holds, infinite if there is none."""
        if self.holds:
            return 0.0
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
        """Plain data, ready for JSON: dates are ISO text, missing values are None."""
        return [
            {
                "row": each.row,
                "place": each.place,
                "holds": each.holds,
                "outcome": plain(each.outcome),
                "gap": plain(each.gap),
                "values": {name: plain(value) for name, value in each.counterfactual.values.items()},
                "distance": float(each.counterfactual.distance),
                "instead": None if each.instead is None else each.instead.to_dict(),
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
    said = [_ask(model, [cf for _, _, cf in given], domain) for model in models]
    least = [max(of_one, key=lambda each: (not each.good, each.gap)) for of_one in zip(*said, strict=True)]
    broken = sorted({r for (r, _, _), new in zip(given, least, strict=True) if not new.good})
    anew = explain_many([explanations[r].x for r in broken], k=1)
    nearest = {r: e.counterfactuals[0] if e.counterfactuals else None for r, e in zip(broken, anew, strict=True)}
    return Rechecks(
        Rechecked(row, place, cf, new.good, new.number, new.gap, None if new.good else nearest[row])
        for (row, place, cf), new in zip(given, least, strict=True)
    )


class _Said(NamedTuple):
    good: bool
    number: float
    gap: float


def _ask(model: BlackBox, answers: Sequence[Counterfactual], domain: Domain) -> list[_Said]:
    """What the model says of each."""
    x_rows = np.zeros((1, len(domain.tables)), np.int32)
    trace = Trace()
    requests = [Request(model, model.inputs.of(read_instance(cf.values, domain)), x_rows, 1, trace) for cf in answers]
    answer(requests, Clock(None))
    for request in requests:
        if request.error is not None:
            raise request.error
    judged = [(float(request.outcome[0]), float(request.numbers[0])) for request in requests]
    return [_Said(outcome > 0.5, number, model.goal.gap(outcome, number)) for outcome, number in judged]
