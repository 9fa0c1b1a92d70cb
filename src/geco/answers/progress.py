"""What can be seen while a search runs: Progress after every round, and a bar for a batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from geco.answers.explanation import Counterfactual


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
