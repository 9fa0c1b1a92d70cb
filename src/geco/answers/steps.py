"""steps: the order in which the changes of an answer can be made, and the outcome after each of them.

The order is by the rules alone (native/core/order.hpp). What the model says on the way is asked in the call that
confirms the answers (native/core/around/prepared.hpp).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from geco import _core
from geco.answers.candidates import Teller
from geco.answers.explanation import Action, Counterfactual
from geco.answers.step import Step
from geco.models.asking.batches import Request
from geco.models.scoring.base import Evaluator
from geco.models.scoring.onrows import OnRows
from geco.population.base import Proposal


def look_along(evaluate: Evaluator, answers: Sequence[_core.Facts]) -> Generator[Request, None, None]:
    """Have the compiled model say what the confirmation of these answers did not."""
    if not isinstance(evaluate, OnRows) or all(each.all_heard for each in answers):
        return
    rows = [each.unheard(evaluate.space.core.width) for each in answers]
    outcome = yield from evaluate(Proposal.of_points(np.concatenate(rows)))
    begin = 0
    for each, unknown in zip(answers, rows, strict=True):
        end = begin + len(unknown)
        each.hear(outcome.points[begin:end], outcome.point_numbers[begin:end])
        begin = end


def steps(teller: Teller, facts: _core.Facts, cf: Counterfactual) -> tuple[Step, ...]:
    """The steps of an answer; none of a candidate that is not shown as one."""
    order, said = facts.order, facts.between
    found = []
    for at, (group, broken) in enumerate(zip(order, [*facts.broken, _core.Space.NONE_BROKEN], strict=False)):
        table = teller.domain.tables[group]
        actions = cf.changes
        if len(order) > 1:
            actions = tuple([each for each in cf.changes if _belongs(each, table.features, table.onehot)])
        if at == len(said):
            found.append(Step(table.name, actions, cf.outcome, True))
            continue
        heard = said[at]
        good, number = (None, None) if heard is None else (heard[0] > 0.5, heard[1])
        found.append(Step(table.name, actions, number, good, _text(teller, broken, order[: at + 1])))
    return tuple(found)


def _text(teller: Teller, broken: int, changed: Sequence[int]) -> str | None:
    """The rule of this number; a row that is not allowed is x's own, where x breaks a rule about one group."""
    if broken == _core.Space.NONE_BROKEN:
        return None
    if broken >= 0:
        return teller.rules[broken].text
    return next((rule.text for group, rule in teller.broken.items() if group not in changed), None)


def _belongs(action: Action, features: Sequence[str], onehot: str | None) -> bool:
    return action.feature == onehot if onehot else action.feature in features
