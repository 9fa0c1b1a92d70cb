"""Behind: what an answer of a search is made from, part by part, once somebody looks at that part.

Many an answer is stored, counted or compared by its values alone, and to put all of it together takes longer than some
searches. It holds row numbers and the tables of D, and nothing of the search.
"""

from __future__ import annotations

from typing import Any

from geco import _core
from geco.answers.candidates import Teller
from geco.answers.explanation import Action, Counterfactual
from geco.answers.range import Range
from geco.answers.ranges import by_feature
from geco.answers.step import Step
from geco.answers.steps import steps


class Behind:
    """One answer; its methods are named after what they make."""

    __slots__ = ("facts", "teller")

    def __init__(self, teller: Teller, facts: _core.Facts) -> None:
        self.teller, self.facts = teller, facts

    def __call__(self, name: str, of: Counterfactual) -> Any:
        """The part of this name."""
        return getattr(self, name)(of)

    def changes(self, of: Counterfactual) -> tuple[Action, ...]:
        # The user may have changed the dictionary that the answer shows.
        return self.teller.changes(self.facts, self.teller.values(self.facts))

    def groups(self, of: Counterfactual) -> tuple[str, ...]:
        return self.teller.groups(self.facts)

    def ranges(self, of: Counterfactual) -> dict[str, Range]:
        return by_feature(self.teller.domain, self.facts.ranges)

    def steps(self, of: Counterfactual) -> tuple[Step, ...]:
        return steps(self.teller, self.facts, of)


def counterfactual(
    teller: Teller, facts: _core.Facts, confirmed: bool = False, predicted: Any = None
) -> Counterfactual:
    """An answer of a search."""
    before = facts.unrounded
    return Counterfactual.of(
        Behind(teller, facts),
        values=teller.values(facts),
        distance=facts.distance,
        outcome=facts.number,
        confirmed=confirmed,
        unrounded=None if before is None else counterfactual(teller, before),
        predicted=predicted,
    )
