"""FrontierSearch: the Pareto frontier of (distance, outcome), expanded by lines; the default.

The paper's score lets M alone decide among candidates that are not yet counterfactual, and the near ones that need one
more small change are thrown away. Here a candidate stays in play if no nearer one has a higher outcome. The rounds are
native (native/core/frontier/frontier.hpp), and so are all numbers (settings.hpp beside it); this module has what a user
may set of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Literal, cast

from geco import _core
from geco.population.base import Lines, Outcome, Proposal, Rows, W, Ways
from geco.search.base import Archive, Proof, Ready, StoppedBy, Task
from geco.whole import check_whole

BOUNDLESS = 2**31 - 1  # rows that are more than any search asks about
SEVERAL = 5  # ways that are looked for together
QUICK = 200  # boxes of a quick proof
QUICK_WORDS = 250_000  # of the leaves that its boxes are held against; where there are more it is not begun
WHOLE = 100_000  # the same of a single tree, which is always proved
AUTO = ("parents", "rows_per_line", "first_rows", "max_rounds")
ALL = ("rows_per_line", "first_rows", "combinations")  # None for as many as there are


@dataclass(frozen=True)
class Frontier(Ready):
    """Settings of the frontier search.

    Parameters
    ----------
    parents : candidates expanded per round; ``"auto"`` for 14, or 8 where lines are swept.
    rows_per_line : rows of a group asked about per parent; None for all, ``"auto"`` for what the model can afford: a
        few of a black box, all of compiled trees.
    first_rows : the same in the first round, where the only parent is x; ``"auto"`` for six times as many.
    per_delta : parents per Δ set and round beyond the first Pareto layer.
    combinations : points asked per round beyond the lines, where effects seen one by one are put together. None is as
        many as there are, or 24 where lines are swept, of trees 120 for the nearest way, and more on wide tables.
    max_rounds : rounds after which the best answers found are returned; ``"auto"`` for 12, for 20 where lines are
        swept; for the nearest way and then again for several.
    patience : rounds after which the search gives up if it has found no answer at all.
    """

    parents: int | Literal["auto"] = "auto"
    rows_per_line: int | Literal["auto"] | None = "auto"
    first_rows: int | Literal["auto"] | None = "auto"
    per_delta: int = _core.FrontierSettings.PER_DELTA
    combinations: int | None = None
    max_rounds: int | Literal["auto"] = "auto"
    patience: int = _core.FrontierSettings.PATIENCE

    def __post_init__(self) -> None:
        left_open = {name for name in AUTO if getattr(self, name) == "auto"}
        left_open |= {name for name in ALL if getattr(self, name) is None}
        check_whole(self, *(field.name for field in fields(self) if field.name not in left_open))

    def way(self, ways: Ways[W]) -> W:
        return ways.sweep

    def search(self, task: Task) -> FrontierSearch:
        """A run for one x, with smaller rounds where the model may be asked about few rows."""
        bounds = task.lines.bounds
        single = bounds is not None and bounds.single
        if task.prove == "quick" and (bounds is None or not bounds.quick):
            task = task._replace(prove=False)
        return FrontierSearch(task, self.stages(task), WHOLE if single else QUICK, several=single)

    def stages(self, task: Task) -> list[_core.FrontierSettings]:
        """The settings for the nearest way, then for several."""
        core, lines = task.space.core, task.lines
        several = _settings(self, task.k, task.seed, core.width, lines.rows, lines.swept, task.ways == "minimal")
        if task.max_rows is None or lines.swept:
            return [*several]
        choices = [len(core.choices(group)) for group in range(core.width)]
        return [settings.within(min(task.max_rows, BOUNDLESS), choices) for settings in several]


def stages(k: int) -> list[int]:
    """How many ways are looked for, one after the other.

    The nearest, then for any k up to 5 five, so that fewer are the beginning of more; then all.

    Examples
    --------
    >>> stages(1), stages(3), stages(20)
    ([1], [1, 5], [1, 5, 20])
    """
    return [1, *([SEVERAL] if k > 1 else []), *([k] if k > SEVERAL else [])]


@lru_cache(maxsize=64)  # most often they are those of the x before
def _settings(
    given: Frontier, k: int, seed: int, width: int, rows: int | None, swept: bool, minimal: bool
) -> tuple[_core.FrontierSettings, ...]:
    """What the core takes for each of the stages; ``rows`` of a line can be afforded."""
    return tuple(
        _core.FrontierSettings.of(
            ways,
            seed,
            width,
            rows,
            swept,
            minimal=minimal,
            parents=_given(given.parents),
            rows_per_line=_given(given.rows_per_line),
            first_rows=_given(given.first_rows),
            per_delta=given.per_delta,
            combinations=given.combinations,
            max_rounds=_given(given.max_rounds),
            patience=given.patience,
        )
        for ways in stages(k)
    )


def _given(setting: int | Literal["auto"] | None) -> int | None:
    """As the core has it: None is left to the model, 0 is all rows."""
    return None if setting == "auto" else setting or 0


def _proofs(task: Task, archive: Archive, boxes: int, several: bool) -> _core.Proofs | None:
    bounds, quick, minimal = task.lines.bounds, task.prove == "quick", task.ways == "minimal"
    if bounds is None or task.prove is False:
        return None
    most, seconds = (boxes, math.inf) if quick else (BOUNDLESS, float(task.prove))
    words = QUICK_WORDS if quick and not several else None
    several = (task.ways == "minimal" or (task.ways == "sets" and bounds.sets)) and (several or not quick)
    space, known = task.space.core, archive.core
    return _core.Proofs(space, known, bounds.core, bounds.standing, minimal, several, most, seconds, words)


class FrontierSearch:
    """One run for one x."""

    def __init__(self, task: Task, stages: list[_core.FrontierSettings], boxes: int, several: bool) -> None:
        """``boxes`` are looked at for quick proofs, of the nearest way or of ``several``."""
        space, settings = task.space, stages[0]
        self.settings, self.ways, self.trace = settings, task.ways, task.trace
        self.archive = Archive(space)
        self.claims = _core.Claims(space.core, self.archive.core)
        lines = task.lines
        expansion = (
            _core.Swept(self.claims, settings, lines.scoring) if lines.swept else _core.Thinned(self.claims, settings)
        )
        self.possible = space.feasible is _core.Feasible.YES
        self.proofs = _proofs(task, self.archive, boxes, several)
        self.core = _core.Frontier(self.claims, expansion, stages, space.x_obeys, self.possible, self.proofs)

    @property
    def native(self) -> _core.Frontier:
        return self.core

    @property
    def counts(self) -> _core.CascadeCounts:
        return self.claims.counts

    @property
    def proof(self) -> Proof | None:
        if self.proofs is None:
            return None
        if not self.possible:
            return Proof(math.inf, 0, none_left=True)
        return Proof(self.proofs.lower, self.proofs.proved, self.proofs.none_left)

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
        with self.trace.lap("prove" if self.core.proving else "expand"):
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
        return self.archive.best(n, self.ways)
