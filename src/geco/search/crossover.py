"""crossover: combine the best candidates of every two Δ sets (Sec. 4.5, Algorithm 3).

In: a ranked population and the FeasibleSpace. Out: new candidates, rules already enforced. The pair loop is native
(native/core/operators.hpp).
"""

from __future__ import annotations

from typing import TypeVar

from geco import _core
from geco.population.base import Candidates

C = TypeVar("C", bound=Candidates)


def crossover(population: C, space: _core.Space, seed: int, round: int, counts: _core.CascadeCounts) -> C:
    """One candidate per pair of Δ sets; a group changed by both parents takes either's row at random."""
    return population.crossover(space, seed, round, counts)
