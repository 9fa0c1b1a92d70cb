"""promises: the answers that a ledger stands by, under a new model: which it breaks, and what takes their place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Any

from geco.answers.explanation import Explanation
from geco.answers.values import show
from geco.explainer import Explainer
from geco.questions.recheck import Rechecked
from geco.report.entries import Entry
from geco.report.ledger import Ledger

CHUNK = 2000  # promises that are held in memory at a time


@dataclass(frozen=True)
class Broken:
    """A promise that the new model breaks: the entry, and what became of the answer."""

    entry: Entry
    answer: Rechecked

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        instead = self.answer.instead
        return {
            "number": self.entry.number,
            "person": self.entry.person,
            "until": None if self.entry.until is None else self.entry.until.isoformat(),
            "place": self.answer.place,
            "values": self.answer.counterfactual.to_dict()["values"],
            "outcome": float(self.answer.outcome),
            "instead": None if instead is None else instead.to_dict(),
            "unneeded": self.answer.unneeded,
        }

    def __str__(self) -> str:
        who = "" if self.entry.person is None else f" to {self.entry.person}"
        told = f"entry {self.entry.number}{who}: answer {self.answer.place} is no longer good"
        if self.answer.unneeded:
            return f"{told}; the new model says yes without any change"
        if self.answer.instead is None:
            return f"{told}, and nothing was found in its place"
        changes = ", ".join(f"{a.feature} {show(a.before)} ▶ {show(a.after)}" for a in self.answer.instead.changes)
        return f"{told}; instead: {changes}"


def broken_promises(ledger: Ledger, explainer: Explainer, model: Any, on: date | str | None = None) -> Iterator[Broken]:
    """The answers promised on this day (today, UTC, if None) that the new model no longer calls good.

    Read and asked in pieces, so that memory does not grow with the ledger.

    Parameters
    ----------
    ledger : of answers given out.
    explainer : with today's data and rules; its own model does not matter.
    model : the new one.
    """
    promised = ledger.promises(on)
    while entries := list(islice(promised, CHUNK)):
        given = [Explanation.from_dict(entry.record or {}) for entry in entries]
        for answer in explainer.recheck(given, model):
            if not answer.holds:
                yield Broken(entries[answer.row], answer)
