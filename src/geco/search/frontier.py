"""FrontierSearch: the Pareto frontier of (distance, outcome), expanded by lines; the default.

The paper's score lets M alone decide among candidates that are not yet counterfactual, and the near ones that need one
more small change are thrown away. Here a candidate stays in play if no nearer one has a higher outcome. The rounds are
native (native/core/frontier.hpp); this module has the settings.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Literal, cast

from geco import _core
from geco.population.base import LineCost, Lines, Outcome, Proposal, Rows
from geco.search.base import Archive, StoppedBy, Task
from geco.whole import check_whole

STALLED = 7  # rounds without a nearer k-th way after which the search ends
SETTLED = 6  # the same where whole lines are swept, for the nearest way
SETTLED_OF_THINNED_LINES = 10  # and where they are swept in part
PARENTS, PARENTS_OF_SWEPT_LINES = 14, 8
COMBINATIONS = 120  # per round of swept lines, for the nearest way alone
# The wider the table, the more there is to trade: of 20 groups 100, of 30 groups 500.
PAIRS_OF_PAIRS, MOST_COMBINATIONS = 1600, 1000
GROUPS_PER_STALL = 10  # and the longer the search waits for the next improvement
ROUNDS, ROUNDS_OF_SWEPT_LINES, ROUNDS_TO_THE_NEAREST = 12, 20, 40
AUTO = ("parents", "rows_per_line", "first_rows", "max_rounds")
ALL = ("rows_per_line", "first_rows", "combinations")  # None for as many as there are
BOUNDLESS = 2**31 - 1  # rows that are more than any search asks about
FIRST = 6  # rows per line of the first round, times those of later ones


@dataclass(frozen=True)
class Frontier:
    """Settings of the frontier search.

    Parameters
    ----------
    parents : candidates expanded per round; ``"auto"`` for 14, or 8 where lines are swept.
    rows_per_line : rows of a group asked about per parent; None for all, ``"auto"`` for what the model can afford: a
        few of a black box, all of compiled trees.
    first_rows : the same in the first round, where the only parent is x; ``"auto"`` for six times as many.
    per_delta : parents per Δ set and round beyond the first Pareto layer.
    combinations : points asked per round beyond the lines, where effects seen one by one are put together. None is as
        many as there are, or 120 shared by the k ways where lines are swept, and more of them on wide tables.
    max_rounds : rounds after which the best answers found are returned; ``"auto"`` for 12, for 20 where lines are
        swept, or 40 for the nearest way alone.
    patience : rounds after which the search gives up if it has found no answer at all.
    """

    parents: int | Literal["auto"] = "auto"
    rows_per_line: int | Literal["auto"] | None = "auto"
    first_rows: int | Literal["auto"] | None = "auto"
    per_delta: int = 2
    combinations: int | None = None
    max_rounds: int | Literal["auto"] = "auto"
    patience: int = 60

    def __post_init__(self) -> None:
        left_open = {name for name in AUTO if getattr(self, name) == "auto"}
        left_open |= {name for name in ALL if getattr(self, name) is None}
        check_whole(self, *(field.name for field in fields(self) if field.name not in left_open))

    @property
    def compiles(self) -> bool:
        return True

    @property
    def evaluation(self) -> Literal["sweep"]:
        return "sweep"

    def search(self, task: Task) -> FrontierSearch:
        """A run for one x, with smaller rounds where the model may be asked about few rows."""
        core = task.space.core
        settings = _afforded(self, task.lines.rows, task.lines.swept, task.k, core.width)
        if task.max_rows is not None and not task.lines.swept:
            choices = [len(core.choices(group)) for group in range(core.width)]
            settings = settings._within(min(task.max_rows, BOUNDLESS), [n for n in choices if n])
        return FrontierSearch(task, settings)

    def _within(self, max_rows: int, choices: list[int]) -> Frontier:
        """Most rows for the first round while there are few, then small rounds that bring the best answer nearer."""
        groups = max(1, len(choices))
        tenths = 7 if max_rows < 14 * groups else 6 if max_rows < 28 * groups else 3
        most = _number(self.first_rows) or max(choices, default=1)
        fits = (m for m in range(most, 0, -1) if sum(min(m, n) for n in choices) <= max_rows * tenths // 10)
        return replace(
            self,
            first_rows=next(fits, 1),
            parents=min(_number(self.parents), max(1, max_rows // (20 * groups))),
            combinations=min(self.combinations or max_rows, max(1, max_rows // 25)),
        )


@lru_cache(64)  # it is the same for every x
def _afforded(settings: Frontier, line_rows: int | None, swept: bool, k: int, groups: int) -> Frontier:
    """With numbers in place of what is left to the model; the rows of swept lines are shared by the ways."""
    # The nearest way alone is looked for half as hard again as all of several.
    shared = line_rows if k == 1 or line_rows is None else max(1, 2 * line_rows // (3 * k))
    affordable = shared if swept else line_rows
    rows = affordable if settings.rows_per_line == "auto" else settings.rows_per_line
    first = (rows and FIRST * rows) if settings.first_rows == "auto" else settings.first_rows
    swept_rounds = ROUNDS_TO_THE_NEAREST if k == 1 else ROUNDS_OF_SWEPT_LINES
    parents, rounds = (PARENTS_OF_SWEPT_LINES, swept_rounds) if swept else (PARENTS, ROUNDS)
    combinations = max(1, COMBINATIONS // k, min(MOST_COMBINATIONS, groups**4 // PAIRS_OF_PAIRS))
    return replace(
        settings,
        parents=parents if settings.parents == "auto" else settings.parents,
        rows_per_line=rows,
        first_rows=first,
        combinations=combinations if swept and settings.combinations is None else settings.combinations,
        max_rounds=rounds if settings.max_rounds == "auto" else settings.max_rounds,
    )


def _number(setting: int | Literal["auto"] | None) -> int:
    """What "auto" stood for is known by now; 0 for all rows, as the core has it."""
    assert setting != "auto"
    return setting or 0


def _stalled(lines: LineCost, k: int, groups: int) -> int:
    """Rounds without a nearer k-th way after which the search ends."""
    if not lines.swept:
        return STALLED
    # Nothing in a whole line is left to chance, and the k-th of many ways settles later than the first.
    settled = SETTLED if lines.rows is None else SETTLED_OF_THINNED_LINES
    return max(1, settled // k, groups // GROUPS_PER_STALL)


class FrontierSearch:
    """One run for one x."""

    def __init__(self, task: Task, settings: Frontier) -> None:
        space, lines = task.space, task.lines
        self.settings, self.diverse, self.trace = settings, task.diverse, task.trace
        self.archive = Archive(space)
        self.core = _core.Frontier(
            space.core,
            self.archive.core,
            k=task.k,
            parents=_number(settings.parents),
            rows_per_line=_number(settings.rows_per_line),
            first_rows=_number(settings.first_rows),
            per_delta=settings.per_delta,
            combinations=settings.combinations or 0,
            swept=lines.swept,
            seed=task.seed,
            stalled=_stalled(lines, task.k, space.core.width),
            max_rounds=_number(settings.max_rounds),
            patience=settings.patience,
            x_obeys=space.x_obeys,
            possible=space.feasible == 1,
        )

    @property
    def counts(self) -> _core.CascadeCounts:
        return self.core.counts

    @property
    def converged(self) -> bool:
        return self.core.converged

    @property
    def stopped_by(self) -> StoppedBy:
        return cast(StoppedBy, self.core.stopped_by)

    @property
    def limit(self) -> str:
        if len(self.archive.nearest(1)):
            return f"the search reached its limit of rounds (max_rounds={self.settings.max_rounds})"
        return f"the search reached its limit of rounds without an answer (patience={self.settings.patience})"

    def ask(self) -> Proposal:
        with self.trace.lap("expand"):
            points, parents, groups, offsets, rows = self.core.ask()
        return Proposal(points, Lines(parents, groups, offsets, rows))

    def tell(self, proposal: Proposal, outcome: Outcome) -> None:
        with self.trace.lap("select"):
            self.core.tell(
                outcome.x,
                outcome.x_number,
                outcome.points,
                outcome.point_numbers,
                outcome.lines,
                outcome.line_numbers,
            )
        self.trace.generations = self.core.rounds

    def best(self, n: int) -> Rows:
        return self.archive.best(n, self.diverse)
