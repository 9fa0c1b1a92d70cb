"""summary: how many can be helped, by what and at what cost; side by side per group.

In: explanations, most often of ``explain_many``, and the parts they came from. Out: counts and quantiles, the most
frequent actions, what stands in the way of a sample of people, and differences between groups with their intervals.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from geco.answers.explanation import Action, Counterfactual, Explanation
from geco.answers.labels import Wording
from geco.answers.speech import Speech
from geco.answers.values import is_missing, plain, shorten
from geco.errors import GecoError, SettingsError
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.questions.groups import groups_of
from geco.questions.intervals import Difference, differences
from geco.questions.obstacles import obstacles
from geco.questions.recheck import explanations_of
from geco.questions.shown import Shown, columns
from geco.whole import whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
MOST_MOVES = 20


@dataclass(frozen=True)
class Move:
    """What many are told to do.

    Attributes
    ----------
    feature, verb : such as income and "raise"; for categories "change" and ``to`` what.
    people : whose nearest answer has it.
    typical : the median size of the change; None for categories.
    """

    feature: str
    verb: str
    to: Any
    people: int
    typical: float | None

    def words(self, speech: Speech) -> str:
        """``raise income (by 450 €)``."""
        title, unit = speech.title(self.feature), speech.wording.label(self.feature).unit
        if self.verb in ("raise", "lower"):
            return f"{self.verb} {title} (by {shorten(self.typical)}{f' {unit}' if unit else ''})"
        return f"{self.verb} {title}" + (
            "" if self.verb == "leave blank" else f" to {speech.value(self.feature, self.to)}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "feature": self.feature,
            "verb": self.verb,
            "to": plain(self.to),
            "people": self.people,
            "typical": plain(self.typical),
        }


@dataclass(frozen=True)
class Blocking:
    """A rule that stands in the way: of how many of those that were asked."""

    rule: str
    people: int
    asked: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {"rule": self.rule, "people": self.people, "asked": self.asked}


@dataclass(frozen=True)
class GroupSummary:
    """One group of people, or all.

    Attributes
    ----------
    people : in it; of them ``already_good`` and ``failed`` need or get no answer, the others are ``asking``.
    helped, none_found : shares of those asking.
    cost : quantiles of the distance of the nearest answers.
    changes : how many features these change, and for how many people.
    moves : the most frequent actions.
    blocking : rules that cost people of the sample something, the most frequent first.
    """

    name: str
    people: int
    asking: int
    already_good: int
    failed: int
    helped: float
    none_found: float
    cost: dict[float, float]
    changes: dict[int, int]
    moves: tuple[Move, ...]
    blocking: tuple[Blocking, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "name": self.name,
            "people": self.people,
            "asking": self.asking,
            "already_good": self.already_good,
            "failed": self.failed,
            "helped": plain(self.helped),
            "none_found": plain(self.none_found),
            "cost": {str(q): plain(value) for q, value in self.cost.items()},
            "changes": {str(n): people for n, people in self.changes.items()},
            "moves": [move.to_dict() for move in self.moves],
            "blocking": [each.to_dict() for each in self.blocking],
        }


@dataclass(frozen=True)
class Summary(Shown):
    """All people, and each group of them.

    Attributes
    ----------
    everyone : all of them.
    by : what makes the groups; None if there are none.
    groups : the largest first.
    differences : of each other group to the largest, with an interval that holds 95 % of the bootstrap's samples.
    asked : how many people were asked what stands in their way.
    """

    everyone: GroupSummary
    by: str | None
    groups: tuple[GroupSummary, ...]
    differences: tuple[Difference, ...]
    asked: int
    wording: Wording = field(default_factory=Wording, compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain data as described by docs/questions.schema.json."""
        return {
            "everyone": self.everyone.to_dict(),
            "by": self.by,
            "groups": [group.to_dict() for group in self.groups],
            "differences": [each.to_dict() for each in self.differences],
            "asked": self.asked,
        }

    def _lines(self, width: int | None) -> list[str]:
        head, rows, below = self._table()
        return [*columns([head, *rows], right=range(1, len(head)), width=width), *below]

    def _table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], Sequence[str]]:
        head = [self.by or "", "all", *(group.name for group in self.groups)]
        each = [self.everyone, *self.groups]
        rows = [
            ["people", *(f"{g.people:,}" for g in each)],
            ["asking", *(f"{g.asking:,}" for g in each)],
            ["helped", *(_percent(g.helped) for g in each)],
            ["no way found", *(_percent(g.none_found) for g in each)],
            *([f"cost, {_place(q)}", *(shorten(g.cost.get(q)) for g in each)] for q in QUANTILES),
            ["changes, mean", *(_mean(g.changes) for g in each)],
        ]
        return head, rows, [*self._moves(), *self._blocking(), *map(str, self.differences)]

    def in_words(self, move: Move) -> str:
        """One of the moves, as people are told of it."""
        return move.words(self._speech)

    def _moves(self) -> list[str]:
        moves = [f"  {move.people:,} × {self.in_words(move)}" for move in self.everyone.moves[:5]]
        return ["most frequent:", *moves] if moves else []

    def _blocking(self) -> list[str]:
        told = [f"  {b.people} of {b.asked} people asked: {b.rule}" for b in self.everyone.blocking[:5]]
        return ["in the way (a sample was asked):", *told] if told else []

    def plot(self, figure: Figure | None = None) -> Figure:
        """Bars of who is helped, what it costs and by what, with groups side by side; needs matplotlib."""
        from geco.questions.pictures.bars import draw_summary

        return draw_summary(self, figure)


def summary(parts: Parts, explanations: Iterable[Explanation], by: Any, asked: int, seed: int) -> Summary:
    """Sum up these explanations."""
    given = explanations_of(explanations)
    if not given:
        raise SettingsError("explanations is empty; give what explain_many returned")
    names, title = groups_of(parts, given, by)
    sampled = _asked_about(parts, given, whole("obstacles", asked, 0), whole("seed", seed, 0))
    everyone = _summed("all", given, range(len(given)), sampled)
    members: dict[str, list[int]] = defaultdict(list)
    for number, name in enumerate(names):
        members[name].append(number)
    order = sorted(members, key=lambda name: (-len(members[name]), name))
    groups = tuple(_summed(name, given, members[name], sampled) for name in order)
    costs = {name: [_first(given[i]) for i in members[name] if _asks(given[i])] for name in order}
    told = differences({n: [None if cf is None else cf.distance for cf in found] for n, found in costs.items()}, seed)
    return Summary(everyone, title, groups, told, len(sampled), parts.wording)


def _asks(explanation: Explanation) -> bool:
    return explanation.status in ("found", "none_found", "infeasible")


def _first(explanation: Explanation) -> Counterfactual | None:
    return explanation.counterfactuals[0] if explanation.counterfactuals else None


def _summed(
    name: str, given: Sequence[Explanation], numbers: Sequence[int], sampled: dict[int, tuple[str, ...]]
) -> GroupSummary:
    chosen = [given[number] for number in numbers]
    statuses = Counter(explanation.status for explanation in chosen)
    asking = sum(map(_asks, chosen))
    found = [cf for cf in map(_first, chosen) if cf is not None]
    distances = [cf.distance for cf in found]
    return GroupSummary(
        name,
        len(chosen),
        asking,
        statuses["already_good"],
        statuses["failed"],
        len(found) / asking if asking else float("nan"),
        (asking - len(found)) / asking if asking else float("nan"),
        {q: float(np.quantile(distances, q)) for q in QUANTILES} if distances else {},
        dict(sorted(Counter(len(cf.changes) for cf in found).items())),
        _moves(found),
        _blocking([sampled[number] for number in numbers if number in sampled]),
    )


def _moves(found: Sequence[Counterfactual]) -> tuple[Move, ...]:
    sizes: dict[tuple[str, str, Any], list[float]] = defaultdict(list)
    for cf in found:
        for action in cf.changes:
            verb, to, size = _move(action)
            sizes[action.feature, verb, to].append(size)
    ordered = sorted(sizes.items(), key=lambda item: (-len(item[1]), item[0][0], item[0][1], str(item[0][2])))
    return tuple(
        Move(feature, verb, to, len(each), float(np.median(each)) if verb in ("raise", "lower") else None)
        for (feature, verb, to), each in ordered[:MOST_MOVES]
    )


def _move(action: Action) -> tuple[str, Any, float]:
    """The verb, what to, and by how much."""
    before, after = action.before, action.after
    if is_missing(after):
        return "leave blank", None, 0.0
    numeric = all(isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in (before, after))
    if action.categorical or is_missing(before) or not numeric:
        return ("state" if is_missing(before) else "change"), plain(after), 0.0
    return ("raise" if after > before else "lower"), None, abs(float(after) - float(before))


def _asked_about(parts: Parts, given: Sequence[Explanation], most: int, seed: int) -> dict[int, tuple[str, ...]]:
    """For a sample of those asking, the rules that cost them something."""
    asking = [number for number, explanation in enumerate(given) if _asks(explanation)]
    drawn = np.random.default_rng(seed).permutation(len(asking))[:most]
    told: dict[int, tuple[str, ...]] = {}
    for number in sorted(asking[i] for i in drawn.tolist()) if parts.program.rules else ():
        try:
            found = obstacles(parts, given[number].x, seed, Clock(None))
        except GecoError:  # this x cannot be asked about here, such as one of another explainer
            continue
        dear = [each.rule for each in found if each.price or (found.nearest is None and each.answer is not None)]
        told[number] = tuple(dict.fromkeys((*dear, *found.give_up)))
    return told


def _blocking(told: Sequence[tuple[str, ...]]) -> tuple[Blocking, ...]:
    counts = Counter(rule for rules in told for rule in rules)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Blocking(rule, people, len(told)) for rule, people in ordered)


def _percent(share: float) -> str:
    return "–" if is_missing(share) else f"{100 * share:.1f} %"


def _place(quantile: float) -> str:
    return "median" if quantile == 0.5 else f"{round(100 * quantile)} % below"


def _mean(changes: dict[int, int]) -> str:
    people = sum(changes.values())
    return f"{sum(n * count for n, count in changes.items()) / people:.2f}" if people else "–"
