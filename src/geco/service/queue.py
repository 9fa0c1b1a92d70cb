"""Line: the requests that wait for a worker, first come first served, and never more than a set number."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from time import monotonic
from typing import Any

from geco.service.frames import Frame

OnProgress = Callable[[dict[str, Any]], None]


class Full(Exception):
    """Too many wait already."""


class Lost(Exception):
    """The request was with a worker that died or was stuck, and is not tried once more."""


@dataclass(eq=False)
class Ticket:
    """One request that waits, or is being answered.

    Attributes
    ----------
    do, arguments : what a worker is asked.
    seconds : that it may wait, and then that its answer may take.
    on_progress : told how far it is; None if nobody wants to know.
    on_cancel : called if nobody wants the answer any more; set while a worker is at it.
    answer : the worker's frame, or Lost.
    tries : workers that died over it.
    """

    do: str
    arguments: dict[str, Any]
    seconds: float
    on_progress: OnProgress | None = None
    answer: asyncio.Future[Frame] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    tries: int = 0
    cancelled: bool = False
    on_cancel: Callable[[], None] | None = None
    since: float = field(default_factory=monotonic)

    def tried(self, most: int) -> bool:
        """A worker died over it: whether it may be tried again."""
        self.tries += 1
        self.__dict__.pop("words", None)
        return self.tries < most and not self.answer.done()

    def cancel(self) -> None:
        """Nobody wants the answer any more."""
        self.cancelled = True
        if self.on_cancel is not None:
            self.on_cancel()

    def finish(self, frame: Frame) -> None:
        if not self.answer.done():
            self.answer.set_result(frame)

    def lose(self, why: str) -> None:
        if not self.answer.done():
            self.answer.set_exception(Lost(why))

    @property
    def message(self) -> dict[str, Any]:
        """What a worker is sent."""
        return {"do": self.do, "arguments": self.arguments, "progress": self.on_progress is not None}

    @cached_property
    def words(self) -> dict[str, Any] | None:
        """What it has to have in common with others to be answered together with them; None if it stays alone.

        One that a worker died over stays alone, so that it takes no others with it the next time.
        """
        if self.do != "explain" or self.on_progress is not None or self.tries:
            return None
        return {name: value for name, value in self.arguments.items() if name != "x"}

    @property
    def late(self) -> bool:
        """It has waited too long."""
        return monotonic() - self.since > self.seconds


def together(tickets: list[Ticket]) -> dict[str, Any]:
    """The message for several that have the same words."""
    return {"do": "explain", "xs": [each.arguments["x"] for each in tickets], "words": tickets[0].words}


class Line:
    """The tickets that wait."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._waiting: deque[Ticket] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, ticket: Ticket) -> None:
        if len(self._waiting) >= self.most:
            raise Full
        self._waiting.append(ticket)

    def put_back(self, ticket: Ticket) -> None:
        """Before all others: it has waited already."""
        self._waiting.appendleft(ticket)

    def take(self, most: int = 1) -> list[Ticket]:
        """The next one that somebody still wants, and with it those that ask the same about another x."""
        first = self._next()
        if first is None:
            return []
        if most == 1 or first.words is None:
            return [first]
        alike = [each for each in self._waiting if each.words == first.words and not each.answer.done()][: most - 1]
        for each in alike:
            self._waiting.remove(each)
        return [first, *alike]

    def _next(self) -> Ticket | None:
        while self._waiting:
            ticket = self._waiting.popleft()
            if ticket.answer.done():
                continue
            if ticket.cancelled or ticket.late:
                ticket.lose("it waited as long as it may take")
                continue
            return ticket
        return None
