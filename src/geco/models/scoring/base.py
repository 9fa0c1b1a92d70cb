"""What the loop needs of whoever scores candidates; the counterpart of ``Search`` in search/base.py.

An evaluator is a generator: where Algorithm 1 calls M it yields a Request, and whoever drives it (one explanation or
many in lock-step) has ``answer`` put all waiting requests into few calls of the user's object.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Literal, Protocol

from geco import _core
from geco.errors import ModelError
from geco.models.asking.batches import Request
from geco.population.base import Floats, LineCost, Lines, Outcome, Proposal, Rows
from geco.space.feasible import FeasibleSpace

Limit = Literal["budget", "deadline"]
Answers = tuple[Floats, Floats]  # M(x') and the model's number


class Evaluator(Protocol):
    """Scores the candidates of one x, x itself with the first round.

    Attributes
    ----------
    target : what is good, in words.
    line_cost : what the lines of a proposal cost.
    standing : what the model said of x, and whether that or the clock ends the rounds.
    space : what a search should choose from: DG, without rows that the model cannot tell from nearer ones.
    sweeps : it has a compiled model, which `sweep` asks.
    native : the same scoring in the core, where whole rounds can be carried out; None where M is Python.
    """

    target: str
    line_cost: LineCost
    standing: _core.Standing
    space: FeasibleSpace

    @property
    def sweeps(self) -> bool: ...
    @property
    def native(self) -> _core.Scoring | None: ...
    @property
    def stopped_by(self) -> Limit | None:
        """What kept it from scoring all it was asked to score."""

    @property
    def not_a_number(self) -> int:
        """Answers of the model that were none."""

    @property
    def note(self) -> str | None:
        """What the user should know about the way this x was scored."""

    def __call__(self, proposal: Proposal) -> Generator[Request, None, Outcome]: ...
    def sweep(self, lines: Lines) -> Answers | None:
        """M along lines by the compiled model; None where only the user's object can say, or not in time."""

    def confirm(self, rows: Rows, more: int = 0) -> Generator[Request, None, Answers]:
        """Ask the user's object once more, about the best candidates; the last ``more`` of them need not be good."""

    def predicted(self, row: Rows) -> Any:
        """The class of a candidate that was confirmed, where the model has more than two; None elsewhere."""


class Scorer(Protocol):
    """Scores row numbers by a compiled model; what `OnRows` makes an evaluator of.

    Attributes
    ----------
    lap : what the trace calls the time it takes.
    native : itself in the core, where it is there.
    """

    lap: str
    line_cost: LineCost

    @property
    def native(self) -> _core.Scoring | None: ...
    def score(self, points: Rows, lines: Lines, seconds: float) -> Answers:
        """For points and then every row of every line.

        Raises ``_core.OutOfTime`` where that takes much longer than ``seconds``.
        """


def check_x(standing: _core.Standing) -> None:
    """Raise ModelError if the model has no number for x."""
    if standing.unknowable:
        raise ModelError("the model returned NaN for x, so nothing can be said about it")
