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

    def advance(self) -> None:
        """Go on to the next request, or to the end."""
        started = perf_counter()
        answered, self.request = self.request, None
        try:
            failed = answered is not None and answered.error
            self.request = self.steps.throw(failed) if failed else next(self.steps)
        except StopIteration as end:
            self.explanation = end.value
        self.seconds += perf_counter() - started + (answered.seconds if answered else 0.0)


def lockstep(runs: Iterator[Steps], model: BlackBox, clock: Clock, most: int) -> Iterator[tuple[int, Explanation]]:
    """Number and explanation of every run, as they end; at most ``most`` are under way at a time.

    Once the clock has stopped no further run is taken from ``runs``: what is left there was never begun.
    """
    active: list[Run] = []
    begun = 0
    while True:
        while len(active) < most and not (begun and clock.over) and (steps := next(runs, None)) is not None:
            active.append(Run(begun, steps))
            active[-1].advance()
            begun += 1
        if not active:
            return
        for run in active:
            if run.explanation is not None:
                yield run.number, replace(run.explanation, seconds=run.seconds)
        active = [run for run in active if run.request is not None]
        answer(model, [run.request for run in active if run.request is not None], clock)
        for run in active:
            run.advance()
