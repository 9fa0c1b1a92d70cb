"""How far a batch is: a bar with rate and time left on a terminal, lines in a log elsewhere."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

LOG = logging.getLogger("geco.batch")
EVERY = 10.0  # seconds between two lines
Advance = Callable[[int], None]  # by so many rows


@contextmanager
def watching(total: int | None, already: int, shown: bool | None) -> Iterator[Advance]:
    """Gives the function that is told of rows as they are done.

    Parameters
    ----------
    already : rows that an earlier run has done.
    shown : True for a bar, False for lines in the log alone; None for a bar if stderr is a terminal.
    """
    lines = Lines(total, already)
    if not (sys.stderr.isatty() if shown is None else shown):
        yield lines.advance
        lines.last()
        return
    with _bar(total, already) as advance:

        def both(rows: int) -> None:
            lines.advance(rows)
            advance(rows)

        yield both
    lines.last()


class Lines:
    """A line now and then, at level INFO."""

    def __init__(self, total: int | None, already: int) -> None:
        self.total, self.already, self.rows = total, already, 0
        self.started = self.said = perf_counter()
        if already:
            LOG.info("going on after %s rows", f"{already:,}")

    def advance(self, rows: int) -> None:
        self.rows += rows
        now = perf_counter()
        if now - self.said >= EVERY:
            self.said = now
            LOG.info(progress_line(self.already + self.rows, self.total, self.rows / (now - self.started)))

    def last(self) -> None:
        seconds = max(perf_counter() - self.started, 1e-9)
        LOG.info("%s rows in %.1f s, %s per second", f"{self.rows:,}", seconds, f"{self.rows / seconds:,.0f}")


def progress_line(rows: int, total: int | None, rate: float) -> str:
    """How far, how fast, how long.

    Examples
    --------
    >>> progress_line(12_000, 50_000, 812.4)
    '12,000 of 50,000 rows, 812 per second, 0:00:47 left'
    >>> progress_line(12_000, None, 812.4)
    '12,000 rows, 812 per second'
    """
    if total is None or rate <= 0:
        return f"{rows:,} rows, {rate:,.0f} per second"
    minutes, seconds = divmod(round((total - rows) / rate), 60)
    left = f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
    return f"{rows:,} of {total:,} rows, {rate:,.0f} per second, {left} left"


@contextmanager
def _bar(total: int | None, already: int) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text("" if not task.speed else f"{task.speed:,.0f}/s")

    columns = "explaining", BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), speed_estimate_period=120) as bar:
        task = bar.add_task("rows", total=total, completed=already)
        yield lambda rows: bar.advance(task, rows)
