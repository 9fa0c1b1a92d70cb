"""How the questions ask: parts with a few words changed, runs side by side, and the model about whole instances."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from geco.answers.explanation import Explanation
from geco.data.domain import Domain
from geco.errors import InstanceError, SettingsError, did_you_mean, shown
from geco.lockstep.lockstep import cores, lockstep, runs_at_once
from geco.models.asking.batches import Request, answer
from geco.models.asking.meter import Clock
from geco.models.compiling.encode import NotSeparable
from geco.models.scoring.panel import Member, Panel
from geco.models.scoring.ways import WAYS
from geco.parts import Parts
from geco.plaf.extra import without
from geco.population.base import Floats, Rows
from geco.question import Question
from geco.questions.asked import asked
from geco.search.exact import Exact
from geco.search.frontier import Frontier
from geco.trace import Trace


def ask(parts: Parts, x: Any, question: Question, clock: Clock) -> Explanation:
    """One run."""
    [explanation] = ask_all([(parts, x)], question, clock)
    return explanation


def ask_all(runs: Iterable[tuple[Parts, Any]], question: Question, clock: Clock) -> list[Explanation]:
    """Runs side by side, so that they share model calls; in the order given."""
    given = list(runs)
    steps = (asked(x, question, parts, clock) for parts, x in given)
    most = runs_at_once(given[0][0]) if given else 1
    found = dict(lockstep(steps, clock, most, cores() if len(given) > 1 else 1))
    return [found[number] for number in sorted(found)]


def dropping(parts: Parts, numbers: Collection[int]) -> Parts:
    """The same without the rules that have these numbers."""
    kept = [number for number in range(len(parts.deployment.rules)) if number not in set(numbers)]
    deployment = parts.deployment.asked_with(without(parts.program, set(numbers)), kept)
    return replace(parts, deployment=deployment, method=_renewed(parts, deployment))


def proving(parts: Parts) -> Parts:
    """The same by exact search, where the frontier is used and the model has bounds."""
    if not isinstance(parts.method, Frontier):
        return parts
    exact = Exact(parts.method)
    return by_method(parts, exact) or parts


def by_method(parts: Parts, method: Any) -> Parts | None:
    """The same by another method that is ready; None where the model does not serve it."""
    way = method.way(WAYS)
    members = tuple(Member(member.box, member.read) for member in parts.panel.members)
    try:
        for member in members:
            way.check(member.read)
        panel = Panel.of(members, way)
    except SettingsError:
        return None
    return replace(parts, panel=panel, method=method)


def _renewed(parts: Parts, deployment: Any) -> Any:
    return parts.method.renewed(deployment, parts.panel.members[0].read)


class Judged(NamedTuple):
    """What the model says of an instance; of several models the least favourable."""

    outcome: float  # M(x') in [0, 1], good above 0.5
    number: float  # the model's own

    @property
    def good(self) -> bool:
        return self.outcome > 0.5


def judged(parts: Parts, instances: Sequence[Mapping[str, Any]], clock: Clock | None = None) -> list[Judged]:
    """Ask about whole instances, all in one call; the compiled model where the user's is not there."""
    if not instances:
        return []
    said = [_by_compiled(member, parts, instances) for member in parts.panel.members if not member.box.called.present]
    said += [_by_model(m, parts, instances, clock) for m in parts.panel.members if m.box.called.present]
    return [min(each, key=lambda one: one.outcome) for each in zip(*said, strict=True)]


def _by_model(
    member: Member, parts: Parts, instances: Sequence[Mapping[str, Any]], clock: Clock | None
) -> list[Judged]:
    x_rows, trace, box = np.zeros((1, len(parts.domain.tables)), np.int32), Trace(), member.box
    requests = [Request(box, box.inputs.of(each), x_rows, 1, trace) for each in instances]
    answer(requests, clock or Clock(None))
    for request in requests:
        if request.error is not None:
            raise request.error
    return [Judged(float(np.nan_to_num(r.outcome[0])), float(r.numbers[0])) for r in requests]


def _by_compiled(member: Member, parts: Parts, instances: Sequence[Mapping[str, Any]]) -> list[Judged]:
    domain, compiled = parts.domain, member.compiled
    assert compiled is not None  # a file without its model has it
    x_rows, said = np.zeros((1, len(domain.tables)), np.int32), []
    for each in instances:
        like_x = [domain.find(g, each) for g in range(len(domain.tables))]
        table = partial(_table, member, each, x_rows)
        anchor = compiled.anchor(like_x, each, table)
        if isinstance(anchor, NotSeparable):
            raise InstanceError(f"only the model can judge this: {anchor.reason}; load the explainer with it")
        outcome, numbers = compiled.points(anchor, x_rows)
        said.append(Judged(float(np.nan_to_num(outcome[0])), float(numbers[0])))
    return said


def _table(member: Member, x: Mapping[str, Any], x_rows: Rows) -> Any:
    return member.box.inputs.of(x).table(x_rows)


def scored(parts: Parts, x: Mapping[str, Any] | None, rows: Rows, clock: Clock | None = None) -> tuple[Floats, Floats]:
    """M and the model's number of candidates by row numbers, by the compiled model where there is one.

    ``x`` fills slot 0; None where no candidate has it. Of several models the first answers.
    """
    member, domain = parts.panel.members[0], parts.domain
    like_x = [0] * len(domain.tables)
    if x is not None:
        like_x = [domain.find(g, x) for g in range(len(domain.tables))]
    if member.compiled is not None:
        compiled, x_rows = member.compiled, np.zeros((1, len(domain.tables)), np.int32)
        if x is None:
            return compiled.points(compiled.core.anchor(np.nan_to_num(compiled.encoding.constant)), rows)
        anchor = compiled.anchor(like_x, x, partial(_table, member, x, x_rows))
        if not isinstance(anchor, NotSeparable):
            return compiled.points(anchor, rows)
    filled = x or {f: table.values[f][1] for table in domain.tables for f in table.features}
    request = Request(member.box, member.box.inputs.of(filled), rows, len(rows), Trace())
    answer([request], clock or Clock(None))
    if request.error is not None:
        raise request.error
    return np.nan_to_num(request.outcome), request.numbers


def group_named(domain: Domain, name: object) -> int:
    """The number of the group of a feature, or of the ONEHOT set of this name."""
    if not isinstance(name, str):
        raise SettingsError(f"feature must be the name of one feature, got {shown(name)}")
    if name in domain.group_of:
        return domain.group_of[name]
    onehots = {table.onehot: number for number, table in enumerate(domain.tables) if table.onehot}
    if name in onehots:
        return onehots[name]
    hint = did_you_mean(name, [*domain.names, *onehots])
    raise SettingsError(f"D has no feature {shown(name)}{hint}")
