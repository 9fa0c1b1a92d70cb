"""Question: what is asked about an x, checked before anything else is done."""

from __future__ import annotations

from dataclasses import dataclass

from geco.errors import SettingsError, shown
from geco.given import choice, number, switch
from geco.models.asking.meter import Budget
from geco.search.base import KINDS, Kind, Method, Prove
from geco.whole import whole

MOST_ANSWERS = 1_000_000  # of one x
LARGEST_SEED = 2**64 - 1


@dataclass(frozen=True)
class Question:
    """What is asked about an x, see ``Explainer.explain``; made by ``Question.of``."""

    k: int
    seed: int
    max_evals: int | None
    ways: Kind
    ranges: bool = True
    prove: Prove = "quick"

    @classmethod
    def of(
        cls,
        method: Method,
        k: int,
        seed: int,
        max_evals: int | None,
        ways: Kind | None,
        diverse: object = None,
        *,
        ranges: bool = True,
        prove: object = "quick",
    ) -> Question:
        """As the user gave it, checked; whole numbers of NumPy and the like become Python's."""
        k, seed = whole("k", k, 1, MOST_ANSWERS), whole("seed", seed, 0, LARGEST_SEED)
        most = None if max_evals is None else whole("max_evals", max_evals, 1)
        if diverse is not None:
            raise SettingsError(
                "diverse is now ways: 'minimal' (no answer holds a nearer one), 'sets' (what diverse=True was) "
                f"or 'top' (what diverse=False was), got diverse={shown(diverse)}"
            )
        return cls(k, seed, most, _ways(method, ways), switch("ranges", ranges), method.proves(read_prove(prove)))

    def budget(self, verify: bool) -> Budget:
        return Budget(self.max_evals, kept_rows=2 * self.k + 1 if verify else 0)


def read_prove(given: object) -> Prove:
    """How far proofs go, checked.

    Examples
    --------
    >>> read_prove("quick"), read_prove(2), read_prove(False)
    ('quick', 2.0, False)
    """
    if given is False or given == "quick":
        return "quick" if given else False
    seconds = number(given)
    if seconds is None or not seconds > 0:
        raise SettingsError(f"prove must be 'quick', a number of seconds or False, got {shown(given)}")
    return seconds


def _ways(method: Method, ways: Kind | None) -> Kind:
    if ways is None:
        return method.kinds[0]
    choice("ways", ways, KINDS)
    if ways not in method.kinds:
        known = " or ".join(map(repr, method.kinds))
        raise SettingsError(f"{method!r} does not look for ways={ways!r}; use {known}, or method='frontier'")
    return ways
