"""Search: Algorithm 1 split at the line where M is called. ``ask`` proposes, ``tell`` selects; never imports models/.

Also here: the archive of everything scored, from which every search answers with *different ways*.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, Self

import numpy as np
import numpy.typing as npt

from geco import _core
from geco.params import Params
from geco.population.base import ASKED, Candidates, Floats, LineCost, Outcome, Proposal, Rows, W, Ways
from geco.space.feasible import FeasibleSpace
from geco.trace import Trace

if TYPE_CHECKING:
    from geco.data.database import Database
    from geco.space.deployment import Deployment

Kind = Literal["minimal", "sets", "top"]  # what counts as another way: ``ways=`` of ``explain``
KINDS: tuple[Kind, ...] = "minimal", "sets", "top"
StoppedBy = Literal["converged", "exhausted", "budget", "deadline"]  # the last of one that looks at the clock


class Counts(Protocol):
    """What became of candidates that broke a rule: `_core.CascadeCounts`, or the same without cascades."""

    @property
    def dropped(self) -> list[int]: ...
    @property
    def repaired(self) -> int: ...


Prove = Literal["quick", False] | float  # how far proofs go: so many boxes, not at all, or seconds


class Proof(NamedTuple):
    """What a search has proved.

    Nearer than ``lower`` there is nothing good. The first ``ways`` of its ways are the nearest there are, in this
    order; ``none_left`` says that there are no others.
    """

    lower: float
    ways: int
    none_left: bool = False


class Ticking(Protocol):
    """What a Search may know of the deadline."""

    @property
    def left(self) -> float: ...


ENDLESS = _core.Clock(math.inf)


class Search(Protocol):
    """What the loop in algorithm1.py needs of a method: propose, be told, and in the end name the best.

    The counterpart of ``Evaluator`` in models/scoring/base.py.
    """

    archive: Archive

    @property
    def counts(self) -> Counts: ...
    @property
    def converged(self) -> bool: ...
    @property
    def stopped_by(self) -> StoppedBy: ...
    @property
    def limit(self) -> str | None:
        """Which limit of its own it ended at, in words, if it is stopped by its budget; None if it has none."""

    @property
    def proof(self) -> Proof | None:
        """What it has proved; None if it proves nothing."""

    @property
    def native(self) -> _core.Frontier | None:
        """The same search in the core, where whole rounds can be carried out; None if it is Python."""

    def ask(self) -> Proposal: ...
    def tell(self, proposal: Proposal, outcome: Outcome) -> None: ...
    def best(self, n: int) -> Rows: ...


class Task(NamedTuple):
    """What a run for one x is about; ``space`` is where x may go."""

    space: FeasibleSpace
    trace: Trace
    k: int
    seed: int = 0
    ways: Kind = "minimal"
    max_rows: int | None = None  # that the model may be asked about in all; None for as many as it takes
    lines: LineCost = ASKED  # what a line costs the evaluator
    clock: Ticking = ENDLESS  # for a search that may take long to propose
    prove: Prove = False


class Method(Protocol):
    """A way of searching with its settings, e.g. ``geco.Genetic(q=100)``; what an Explainer prepares and then asks."""

    @property
    def several_models(self) -> bool:
        """True if answers may have to be good under several models at once."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What it knows of ``ways=``, its default first."""

    def near(self, params: Params) -> Params:
        """The distance it can do with, where the user left that open."""

    def proves(self, prove: Prove) -> Prove:
        """How far it proves its answers, where the user wants this."""

    def way(self, ways: Ways[W]) -> W:
        """How candidates are to be scored: one of these."""

    def prepare(self, database: Database, deployment: Deployment, compiled: Any) -> Searches:
        """Ready for this deployment; called once per Explainer.

        Parameters
        ----------
        compiled : the compiled model, or what says why there is none.
        """


class Searches(Method, Protocol):
    """A Method that is ready."""

    def renewed(self, deployment: Deployment, compiled: Any) -> Searches:
        """The same for a new model over the same database."""

    def search(self, task: Task) -> Search:
        """A run for one x."""


class Ready:
    """A Method that needs nothing of a deployment but the FeasibleSpace of each x, and so is ready as it is."""

    @property
    def several_models(self) -> bool:
        return True

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return KINDS

    def near(self, params: Params) -> Params:
        return params

    def proves(self, prove: Prove) -> Prove:
        return prove

    def prepare(self, database: Database, deployment: Deployment, compiled: object) -> Self:
        return self

    def renewed(self, deployment: Deployment, compiled: object) -> Self:
        return self


class Scored(NamedTuple):
    """What the archive knows of one candidate."""

    rows: Rows
    distance: float
    outcome: float
    number: float


class Archive:
    """Every candidate proposed for this x, with its outcome and the model's number once they are known."""

    def __init__(self, space: FeasibleSpace) -> None:
        self._space = space.core
        self.core = _core.Archive(space.core)

    def __len__(self) -> int:
        return len(self.core)

    def claim(self, candidates: Candidates | Rows) -> Rows:
        """Those never proposed before, each once; from now on they count as proposed."""
        return self.core.claim(self._space, candidates)  # type: ignore[arg-type]

    def score_latest(self, outcome: Floats, numbers: Floats) -> Floats:
        """Remember what the model said of the candidates claimed last, in their order; gives their distances."""
        return self.core.score_latest(outcome, numbers)

    def score(self, rows: Rows, outcome: Floats, numbers: Floats) -> None:
        """Remember what the model said; candidates the budget did not reach (NaN) stay unknown."""
        known = ~np.isnan(outcome)
        self.core.score(self._space, rows[known], outcome[known], numbers[known])

    def ways(self, n: int, enough: int, kind: Kind) -> tuple[Rows, npt.NDArray[np.uint8], Rows]:
        """Up to n different irreducible counterfactuals; which are settled; parts of them that still need a score.

        Looks no further once ``enough`` of them are settled.
        """
        return self.core.ways(self._space, n, enough, kind == "minimal")

    def best(self, n: int, kind: Kind) -> Rows:
        """The n best answers: different settled ways, or simply the nearest counterfactuals."""
        if kind == "top":
            return self.nearest(n)
        return self.core.best(self._space, n, kind == "minimal")

    def nearest(self, n: int) -> Rows:
        """Counterfactuals, nearest first, whether or not a change in them could be undone."""
        return self.core.nearest(self._space, n)

    def fittest(self, q: int) -> Rows:
        """The q best by score of everything scored."""
        return self.core.fittest(self._space, q)

    def look_up(self, rows: Rows) -> Scored:
        return Scored(rows, *self.core.look_up(self._space, rows))

    def highest(self) -> Rows | None:
        """The candidate with the highest outcome, the nearest of them."""
        return self.core.highest(self._space)
