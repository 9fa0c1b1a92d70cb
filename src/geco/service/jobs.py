"""Jobs: work that takes longer than a client wants to wait. Followed by its events, cancelled within a round.

Jobs have a worker of their own, started with the first of them, so that nobody who waits at a counter waits for them.
Their number, the size of their results and their age are bounded.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import Any, Literal

from geco.service.frames import Frame
from geco.service.problems import Refused, problem, refused
from geco.service.queue import Full, Lost, Ticket
from geco.service.recorder import Recorder
from geco.service.settings import Settings
from geco.service.tokens import Caller
from geco.service.workers import Pool, StartFailed

LOG = logging.getLogger("geco.service")
State = Literal["waiting", "running", "done", "failed", "cancelled"]
ENDED = ("done", "failed", "cancelled")
MOST_EVENTS = 200  # kept of a job, for whoever connects late
MOST_BYTES = 64_000_000  # of all results
BEAT = 15.0  # seconds between signs of life in a stream of events


@dataclass(eq=False)
class Job:
    """One job."""

    id: str
    owner: str
    do: str
    ticket: Ticket
    created: datetime = field(default_factory=lambda: datetime.now(UTC))
    state: State = "waiting"
    progress: dict[str, Any] | None = None
    result: bytes = b"null"
    problem: dict[str, Any] | None = None
    ended: float | None = None
    events: list[tuple[int, str, dict[str, Any]]] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def facts(self) -> dict[str, Any]:
        created = self.created.isoformat()
        said = {"id": self.id, "do": self.do, "state": self.state, "created": created, "progress": self.progress}
        return {**said, "problem": self.problem}

    @property
    def document(self) -> bytes:
        """What GET answers: the result as the worker wrote it."""
        facts = json.dumps(self.facts, ensure_ascii=False, allow_nan=False).encode()
        return facts[:-1] + b', "result": ' + self.result + b"}"

    def tell(self, kind: str, content: dict[str, Any]) -> None:
        """A new event, for everybody who listens."""
        number = self.events[-1][0] + 1 if self.events else 1
        self.events = [*self.events[-MOST_EVENTS + 1 :], (number, kind, content)]
        self.news.set()
        self.news = asyncio.Event()

    def went_on(self, progress: dict[str, Any]) -> None:
        if self.state == "waiting":
            self.state = "running"
        self.progress = progress
        self.tell("progress", progress)

    def end(self, state: State) -> None:
        self.state, self.ended = state, monotonic()
        self.tell(state, {"state": state})


class Jobs:
    """All of them."""

    def __init__(self, pool: Pool, recorder: Recorder, settings: Settings) -> None:
        self.pool, self.recorder, self.settings = pool, recorder, settings
        self.stopping = asyncio.Event()
        self._jobs: dict[str, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._started = False

    def __len__(self) -> int:
        return sum(job.ended is None for job in self._jobs.values())

    def begin(self, caller: Caller, do: str, arguments: dict[str, Any]) -> Job:
        """Take one on; 429 if there are too many."""
        self._forget()
        if len(self._jobs) >= self.settings.jobs:
            raise _too_many()
        person = self.recorder.person(arguments)
        seconds = min(self.settings.job_seconds, arguments.get("deadline") or self.settings.job_seconds)
        ahead = len(self.pool.line) + self.pool.busy
        ticket = Ticket(do, {**arguments, "deadline": seconds}, (ahead + 1) * self.settings.job_seconds)
        job = Job(secrets.token_urlsafe(18), caller.name, do, ticket)
        ticket.on_progress = job.went_on
        try:
            self.pool.put(ticket)
        except Full:
            raise _too_many() from None
        self._jobs[job.id] = job
        self._in_background(self._follow(job, person))
        if not self._started:
            self._started = True
            self._in_background(self._start())
        return job

    def of(self, id: str, caller: Caller) -> Job:
        """A job of this caller; staff sees all."""
        self._forget()
        job = self._jobs.get(id)
        if job is None or not (job.owner == caller.name or caller.may("staff")):
            raise refused(404, "job", "there is no such job; it may have been forgotten")
        return job

    def cancel(self, job: Job) -> None:
        """End it after the round it is in; forget it if it has ended already."""
        if job.ended is not None:
            self._jobs.pop(job.id, None)
            return
        job.ticket.cancel()
        if job.state == "waiting":
            job.ticket.lose("cancelled")
        job.end("cancelled")

    async def close(self) -> None:
        """Streams of events end, and so does the worker."""
        self.stopping.set()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.pool.close()

    async def events(self, job: Job, after: int) -> AsyncIterator[bytes]:
        """Server-sent events from the one after this number on, until the job has ended."""
        while True:
            news = job.news
            for number, kind, content in _later(job.events, after):
                after = number
                yield f"id: {number}\nevent: {kind}\ndata: {json.dumps(content)}\n\n".encode()
            if job.ended is not None or self.stopping.is_set():
                return
            waiting = [asyncio.ensure_future(news.wait()), asyncio.ensure_future(self.stopping.wait())]
            try:
                done, _ = await asyncio.wait(waiting, timeout=BEAT, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in waiting:
                    task.cancel()
            if not done:
                yield b": still here\n\n"

    async def _start(self) -> None:
        try:
            await self.pool.start()
        except StartFailed as error:
            LOG.error("the worker of jobs did not start: %s", error)
            self._started = False
            while tickets := self.pool.line.take():
                tickets[0].lose("its worker did not start")

    async def _follow(self, job: Job, person: str | None) -> None:
        try:
            frame = await job.ticket.answer
            if "problem" not in frame.header:
                await self.recorder.record(job.do, frame.body, person)
        except Lost as error:
            if job.ended is None:
                job.problem = problem(503, "worker", f"not answered: {error}")
                job.end("failed")
            return
        except Refused as error:
            job.problem = error.document
            job.end("failed")
            return
        if job.ended is None:
            _finish(job, frame)
            self._forget()

    def _forget(self) -> None:
        """What is too old; of what has ended, the oldest as long as there is too much of it."""
        ended = sorted((job for job in self._jobs.values() if job.ended is not None), key=lambda job: job.ended or 0.0)
        for job in ended:
            old = (job.ended or 0.0) + self.settings.kept_seconds < monotonic()
            size = sum(len(each.result) for each in self._jobs.values())
            if old or size > MOST_BYTES or len(self._jobs) >= self.settings.jobs:
                del self._jobs[job.id]

    def _in_background(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _finish(job: Job, frame: Frame) -> None:
    if "problem" in frame.header:
        job.problem = frame.header["problem"]
        job.end("failed")
    else:
        job.result = frame.body
        job.end("done")


def _later(events: Iterable[tuple[int, str, dict[str, Any]]], after: int) -> list[tuple[int, str, dict[str, Any]]]:
    return [event for event in events if event[0] > after]


def _too_many() -> Exception:
    return refused(429, "busy", "there are too many jobs; ask again later, or end one", {"Retry-After": "10"})
