"""mutate (Sec. 4.4, Algorithm 2) and selective_mutate (Sec. 4.6).

In: candidates and the FeasibleSpace. Out: new candidates, rules already enforced by action_cascade. The loops are
native (native/core/operators.hpp).
"""

from __future__ import annotations

from typing import TypeVar

from geco import _core
from geco.population.base import Candidates

C = TypeVar("C", bound=Candidates)


def mutate(population: C, space: _core.Space, m: int, seed: int, round: int, counts: _core.CascadeCounts) -> C:
    """For each candidate and each group not in its Δ set, m rows drawn from DG by weight, without replacement."""
    return population.mutate(space, m, False, seed, round, counts)


def selective_mutate(
    population: C, space: _core.Space, m: int, seed: int, round: int, counts: _core.CascadeCounts
) -> C:
    """For each candidate and each group in its Δ set, up to m rows of DG that are nearer to x than the present one."""
    return population.mutate(space, m, True, seed, round, counts)
