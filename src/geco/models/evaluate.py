"""evaluate: score a Proposal. Materialize hands full feature vectors to the user's own model, through Requests; Sweep
and Specialize ask its compiled form and leave only the confirmation to the user's own.

An evaluator is a generator: where Algorithm 1 calls M it yields a Request, and whoever drives it (one explanation or
many in lock-step) has ``answer`` put all waiting requests into few calls of the user's object.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import Literal

import numpy as np
import numpy.typing as npt

from geco import _core
from geco.errors import ModelDisagreement, ModelError
from geco.models.answer import Request
from geco.models.callable import BlackBox
from geco.models.compiled import Bound, Compiled
from geco.models.conditions import BoundForest, conditions_of
from geco.models.encode import NotSeparable
from geco.models.forest import Forest
from geco.models.meter import Budget, Clock
from geco.models.registry import Kind
from geco.population.base import ASKED, Evaluation, Floats, Lines, Outcome, Proposal, Rows
from geco.space.feasible import FeasibleSpace
from geco.trace import Trace

DECIDED = 1e-9  # how far beyond the threshold a disagreement is not put down to rounding
SINGLE = 1e-6  # the same for a model that answers in float32
ROUGH = 1e-4  # the same for a network that adds in float32, in an order of its own
HELD = 4_000_000  # nodes or numbers of all M_Δ of one x: at most 64 MB


class Materialize:
    """The black box way (Sec. 5.1): copy row numbers to full feature vectors, one request per round.

    x travels as the first row of the first request, which saves a call; its answer is ``x_outcome`` and ``x_number``.
    """

    lines = ASKED
    note: str | None = None

    def __init__(self, model: BlackBox, space: FeasibleSpace, budget: Budget, trace: Trace) -> None:
        self.model, self.goal, self.budget, self.trace = model, model.goal, budget, trace
        self.inputs = model.inputs.of(space.x, space.own)
        self.x_rows = space.x_rows
        self.x_outcome = float("nan")
        self.x_number = float("nan")
        self.not_a_number = 0
        self.stopped_by: Literal["budget", "deadline"] | None = None

    def __call__(self, proposal: Proposal) -> Generator[Request, None, Outcome]:
        first = np.isnan(self.x_outcome)
        rows = np.concatenate([*([self.x_rows] if first else []), proposal.points, proposal.lines.as_points()])
        allowed = self.budget.allow(len(rows))
        order = _spread(len(rows)) if allowed < len(rows) else slice(None)
        request = yield from self._ask(rows[order], allowed, confirming=False)
        outcome, numbers = np.empty(len(rows)), np.empty(len(rows))
        outcome[order], numbers[order] = request.outcome, request.numbers
        if request.answered < allowed:
            self.stopped_by = "deadline"
        elif allowed < len(rows):
            self.stopped_by = "budget"
        self.trace.points_scored += max(0, request.answered - first)
        if first:
            self._x_answered(request)
            outcome, numbers = outcome[1:], numbers[1:]
        n = len(proposal.points)
        return Outcome(outcome[:n], outcome[n:], numbers[:n], numbers[n:], self.x_outcome, self.x_number)

    def confirm(self, rows: Rows) -> Generator[Request, None, tuple[Floats, Floats]]:
        """Ask the user's object once more about x and the best candidates, together."""
        rows = rows[: max(0, self.budget.allow_confirmation(len(rows) + 1) - 1)]
        if not len(rows):
            return np.zeros(0), np.zeros(0)
        request = yield from self._ask(np.concatenate([self.x_rows, rows]), len(rows) + 1, confirming=True)
        return request.outcome[1:], request.numbers[1:]

    def _ask(self, rows: Rows, allowed: int, confirming: bool) -> Generator[Request, None, Request]:
        kept_rows = 0 if confirming else self.budget.kept_rows
        request = Request(self.model, self.inputs, rows, allowed, self.trace, kept_rows, confirming)
        if allowed:
            yield request
        self.budget.spend(request.answered)
        broken = np.isnan(request.outcome[: request.answered])
        if broken.any():  # an answer that is no answer is a bad one
            self.not_a_number += int(broken.sum())
            request.outcome[: request.answered][broken] = 0.0
        return request

    def _x_answered(self, request: Request) -> None:
        if request.answered:
            self._x_scored(request.outcome[0], request.numbers[0])

    def _x_scored(self, outcome: float, number: float) -> None:
        self.x_outcome, self.x_number = float(outcome), float(number)
        if np.isnan(self.x_number):
            raise ModelError("the model returned NaN for x, so nothing can be said about it")


class OnRows(Materialize, ABC):
    """The compiled way: candidates are scored by their row numbers, and no request is made but for the confirmation.

    The clock is looked at between rounds, and time for the confirmation is kept back.
    """

    lap: str

    def __init__(
        self, compiled: Compiled, bound: Bound, space: FeasibleSpace, budget: Budget, trace: Trace, clock: Clock
    ) -> None:
        super().__init__(compiled.model, space, budget, trace)
        self.compiled, self.bound, self.clock = compiled, bound, clock
        self.kept_seconds = compiled.model.probe_seconds

    def __call__(self, proposal: Proposal) -> Generator[Request, None, Outcome]:
        first = np.isnan(self.x_outcome)
        if self.clock.left <= self.kept_seconds and not first:
            self.stopped_by = "deadline"
            unknown = np.full(len(proposal.points), np.nan), np.full(len(proposal.lines.rows), np.nan)
            return Outcome(*unknown, *unknown, self.x_outcome, self.x_number)
        with self.trace.lap(self.lap):
            points = np.concatenate([self.x_rows, proposal.points]) if first else proposal.points
            outcome, numbers = self.score(points, proposal.lines)
        if first:
            self._x_scored(outcome[0], numbers[0])
            outcome, numbers = outcome[1:], numbers[1:]
        self.trace.points_scored += len(proposal)
        n = len(proposal.points)
        return Outcome(outcome[:n], outcome[n:], numbers[:n], numbers[n:], self.x_outcome, self.x_number)
        yield  # a generator like its base, though it never waits

    @abstractmethod
    def score(self, points: Rows, lines: Lines) -> tuple[Floats, Floats]:
        """Outcome and the model's own number for points and then every row of every line."""

    def confirm(self, rows: Rows) -> Generator[Request, None, tuple[Floats, Floats]]:
        """As its base; what the compiled model calls good and the user's own does not is a mistake of ours."""
        outcome, numbers = yield from super().confirm(rows)
        apart = np.flatnonzero(outcome < 0.5 - _rounding(self.compiled.kind))
        if len(apart):
            raise ModelDisagreement(
                f"the compiled model calls a candidate good that the model itself gives {numbers[apart[0]]:.6g}; "
                "give the Explainer compile=False, and please report it"
            )
        return outcome, numbers


class Sweep(OnRows):
    """Lines are scored as a whole, for little more than a few of their rows."""

    lap = "sweep"

    def __init__(
        self, compiled: Compiled, bound: Bound, space: FeasibleSpace, budget: Budget, trace: Trace, clock: Clock
    ) -> None:
        super().__init__(compiled, bound, space, budget, trace, clock)
        self.lines = compiled.lines_cost

    def score(self, points: Rows, lines: Lines) -> tuple[Floats, Floats]:
        return self.compiled.score(self.bound, points, lines)

    def swept(self, run: _core.Sweeping) -> None:
        """Take over what rounds in the native core have shown."""
        self.trace.points_scored = run.scored
        if run.out_of_time:
            self.stopped_by = "deadline"
        self._x_scored(run.x_outcome, run.x_number)


class Specialize(OnRows):
    """The paper's way (Sec. 5.2): candidates of one Δ set are scored by M_Δ on R_Δ; M_Δ is made once and kept for x."""

    lap = "specialize"

    def __init__(
        self, compiled: Compiled, bound: Bound, space: FeasibleSpace, budget: Budget, trace: Trace, clock: Clock
    ) -> None:
        super().__init__(compiled, bound, space, budget, trace, clock)
        self._specialized: dict[bytes, _core.SpecializedForest | _core.SpecializedNetwork] = {}
        self._held = 0

    def score(self, points: Rows, lines: Lines) -> tuple[Floats, Floats]:
        rows = np.concatenate([points, lines.as_points()])
        sums = np.empty((len(rows), self.compiled.core.outputs))
        for members in _by_delta(rows):
            delta = np.flatnonzero(rows[members[0]]).astype(np.int32)
            sums[members] = self._of(delta).points(rows[np.ix_(members, delta)])
        return self.compiled.judged(sums)

    def _of(self, delta: npt.NDArray[np.int32]) -> _core.SpecializedForest | _core.SpecializedNetwork:
        """M_Δ."""
        key = delta.tobytes()
        if key not in self._specialized:
            made = self._specialized[key] = self.compiled.core.specialize(self.bound, delta)
            self._held += made.size
            while self._held > HELD and len(self._specialized) > 1:  # the one used longest ago
                self._held -= self._specialized.pop(next(iter(self._specialized))).size
        self._specialized[key] = self._specialized.pop(key)
        return self._specialized[key]


def evaluator(
    model: BlackBox,
    compiled: Compiled | None,
    evaluation: Evaluation,
    space: FeasibleSpace,
    budget: Budget,
    trace: Trace,
    clock: Clock,
) -> Materialize:
    """How candidates of this x are scored: by the compiled model if there is one and x can be put into its terms."""
    if compiled is None:
        return Materialize(model, space, budget, trace)
    bound = compiled.bind(space.own, lambda: model.inputs.of(space.x).table(space.x_rows))
    if isinstance(bound, NotSeparable):
        evaluate = Materialize(model, space, budget, trace)
        evaluate.note = f"the model was asked row by row: {bound.reason}"
        return evaluate
    if evaluation == "specialize":
        return Specialize(compiled, bound, space, budget, trace, clock)
    if evaluation != "points":
        compiled.thin(space)
    sweep = Sweep(compiled, bound, space, budget, trace, clock)
    if evaluation == "bound":
        sweep.lines = sweep.lines._replace(bounds=BoundForest(compiled.core, bound, conditions_of(compiled)))
    return sweep


def _rounding(kind: Kind) -> float:
    """How far rounding alone may take the user's own answer from the compiled one."""
    if not kind.link.single:
        return DECIDED
    return SINGLE if isinstance(kind, Forest) else ROUGH


def _by_delta(rows: Rows) -> list[npt.NDArray[np.intp]]:
    """Which candidates have the same Δ set: their places, Δ set by Δ set."""
    if not len(rows):
        return []
    changed = np.packbits(rows != 0, axis=1)
    order = np.lexsort(changed.T)  # several times faster than np.unique of rows
    changed = changed[order]
    return np.split(order, np.flatnonzero((changed[1:] != changed[:-1]).any(axis=1)) + 1)


def _spread(n: int) -> npt.NDArray[np.intp]:
    """An order of 0..n-1, 0 first, of which any beginning is spread evenly: a small budget reaches every group."""
    return np.argsort(np.arange(n) * ((5**0.5 - 1) / 2) % 1.0, kind="stable")
