"""steps: the order in which the changes of an answer can be made, and the outcome after each of them.

The order is by the rules alone (native/core/order.hpp). What the model says on the way is asked in the call that
confirms the answers: `Stepping` stands before the evaluator and adds those rows to it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from geco._core import Space
from geco.answers.explanation import Action, Counterfactual
from geco.answers.step import Step
from geco.models.asking.batches import Request
from geco.models.scoring.base import Answers, Evaluator, Limit
from geco.models.scoring.onrows import OnRows
from geco.population.base import Floats, Proposal, Rows
from geco.space.feasible import FeasibleSpace


class Way(NamedTuple):
    """From x to an answer: the order of its changes, the candidates between the two, and which rule each breaks."""

    order: list[int]
    between: Rows
    broken: list[int]


class Stepping:
    """An evaluator that also asks about the steps of the first k rows that it is to confirm."""

    def __init__(self, evaluate: Evaluator, space: FeasibleSpace, k: int) -> None:
        self._evaluate, self._space, self._left = evaluate, space, k
        self.standing, self.sweeps, self.native = evaluate.standing, evaluate.sweeps, evaluate.native
        self.predicted, self.target, self.note = evaluate.predicted, evaluate.target, evaluate.note
        self._heard: dict[bytes, tuple[float, float]] = {}
        self._ways: dict[bytes, Way] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._evaluate, name)

    @property
    def stopped_by(self) -> Limit | None:
        return self._evaluate.stopped_by

    @property
    def not_a_number(self) -> int:
        return self._evaluate.not_a_number

    def __call__(self, proposal: Proposal) -> Any:
        return self._evaluate(proposal)

    def confirm(self, rows: Rows, more: int = 0) -> Generator[Request, None, Answers]:
        """Ask about these rows, and in the same call about what is between x and the answers among them."""
        first, self._left = rows[: self._left], max(0, self._left - len(rows))
        between = self._find_ways(first)
        if not len(between):
            return (yield from self._evaluate.confirm(rows, more))
        outcome, numbers = yield from self._evaluate.confirm(np.concatenate([rows, between]), more + len(between))
        self._hear(between, outcome[len(rows) :], numbers[len(rows) :])
        return outcome[: len(rows)], numbers[: len(rows)]

    def look_along(self, rows: Sequence[Rows]) -> Generator[Request, None, None]:
        """Have the compiled model say what the confirmation of these answers did not."""
        if not isinstance(self._evaluate, OnRows):
            return
        unknown = [step for row in rows for step in self._way(row).between if step.tobytes() not in self._heard]
        if unknown:
            outcome = yield from self._evaluate(Proposal.of_points(np.stack(unknown)))
            self._hear(unknown, outcome.points, outcome.point_numbers)

    def _hear(self, rows: Iterable[Rows], outcome: Floats, numbers: Floats) -> None:
        for row, said, number in zip(rows, outcome.tolist(), numbers.tolist(), strict=False):
            if not isnan(said):  # the budget may not reach all
                self._heard[row.tobytes()] = said, number

    def _find_ways(self, answers: Rows) -> Rows:
        """The candidates on the ways to these answers; the ways are kept."""
        begin = 0
        between: Rows
        ways, between = self._space.core.ways_to(answers)
        for row, (order, broken) in zip(answers, ways, strict=True):
            end = begin + len(broken)
            self._ways[row.tobytes()] = Way(order, between[begin:end], broken)
            begin = end
        return between

    def _way(self, row: Rows) -> Way:
        key = row.tobytes()
        if key not in self._ways:
            self._find_ways(row[None])
        return self._ways[key]

    def of(self, cf: Counterfactual, row: Rows) -> tuple[Step, ...]:
        """The steps of the answer that this row stands for."""
        order, between, broken = self._way(row)
        steps = []
        for at, group in enumerate(order):
            table = self._space.domain.tables[group]
            actions = cf.changes
            if len(order) > 1:
                actions = tuple([each for each in cf.changes if _belongs(each, table.features, table.onehot)])
            if at == len(between):
                steps.append(Step(table.name, actions, cf.outcome, True))
                continue
            said = self._heard.get(between[at].tobytes())
            good, number = (None, None) if said is None else (said[0] > 0.5, said[1])
            steps.append(Step(table.name, actions, number, good, self._text(broken[at], between[at])))
        return tuple(steps)

    def _text(self, broken: int, row: Rows) -> str | None:
        """The rule of this number; a row that is not allowed is x's own, where x breaks a rule about one group."""
        if broken == Space.NONE_BROKEN:
            return None
        if broken >= 0:
            return self._space.rules[broken].text
        return next((rule.text for group, rule in self._space.broken.items() if not row[group]), None)


def _belongs(action: Action, features: Sequence[str], onehot: str | None) -> bool:
    return action.feature == onehot if onehot else action.feature in features
