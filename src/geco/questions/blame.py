"""blame: a smallest set of rules to give up where there is no answer with all; of several the one with the nearest.

It comes from hitting sets: every set of rules that cannot be kept together must lose one, so the smallest set that hits
all of those known is tried next; if it does not help, what is left holds another such set, which is cut down first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, islice
from time import perf_counter
from typing import NamedTuple

from geco.questions.tried import NOTHING, Dropped, Tried

MOST_SETS = 200_000  # hitting sets looked at before the search gives up
RIVALS = 16  # sets of the same size whose answers are compared
SECONDS = 2.5  # for sets of several rules where there is no deadline and the model is quick enough to be proved


class Blame(NamedTuple):
    """The rules to give up, None if no rule is to blame; and whether it is proved that no smaller set would do."""

    rules: Dropped | None
    proven: bool


def blame(tried: Tried, every: Dropped) -> Blame:
    """Which of these rules to give up; each of them was tried alone."""
    alone = [frozenset([rule]) for rule in sorted(every)]
    if helping := [each for each in alone if tried.answer(each) is not None]:
        return Blame(min(helping, key=tried.near), tried.settled(NOTHING))
    if not tried.helps(every):
        return Blame(None, tried.settled(every))
    return _Sets(tried, every).smallest()


class _Sets:
    """The search for a set of several rules."""

    def __init__(self, tried: Tried, every: Dropped) -> None:
        self.tried, self.every = tried, every
        self.conflicts: list[Dropped] = [every]  # rules that cannot be kept together
        self._ends = perf_counter() + SECONDS if tried.proves and tried.clock.endless else None

    @property
    def late(self) -> bool:
        return self.tried.clock.left <= 0 or (self._ends is not None and perf_counter() > self._ends)

    def smallest(self) -> Blame:
        while not self.late and (chosen := _smallest_hitting(self.conflicts)) is not None:
            if not self.tried.helps(chosen):
                self.conflicts.append(self._cut_down(self.every - chosen))
            elif self._hold():
                return self._nearest(chosen)
        return Blame(self._fewer(self.tried.least(self.every)), False)

    def _hold(self) -> bool:
        """The conflicts are still such after all that time allows was proved."""
        kept = [self.every - conflict for conflict in self.conflicts]
        self.tried.settle(kept)
        self.conflicts = [c for c in self.conflicts if self.tried.answer(self.every - c) is None]
        return len(self.conflicts) == len(kept)

    def _nearest(self, chosen: Dropped) -> Blame:
        """Of the sets of this size that may do, the one with the nearest answer."""
        rivals = [chosen, *islice(_hitting(self.conflicts, len(chosen)), RIVALS)]
        self.tried.ask(rivals)
        helping = [each for each in rivals if self.tried.answer(each) is not None]
        proven = all(self.tried.settled(self.every - conflict) for conflict in self.conflicts)
        return Blame(min(helping, key=self.tried.near), proven)

    def _cut_down(self, kept: Dropped) -> Dropped:
        """A smaller set of rules that cannot be kept together, from one that cannot."""
        for rule in sorted(kept):
            if self.late:
                break
            if not self.tried.helps(self.every - (kept - {rule})):
                kept -= {rule}
        return kept

    def _fewer(self, dropped: Dropped) -> Dropped:
        """A set that can lose no rule, from one that helps."""
        for rule in sorted(dropped):
            if self.tried.clock.left > 0 and self.tried.helps(dropped - {rule}):
                dropped = self.tried.least(dropped)
        return dropped


def _smallest_hitting(conflicts: Sequence[Dropped]) -> Dropped | None:
    """A smallest set that shares a rule with each of these; None if that takes too long."""
    most = len(frozenset[int]().union(*conflicts))
    looked = 0
    for size in range(1, most + 1):
        for chosen in _sets_of(conflicts, size):
            looked += 1
            if looked > MOST_SETS:
                return None
            if _hits(chosen, conflicts):
                return chosen
    return None


def _hitting(conflicts: Sequence[Dropped], size: int) -> Iterator[Dropped]:
    """The sets of this size that share a rule with each."""
    looked = islice(_sets_of(conflicts, size), MOST_SETS)
    return (chosen for chosen in looked if _hits(chosen, conflicts))


def _sets_of(conflicts: Sequence[Dropped], size: int) -> Iterator[Dropped]:
    return map(frozenset, combinations(sorted(frozenset[int]().union(*conflicts)), size))


def _hits(chosen: Dropped, conflicts: Collection[Dropped]) -> bool:
    return all(not conflict.isdisjoint(chosen) for conflict in conflicts)
