"""smallest: how far must this one thing move? An Explanation about one group, and the curve of the model along it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from geco._core import CascadeCounts, Feasible, Space
from geco.answers.candidates import Teller
from geco.answers.explanation import Explanation
from geco.answers.speech import Speech
from geco.answers.values import plain
from geco.data.domain import Domain
from geco.data.grouptable import GroupTable
from geco.data.instance import read_instance
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.question import Question
from geco.questions.along import Along, dragged
from geco.questions.asking import ask, by_method, group_named, judged
from geco.questions.shown import changes
from geco.space.feasible import FeasibleSpace, feasible_space
from geco.space.ground import ground

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_POINTS = 101  # of a curve


@dataclass(frozen=True)
class Curve:
    """What the model says along one feature, all others as in x.

    Attributes
    ----------
    feature : what is changed.
    values : of D and x's own, in order; where D has many, evenly chosen ones.
    outcomes : the model's number for each.
    good : the model says yes to it.
    allowed : the rules allow it without a further change.
    dragging : they allow it with further changes, no farther than they ask for.
    """

    feature: str
    values: tuple[Any, ...]
    outcomes: tuple[float, ...]
    good: tuple[bool, ...]
    allowed: tuple[bool, ...]
    dragging: tuple[bool, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "feature": self.feature,
            "values": [plain(value) for value in self.values],
            "outcomes": [plain(number) for number in self.outcomes],
            "good": list(self.good),
            "allowed": list(self.allowed),
            "dragging": list(self.dragging),
        }


@dataclass(frozen=True)
class Smallest(Explanation):
    """An Explanation whose answers change one group, and what rules drag along with it.

    Attributes
    ----------
    feature : the feature or ONEHOT set that was asked about.
    curve : what the model says along it; None for a GROUP, which has no line to go along.
    """

    feature: str = ""
    curve: Curve | None = field(default=None, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain data as described by docs/questions.schema.json."""
        curve = None if self.curve is None else self.curve.to_dict()
        return {**super().to_dict(), "feature": self.feature, "curve": curve}

    def plot(self, ax: Axes | None = None) -> Axes:
        """The curve of the model along the feature, with x, the answer and what is allowed; needs matplotlib."""
        from geco.questions.pictures.curve import draw_smallest

        return draw_smallest(self, ax)


def smallest(parts: Parts, x: Any, name: str, question: Question, clock: Clock) -> Smallest:
    """Explain x where only the group of this feature is chosen."""
    group = group_named(parts.domain, name)
    instance = read_instance(x, parts.domain)
    space = feasible_space(parts.deployment, ground(instance, parts.deployment.rules), instance)
    along = by_method(parts, Along(group))
    assert along is not None  # it takes any model
    explanation = ask(along, instance, replace(question, prove=False, ways="sets"), clock)
    if needless := _needless(parts, space, explanation, clock):
        reason = f"{name} need not move: {needless}"
        explanation = replace(explanation, counterfactuals=(), status="none_found", nearest_miss=None, reason=reason)
    elif not explanation.counterfactuals and not explanation.good and _fixed(parts, group):
        explanation = replace(explanation, reason=f"{name} cannot move: it is fixed by the rules.")
    given = {each.name: getattr(explanation, each.name) for each in fields(Explanation) if each.init}
    return Smallest(**given, feature=name, curve=_curve(parts, space, group, explanation, clock))


def _needless(parts: Parts, space: FeasibleSpace, explanation: Explanation, clock: Clock) -> str:
    """Where x breaks a rule, and all that it takes is to keep it: what changes then, in words."""
    start = np.array(space.core.start, np.int32)
    if explanation.status == "already_good" or not start.any() or space.feasible != Feasible.YES:
        return ""
    values = space.values(start)
    [said] = judged(parts, [values], clock)
    if not said.good:
        return ""
    made = [action for g in start.nonzero()[0].tolist() for action in Teller.of(space).actions(g, values)]
    return f"{changes(made, Speech(parts.wording))} is enough, and a rule asks for that."


def _fixed(parts: Parts, group: int) -> bool:
    fixed = {rule.fixes for rule in parts.program.rules}
    return fixed.issuperset(parts.domain.tables[group].features)


def _curve(parts: Parts, space: FeasibleSpace, group: int, explanation: Explanation, clock: Clock) -> Curve | None:
    x, domain, table = space.x, parts.domain, parts.domain.tables[group]
    if len(table.features) > 1 and table.onehot is None:
        return None
    rows = _some_rows(domain, table, explanation)
    points = [(row, {**x, **{f: table.values[f][row] for f in table.features}}) for row in rows]
    if all(any(each[f] != x[f] for f in table.features) for _, each in points):
        points.append((0, dict(x)))
    if table.onehot is None:
        points.sort(key=lambda point: domain.number(table.features[0], point[1][table.features[0]]))
    candidates = np.zeros((len(points), space.core.width), np.int32)
    candidates[:, group] = [0 if all(p[f] == x[f] for f in table.features) else row for row, p in points]
    said = judged(parts, [each for _, each in points], clock)
    allowed = space.core.first_broken(candidates) == Space.NONE_BROKEN
    _, kept = dragged(space.core, group, candidates[:, group], CascadeCounts(space.core))
    return Curve(
        table.onehot or table.features[0],
        tuple(_shown(table, each) for _, each in points),
        tuple(each.number for each in said),
        tuple(each.good for each in said),
        tuple(allowed.tolist()),
        tuple((kept & ~allowed).tolist()),
    )


def _some_rows(domain: Domain, table: GroupTable, explanation: Explanation) -> list[int]:
    """Rows evenly over the table, the answer's among them; missing values left out."""
    known = np.flatnonzero(~np.isnan(table.numbers[table.features[0]]))
    places = np.unique(np.linspace(0, len(known) - 1, min(len(known), MOST_POINTS)).astype(int))
    rows = set(known[places].tolist()) - {0}
    group = domain.group_of[table.features[0]]
    for cf in explanation.counterfactuals:
        rows.add(domain.find(group, cf.values))
    return sorted(rows - {0})


def _shown(table: GroupTable, values: Mapping[str, Any]) -> Any:
    """The value; of a ONEHOT set the column that is on."""
    if table.onehot is None:
        return values[table.features[0]]
    return next((f for f in table.features if values[f]), "none")
