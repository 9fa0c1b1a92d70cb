"""score (Eq. 11) and selectFittest (Sec. 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from geco import _core
from geco.population.base import Candidates, Floats

C = TypeVar("C", bound=Candidates)


@dataclass(frozen=True)
class Population(Generic[C]):
    """Ranked candidates, best first, with their distance and outcome."""

    candidates: C
    distance: Floats
    outcome: Floats

    def __len__(self) -> int:
        return len(self.candidates)


def score(distance: Floats, outcome: Floats) -> Floats:
    """Eq. 11: the distance; for candidates that are not counterfactual also 1 and what is missing to a sure yes.

    Examples
    --------
    >>> score(np.array([0.2, 0.1]), np.array([0.9, 0.25])).tolist()
    [0.2, 1.85]
    """
    return np.where(outcome > 0.5, distance, distance + 1 + (1 - outcome))


def select_fittest(
    population: Population[C] | None, candidates: C, distance: Floats, outcome: Floats, q: int
) -> Population[C]:
    """The q best of the population and the new candidates, ranked by score; unscored (NaN) ones are left out."""
    if population is None:
        best = _core.rank(distance, outcome, q)
        return Population(candidates.take(best), distance[best], outcome[best])
    old = len(population)
    distance = np.concatenate([population.distance, distance])
    outcome = np.concatenate([population.outcome, outcome])
    best = _core.rank(distance, outcome, q)
    # Take before joining: the many that are not selected are never copied.
    kept, new = best[best < old], best[best >= old]
    joined = population.candidates.take(kept).concat(candidates.take(new - old))
    ranked = joined.take(np.argsort(np.argsort(best >= old, kind="stable"), kind="stable"))
    return Population(ranked, distance[best], outcome[best])
