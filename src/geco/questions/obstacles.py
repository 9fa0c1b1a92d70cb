"""obstacles: what stands in the way? Each rule with what it costs, or a smallest set of rules to give up.

Rules are dropped one at a time, all runs side by side (tried.py); where there is no answer with all of them, blame.py
looks for the smallest set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from geco.answers.explanation import Counterfactual
from geco.answers.labels import Wording
from geco.answers.values import plain, shorten
from geco.data.instance import read_instance
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.plaf.extra import as_written
from geco.questions.blame import blame
from geco.questions.shown import Shown, changes, columns
from geco.questions.tried import NOTHING, Tried
from geco.space.ground import ground

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 120  # of lists of rules, where nobody asks for another


@dataclass(frozen=True)
class Obstacle:
    """One rule.

    Attributes
    ----------
    rule : as it was written; of ``FIXED sex, age`` each is one. What ``only`` leaves out has one, too.
    answer : the nearest answer without it; None if there is none. It changes nothing where x broke this rule only.
    price : how much nearer that is than the nearest answer with all rules; None where there is none with all rules.
    proven : the price is exact; otherwise it is the best found.
    in_time : it is proved, or there is no proof to be had; False where the time was over before.
    """

    rule: str
    answer: Counterfactual | None
    price: float | None
    proven: bool
    in_time: bool = True

    @property
    def matters(self) -> bool:
        """It costs something, or giving it up brings an answer."""
        return bool(self.price) if self.price is not None else self.answer is not None

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
    nearest : the nearest answer with all rules, not rounded; None if there is none.
    obstacles : every rule that concerns x, dearest first, those that cost nothing last; where there is no answer with
        all rules, those first whose absence brings the nearest one.
    give_up : where there is no answer, a smallest set of rules without which there is one; of several the one whose
        answer is nearest.
    without : the nearest answer found without those.
    proven : the nearest answer is proved; where there is none, that there is none and that no smaller set does.
    status : "good already", "answer", "blocked" (a set of rules is to blame), "no rule is to blame", or "out of time"
        where the deadline was over before that could be said.
    left_out : the rules that nobody wrote, because ``only`` leaves their features out.
    """

    x: dict[str, Any]
    target: str
    status: str
    nearest: Counterfactual | None
    obstacles: tuple[Obstacle, ...]
    give_up: tuple[str, ...]
    without: Counterfactual | None
    proven: bool
    left_out: frozenset[str] = frozenset()
    wording: Wording = field(default_factory=Wording, compare=False, repr=False)

    def __iter__(self) -> Iterator[Obstacle]:
        return iter(self.obstacles)

    def __len__(self) -> int:
        return len(self.obstacles)

    @property
    def unsettled(self) -> tuple[str, ...]:
        """Rules of which nothing is known yet: the time was over before a price was found, or proved to be nothing."""
        return tuple(each.rule for each in self.obstacles if not each.matters and not each.in_time)

    def to_dict(self) -> dict[str, Any]:
        """Plain data as described by docs/questions.schema.json."""
        return {
            "x": {name: plain(value) for name, value in self.x.items()},
            "target": self.target,
            "status": self.status,
            "nearest": None if self.nearest is None else self.nearest.to_dict(),
            "obstacles": [each.to_dict() for each in self.obstacles],
            "unsettled": list(self.unsettled),
            "give_up": list(self.give_up),
            "without": None if self.without is None else self.without.to_dict(),
            "proven": self.proven,
        }

    def plot(self, ax: Axes | None = None) -> Axes:
        """Bars of what each rule costs or, where there is no answer, of how far the one is that giving it up brings.

        What is not proved is hatched. Needs matplotlib.
        """
        from geco.questions.pictures.prices import draw_obstacles

        return draw_obstacles(self, ax)

    def name(self, rule: str) -> str:
        """What people are told of a rule: as it was written, if somebody wrote it."""
        return f"{rule.removeprefix('FIXED ')} (not in only)" if rule in self.left_out else rule

    def _lines(self, width: int | None) -> list[str]:
        head, rows, _ = self._table()
        table = columns([head, *rows] if rows else [], right=(1,), width=width)
        return [self._told(), *table, *(line for item in self._lists().items() for line in _wrapped(*item))]

    def _table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], Sequence[str]]:
        rows = [self._row(each) for each in self.obstacles if each.matters]
        second = "distance" if self.nearest is None else "price"
        lists = [f"{what}: {', '.join(names)}" for what, names in self._lists().items()]
        return ("rule", second, "without it"), rows, [self._told(), *lists]

    def _row(self, each: Obstacle) -> list[str]:
        assert each.answer is not None  # or it would not matter
        number = each.answer.distance if each.price is None else each.price
        size = f"{'' if each.proven else 'about '}{shorten(number)}"
        return [self.name(each.rule), size, changes(each.answer.changes, self._speech)]

    def _lists(self) -> dict[str, list[str]]:
        """The rules that are in no row, by what is known of them."""
        rest = [each for each in self.obstacles if not each.matters]
        proved, found = "these cost nothing", "nothing nearer was found without one of these"
        if self.nearest is None:
            proved, found = "giving up one of these alone brings nothing", "no answer was found without one of these"
        lists = {
            proved: [each.rule for each in rest if each.proven],
            found: [each.rule for each in rest if not each.proven and each.in_time],
            "not settled in time": self.unsettled,
        }
        return {what: list(map(self.name, rules)) for what, rules in lists.items() if rules}

    def _told(self) -> str:
        if self.status == "good already":
            return f"x is good already ({self.target}): nothing stands in the way"
        if self.nearest is not None:
            return f"the nearest answer{'' if self.proven else ' found'}: {self._way(self.nearest)}"
        if self.status == "no rule is to blame":
            sure = "" if self.proven else " that was tried"
            return f"no rule is to blame: the model says yes to nothing of D's values{sure}, with or without rules"
        if self.status == "out of time":
            return "no answer was found in time; with a longer deadline there may be one"
        none, sure = "there is no answer", "no smaller set does"
        if not self.proven:
            none, sure = f"no answer was found{' in time' if self.unsettled else ''}", "the smallest set found"
        names = " and ".join(map(self.name, self.give_up))
        found = "" if self.without is None else f": {self._way(self.without)}"
        return f"{none}; giving up {names} brings one ({sure}){found}"

    def _way(self, cf: Counterfactual) -> str:
        return f"{changes(cf.changes, self._speech)}   dist {shorten(cf.distance)}"


def obstacles(parts: Parts, x: Any, seed: int, clock: Clock) -> Obstacles:
    """What stands in the way of x."""
    instance = read_instance(x, parts.domain)
    tried = Tried(parts, instance, seed, clock)
    concerned = sorted({rule.number for rule in ground(instance, parts.deployment.rules)})
    alone, every = [frozenset([number]) for number in concerned], frozenset(concerned)
    tried.ask([NOTHING, *alone])
    if tried.said[NOTHING].status == "already_good":
        return _told(parts, tried, concerned, "good already", True)
    blocked = tried.answer(NOTHING) is None
    if blocked:
        tried.ask([every])
    tried.settle([NOTHING, *alone], 0.5 if blocked else 1.0)
    found = blame(tried, every) if tried.answer(NOTHING) is None else None
    if found is None or tried.answer(NOTHING) is not None:  # what breaks no rule may turn up late
        return _told(parts, tried, concerned, "answer", tried.settled(NOTHING))
    status = "blocked"
    if found.rules is None:
        status = "no rule is to blame" if tried.ended(every) else "out of time"
    return _told(parts, tried, concerned, status, found.proven, sorted(found.rules or ()))


def _told(
    parts: Parts, tried: Tried, concerned: Sequence[int], status: str, proven: bool, give_up: Sequence[int] = ()
) -> Obstacles:
    texts = as_written(parts.program.program)
    prices = [] if status == "good already" else [_obstacle(tried, number, texts[number]) for number in concerned]
    return Obstacles(
        tried.x,
        tried.said[NOTHING].target,
        status,
        None if status == "good already" else tried.answer(NOTHING),
        tuple(sorted(prices, key=_order)),
        tuple(texts[number] for number in give_up),
        tried.answer(frozenset(give_up)) if give_up else None,
        proven,
        _left_out(parts, texts),
        parts.wording,
    )


def _obstacle(tried: Tried, number: int, rule: str) -> Obstacle:
    """What this rule costs."""
    alone = frozenset([number])
    best, free = tried.answer(NOTHING), tried.answer(alone)
    price = None if best is None or free is None else best.distance - free.distance
    return Obstacle(rule, free, price, tried.settled(alone) and tried.settled(NOTHING), tried.in_time(alone))


def _order(each: Obstacle) -> tuple[float, float, str]:
    """The dearest first; where there is no price, the nearest."""
    distance = each.answer.distance if each.answer is not None and each.price is None else 0.0
    return -(each.price or 0.0) if each.matters else 1.0, distance, each.rule


def _left_out(parts: Parts, texts: Sequence[str]) -> frozenset[str]:
    if parts.words is None or parts.words.only is None or parts.usual is None:
        return frozenset()
    said = {*as_written(parts.usual.program.program), *parts.added}
    return frozenset(text for text in texts if text not in said)


def _wrapped(what: str, names: Sequence[str]) -> list[str]:
    """A list over several lines that end between two names."""
    lines = [f"{what}:"]
    for name in [*(f"{name}," for name in names[:-1]), names[-1]]:
        if len(lines[-1]) + 1 + len(name) > WIDTH:
            lines.append(f"  {name}")
        else:
            lines[-1] += f" {name}"
    return lines
