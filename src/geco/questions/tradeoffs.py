"""tradeoffs: the front of distance, number of changes and outcome: nothing on it is worse than another in all three.

A few searches side by side: near, with few changes, and with a margin that makes the outcome surer; and the ends of the
ranges of single changes. All that they find is measured by the explainer's own distance, and what another dominates is
left out. It is the front of what was found: there may be something better that no search came upon.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from geco.answers.candidates import Teller, known
from geco.answers.explanation import Counterfactual
from geco.answers.labels import Wording
from geco.answers.values import plain, shorten
from geco.data.instance import read_instance
from geco.errors import TargetError
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.question import Question
from geco.questions.asking import ask_all, judged
from geco.questions.shown import Shown, changes, columns
from geco.search.base import Archive
from geco.space.feasible import feasible_space
from geco.space.ground import ground
from geco.words import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARGINS = (0.1, 0.2, 0.3, 0.4)  # beyond the bare minimum; of a quantity in units of its spread
CLOSE = 1e-12


@dataclass(frozen=True)
class Tradeoff:
    """One point of the front.

    Attributes
    ----------
    counterfactual : the answer.
    changed : how many features, ONEHOT sets counted once.
    surplus : how far its outcome is beyond the bare minimum.
    """

    counterfactual: Counterfactual
    changed: int
    surplus: float

    def dominates(self, other: Tradeoff) -> bool:
        """Nowhere worse and somewhere better."""
        mine = (self.counterfactual.distance, self.changed, -self.surplus)
        theirs = (other.counterfactual.distance, other.changed, -other.surplus)
        no_worse = all(a <= b + CLOSE for a, b in zip(mine, theirs, strict=True))
        return no_worse and any(a < b - CLOSE for a, b in zip(mine, theirs, strict=True))


@dataclass(frozen=True)
class Tradeoffs(Shown):
    """The front, nearest first."""

    x: dict[str, Any]
    outcome: float
    target: str
    points: tuple[Tradeoff, ...]
    wording: Wording = field(default_factory=Wording, compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain data as described by docs/questions.schema.json."""
        return {
            "x": {name: plain(value) for name, value in self.x.items()},
            "outcome": plain(self.outcome),
            "target": self.target,
            "points": [
                {**p.counterfactual.to_dict(), "changed": p.changed, "surplus": plain(p.surplus)} for p in self.points
            ],
        }

    def _lines(self, width: int | None) -> list[str]:
        head, rows, below = self._table()
        return [*below, *columns([head, *rows] if rows else [], right=(0, 1, 2), width=width)]

    def _table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], Sequence[str]]:
        rows = [
            [
                shorten(point.counterfactual.distance),
                str(point.changed),
                shorten(point.counterfactual.outcome),
                changes(point.counterfactual.changes, self._speech),
            ]
            for point in self.points
        ]
        told = [f"M(x) {shorten(self.outcome)}, wanted {self.target}"]
        told += [] if rows else ["no answer was found, so there is nothing to choose from"]
        return ("dist", "changes", "M", "what changes"), rows, told

    def plot(self, ax: Axes | None = None) -> Axes:
        """Distance against outcome, marked by the number of changes; needs matplotlib."""
        from geco.questions.pictures.front import draw_tradeoffs

        return draw_tradeoffs(self, ax)


def tradeoffs(parts: Parts, x: Any, k: int, seed: int, clock: Clock) -> Tradeoffs:
    """The front of all that a few searches find."""
    instance = read_instance(x, parts.domain)
    question = Question.of(parts.method, k, seed, None, None)
    found = ask_all([(each, instance) for each in _askings(parts)], question, clock)
    usual = found[0]
    answers = [cf for each in found for cf in each.counterfactuals]
    points = [_point(parts, instance, cf) for cf in (*answers, *_far_ends(parts, instance, answers, clock))]
    return Tradeoffs(usual.x, usual.outcome, usual.target, _front(points), parts.wording)


def _askings(parts: Parts) -> list[Parts]:
    """As usual, with changes that cost more, and with margins as far as the model has any."""
    fewer = replace(parts.params, alpha=0.9, beta=0.1, gamma=0.0)
    usual, least = parts.asked.target.margin, _unit(parts)
    words = [Words(params=fewer)]
    words += [Words(margin=usual + share * least, params=p) for share in MARGINS for p in (None, fewer)]
    asked = [parts]
    for each in words:
        try:
            asked.append(parts.asked_with(each))
        except TargetError:  # labels have no margin, and nothing is surer than certain
            continue
    return asked


def _far_ends(
    parts: Parts, x: dict[str, Any], answers: Sequence[Counterfactual], clock: Clock
) -> Iterator[Counterfactual]:
    """Of every answer with a single change the ends of its range: farther, but surer."""
    space = feasible_space(parts.deployment, ground(x, parts.deployment.rules), x)
    ends: dict[tuple[int, int], Counterfactual] = {}
    for cf in answers:
        for feature, run in cf.ranges.items() if len(cf.changes) == 1 else ():
            if feature not in parts.domain.group_of:  # a ONEHOT set: its categories have no ends
                continue
            group = parts.domain.group_of[feature]
            for value in (run.low, run.high):
                values = {**cf.values, feature: value}
                row = 0 if value is None else parts.domain.find(group, values)
                if row and values != x and not space.check(x, values):
                    ends[group, row] = cf
    rows = np.zeros((len(ends), len(parts.domain.tables)), np.int32)
    for at, (group, row) in enumerate(ends):
        rows[at, group] = row
    said = judged(parts, [space.values(each) for each in rows], clock)
    for facts, one, cf in zip(known(space, Archive(space), rows), said, ends.values(), strict=True):
        if one.good:
            yield replace(Teller.of(space).counterfactual(facts, cf.confirmed), outcome=one.number)


def _unit(parts: Parts) -> float:
    goal = parts.model.goal
    return goal.softness if goal.output in ("number", "decision") else 1.0


def _point(parts: Parts, x: dict[str, Any], cf: Counterfactual) -> Tradeoff:
    distance = parts.deployment.distance.between(parts.domain, x, cf.values)
    return Tradeoff(replace(cf, distance=distance), len(cf.changes), _surplus(parts, cf.outcome))


def _surplus(parts: Parts, number: float) -> float:
    goal = parts.model.goal
    if goal.output == "label":
        return 0.0
    if goal.output == "number":
        return float(min(number - goal.low, goal.high - number))
    return float(goal.sign * number - goal.margin if goal.output == "decision" else number - goal.threshold)


def _front(points: Iterable[Tradeoff]) -> tuple[Tradeoff, ...]:
    """Those that no other dominates, each set of values once."""
    by_values = {tuple(p.counterfactual.values.items()): p for p in points}
    each = list(by_values.values())
    best = [p for p in each if not any(other.dominates(p) for other in each)]
    first: dict[tuple[float, int, float], Tradeoff] = {}
    for point in sorted(best, key=lambda p: (p.counterfactual.distance, p.changed, -p.surplus)):
        first.setdefault((point.counterfactual.distance, point.changed, point.surplus), point)
    return tuple(first.values())
