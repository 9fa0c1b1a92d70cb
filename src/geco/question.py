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
    """What is asked about an x, see ``Explainer.explain``; made by ``Question.of``."""

    k: int
    seed: int
    max_evals: int | None
    diverse: bool

    @classmethod
    def of(cls, k: int, seed: int, max_evals: int | None, diverse: bool) -> Question:
        """As the user gave it, checked; whole numbers of NumPy and the like become Python's."""
        k, seed = whole("k", k, 1, MOST_ANSWERS), whole("seed", seed, 0, LARGEST_SEED)
        most = None if max_evals is None else whole("max_evals", max_evals, 1)
        return cls(k, seed, most, switch("diverse", diverse))

    def budget(self, verify: bool) -> Budget:
        return Budget(self.max_evals, kept_rows=2 * self.k + 1 if verify else 0)
