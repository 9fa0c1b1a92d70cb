"""Tried: explanations by the rules that were dropped, and what they say of each other.

An answer that breaks none of the dropped rules but some is an answer without those alone, and without any more of them.
A proof goes the other way: if nothing nearer exists without some rules, nothing does with more of them. So one easy
proof often settles what others would take long for.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from geco.answers.explanation import Counterfactual, Explanation
from geco.errors import DataError
from geco.lockstep.lockstep import cores
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.question import Question
from geco.questions.asking import ask_all, dropping, proving
from geco.search.exact import Exact
from geco.space.distance import Distance

Dropped = frozenset[int]  # numbers of rules
NOTHING: Dropped = frozenset()
FIRST = 0.05  # seconds that each proof has at first
SECONDS = 2.0  # for all that take longer, where there is no deadline
BEGINNING = 0.3  # of the time until a deadline: what the first proofs of all that is asked together may take
KEPT = 0.2  # of what is left of it then: not for proofs
LEAST = 1e-3  # seconds of any proof
LENDERS = 3  # rules, the easiest first, that are given up as well where a proof is hard
SAME = 1e-12  # distances that differ by less are the same


class Tried:
    """What was found for one x, each set of dropped rules asked once; answers are not rounded, so that they compare."""

    def __init__(self, parts: Parts, x: dict[str, Any], seed: int, clock: Clock) -> None:
        self.parts, self.x, self.clock = proving(_unrounded(parts)), x, clock
        self.question = Question.of(self.parts.method, 1, seed, None, "top")
        self.said: dict[Dropped, Explanation] = {}
        self._found: dict[Dropped, Counterfactual] = {}
        self._seconds = SECONDS

    @property
    def proves(self) -> bool:
        return isinstance(self.parts.method, Exact)

    def ask(self, sets: Iterable[Dropped]) -> None:
        """Ask what there is without these rules, where that is not known; proofs that take long are put off."""
        new = [each for each in dict.fromkeys(sets) if each not in self.said]
        if new:
            self._ask(new, min(FIRST, _shared(BEGINNING * self.clock.left, len(new))))

    def _ask(self, sets: Sequence[Dropped], seconds: float) -> None:
        """With so many seconds for each proof; once the deadline is over the rest stays unasked."""
        runs = [(dropping(self.parts, each) if each else self.parts, self.x) for each in sets]
        question = replace(self.question, prove=max(seconds, LEAST)) if self.proves else self.question
        for dropped, said in zip(sets, ask_all(runs, question, self.clock), strict=False):
            if said.status == "failed":
                raise DataError(said.reason)
            self.said[dropped] = said
            if (cf := _first(said)) is not None:
                self._keep(cf, self._breaks(cf, dropped))

    def answer(self, dropped: Dropped) -> Counterfactual | None:
        """The nearest answer known that breaks none but these."""
        known = [cf for needed, cf in self._found.items() if needed <= dropped]
        return min(known, key=lambda cf: cf.distance, default=None)

    def helps(self, dropped: Dropped) -> bool:
        """There is an answer without these; asked only where nothing known says so."""
        if self.answer(dropped) is None and not self.settled(dropped):
            self.ask([dropped])
        return self.answer(dropped) is not None

    def near(self, dropped: Dropped) -> float:
        """How far that is; infinite where there is none."""
        cf = self.answer(dropped)
        return math.inf if cf is None else cf.distance

    def settled(self, dropped: Dropped) -> bool:
        """It is proved that nothing nearer exists, or nothing at all."""
        least = self.near(dropped) - SAME
        return any(_bound(said) >= least for more, said in self.said.items() if dropped <= more)

    def in_time(self, dropped: Dropped) -> bool:
        """It is settled, or the search ended by itself and there is no proof to be had."""
        return (self.ended(dropped) and self.said[dropped].proven is None) or self.settled(dropped)

    def ended(self, dropped: Dropped) -> bool:
        """The search for an answer was not cut short."""
        return dropped in self.said and self.said[dropped].stopped_by != "deadline"

    def least(self, most: Dropped) -> Dropped:
        """The fewest rules, all among these, known to bring an answer when they are dropped."""
        return min((each for each in self._found if each <= most), key=lambda each: (len(each), self.near(each)))

    def settle(self, sets: Collection[Dropped], part: float = 1.0) -> None:
        """Prove what was found without these as far as time allows, of which ``part`` may be used; twice.

        What the first turn proves may be what the others need.
        """
        for turn in (0.5, 1.0):
            began = perf_counter()
            self._lend(sets)
            seconds = turn * part * (self._seconds if self.clock.endless else (1 - KEPT) * self.clock.left)
            hard = self._open(sets)
            if hard and seconds > 0:
                self._ask(hard, _shared(seconds, len(hard)))
            self._seconds -= perf_counter() - began

    def _lend(self, sets: Collection[Dropped]) -> None:
        """Try what is not settled without one more rule, which costs nothing and was easy to prove so."""
        nearest = self.near(NOTHING) - SAME
        lenders = [each for each in sets if each and each in self.said and self.settled(each)]
        lenders = [each for each in lenders if self.near(each) >= nearest]
        for easy in sorted(lenders, key=lambda each: self.said[each].trace.seconds.get("prove", 0.0))[:LENDERS]:
            if self.clock.left > 0:
                self.ask([each | easy for each in self._open(sets)])

    def _open(self, sets: Collection[Dropped]) -> list[Dropped]:
        """Those that are not settled, but where a proof is to be had."""
        asked = [each for each in sets if each in self.said and self.said[each].proven is False]
        return [each for each in asked if not self.settled(each)]

    def _breaks(self, cf: Counterfactual, dropped: Dropped) -> Dropped:
        rules = self.parts.deployment.check.rules
        return frozenset(number for number in dropped if not rules[number][1](self.x, cf.values))

    def _keep(self, cf: Counterfactual, needed: Dropped) -> None:
        if needed not in self._found or cf.distance < self._found[needed].distance:
            self._found[needed] = cf


def _shared(seconds: float, runs: int) -> float:
    """What each of these may take if all of them, side by side, are to take so long."""
    return seconds * min(cores(), runs) / runs


def _first(said: Explanation) -> Counterfactual | None:
    """The nearest answer; where x broke a rule that is gone it may be x itself, with nothing changed."""
    if said.status == "already_good":
        return Counterfactual(said.x, (), 0.0, said.outcome, confirmed=True)
    return said.counterfactuals[0] if said.counterfactuals else None


def _bound(said: Explanation) -> float:
    """What is proved: nothing is nearer than this."""
    if said.status == "infeasible":
        return math.inf
    if said.status == "already_good" or not said.proven:
        return 0.0
    return said.counterfactuals[0].distance if said.counterfactuals else math.inf


def _unrounded(parts: Parts) -> Parts:
    """The same with answers as the search finds them."""
    if not parts.params.round:
        return parts
    distance = Distance(parts.domain, replace(parts.params, round=False))
    rules = range(len(parts.deployment.rules))
    return replace(parts, deployment=parts.deployment.asked_with(parts.program, rules, distance))
