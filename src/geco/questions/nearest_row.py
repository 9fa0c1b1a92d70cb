"""nearest_row: who is like me and was approved? The nearest real row of D that is good and obeys the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from geco.answers.explanation import Action, Counterfactual
from geco.answers.labels import Wording
from geco.answers.values import plain, shorten
from geco.baselines.base import WithRowsOfD
from geco.baselines.wit import Wit
from geco.errors import DataError
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.question import Question
from geco.questions.asking import ask, by_method
from geco.questions.shown import Shown, before_after, change


@dataclass(frozen=True)
class NearestRow(Shown):
    """A person of D who was treated as x would like to be.

    Attributes
    ----------
    x : as it was given.
    values : all features of that row; None if no row of D is good and obeys the rules.
    changes : where the row differs from x.
    distance, outcome : of that row.
    target : what counts as good, in words.
    reason : why there is none.
    """

    x: dict[str, Any]
    values: dict[str, Any] | None
    changes: tuple[Action, ...]
    distance: float | None
    outcome: float | None
    target: str
    reason: str = ""
    wording: Wording = field(default_factory=Wording, compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain data as described by docs/questions.schema.json."""
        return {
            "x": {name: plain(value) for name, value in self.x.items()},
            "values": None if self.values is None else {name: plain(value) for name, value in self.values.items()},
            "changes": [action.to_dict() for action in self.changes],
            "distance": plain(self.distance),
            "outcome": plain(self.outcome),
            "target": self.target,
            "reason": self.reason,
        }

    def _lines(self, width: int | None) -> list[str]:
        return [*self._told(), *(f"  {change(action, self._speech)}" for action in self.changes)]

    def _told(self) -> list[str]:
        if self.values is None:
            return [self.reason]
        figures = f"dist {shorten(self.distance)}   M {shorten(self.outcome)}"
        return [f"the nearest row of D that is good ({self.target}) and obeys every rule   {figures}"]

    def _table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], Sequence[str]]:
        return ("", "x", "row of D"), before_after(self.changes, self._speech), self._told()


def nearest_row(parts: Parts, x: Any, clock: Clock) -> NearestRow:
    """Rows of D are asked nearest first, until one is good."""
    rows, _ = parts.rows.all()
    looking = by_method(parts, WithRowsOfD(Wit(), rows))
    if looking is None or len(parts.panel.members) > 1:
        raise DataError("nearest_row takes an explainer of one model")
    explanation = ask(looking, x, Question.of(looking.method, 1, 0, None, "top"), clock)
    if not explanation.counterfactuals:
        reason = "No row of D is good and obeys every rule for this x; explain(x) puts values of several rows together."
        if explanation.status == "already_good":
            reason = f"x is good already ({explanation.target})."
        return NearestRow(explanation.x, None, (), None, None, explanation.target, reason)
    row: Counterfactual = explanation.counterfactuals[0]
    return NearestRow(
        explanation.x, row.values, row.changes, row.distance, row.outcome, explanation.target, wording=parts.wording
    )
