"""score (Eq. 11) and selectFittest (Sec. 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from geco import _core
from geco.population.base import Candidates, Floats, Rows

C = TypeVar("C", bound=Candidates)


@dataclass(frozen=True)
class Population(Generic[C]):
    """Ranked candidates, best first, with their distance and outcome."""

    candidates: C
    distance: Floats
    outcome: Floats

    def __len__(self) -> int:
        return len(self.candidates)

    @classmethod
    def nobody(cls, none: C) -> Population[C]:
        """The population before the first generation; ``none`` are no candidates of some representation."""
        return cls(none, np.zeros(0), np.zeros(0))


def score(distance: Floats, outcome: Floats) -> Floats:
    """Eq. 11: the distance; for candidates that are not counterfactual also 1 and what is missing to a sure yes.

    Examples
    --------
    >>> score(np.array([0.2, 0.1]), np.array([0.9, 0.25])).tolist()
    [0.2, 1.85]
    """
    return np.where(outcome > 0.5, distance, distance + 1 + (1 - outcome))


def select_fittest(
    population: Population[C], space: _core.Space, points: Rows, distance: Floats, outcome: Floats, q: int
) -> Population[C]:
    """The q best of the population and the new points, ranked by score; unscored (NaN) ones are left out."""
    distance = np.concatenate([population.distance, distance])
    outcome = np.concatenate([population.outcome, outcome])
    best = _core.rank(distance, outcome, q)
    return Population(population.candidates.select(space, points, best), distance[best], outcome[best])
