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

from geco.answers.explanation import Counterfactual, Explanation
from geco.answers.labels import Wording
from geco.answers.values import is_missing, plain, shorten
from geco.errors import GecoError, SettingsError
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.questions.groups import groups_of
from geco.questions.intervals import Difference, differences
from geco.questions.moves import Move, moves_of
from geco.questions.obstacles import obstacles
from geco.questions.recheck import explanations_of
from geco.questions.shown import Shown, columns
from geco.whole import whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


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
    groups : in the order of the feature; the largest first where it has none.
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
            *([f"cost, {_place(q)}", *(shorten(g.cost[q]) if g.cost else "–" for g in each)] for q in QUANTILES),
            ["changes, mean", *(_mean(g.changes) for g in each)],
        ]
        return head, rows, [*self._moves(), *self._blocking(), *self._differences()]

    def in_words(self, move: Move) -> str:
        """One of the moves, as people are told of it."""
        return move.words(self._speech)

    def _moves(self) -> list[str]:
        moves = [f"  {move.people:,} × {self.in_words(move)}" for move in self.everyone.moves[:5]]
        return ["most frequent:", *moves] if moves else []

    def _differences(self) -> list[str]:
        told = list(self.differences)
        if not told:
            return []
        all_helped = all(group.helped == 1 for group in self.groups if group.asking)
        helped = ["everybody who asks is helped, in every group"] if all_helped else []
        lines = [str(each) for each in told if not (all_helped and each.measure == "helped")]
        return [*helped, *([f"compared with the largest group, {told[0].than}:"] if lines else []),
                *(f"  {line}" for line in lines)]  # fmt: skip

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
    names, title, order = groups_of(parts, given, by)
    sampled = _asked_about(parts, given, whole("obstacles", asked, 0), whole("seed", seed, 0))
    everyone = _summed("all", given, range(len(given)), sampled)
    members: dict[str, list[int]] = defaultdict(list)
    for number, name in enumerate(names):
        members[name].append(number)
    groups = tuple(_summed(name, given, members[name], sampled) for name in order)
    told = differences(_costs(given, members, order), seed)
    return Summary(everyone, title, groups, told, len(sampled), parts.wording)


def _costs(
    given: Sequence[Explanation], members: dict[str, list[int]], order: Sequence[str]
) -> dict[str, list[float | None]]:
    """Per group what the nearest answer of those asking costs; the largest group first."""
    asking = {name: [_first(given[i]) for i in members[name] if _asks(given[i])] for name in order}
    largest = max(order, key=lambda name: len(asking[name]), default=None)
    by_size = sorted(asking, key=lambda name: name != largest)
    return {name: [None if cf is None else cf.distance for cf in asking[name]] for name in by_size}


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
        moves_of(found),
        _blocking([sampled[number] for number in numbers if number in sampled]),
    )


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
