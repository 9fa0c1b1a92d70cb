"""Question: what is asked about an x, checked before anything else is done."""

from __future__ import annotations

from dataclasses import dataclass

from geco.given import switch
from geco.models.asking.meter import Budget
from geco.whole import whole

MOST_ANSWERS = 1_000_000  # of one x
LARGEST_SEED = 2**64 - 1


@dataclass(frozen=True)
class Question:
    """What is asked about an x, see ``Explainer.explain``."""

    k: int
    seed: int
    max_evals: int | None
    diverse: bool

    def __post_init__(self) -> None:
        numbers = {"k": whole("k", self.k, 1, MOST_ANSWERS), "seed": whole("seed", self.seed, 0, LARGEST_SEED)}
        if self.max_evals is not None:
            numbers["max_evals"] = whole("max_evals", self.max_evals, 1)
        vars(self).update(numbers, diverse=switch("diverse", self.diverse))

    def budget(self, verify: bool) -> Budget:
        return Budget(self.max_evals, kept_rows=2 * self.k + 1 if verify else 0)
