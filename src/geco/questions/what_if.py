"""what_if: what would the model say if I did this, which rules would that break, and what would they drag along?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np

from geco._core import Feasible
from geco.answers.candidates import Teller
from geco.answers.explanation import Action
from geco.answers.labels import Wording
from geco.answers.speech import Speech
from geco.answers.values import plain, shorten
from geco.data.domain import Domain
from geco.data.instance import read_instance
from geco.errors import InstanceError, ModelError, did_you_mean, shown
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.plaf.checker import CheckedProgram
from geco.plaf.extra import as_written, check_extra
from geco.plaf.syntax import Comparison, Number, Program, Ref, Rule, Text
from geco.questions.asking import Judged, judged
from geco.questions.outside import MOST_LISTED, known_values, nearest, occurs, outside
from geco.questions.shown import Shown, before_after, changes
from geco.space.check import broken_rules
from geco.space.feasible import FeasibleSpace, feasible_space
from geco.space.ground import ground
from geco.words import Asking

WORDS = (*Asking.__annotations__, "k", "seed", "deadline")  # that other questions take


@dataclass(frozen=True)
class WhatIf(Shown):
    """What comes of some changes, good or not.

    Attributes
    ----------
    x, values : before and after, all features.
    changes : what was asked about.
    outcome_before, outcome : the model's number for x and for the changed values.
    good : the model says yes to the changed values.
    target : what counts as good, in words.
    broken : the rules that the changes break, as they were written.
    missing : in words, what became missing without ALLOW MISSING.
    outside : in words, what D does not have: values, or combinations in a GROUP.
    distance : how far the changed values are from x.
    dragged : what else must change so that every rule holds; empty if nothing must, or nothing was found.
    repaired : all values with that; None if no rule is broken, or no way to keep them all was found.
    repaired_outcome, repaired_good : what the model says of those.
    """

    x: dict[str, Any]
    values: dict[str, Any]
    changes: tuple[Action, ...]
    outcome_before: float
    outcome: float
    good: bool
    target: str
    broken: tuple[str, ...]
    missing: tuple[str, ...]
    outside: tuple[str, ...]
    distance: float
    dragged: tuple[Action, ...] = ()
    repaired: dict[str, Any] | None = None
    repaired_outcome: float | None = None
    repaired_good: bool | None = None
    wording: Wording = field(default_factory=Wording, compare=False, repr=False)

    @property
    def allowed(self) -> bool:
        """No rule is broken. Values that D does not have are another matter: ``outside`` names them."""
        return not self.broken and not self.missing

    def to_dict(self) -> dict[str, Any]:
        """Plain data as described by docs/questions.schema.json."""
        return {
            "x": {name: plain(value) for name, value in self.x.items()},
            "values": {name: plain(value) for name, value in self.values.items()},
            "changes": [action.to_dict() for action in self.changes],
            "outcome_before": plain(self.outcome_before),
            "outcome": plain(self.outcome),
            "good": self.good,
            "target": self.target,
            "allowed": self.allowed,
            "broken": list(self.broken),
            "missing": list(self.missing),
            "outside": list(self.outside),
            "distance": float(self.distance),
            "dragged": [action.to_dict() for action in self.dragged],
            "repaired": None if self.repaired is None else {n: plain(v) for n, v in self.repaired.items()},
            "repaired_outcome": plain(self.repaired_outcome),
            "repaired_good": self.repaired_good,
        }

    def _lines(self, width: int | None) -> list[str]:
        return [f"what if {changes(self.changes, self._speech)}?", *self._told()]

    def _told(self) -> list[str]:
        verdict = "good" if self.good else "not good"
        lines = [f"M {shorten(self.outcome_before)} ▶ {shorten(self.outcome)}: {verdict} (wanted {self.target})"]
        lines += [f"breaks {rule}" for rule in self.broken]
        lines += [f"not allowed: {words}" for words in self.missing]
        lines += [f"note: {words}" for words in self.outside]
        if self.repaired is not None and (self.dragged or self.broken):
            also = "good" if self.repaired_good else "not good"
            holds = "every rule holds" if self.broken else "D has such a row"
            dragged = changes(self.dragged, self._speech)
            lines.append(f"with {dragged} {holds}: M {shorten(self.repaired_outcome)}, {also}")
        elif self.broken:
            lines.append("no further change was found with which every rule holds")
        return lines

    def _table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], Sequence[str]]:
        rows = before_after((*self.changes, *self.dragged), self._speech)
        return ("", "before", "after"), rows, self._told()


def what_if(parts: Parts, x: Any, given: Mapping[str, Any], clock: Clock) -> WhatIf:
    """Ask about x with these values in place of its own."""
    domain, program = parts.domain, parts.program
    instance = read_instance(x, domain)
    wanted = _wanted(given, domain)
    values = read_instance({**instance, **wanted}, domain)
    space = feasible_space(parts.deployment, ground(instance, parts.deployment.rules), instance)
    broken = broken_rules(program, domain, instance, values)
    new = outside(domain, instance, values, Speech(parts.wording))
    repaired = _repaired(parts, instance, values, wanted) if broken or new else None
    asked = [instance, values, *([] if repaired is None else [repaired])]
    before, after, *again = _judged(parts, asked, values, clock)
    named = [g for g, table in enumerate(domain.tables) if any(values[f] != instance[f] for f in table.features)]
    texts = as_written(program.program)
    return WhatIf(
        x=instance,
        values=values,
        changes=tuple(action for g in named for action in Teller.of(space).actions(g, values)),
        outcome_before=before.number,
        outcome=after.number,
        good=after.good,
        target=parts.model.goal.words,
        broken=tuple(texts[number] for number in broken),
        missing=tuple(_became_missing(program, instance, values)),
        outside=new,
        distance=parts.deployment.distance.between(domain, instance, values),
        wording=parts.wording,
        **_dragged(space, values, repaired, again),
    )


def _dragged(
    space: FeasibleSpace, values: Mapping[str, Any], repaired: dict[str, Any] | None, said: Sequence[Judged]
) -> dict[str, Any]:
    """What the repaired values change beyond those asked about."""
    if repaired is None:
        return {}
    tables = enumerate(space.domain.tables)
    groups = [g for g, table in tables if any(repaired[f] != values[f] for f in table.features)]
    actions = Teller.of(space).actions
    moved = [a for g in groups for a in actions(g, repaired) if repaired.get(a.feature) != values.get(a.feature)]
    onehots = [a for g in groups for a in actions(g, repaired) if a.feature not in values]
    return {
        "dragged": (*moved, *(a for a in onehots if a not in moved)),
        "repaired": repaired,
        "repaired_outcome": said[0].number,
        "repaired_good": said[0].good,
    }


def _became_missing(program: CheckedProgram, x: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[str]:
    """In the words of `Explainer.check`."""
    for f, value in values.items():
        if value is None and x[f] is not None and f not in program.allow_missing:
            yield f"{f} became missing, which needs ALLOW MISSING {f}"


def _judged(parts: Parts, asked: Sequence[Mapping[str, Any]], values: Mapping[str, Any], clock: Clock) -> list[Judged]:
    """What the model says; if it cannot take a category that D does not have, that is said."""
    try:
        return judged(parts, asked, clock)
    except ModelError as error:
        for f, feature in parts.domain.features.items():
            if feature.kind == "categorical" and values[f] is not None and not occurs(parts.domain, f, values[f]):
                known = ", ".join(map(shown, known_values(parts.domain, f)[:MOST_LISTED]))
                told = f"{f} has no value {shown(values[f])} in D, and the model cannot take it; it has {known}"
                raise InstanceError(told) from error
        raise


def _wanted(given: Mapping[str, Any], domain: Domain) -> dict[str, Any]:
    """Raw values by feature; the category of a ONEHOT set stands for its columns."""
    onehots = {table.onehot: table.features for table in domain.tables if table.onehot}
    wanted: dict[str, Any] = {}
    for name, value in given.items():
        if name in domain.names:
            wanted[name] = value
        elif name in onehots:
            wanted |= _category(str(name), value, onehots[name])
        else:
            hint = did_you_mean(name, [*domain.names, *onehots])
            if name in WORDS:
                hint = f"; what_if takes features alone, no {name}: explainer.explain takes that"
            raise InstanceError(f"D has no feature {shown(name)}{hint}")
    if not wanted:
        raise InstanceError("what_if needs something that changes: explainer.what_if(x, income=2500)")
    return wanted


def _category(name: str, value: Any, features: tuple[str, ...]) -> dict[str, Any]:
    hot = [f for f in features if f == value or (isinstance(value, str) and f.endswith(value))]
    exact = [f for f in hot if f == value or f[: -len(str(value))][-1:] in "_=.- "] or hot
    if len(exact) != 1:
        listed = ", ".join(features)
        raise InstanceError(f"the ONEHOT {name!r} has no category {shown(value)}; its columns are {listed}")
    return {f: int(f == exact[0]) for f in features}


def _repaired(
    parts: Parts, x: Mapping[str, Any], values: Mapping[str, Any], wanted: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Values that keep every rule with what was asked about as it is; None if none were found.

    Where D lacks a value its nearest one stands for it, and the rules then judge the value itself. At first what no
    rule ties to it stays as it is, which leaves little to look through.
    """
    domain = parts.domain
    if any(values[f] is None for f in wanted):  # no rule can ask for a missing value
        return None
    meant = {f: values[f] if occurs(domain, f, values[f]) else nearest(domain, f, values[f]) for f in wanted}
    if any(value is None for value in meant.values()):
        return None
    rules = [Rule((), Comparison("=", Ref("x_cf", f), _literal(value))) for f, value in meant.items()]
    apart = [Rule((), Comparison("=", Ref("x_cf", f), Ref("x", f))) for f in _apart(parts, wanted)]
    for added in ([*rules, *apart], rules):
        program = check_extra(parts.program, Program(tuple(added)))
        deployment = parts.deployment.asked_with(program, range(len(parts.deployment.rules)))
        space = feasible_space(deployment, ground(x, deployment.rules), x)
        if space.feasible == Feasible.YES:
            found = {**space.values(np.array(space.core.start, np.int32)), **{f: values[f] for f in wanted}}
            return None if broken_rules(parts.program, domain, x, found) else found
    return None


def _apart(parts: Parts, wanted: Iterable[str]) -> list[str]:
    """The features that no rule and no group ties to these, however many lie between."""
    domain = parts.domain
    tied = [{domain.group_of[f] for f in form.features} for form in parts.deployment.rules]
    reached = {domain.group_of[f] for f in wanted}
    while more := {g for groups in tied if groups & reached for g in groups} - reached:
        reached |= more
    return [f for f in domain.names if domain.group_of[f] not in reached]


def _literal(value: Any) -> Number | Text:
    if isinstance(value, str):
        return Text(value)
    if isinstance(value, date):
        return Text(value.isoformat())
    return Number(int(value) if isinstance(value, bool) else value)
