"""Workers: processes that each hold the explainer, asked through pipes; who dies or is stuck is replaced by a spare.

A spare has everything loaded and waits, so that its model's libraries (seconds) are not waited for by a client.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from dataclasses import dataclass, field
from typing import Any

from geco.errors import GecoError
from geco.service.frames import Frame, packed, receive_frame
from geco.service.queue import Line, Ticket, together
from geco.service.source import Source

LOG = logging.getLogger("geco.service")
TRIES = 2  # workers that may die over one request
LONGEST_PAUSE = 30.0  # seconds between two attempts to start a worker that does not start
LONGEST_START = 300.0


class Died(Exception):
    """The process has ended, or its pipe has."""


class StartFailed(GecoError):
    """A worker could not load what it was told to."""


class Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.facts: dict[str, Any] = {}
        self.gone = asyncio.ensure_future(process.wait())
        self._number = 0

    @classmethod
    async def start(cls, source: Source) -> Worker:
        """Begin, and wait until everything is loaded."""
        pipe = asyncio.subprocess.PIPE
        # In a session of its own: Ctrl-C is for the front process, which lets workers end what they are at.
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "geco.service.worker", stdin=pipe, stdout=pipe, start_new_session=True
        )
        worker = cls(process)
        try:
            await worker._send({"do": "begin", "source": source.to_dict()})
            async with asyncio.timeout(LONGEST_START):
                said = await worker._receive()
        except (Died, TimeoutError):
            await worker.kill()
            raise StartFailed("a worker ended before it was ready; what it printed is above") from None
        except asyncio.CancelledError:
            await worker.kill()
            raise
        if not said.header["ready"]:
            await worker.gone
            raise StartFailed(said.header["error"])
        worker.facts = said.header["facts"]
        return worker

    async def ask(self, tickets: list[Ticket]) -> None:
        """Have one answered, or several that ask the same about another x each."""
        self._number += 1
        first, left = tickets[0], len(tickets)
        await self._send({"id": self._number, **(first.message if left == 1 else together(tickets))})
        cancelling = asyncio.ensure_future(self._cancel(first, self._number))
        try:
            while left:
                frame = await self._receive()
                if "progress" not in frame.header:
                    tickets[frame.header.get("place", 0)].finish(frame)
                    left -= 1
                elif first.on_progress is not None:
                    first.on_progress(frame.header["progress"])
        finally:
            cancelling.cancel()

    async def _cancel(self, ticket: Ticket, number: int) -> None:
        await ticket.cancelled.wait()
        with contextlib.suppress(Died):
            await self._send({"do": "cancel", "id": number})

    async def _send(self, header: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(packed(header))
            await self.process.stdin.drain()
        except (ConnectionError, RuntimeError) as error:
            raise Died from error

    async def _receive(self) -> Frame:
        assert self.process.stdout is not None
        try:
            return await receive_frame(self.process.stdout)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise Died from error

    async def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.gone


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
    busy: int = 0

    def __post_init__(self) -> None:
        self.line = Line(self.most)
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

    def put(self, ticket: Ticket) -> None:
        """Have it answered; raises Full."""
        self.line.put(ticket)

    def _in_background(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, worker: Worker) -> None:
        """One place at the counter: a worker answers until it dies, then the next takes the place."""
        while True:
            self.alive += 1
            try:
                await self._answer_all(worker)
            finally:
                self.alive -= 1
                await worker.kill()
            self.restarts += 1
            LOG.warning("worker %d ended (%s), another takes its place", worker.process.pid, worker.gone.result())
            worker = await self._next()

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

    async def _answer_all(self, worker: Worker) -> None:
        """Until it dies."""
        while not worker.gone.done():
            if not (tickets := self.line.take(self.together)):
                await _first(self.line.filled(), worker.gone)
                continue
            self.busy += 1
            try:
                await self._answer(worker, tickets)
            except Died:
                return
            finally:
                self.busy -= 1

    async def _answer(self, worker: Worker, tickets: list[Ticket]) -> None:
        try:
            async with asyncio.timeout(tickets[0].seconds + self.grace):  # wait_for may swallow a cancellation
                await worker.ask(tickets)
        except Died:
            for ticket in reversed(tickets):
                if ticket.tried(TRIES):
                    self.line.put_back(ticket)
                else:
                    ticket.lose(f"{ticket.tries} workers ended over it")
            raise
        except TimeoutError:
            _lose(tickets, "it took far longer than its deadline")
            raise Died from None
        except asyncio.CancelledError:
            _lose(tickets, "the service is stopping")
            raise


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


async def _first(waiting: Any, gone: asyncio.Future[int]) -> None:
    """Wait for either; the process goes on being watched."""
    task = asyncio.ensure_future(waiting)
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        task.cancel()
