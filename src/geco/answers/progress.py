"""What can be seen while a search runs: Progress after every round, and a bar for a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from geco.answers.candidates import Teller, known
from geco.answers.explanation import Counterfactual
from geco.search.base import Search
from geco.space.feasible import FeasibleSpace
from geco.trace import Trace


@dataclass(frozen=True)
class Progress:
    """Where a search stands after a round; given to the ``on_round`` of ``explain``.

    Attributes
    ----------
    round : rounds done, from 1.
    best : the nearest counterfactual so far, not yet confirmed; None while there is none.
    model_rows : rows the model was asked about so far, x included.
    seconds : since ``explain`` was called.
    """

    round: int
    best: Counterfactual | None
    model_rows: int
    seconds: float


OnRound = Callable[[Progress], object]  # False ends the search


def progress(space: FeasibleSpace, search: Search, trace: Trace, seconds: float) -> Progress:
    """Where this search stands."""
    nearest = search.archive.nearest(1)
    seen = known(space, search.archive, nearest)
    best = Teller.of(space).counterfactual(seen[0]) if seen else None
    return Progress(trace.generations, best, trace.model_rows, seconds)


@contextmanager
def progress_bar(total: int | None, shown: bool) -> Iterator[Callable[[], None]]:
    """A Rich bar on stderr; gives the function that moves it by one row. Nothing is imported unless it is shown."""
    if not shown:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    columns = "explaining", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("rows", total=total)
        yield lambda: bar.advance(task)
