"""Step: one change of an answer in the order that the rules ask for, and what it brings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from geco.answers.values import plain

if TYPE_CHECKING:
    from geco.answers.explanation import Action


@dataclass(frozen=True)
class Step:
    """One group changes, after those before it.

    Attributes
    ----------
    group : its name.
    changes : what changes in it.
    outcome : the model's number after this step; None where it was not asked.
    good : the model says yes after this step; None where it was not asked.
    broken : a rule that is broken until a later step, as its text; None if every rule holds. Orders in which none is
        broken on the way are chosen where there are any.
    """

    group: str
    changes: tuple[Action, ...]
    outcome: float | None
    good: bool | None
    broken: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "group": self.group,
            "changes": [action.to_dict() for action in self.changes],
            "outcome": plain(self.outcome),
            "good": self.good,
            "broken": self.broken,
        }
