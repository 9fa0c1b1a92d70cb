"""Workers: processes that each hold the explainer, asked through pipes; who dies or is stuck is replaced by a spare.

A spare has everything loaded and waits, so that its model's libraries (seconds) are not waited for by a client.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from geco.errors import GecoError
from geco.service.frames import Arriving, Frame, packed
from geco.service.queue import Line, Ticket, together
from geco.service.source import Source

LOG = logging.getLogger("geco.service")
TRIES = 2  # workers that may die over one request
LONGEST_PAUSE = 30.0  # seconds between two attempts to start a worker that does not start
LONGEST_START = 300.0
MOMENT = 0.001  # seconds in which those who were answered together come back


class StartFailed(GecoError):
    """A worker could not load what it was told to."""


class Worker(asyncio.SubprocessProtocol):
    """One process. It is asked and answers within the callbacks of its pipes: a task for each step takes longer.

    Attributes
    ----------
    facts : what it said of its explainer.
    tickets : what it is at; empty while it waits.
    on_free : called when it has answered them all, with their number.
    over : done when no further answer will come.
    gone : its exit code, once the process has ended.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.facts: dict[str, Any] = {}
        self.tickets: list[Ticket] = []
        self.on_free: Callable[[Worker, int], None] = lambda *_: None
        self.over: asyncio.Future[None] = self._loop.create_future()
        self.gone: asyncio.Future[int | None] = self._loop.create_future()
        self._arriving = Arriving()
        self._number = self._left = 0

    @classmethod
    async def start(cls, source: Source) -> Worker:
        """Begin, and wait until everything is loaded."""
        # In a session of its own: Ctrl-C is for the front process, which lets workers end what they are at.
        _, worker = await asyncio.get_running_loop().subprocess_exec(
            cls, sys.executable, "-m", "geco.service.worker", stderr=None, start_new_session=True
        )
        begin = Ticket("begin", source.to_dict(), LONGEST_START)
        try:
            worker.ask([begin], LONGEST_START)
            either: set[asyncio.Future[Any]] = {begin.answer, worker.over}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await worker.kill()
            raise
        if not begin.answer.done() or begin.answer.exception() is not None:
            await worker.kill()
            raise StartFailed("a worker ended before it was ready; what it printed is above")
        said = begin.answer.result().header
        if not said["ready"]:
            await worker.gone
            raise StartFailed(said["error"])
        worker.facts = said["facts"]
        return worker

    def ask(self, tickets: list[Ticket], seconds: float) -> None:
        """Have one answered, or several that ask the same about another x each; after so long it counts as stuck."""
        self._number += 1
        self.tickets, self._left = tickets, len(tickets)
        first = tickets[0]
        self._send({"id": self._number, **(first.message if self._left == 1 else together(tickets))})
        first.on_cancel = partial(self._send, {"do": "cancel", "id": self._number})
        self._clock = self._loop.call_later(seconds, self._stuck)

    def left(self) -> list[Ticket]:
        """What it was at, taken away from it."""
        self._clock.cancel()
        tickets, self.tickets = self.tickets, []
        for ticket in tickets:
            ticket.on_cancel = None
        return tickets

    def _send(self, header: dict[str, Any]) -> None:
        """Whatever of it the pipe does not hold is sent as the process reads; nothing is, once it has ended."""
        self._pipe.write(packed(header))

    def _stuck(self) -> None:
        _lose(self.left(), "it took far longer than its deadline")
        self._end()

    def _end(self) -> None:
        if not self.over.done():
            self.over.set_result(None)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self.process = transport
        pipe = transport.get_pipe_transport(0)
        assert isinstance(pipe, asyncio.WriteTransport)
        self._pipe = pipe

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        for frame in self._arriving.add(data):
            if self.tickets:
                self._said(frame)

    def _said(self, frame: Frame) -> None:
        first = self.tickets[0]
        if "progress" in frame.header:
            if first.on_progress is not None:
                first.on_progress(frame.header["progress"])
            return
        self.tickets[frame.header.get("place", 0)].finish(frame)
        self._left -= 1
        if not self._left:
            self.on_free(self, len(self.left()))

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._end()

    def process_exited(self) -> None:
        self._end()
        if not self.gone.done():
            self.gone.set_result(self.process.get_returncode())

    async def kill(self) -> None:
        self._clock.cancel()
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.gone
        self.process.close()


@dataclass(eq=False)
class Pool:
    """Workers that serve one line.

    Parameters
    ----------
    source : what each of them loads.
    size : how many answer.
    spares : how many more are loaded and wait to take the place of one that dies.
    most : requests that may wait.
    grace : seconds after a request's time is over; then its worker counts as stuck.
    together : requests that one worker may answer at once, sharing the calls of the model.
    """

    source: Source
    size: int
    spares: int
    most: int
    grace: float
    together: int = 16
    facts: dict[str, Any] = field(default_factory=dict)
    restarts: int = 0
    alive: int = 0

    def __post_init__(self) -> None:
        self.line = Line(self.most)
        self._idle: list[Worker] = []
        self._spare: asyncio.Queue[Worker] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start them all; raises StartFailed if they cannot load."""
        workers = await _all_or_none([Worker.start(self.source) for _ in range(self.size)])
        self.facts = workers[0].facts
        for worker in workers:
            self._in_background(self._serve(worker))
        for _ in range(self.spares):
            self._in_background(self._fill())

    async def close(self) -> None:
        """Let nobody wait, and end every process."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while not self._spare.empty():
            await self._spare.get_nowait().kill()
        while tickets := self.line.take():
            _lose(tickets, "the service is stopping")

    @property
    def busy(self) -> int:
        """Workers that are answering."""
        return self.alive - len(self._idle)

    def put(self, ticket: Ticket) -> None:
        """Have it answered; raises Full."""
        self.line.put(ticket)
        self._hand_out()

    def _free(self, worker: Worker, answered: int = 0) -> None:
        """It is there for the next. If it has answered several, it waits for them, to share what they ask again."""
        if answered > 1 and not len(self.line):
            asyncio.get_running_loop().call_later(MOMENT, self._free, worker)
        elif not worker.over.done():
            self._idle.append(worker)
            self._hand_out()

    def _hand_out(self) -> None:
        """What waits to whoever is free: first to who was busy last, as the processor still has its data at hand."""
        while self._idle and not self._idle[-1].over.done() and (tickets := self.line.take(self.together)):
            self._idle.pop().ask(tickets, tickets[0].seconds + self.grace)

    def _in_background(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, worker: Worker) -> None:
        """One place at the counter: a worker answers until it dies, then the next takes the place."""
        while True:
            worker.on_free = self._free
            self.alive += 1
            self._free(worker)
            try:
                await worker.over
            except asyncio.CancelledError:
                _lose(worker.left(), "the service is stopping")
                raise
            finally:
                self._leave(worker)
                await worker.kill()
            self.restarts += 1
            LOG.warning("worker %d ended (%s), another takes its place", worker.process.get_pid(), worker.gone.result())
            worker = await self._next()

    def _leave(self, worker: Worker) -> None:
        """It has ended: what it was at is tried once more."""
        self.alive -= 1
        self._idle = [each for each in self._idle if each is not worker]
        for ticket in reversed(worker.left()):
            if ticket.tried(TRIES):
                self.line.put_back(ticket)
            else:
                ticket.lose(f"{ticket.tries} workers ended over it")
        self._hand_out()

    async def _next(self) -> Worker:
        if not self.spares:
            return await self._started()
        worker = await self._spare.get()
        self._in_background(self._fill())
        return worker

    async def _fill(self) -> None:
        """One more spare; a spare that dies while it waits is found out when it is needed."""
        self._spare.put_nowait(await self._started())

    async def _started(self) -> Worker:
        pause = 0.5
        while True:
            try:
                return await Worker.start(self.source)
            except StartFailed as error:
                LOG.error("a worker did not start: %s", error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)


def _lose(tickets: list[Ticket], why: str) -> None:
    for ticket in tickets:
        ticket.lose(why)


async def _all_or_none(starting: list[Any]) -> list[Worker]:
    started = await asyncio.gather(*starting, return_exceptions=True)
    failures = [each for each in started if isinstance(each, BaseException)]
    workers = [each for each in started if isinstance(each, Worker)]
    if failures:
        for worker in workers:
            await worker.kill()
        raise failures[0]
    return workers
