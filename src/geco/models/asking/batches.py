"""answer: put the requests of one or many explanations into few calls of the user's object.

The only place that asks the model once an Explainer is built. Every row and call is counted in the trace of the
explanation it was for; seconds of a shared call are split by rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from geco.errors import ModelError
from geco.models.asking.blackbox import BlackBox
from geco.models.asking.inputs import InputOfX
from geco.models.asking.meter import Clock
from geco.models.asking.stack import stack
from geco.population.base import Floats, Rows
from geco.trace import Trace

MAX_ROWS = 100_000  # of one call, so that memory stays flat however many explanations share it
UNASKED = np.zeros(0)


class Request:
    """The first ``wanted`` of these candidates of one x wait for the model.

    ``answer`` fills ``outcome`` and ``numbers`` (NaN where it did not get to), or ``error`` with what the model raised.
    """

    def __init__(
        self,
        model: BlackBox,
        inputs: InputOfX,
        rows: Rows,
        wanted: int,
        trace: Trace,
        kept_rows: int = 0,
        confirming: bool = True,
    ) -> None:
        self.model, self.inputs, self.rows, self.wanted, self.trace = model, inputs, rows, wanted, trace
        self.kept_rows, self.confirming = kept_rows, confirming
        self.outcome = self.numbers = UNASKED
        self.labels: list[Any] = []  # predicted classes, where there are more than two
        self.answered = 0
        self.seconds = 0.0
        self.error: ModelError | None = None
        # x's values made a column wider than D's: the rows of others must not be shown in that dtype.
        self.alone = inputs.widened

    @property
    def left(self) -> int:
        return 0 if self.error else self.wanted - self.answered

    def fill(self, outcome: Floats, numbers: Floats, labels: Sequence[Any]) -> None:
        """What the model said of the next rows; of those that it never comes to the answer is NaN."""
        if len(outcome) == len(self.rows):  # most often all at once
            self.outcome, self.numbers = outcome.copy(), numbers.copy()
        else:
            self.unknown()
            into = slice(self.answered, self.answered + len(outcome))
            self.outcome[into], self.numbers[into] = outcome, numbers
        self.labels += labels
        self.answered += len(outcome)

    def unknown(self) -> None:
        """NaN for every row, unless something was said."""
        if len(self.outcome) != len(self.rows):
            self.outcome, self.numbers = np.full(len(self.rows), np.nan), np.full(len(self.rows), np.nan)

    def count(self, rows: int, share: float, model_seconds: float, own_seconds: float) -> None:
        """Count a call that these rows were part of; of its seconds only their share."""
        self.trace.model_called(rows, share * model_seconds)
        self.trace.add("model", share * model_seconds)
        self.trace.add("materialize", share * own_seconds)
        self.seconds += share * (model_seconds + own_seconds)


class _Part(NamedTuple):
    """The next rows of one request, as far as a call reaches."""

    request: Request
    rows: Rows


def answer(requests: Sequence[Request], clock: Clock) -> None:
    """Ask about all requests in as few calls as the clock allows; the deadline ends scoring, but not confirming."""
    by_model: dict[int, list[Request]] = {}
    for request in requests:
        by_model.setdefault(id(request.model), []).append(request)
    for waiting in by_model.values():
        _answer(waiting[0].model, waiting, clock)
    for request in requests:
        request.unknown()


def _answer(model: BlackBox, requests: Sequence[Request], clock: Clock) -> None:
    waiting = sorted(requests, key=lambda request: not request.confirming)  # time was kept for them: they go first
    while waiting:
        wanted = sum([request.left for request in waiting])
        allowed = clock.allow(wanted, sum([request.kept_rows for request in requests]))
        confirming = sum([request.left for request in waiting if request.confirming])
        parts = _parts(waiting, min(max(allowed, confirming), MAX_ROWS))
        if not parts:
            return
        _call(model, parts, clock)
        waiting = [request for request in waiting if request.left]


def _parts(waiting: Sequence[Request], most: int) -> list[_Part]:
    """Rows for one call: requests in order until there are ``most``; one that must be alone is a call of its own."""
    parts: list[_Part] = []
    for request in waiting:
        if most <= 0:
            break
        if request.alone and parts:
            continue
        rows = request.rows[request.answered : request.answered + min(most, request.left)]
        parts.append(_Part(request, rows))
        most = 0 if request.alone else most - len(rows)
    return parts


def _call(model: BlackBox, parts: Sequence[_Part], clock: Clock) -> None:
    """One call of the user's object; its answers and its time go to the requests."""
    begun = perf_counter()
    table = stack([part.request.inputs for part in parts], [part.rows for part in parts])
    started = perf_counter()
    judged, error, labels = None, None, None
    try:
        raw = model.predict(table)
        ended = perf_counter()
        judged, labels = model.goal.judge(raw), model.labels(raw)
    except ModelError as raised:
        error, ended = raised, perf_counter()
    if judged is not None:
        _fill(parts, *judged, labels)
    elif len(parts) == 1:
        parts[0].request.error = error
    for request, _ in parts if judged is None else ():
        request.alone = True  # asked again one by one, so that only those the model fails on are lost
    rows = sum([len(part.rows) for part in parts])
    clock.called(rows, ended - started)
    around = started - begun + perf_counter() - ended
    for request, part in parts:
        request.count(len(part), len(part) / rows, ended - started, around)


def _fill(parts: Sequence[_Part], outcome: Floats, numbers: Floats, labels: list[Any] | None) -> None:
    done = 0
    for request, rows in parts:
        source = slice(done, done + len(rows))
        request.fill(outcome[source], numbers[source], () if labels is None else labels[source])
        done += len(rows)
