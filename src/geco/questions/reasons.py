"""reasons: why was I refused? Principal reasons, as a notice of a refusal has to name them; kept apart from recourse.

Per feature, M(x with that feature at another value) − M(x), positive ones only. The other value is the typical one,
the median or mode of the good rows in a fixed sample of D, or with ``against="best"`` the best value of D. A ONEHOT set
is one feature, a GROUP is taken feature by feature, and what may not change counts too: it may well be a reason.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from geco.answers.codes import Code, read_codes
from geco.answers.labels import Wording
from geco.answers.onehot import category
from geco.answers.values import plain, shorten
from geco.data.domain import Domain
from geco.data.grouptable import GroupTable
from geco.data.instance import read_instance
from geco.errors import DataError, SettingsError, did_you_mean, shown
from geco.given import choice
from geco.models.asking.meter import Clock
from geco.models.goal.goal import Goal
from geco.parts import Parts
from geco.questions.asking import Judged, judged, scored
from geco.questions.shown import Shown, columns
from geco.whole import whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Against = Literal["typical", "best"]
MOST_VALUES = 1_000  # of one feature that a model is asked about which is not compiled
MOST_INSTANCES = 200  # of one feature of a GROUP: with the others as they are D may have no such row


@dataclass(frozen=True)
class Reason:
    """One of them.

    Attributes
    ----------
    feature : or ONEHOT set.
    value, against : x's own value, and the one that it is compared with.
    effect : how much better the outcome would be with that.
    code, text, de : as the table of codes has them; empty if it has none.
    """

    feature: str
    value: Any
    against: Any
    effect: float
    code: str = ""
    text: str = ""
    de: str = ""

    def told(self, language: str) -> str:
        """The text in this language, or the one there is."""
        return (self.de if language == "de" else "") or self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "feature": self.feature,
            "value": plain(self.value),
            "against": plain(self.against),
            "effect": float(self.effect),
            "code": self.code,
            "text": self.text,
        }


@dataclass(frozen=True)
class Reasons(Shown):
    """The principal reasons, the weightiest first; ``good`` says that there is nothing to give reasons for."""

    x: dict[str, Any]
    outcome: float
    target: str
    good: bool
    against: Against
    reasons: tuple[Reason, ...]
    wording: Wording = field(default_factory=Wording, compare=False, repr=False)

    def __iter__(self) -> Any:
        return iter(self.reasons)

    def __len__(self) -> int:
        return len(self.reasons)

    def to_dict(self) -> dict[str, Any]:
        """Plain data as described by docs/questions.schema.json."""
        return {
            "x": {name: plain(value) for name, value in self.x.items()},
            "outcome": plain(self.outcome),
            "target": self.target,
            "good": self.good,
            "against": self.against,
            "reasons": [reason.to_dict() for reason in self.reasons],
        }

    def _lines(self, width: int | None) -> list[str]:
        head, rows, below = self._table()
        return [*below, *columns([head, *rows] if rows else [], right=(3,), width=width)]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Bars of how much each reason weighs; needs matplotlib."""
        from geco.questions.pictures.prices import draw_bars

        names = [self._name(r) for r in self.reasons]
        effects, title = [r.effect for r in self.reasons], f"reasons, against the {self.against} value"
        return draw_bars(names, effects, [True] * len(names), title, "M would be higher by", ax)

    def _table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], Sequence[str]]:
        value = self._speech.value
        rows = [
            [self._name(r), value(r.feature, r.value), value(r.feature, r.against), shorten(r.effect)]
            for r in self.reasons
        ]
        if self.good:
            told = f"x is good ({self.target}), M {shorten(self.outcome)}: there is no refusal to explain"
            return (), (), [told]
        told = f"M(x) {shorten(self.outcome)}, wanted {self.target}; reasons against the {self.against} value"
        nothing = [] if rows else ["no feature alone speaks against x"]
        return ("reason", "x has", self.against, "effect"), rows, [told, *nothing]

    def _name(self, reason: Reason) -> str:
        """By code and text; by its name where the table of codes has none."""
        return " ".join(filter(None, (reason.code, reason.text))) or self._speech.title(reason.feature)


class Unit(NamedTuple):
    """What is replaced as one: a feature, or a ONEHOT set."""

    name: str
    group: int
    features: tuple[str, ...]


def reasons(parts: Parts, x: Any, n: int, against: str, never: Any, codes: Any, clock: Clock) -> Reasons:
    """The n principal reasons why x is not good."""
    choice("against", against, ("typical", "best"))
    n, told = whole("n", n, 1), {**parts.codes, **read_codes(codes, parts.domain)}
    instance = read_instance(x, parts.domain)
    units = _units(parts, {*_never(never, parts.domain), *(name for name, code in told.items() if code.never)})
    found = _typical(parts, instance, units, clock) if against == "typical" else _best(parts, instance, units, clock)
    [now], goal = judged(parts, [instance], clock), parts.model.goal
    effects = [(u, values, _measure(goal, said) - _measure(goal, now)) for u, values, said in found]
    weighty = sorted((e for e in effects if e[2] > 0), key=lambda e: (-e[2], e[0].name))[:n]
    listed = [_reason(parts.domain, instance, *each, told.get(each[0].name, Code())) for each in weighty]
    reasons_given = () if now.good else tuple(listed)
    kind: Against = "typical" if against == "typical" else "best"
    return Reasons(instance, now.number, goal.words, now.good, kind, reasons_given, parts.wording)


def typical_rows(parts: Parts, clock: Clock | None = None) -> npt.NDArray[np.int32]:
    """Per feature, in the order of the schema, the row of its group's table that has the typical value; 0 if none has.

    The good rows of the sample are counted; the median is the lower one where two are in the middle, so that it is a
    value that D has. Made once, and kept.
    """
    kept = parts.kept.typical
    if kept is not None:
        return kept
    rows, counts = parts.rows.sample()
    outcome, _ = scored(parts, None, np.ascontiguousarray(rows), clock)
    good = outcome > 0.5
    if not good.any():
        raise DataError("no row of D in the sample is good, so nothing is typical of the good; ask against='best'")
    rows, counts = rows[good], counts[good]
    domain = parts.domain
    typical = np.zeros(len(domain.names), np.int32)
    for i, name in enumerate(domain.names):
        group = domain.group_of[name]
        typical[i] = _middle(domain, domain.tables[group], name, rows[:, group], counts)
    parts.kept.typical = typical
    return typical


def _middle(domain: Domain, table: GroupTable, name: str, rows: Any, counts: Any) -> int:
    """The row with the median, of a category or a ONEHOT set the mode; of two as frequent the smaller value."""
    numbers = np.arange(table.rows + 1.0) if table.onehot else table.numbers[name]
    known = ~np.isnan(numbers[rows])
    if not known.any():
        return 0
    _, first, which = np.unique(numbers[rows[known]], return_index=True, return_inverse=True)
    weights = np.bincount(which.ravel(), counts[known])
    categorical = table.onehot is not None or domain.features[name].kind == "categorical"
    place = int(np.argmax(weights)) if categorical else int(np.searchsorted(np.cumsum(weights), weights.sum() / 2))
    return int(rows[known][first[place]])


def _units(parts: Parts, never: Collection[str]) -> list[Unit]:
    """What the model reads, by name."""
    units = []
    for group, table in enumerate(parts.domain.tables):
        names = [table.onehot] if table.onehot else table.features
        for name in names:
            features = table.features if table.onehot else (name,)
            if name not in never and not parts.panel.used.isdisjoint(features):
                units.append(Unit(str(name), group, tuple(map(str, features))))
    return units


def _never(given: Any, domain: Domain) -> set[str]:
    names = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    known = [*domain.names, *(table.onehot for table in domain.tables if table.onehot)]
    for name in names:
        if name not in known:
            raise SettingsError(f"never: D has no feature {shown(name)}{did_you_mean(name, known)}")
    return set(names)


Found = list[tuple[Unit, dict[str, Any], Judged]]


def _typical(parts: Parts, x: Mapping[str, Any], units: Sequence[Unit], clock: Clock) -> Found:
    rows, domain = typical_rows(parts, clock), parts.domain
    asked = []
    for unit in units:
        row = int(rows[domain.names.index(unit.features[0])])
        values = {f: domain.tables[unit.group].values[f][row] for f in unit.features}
        if row and any(values[f] != x[f] for f in unit.features):
            asked.append((unit, values))
    said = judged(parts, [{**x, **values} for _, values in asked], clock)
    return [(unit, values, one) for (unit, values), one in zip(asked, said, strict=True)]


def _best(parts: Parts, x: Mapping[str, Any], units: Sequence[Unit], clock: Clock) -> Found:
    """Each at the best of its values in D; of equally good ones the one nearest to x's own, then the smallest."""
    found = []
    for unit in units:
        table = parts.domain.tables[unit.group]
        rows = _values_of(parts, table, unit)
        if unit.features == table.features:
            candidates = np.zeros((len(rows), len(parts.domain.tables)), np.int32)
            candidates[:, unit.group] = rows
            outcome, numbers = scored(parts, x, candidates, clock)
            said = [Judged(float(o), float(m)) for o, m in zip(outcome, numbers, strict=True)]
        else:
            [feature] = unit.features
            said = judged(parts, [{**x, feature: table.values[feature][row]} for row in rows], clock)
        if said:
            measured = [_measure(parts.model.goal, one) for one in said]
            best = int(np.argmax(measured))
            found.append((unit, {f: table.values[f][int(rows[best])] for f in unit.features}, said[best]))
    return found


def _values_of(parts: Parts, table: GroupTable, unit: Unit) -> npt.NDArray[np.int32]:
    """Rows with each value of this unit once; some, evenly chosen, where a model that is not compiled has many."""
    rows = np.arange(1, table.rows + 1)
    if table.onehot is None:
        numbers = table.numbers[unit.features[0]][1:]
        _, first = np.unique(numbers, return_index=True)
        rows = rows[np.sort(first)]
        rows = rows[~np.isnan(table.numbers[unit.features[0]][rows])]
    most = len(rows) if parts.compiled is not None else MOST_VALUES
    most = most if unit.features == table.features else MOST_INSTANCES
    if len(rows) > most:
        rows = rows[np.unique(np.linspace(0, len(rows) - 1, most).astype(int))]
    return rows.astype(np.int32)


def _measure(goal: Goal, said: Judged) -> float:
    """What is compared: the probability or the score itself; where nearer to good is not simply more, M in [0, 1]."""
    if goal.output == "decision":
        return goal.sign * said.number
    return said.number if goal.output == "probability" and not goal.by_lead else said.outcome


def _reason(
    domain: Domain, x: Mapping[str, Any], unit: Unit, values: Mapping[str, Any], effect: float, code: Code
) -> Reason:
    if len(unit.features) == 1 and unit.features[0] == unit.name:
        return Reason(unit.name, x[unit.name], values[unit.name], effect, code.code, code.text, code.de)
    return Reason(
        unit.name, category(unit.features, x), category(unit.features, values), effect, code.code, code.text, code.de
    )
