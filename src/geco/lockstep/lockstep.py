"""lockstep: many runs of Algorithm 1 at once, so that one model call per round serves them all.

A run is the generator in algorithm1.py: it stops where M is called and yields a Request, or Rounds that the native core
can carry out alone, on threads of its own. One run is ``explain``; many in lock-step are ``explain_many``. Runs know
nothing of each other, so each gives the answer it gives alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import perf_counter

from geco import _core
from geco.algorithm1 import Steps
from geco.answers.explanation import Explanation, completed
from geco.models.asking.batches import Request, answer
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.rounds import Rounds

MOST_RUNS = 256
MOST_ROWS = 5_000_000  # of all group tables of all runs under way; each run has its own columns over them

WAIT = 0.1  # seconds for rounds to end; then signals are looked at
FEW = 16  # runs to wait for: waking for each of them would interrupt the threads each time
IN_TURN = 32  # runs whose rounds are carried out one after the other, where there is one thread
TURN = 0.02  # of the time left: what one turn of all runs may take, model calls aside


def runs_at_once(parts: Parts) -> int:
    """How many explanations may be under way at a time: enough to share calls, few enough to keep memory flat."""
    return max(4, min(MOST_RUNS, MOST_ROWS // max(1, parts.rows_per_run)))


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Run:
    """One explanation under way: what it waits for, later its explanation."""

    def __init__(self, number: int, steps: Steps) -> None:
        self.number, self.steps = number, steps
        self.request: Request | Rounds | None = None
        self.explanation: Explanation | None = None
        self.seconds = 0.0

    def advance(self) -> float:
        """Go on to the next request, or to the end; returns the seconds that took."""
        started = perf_counter()
        answered, self.request = self.request, None
        try:
            failed = answered.error if isinstance(answered, Request) else None
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


class Threads:
    """Rounds under way on threads of the native core, without Python; with one thread those of a few runs in turn.

    In turn, for what rounds look at takes the place of all else in the cache: to begin and to end some runs one after
    the other saves a tenth of a batch (benchmarks/acceptance/fast.py, batches).
    """

    def __init__(self, threads: int, endless: bool) -> None:
        """``endless``: there is no deadline, so that a run may wait for others."""
        self.pool = _core.Pool(threads) if threads > 1 else None
        self.few = 1 if not endless else IN_TURN if self.pool is None else FEW
        self.runs: dict[int, Run] = {}

    @property
    def alone(self) -> bool:
        """True if rounds go on while something else is done."""
        return self.pool is not None

    @property
    def room(self) -> bool:
        """True if rounds of one more run may wait here."""
        return self.alone or len(self.runs) < self.few

    def begin(self, run: Run, rounds: Rounds) -> None:
        self.runs[run.number] = run
        if self.pool is not None:
            self.pool.submit(run.number, rounds.core, rounds.most)

    def ended(self, wait: bool) -> list[Run]:
        """The runs whose rounds are done; waits a moment for a few."""
        if not self.runs:
            return []
        if self.pool is not None:
            return [self.runs.pop(number) for number in self.pool.finished(WAIT if wait else 0.0, self.few)]
        done = list(self.runs.values()) if wait else []
        for run in done:
            if isinstance(run.request, Rounds):
                run.request.carry_out()
            del self.runs[run.number]
        return done

    def close(self) -> None:
        """Nothing is under way after this."""
        if self.pool is not None:
            self.pool.close()


def alone(steps: Steps, clock: Clock) -> Explanation:
    """One run by itself, which has nobody to wait for."""
    run, pace = Run(0, steps), Pace(clock, most=1)
    while True:
        pace.advance(run)
        if run.explanation is not None:
            return completed(run.explanation, seconds=run.seconds)
        if isinstance(run.request, Rounds):
            run.request.carry_out()
        elif run.request is not None:
            clock.own_seconds = 2 * pace.mean
            answer([run.request], clock)


def lockstep(runs: Iterator[Steps], clock: Clock, most: int, threads: int = 1) -> Iterator[tuple[int, Explanation]]:
    """Number and explanation of every run, as they end; at most ``most`` are under way at a time.

    Once the clock has stopped no further run is taken from ``runs``: what is left there was never begun.
    """
    pace, numbered = Pace(clock, most), enumerate(runs)
    sweeping = Threads(threads, clock.endless)
    waiting: list[Run] = []  # for the user's model
    ended: list[Run] = []

    def go_on(run: Run) -> None:
        pace.advance(run)
        if isinstance(run.request, Rounds):
            sweeping.begin(run, run.request)
        else:
            (ended if run.request is None else waiting).append(run)

    try:
        while True:
            while (
                sweeping.room and pace.room(len(waiting) + len(sweeping.runs)) and (following := next(numbered, None))
            ):
                go_on(Run(*following))
            if not waiting and not sweeping.runs and not ended:
                return
            answering = bool(waiting) and (not sweeping.runs or (sweeping.alone and 2 * len(waiting) >= most))
            ready = sweeping.ended(wait=not answering and not ended)
            if answering:
                clock.own_seconds = 2 * len(waiting) * pace.mean  # once to take the answers, once to conclude
                answer([run.request for run in waiting if isinstance(run.request, Request)], clock)
                ready, waiting[:] = ready + waiting, []
            for run in ready:
                go_on(run)
            for run in ended:
                if run.explanation is not None:
                    yield run.number, completed(run.explanation, seconds=run.seconds)
            ended.clear()
    finally:
        sweeping.close()
