"""Calls in worker processes of which none can hang or take the others down: what does not end is ended.

A signal is not enough: native code that never returns never looks at one.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

CONTEXT = multiprocessing.get_context("fork")


class Lost(Exception):
    """A call that has no result: it hung, or its process died."""


class Worker:
    """One process, and the call it is busy with."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.here, there = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=_serve, args=(function, there))  # no daemon: it may start others
        self.process.start()
        there.close()
        self.number, self.ends = -1, 0.0

    def begin(self, number: int, arguments: tuple[Any, ...], seconds: float) -> None:
        self.number, self.ends = number, time.monotonic() + seconds
        self.here.send(arguments)

    def result(self) -> Any:
        try:
            return self.here.recv()
        except (EOFError, ConnectionResetError):
            self.process.join(5)
            return Lost(f"the process died with exit code {self.process.exitcode}")

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.here.close()


def guarded(
    function: Callable[..., Any], calls: Iterable[tuple[Any, ...]], jobs: int, seconds: float
) -> Iterator[tuple[int, Any]]:
    """Number and result of every call as they end; Lost for one that took longer than ``seconds``, or died."""
    numbered = enumerate(calls)
    workers: list[Worker] = []
    try:
        while True:
            while len(workers) < jobs and (following := next(numbered, None)):
                workers.append(Worker(function))
                workers[-1].begin(*following, seconds)
            if not workers:
                return
            ready = wait([w.here for w in workers], max(0.0, min(w.ends for w in workers) - time.monotonic()))
            for worker in list(workers):
                if worker.here in ready:
                    result = worker.result()
                elif time.monotonic() >= worker.ends:
                    result = Lost(f"no end within {seconds:.0f} s")
                else:
                    continue
                yield worker.number, result
                if isinstance(result, Lost) or not (following := next(numbered, None)):
                    worker.kill()
                    workers.remove(worker)
                else:
                    worker.begin(*following, seconds)
    finally:
        for worker in workers:
            worker.kill()


def _serve(function: Callable[..., Any], there: Connection) -> None:
    while True:
        try:
            arguments = there.recv()
        except EOFError:
            return
        there.send(function(*arguments))
