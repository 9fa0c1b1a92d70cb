"""The local engine: worker processes, each with the explainer and the model loaded; with one worker, this process.

Workers are started afresh (``spawn``): a forked child would have half of the threads of DuckDB, OpenMP and others.
A worker that dies is replaced and its part given to another; a part that three workers did not survive ends the batch.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from multiprocessing.connection import wait
from typing import Any

from geco.engines.parts import Done, Job, Task, explain_part
from geco.engines.shipped import Shipped
from geco.engines.worker import work
from geco.errors import BatchError, SettingsError

MOST_DEATHS = 3  # over one part
PATIENCE = 5.0  # seconds for a worker to end by itself
# What OpenMP and the linear algebra of NumPy read when they are loaded.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def run_local(shipped: Shipped, job: Job, tasks: Iterator[Task], workers: int, took: Callable[[Done], None]) -> None:
    """Do all tasks; ``took`` is told of each part when it is whole."""
    if workers == 1:
        for task in tasks:
            took(explain_part(shipped.explainer, job, task))
        return
    check_not_a_worker()
    first = next(tasks, None)
    if first is None:
        return
    crew = Crew(shipped, job, workers)
    try:
        crew.run(chain([first], tasks), took)
    finally:
        crew.close()


def check_not_a_worker() -> None:
    """A script that starts workers is read again by each of them; and some processes may start no others."""
    here = multiprocessing.current_process()
    if here.daemon:
        raise SettingsError("a daemon process, such as a task of a pool, may start no workers; say workers=1 here")
    if getattr(here, "_inheriting", False):
        raise SettingsError(
            "a worker process has come to geco.batch while it read your script; "
            "put the call under `if __name__ == '__main__':`, or say workers=1"
        )


class Worker:
    """One process, and the task it is at."""

    def __init__(self, job: Job) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, job), daemon=True, name="geco-batch")
        with _environment(job.threads):
            self.process.start()
        theirs.close()
        self.task: Task | None = None

    def send(self, message: Any) -> None:
        with suppress(ConnectionError):  # it has died; whoever waits for its answer will see that
            self.connection.send(message)

    def answer(self) -> Any:
        """What it says; None if it has died."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            return None


class Crew:
    """The workers of a batch."""

    def __init__(self, shipped: Shipped, job: Job, size: int) -> None:
        self.shipped, self.job = shipped, job
        self.cargo = (shipped.data, shipped.model)
        self.workers = [Worker(job) for _ in range(size)]
        self.again: list[Task] = []  # parts whose worker died
        self.deaths: dict[int | None, int] = {}
        for worker in self.workers:
            worker.send(self.cargo)

    def run(self, tasks: Iterator[Task], took: Callable[[Done], None]) -> None:
        idle: list[Worker] = []
        ended = False
        while True:
            while idle and not (ended and not self.again):
                task = self.again.pop() if self.again else next(tasks, None)
                if task is None:
                    ended = True
                    break
                idle[-1].task = task
                idle.pop().send(task)
            if ended and not self.again and all(worker.task is None for worker in self.workers):
                return
            for ready in wait([worker.connection for worker in self.workers if worker not in idle]):
                worker = next(each for each in self.workers if each.connection is ready)
                answer = worker.answer()
                if isinstance(answer, Exception):
                    raise answer
                if answer is None:
                    self._replace(worker)
                    continue
                if isinstance(answer, dict):
                    took(answer)
                worker.task = None
                idle.append(worker)

    def close(self) -> None:
        """No process is left behind; whatever part was under way is not whole and will be done again."""
        for worker in self.workers:
            if worker.task is None:
                worker.send(None)
            else:
                worker.process.terminate()
            worker.connection.close()
        for worker in self.workers:
            worker.process.join(PATIENCE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()

    def _replace(self, worker: Worker) -> None:
        worker.process.join(PATIENCE)
        part = None if worker.task is None else worker.task.part
        self.deaths[part] = self.deaths.get(part, 0) + 1
        if self.deaths[part] == MOST_DEATHS:
            code = worker.process.exitcode
            if worker.task is None:
                raise BatchError(
                    f"worker processes end while they start (exit code {code}); is the memory full? In a script, "
                    "geco.batch must be called under `if __name__ == '__main__':`"
                )
            first, rows = worker.task.first, len(worker.task.rows)
            raise BatchError(
                f"{MOST_DEATHS} workers died over rows {first} to {first + rows - 1} (exit code {code}); "
                "is the memory full? Fewer workers may help; resume goes on from what is whole"
            )
        if worker.task is not None:
            self.again.append(worker.task)
        worker.connection.close()
        position = self.workers.index(worker)
        self.workers[position] = Worker(self.job)
        self.workers[position].send(self.cargo)


@contextmanager
def _environment(threads: int) -> Iterator[None]:
    """Libraries of a worker start no more threads than it has, unless the user said otherwise."""
    added = [name for name in THREADS if name not in os.environ]
    os.environ.update({name: str(threads) for name in added})
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]
