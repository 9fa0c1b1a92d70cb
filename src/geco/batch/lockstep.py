"""lockstep: many runs of Algorithm 1 at once, so that one model call per round serves them all.

A run is the generator in explain.py: it stops where M is called and yields a Request. One run in lock-step is
``explain``; many are ``explain_many``. Runs know nothing of each other, so each gives the answer it gives alone.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from time import perf_counter

from geco.data.domain import Domain
from geco.explanation import Explanation
from geco.models.answer import Request, answer
from geco.models.callable import BlackBox
from geco.models.meter import Clock

Steps = Generator[Request, None, Explanation]
MOST_RUNS = 256
MOST_ROWS = 5_000_000  # of all group tables of all runs under way; each run has its own columns over them

TURN = 0.02  # of the time left: what one turn of all runs may take, model calls aside


def runs_at_once(domain: Domain) -> int:
    """How many explanations may be under way at a time: enough to share calls, few enough to keep memory flat."""
    return max(4, min(MOST_RUNS, MOST_ROWS // sum(table.rows for table in domain.tables)))


class Run:
    """One explanation under way: the request it waits for, later its explanation."""

    def __init__(self, number: int, steps: Steps) -> None:
        self.number, self.steps = number, steps
        self.request: Request | None = None
        self.explanation: Explanation | None = None
        self.seconds = 0.0

    def advance(self) -> float:
        """Go on to the next request, or to the end; the seconds that took."""
        started = perf_counter()
        answered, self.request = self.request, None
        try:
            failed = answered is not None and answered.error
            self.request = self.steps.throw(failed) if failed else next(self.steps)
        except StopIteration as end:
            self.explanation = end.value
        seconds = perf_counter() - started
        self.seconds += seconds + (answered.seconds if answered else 0.0)
        return seconds


class Pace:
    """How long a run needs on average from one request to the next, and so how many may be under way."""

    def __init__(self, clock: Clock, most: int) -> None:
        self.clock, self.most = clock, most
        self.seconds, self.steps = 0.0, 0

    def advance(self, run: Run) -> None:
        self.seconds += run.advance()
        self.steps += 1

    def room(self, under_way: int) -> bool:
        """True if one more may begin; under a deadline all of them together need only a small part of what is left."""
        if not self.steps:
            return True
        return under_way < self.most and under_way * self.mean < TURN * self.clock.left

    @property
    def mean(self) -> float:
        return self.seconds / self.steps


def lockstep(runs: Iterator[Steps], model: BlackBox, clock: Clock, most: int) -> Iterator[tuple[int, Explanation]]:
    """Number and explanation of every run, as they end; at most ``most`` are under way at a time.

    Once the clock has stopped no further run is taken from ``runs``: what is left there was never begun.
    """
    pace = Pace(clock, most)
    numbered = enumerate(runs)
    active: list[Run] = []
    while True:
        while pace.room(len(active)) and (following := next(numbered, None)):
            active.append(Run(*following))
            pace.advance(active[-1])
        if not active:
            return
        for run in active:
            if run.explanation is not None:
                yield run.number, replace(run.explanation, seconds=run.seconds)
        active = [run for run in active if run.request is not None]
        clock.own_seconds = 2 * len(active) * pace.mean  # once to take the answers, once to conclude
        answer(model, [run.request for run in active if run.request is not None], clock)
        for run in active:
            pace.advance(run)
