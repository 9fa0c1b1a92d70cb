"""obstacles: what stands in the way? Each rule with what it costs, or a smallest set of rules to give up.

Rules are dropped one at a time, all runs side by side. Where there is no answer with all of them, the smallest set
comes from hitting sets: every set of rules that cannot be kept together must lose one, so the smallest set that hits
all of those known is tried next; if it does not help, what is left holds another such set, which is cut down first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from geco.answers.explanation import Counterfactual, Explanation
from geco.answers.labels import Wording
from geco.answers.speech import Speech
from geco.answers.values import plain, shorten
from geco.data.instance import read_instance
from geco.errors import DataError
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.plaf.extra import as_written
from geco.question import Question
from geco.questions.asking import ask_all, dropping, proving
from geco.questions.shown import Shown, changes, columns
from geco.space.ground import ground

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_SETS = 200_000  # hitting sets looked at before the search gives up


@dataclass(frozen=True)
class Obstacle:
    """One rule.

    Attributes
    ----------
    rule : as it was written; of ``FIXED sex, age`` each is one.
    answer : the nearest answer without it; None if there is none. It changes nothing where x broke this rule only.
    price : how much nearer that is than the nearest answer with all rules, both before they are rounded; None where
        there is none with all rules.
    proven : the price is exact; otherwise it is the best found.
    """

    rule: str
    answer: Counterfactual | None
    price: float | None
    proven: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "rule": self.rule,
            "answer": None if self.answer is None else self.answer.to_dict(),
            "price": plain(self.price),
            "proven": self.proven,
        }


@dataclass(frozen=True)
class Obstacles(Shown):
    """What each rule costs this x.

    Attributes
    ----------
    nearest : the nearest answer with all rules; None if there is none.
    obstacles : every rule that concerns x, dearest first; those that cost nothing last.
    give_up : where there is no answer, a smallest set of rules without which there is one.
    without : the nearest answer found without those.
    proven : the nearest answer is proved; where there is none, that there is none and that no smaller set does.
    status : "good already", "answer", "blocked" (a set of rules is to blame) or "no rule is to blame".
    """

    x: dict[str, Any]
    target: str
    status: str
    nearest: Counterfactual | None
    obstacles: tuple[Obstacle, ...]
    give_up: tuple[str, ...]
    without: Counterfactual | None
    proven: bool
    wording: Wording = field(default_factory=Wording, compare=False, repr=False)

    def __iter__(self) -> Iterator[Obstacle]:
        return iter(self.obstacles)

    def __len__(self) -> int:
        return len(self.obstacles)

    def to_dict(self) -> dict[str, Any]:
        """Plain data as described by docs/questions.schema.json."""
        return {
            "x": {name: plain(value) for name, value in self.x.items()},
            "target": self.target,
            "status": self.status,
            "nearest": None if self.nearest is None else self.nearest.to_dict(),
            "obstacles": [each.to_dict() for each in self.obstacles],
            "give_up": list(self.give_up),
            "without": None if self.without is None else self.without.to_dict(),
            "proven": self.proven,
        }

    def _lines(self, width: int | None) -> list[str]:
        head, rows, below = self._table()
        table = columns([head, *rows] if rows else [], right=(1,), width=width)
        return [below[0], *table, *below[1:]]

    def _table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], Sequence[str]]:
        dear = [each for each in self.obstacles if each.price or (each.price is None and each.answer is not None)]
        rows = [[each.rule, _price(each), _answer(each, self._speech)] for each in dear]
        others = [each.rule for each in self.obstacles if each not in dear]
        what = "these cost nothing" if self.nearest is not None else "giving up one of these alone brings nothing"
        below = [f"{what}: {', '.join(others)}"] if others else []
        return ("rule", "price", "without it"), rows, [*self._told(), *below]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Bars of what each rule costs; those that are not proved are hatched. Needs matplotlib."""
        from geco.questions.pictures.prices import draw_bars

        dear = [each for each in self.obstacles if each.price]
        names, prices, proven = [e.rule for e in dear], [e.price or 0.0 for e in dear], [e.proven for e in dear]
        return draw_bars(names, prices, proven, "what each rule costs", "distance saved without it", ax)

    def _told(self) -> list[str]:
        if self.status == "good already":
            return [f"x is good already ({self.target}): nothing stands in the way"]
        if self.nearest is not None:
            best = "the nearest answer" if self.proven else "the nearest answer found"
            return [f"{best}: {changes(self.nearest.changes, self._speech)}   dist {shorten(self.nearest.distance)}"]
        if self.status == "no rule is to blame":
            sure = "" if self.proven else " that was tried"
            return [f"no rule is to blame: the model says yes to nothing of D's values{sure}, with or without rules"]
        sure = "no smaller set does" if self.proven else "the smallest set found"
        found = "" if self.without is None else f": {changes(self.without.changes, self._speech)}"
        return [f"there is no answer; giving up {' and '.join(self.give_up)} brings one ({sure}){found}"]


def obstacles(parts: Parts, x: Any, seed: int, clock: Clock) -> Obstacles:
    """What stands in the way of x."""
    instance = read_instance(x, parts.domain)
    exactly = proving(parts)
    question = Question.of(exactly.method, 1, seed, None, "top")
    concerned = sorted({rule.number for rule in ground(instance, parts.deployment.rules)})
    texts = as_written(parts.program.program)
    runs = [exactly, *(dropping(exactly, [number]) for number in concerned)]
    with_all, *without = ask_all([(each, instance) for each in runs], question, clock)
    found = Obstacles(
        instance, with_all.target, "answer", _first(with_all), (), (), None, bool(with_all.proven), parts.wording
    )
    if with_all.status == "already_good":
        return replace(found, status="good already", proven=True)
    if with_all.status == "failed":
        raise DataError(with_all.reason)
    prices = [_obstacle(texts[n], with_all, one) for n, one in zip(concerned, without, strict=True)]
    ordered = tuple(sorted(prices, key=lambda each: (-_worth(each), each.rule)))
    if found.nearest is not None:
        return replace(found, obstacles=ordered)
    known = {frozenset([n]): one for n, one in zip(concerned, without, strict=True)}
    return _blame(replace(found, obstacles=ordered), exactly, instance, concerned, known, with_all, question, clock)


def _obstacle(rule: str, with_all: Explanation, without: Explanation) -> Obstacle:
    """What this rule costs; without a rule nothing is farther, whatever a search may have missed."""
    best, free = _first(with_all), _first(without)
    proven = _settled(without)
    if best is None:
        return Obstacle(rule, free, None, proven and _settled(with_all))
    if free is None or _near(free) >= _near(best):
        free = best
    return Obstacle(rule, free, _near(best) - _near(free), proven and bool(with_all.proven))


def _near(cf: Counterfactual) -> float:
    """What a price is about: how far the answer is before it was rounded."""
    return (cf.unrounded or cf).distance


def _blame(
    found: Obstacles,
    parts: Parts,
    x: dict[str, Any],
    concerned: Sequence[int],
    known: dict[frozenset[int], Explanation],
    with_all: Explanation,
    question: Question,
    clock: Clock,
) -> Obstacles:
    """A smallest set of rules without which there is an answer."""
    tried = _Tried(parts, x, known, question, clock)
    proven = _settled(with_all)
    every = frozenset(concerned)
    free = tried(every)
    if _first(free) is None:
        return replace(found, status="no rule is to blame", proven=proven and _settled(free))
    conflicts: list[frozenset[int]] = [every]
    while clock.left > 0:
        chosen = _hitting(conflicts)
        if chosen is None:
            break
        answer = tried(chosen)
        if _first(answer) is not None:
            texts = as_written(parts.program.program)
            return replace(
                found,
                status="blocked",
                give_up=tuple(texts[n] for n in sorted(chosen)),
                without=_first(answer),
                proven=proven and tried.all_settled,
            )
        conflicts.append(_cut_down(every - chosen, every, tried, clock))
    texts = as_written(parts.program.program)
    least = _fewer(every, tried, clock)
    give_up = tuple(texts[n] for n in sorted(least))
    return replace(found, status="blocked", give_up=give_up, without=_first(tried(least)), proven=False)


class _Tried:
    """Explanations by the rules that were dropped, each made once; ``all_settled`` as long as none is in doubt."""

    def __init__(
        self, parts: Parts, x: Any, known: dict[frozenset[int], Explanation], question: Question, clock: Clock
    ) -> None:
        self.parts, self.x, self.known, self.question, self.clock = parts, x, known, question, clock
        self.all_settled = all(_settled(each) or each.status == "found" for each in known.values())

    def __call__(self, dropped: frozenset[int]) -> Explanation:
        if dropped not in self.known:
            [answer] = ask_all([(dropping(self.parts, dropped), self.x)], self.question, self.clock)
            self.known[dropped] = answer
            self.all_settled &= answer.status == "found" or _settled(answer)
        return self.known[dropped]


def _cut_down(kept: frozenset[int], every: frozenset[int], tried: _Tried, clock: Clock) -> frozenset[int]:
    """A smaller set of rules that cannot be kept together, from one that cannot."""
    for rule in sorted(kept):
        if clock.left <= 0:
            break
        if _first(tried(every - (kept - {rule}))) is None:
            kept -= {rule}
    return kept


def _fewer(dropped: frozenset[int], tried: _Tried, clock: Clock) -> frozenset[int]:
    """A set that can lose no rule, from one that helps."""
    for rule in sorted(dropped):
        if clock.left > 0 and _first(tried(dropped - {rule})) is not None:
            dropped -= {rule}
    return dropped


def _hitting(conflicts: Sequence[frozenset[int]]) -> frozenset[int] | None:
    """A smallest set that shares a rule with each of these; None if that takes too long."""
    rules, looked = sorted(frozenset[int]().union(*conflicts)), 0
    for size in range(1, len(rules) + 1):
        for chosen in combinations(rules, size):
            looked += 1
            if looked > MOST_SETS:
                return None
            if all(not conflict.isdisjoint(chosen) for conflict in conflicts):
                return frozenset(chosen)
    return None


def _first(explanation: Explanation) -> Counterfactual | None:
    """The nearest answer; where x broke a rule that is gone it may be x itself, with nothing changed."""
    if explanation.status == "already_good":
        return Counterfactual(explanation.x, (), 0.0, explanation.outcome, confirmed=True)
    return explanation.counterfactuals[0] if explanation.counterfactuals else None


def _settled(explanation: Explanation) -> bool:
    """It is proved: that this is the nearest answer, or that there is none."""
    return explanation.status in ("infeasible", "already_good") or bool(explanation.proven)


def _worth(each: Obstacle) -> float:
    if each.price is not None:
        return each.price
    return 0.0 if each.answer is None else 1.0


def _price(each: Obstacle) -> str:
    if each.price is None:
        return ""
    return f"{'' if each.proven else 'about '}{shorten(each.price)}"


def _answer(each: Obstacle, speech: Speech) -> str:
    return "still no answer" if each.answer is None else changes(each.answer.changes, speech)
