"""conclude: confirm the best candidates by the user's model and say how the search ended, and why."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator

import numpy as np

from geco import _core
from geco._core import Feasible
from geco.answers.behind import counterfactual
from geco.answers.candidates import Teller, known
from geco.answers.explanation import Counterfactual, Explanation, Status, StoppedBy, completed
from geco.answers.nearby import Nearby, Told
from geco.answers.proof import proof_in_reason, proved
from geco.answers.steps import look_along
from geco.models.asking.batches import Request
from geco.models.scoring.base import Evaluator
from geco.search.base import Search
from geco.space.feasible import BACKTRACKING_STEPS, FeasibleSpace
from geco.trace import Trace

LEAST_PROOF = 0.02  # seconds, even after the deadline: most proofs take less
WHY = {
    "converged": "the best answers no longer change",
    "exhausted": "the search came to nothing further",
    "deadline": "the deadline is reached",
}


def conclude(
    nearby: Nearby,
    ready: _core.Prepared | None,
    trace: Trace,
    asked_to_stop: bool = False,
    seconds: float = math.inf,
) -> Generator[Request, None, Explanation]:
    """The Explanation of a finished search; yields the request that confirms its answers.

    Parameters
    ----------
    nearby : the answers of the search.
    ready : the best of them, if the core has made them ready.
    asked_to_stop : the caller, not the clock, ended it.
    seconds : left for a proof of infeasibility.
    """
    space, search, evaluate, (k, *_, verify) = nearby.space, nearby.search, nearby.evaluate, nearby.wanted
    _count_dropped(space, search, trace)
    stopped_by: StoppedBy = evaluate.stopped_by or ("deadline" if asked_to_stop else search.stopped_by)
    status: Status = "already_good"
    teller = Teller.of(space)
    found: list[Counterfactual] = []
    if evaluate.standing.already_good:
        stopped_by = "converged"
    else:
        told = yield from _answers(nearby, ready, trace)
        found = [_counterfactual(teller, each) for each in told]
        status = "found" if found else "none_found"
        if not found and _nothing_allowed(space, max(seconds, LEAST_PROOF)):
            status, stopped_by = "infeasible", "exhausted"
        elif trace.unasked:
            stopped_by = "budget"
    miss = _nearest_miss(nearby, teller) if status == "none_found" else None
    for answer in found if miss is None else [miss]:
        space.checked(answer.values)
    proof = search.proof
    proven, gap, proven_ways = (None, None, None) if proof is None else proved(proof, status, found, search, trace)
    why = _why(stopped_by, search, evaluate, trace, asked_to_stop)
    made = Explanation(
        x=dict(space.x),
        outcome=evaluate.standing.x_number,
        target=evaluate.target,
        status=status,
        stopped_by=stopped_by,
        reason=_reason(status, why, len(found), k, space, evaluate, trace),
        counterfactuals=tuple(found),
        nearest_miss=miss,
        notes=_notes(space, evaluate, verify, trace),
        proven=proven,
        gap=gap,
        proven_ways=proven_ways,
        k=k,
        good=bool(evaluate.standing.x_outcome > 0.5),
        trace=trace,
    )
    return completed(made, reason=proof_in_reason(proof, made, k))


def _answers(nearby: Nearby, ready: _core.Prepared | None, trace: Trace) -> Generator[Request, None, list[Told]]:
    wanted, search = nearby.wanted, nearby.search
    if ready is None:
        rows = search.best(wanted.k)
        if not len(rows):
            rows = search.archive.nearest(1)  # cut short before its undos were asked: better than nothing, and said so
            trace.unsettled = len(rows)
        if not len(rows):
            return []
        ready = nearby.ready(rows, wanted.steps)
    if wanted.verify:
        told = yield from _confirmed(nearby, ready, trace)
    else:
        told = nearby.unconfirmed(ready)
    yield from look_along(nearby.evaluate, [each.facts for each in told])
    return told


def _confirmed(nearby: Nearby, ready: _core.Prepared, trace: Trace) -> Generator[Request, None, list[Told]]:
    k = nearby.wanted.k
    told, trace.unconfirmed, trace.unasked = yield from nearby.confirm(ready)
    if trace.unconfirmed and not trace.unsettled:  # the model no longer calls them good: others may replace them
        others = nearby.ready(nearby.search.best(2 * k)[k:], steps=0)
        more, unconfirmed, unasked = yield from nearby.confirm(others)
        told, trace.unconfirmed, trace.unasked = told + more, trace.unconfirmed + unconfirmed, trace.unasked + unasked
    yield from nearby.try_ranges(told[:k])
    return told[:k]


def _counterfactual(teller: Teller, told: Told) -> Counterfactual:
    made = counterfactual(teller, told.facts, told.confirmed, told.predicted)
    return made if told.ranges is None else completed(made, ranges=told.ranges)


def _nearest_miss(nearby: Nearby, teller: Teller) -> Counterfactual | None:
    archive = nearby.search.archive
    highest = archive.highest()
    return None if highest is None else teller.counterfactual(known(nearby.space, archive, highest[None])[0])


def _count_dropped(space: FeasibleSpace, search: Search, trace: Trace) -> None:
    counts = search.counts
    *by_rule, no_row = counts.dropped
    for rule, count in zip(space.rules, by_rule, strict=True) if any(by_rule) else ():
        trace.drop(rule.text, count)
    trace.drop("no row of a group is allowed", no_row)
    trace.cascades = counts.repaired


def _nothing_allowed(space: FeasibleSpace, seconds: float) -> bool:
    """True if it is proved in time that the rules allow nothing of D but x, whatever the model reads."""
    if any(table.sampled_from for table in space.domain.tables):
        return False  # what was left out of a table that was cut may be allowed
    if space.feasible is Feasible.NO:
        return True
    return space.core.any_allowed(True, BACKTRACKING_STEPS, seconds)[0] is Feasible.NO


def _why(stopped_by: StoppedBy, search: Search, evaluate: Evaluator, trace: Trace, asked_to_stop: bool) -> str:
    if stopped_by == "deadline" and asked_to_stop:
        return "you asked to stop"
    if stopped_by != "budget":
        return WHY[stopped_by]
    # Either the rows that the user allowed, or a limit of the search that the user may not know of.
    of_the_search = None if trace.unasked or evaluate.stopped_by else search.limit
    return of_the_search or "max_evals is used up"


def _reason(
    status: Status, why: str, found: int, k: int, space: FeasibleSpace, evaluate: Evaluator, trace: Trace
) -> str:
    if status == "already_good":
        return f"x is good already ({evaluate.target}) and obeys every rule."
    if status == "infeasible":
        return f"The rules leave nothing that may be changed{_unkeepable(space) or _culprit(trace)}."
    if status == "found":
        if found < k:
            return f"Found {found} of {k} ways; {why}."
        return f"Found {found} different ways; {why}." if found > 1 else f"Found one way; {why}."
    if trace.unconfirmed:
        return (
            f"No answer was confirmed: the model called {trace.unconfirmed} candidates good and then bad; "
            "it does not give the same answer twice."
        )
    if trace.unasked:
        return f"No answer was confirmed: max_evals left no rows to ask the model about {trace.unasked} candidates."
    tried = trace.points_scored
    asked = "1 candidate was tried" if tried == 1 else f"{tried} candidates were tried"
    return f"No change that was tried leads to {evaluate.target}: {asked} and {why}{_culprit(trace)}."


def _unkeepable(space: FeasibleSpace) -> str:
    """Name a rule that x breaks and that no row of its group keeps, or one that is about x alone."""
    for group, rule in space.broken.items():
        if not len(space.core.choices(group)):
            return f"; no value of {space.domain.tables[group].name!r} in D keeps {rule.text} and the other rules"
    broken = int(space.core.first_broken(space.x_rows)[0])
    if broken >= 0 and not space.rules[broken].features:
        return f"; {space.rules[broken].text} says nothing about x_cf, and x breaks it"
    return ""


def _culprit(trace: Trace) -> str:
    """Name the rule that dropped most candidates, if one did."""
    total = sum(trace.dropped.values())
    if total:
        rule, count = max(trace.dropped.items(), key=lambda item: item[1])
        if 2 * count > total:
            return f"; most candidates were dropped by {rule}"
    return ""


def _notes(space: FeasibleSpace, evaluate: Evaluator, verify: bool, trace: Trace) -> tuple[str, ...]:
    notes = list(space.notes)
    for f in _never_seen(space):
        what = "no value" if space.x[f] is None else f"the value {space.x[f]!r}"
        notes.append(f"x has {what} for {f!r}, which never occurs in D")
    if evaluate.standing.x_outcome > 0.5 and not space.x_obeys:
        notes.append(f"x is good as it is, but breaks a rule: {_broken_by_x(space)}")
    if evaluate.not_a_number:
        notes.append(f"the model returned NaN for {evaluate.not_a_number} candidates; they count as bad")
    if evaluate.note:
        notes.append(evaluate.note)
    if trace.unconfirmed:
        notes.append(f"{trace.unconfirmed} candidates were dropped because the model did not confirm them")
    if trace.unasked:
        notes.append(f"{trace.unasked} candidates were dropped because max_evals left no rows to confirm them")
    if trace.unsettled:
        notes.append("the search was cut short: some of the changes may not be needed")
    if not verify:
        notes.append("not confirmed by the model (verify=False)")
    return tuple(notes)


def _broken_by_x(space: FeasibleSpace) -> str:
    """A rule that x breaks."""
    for rule in space.broken.values():
        return rule.text
    return space.rules[int(space.core.first_broken(space.x_rows)[0])].text


def _never_seen(space: FeasibleSpace) -> Iterator[str]:
    """The features of x with a value that D does not have."""
    domain = space.domain
    if 0 not in space.rows_like_x:
        return  # all values occur, even together
    for like_x, table in zip(space.rows_like_x, domain.tables, strict=True):
        if like_x:
            continue
        for f in table.features:
            if len(table.features) == 1:
                seen = False  # or there would be such a row
            elif space.x[f] is None:
                seen = bool(np.isnan(table.numbers[f][1:]).any())
            else:
                seen = len(domain.rows_with(f, space.x[f])) > 0
            if not seen:
                yield f
