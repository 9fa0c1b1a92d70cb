"""What a proof says of the answers: the first is the nearest, so many ways are, or how much nearer another may be."""

from __future__ import annotations

from geco.answers.explanation import Counterfactual, Explanation, Status
from geco.answers.values import shorten
from geco.search.base import Proof, Search
from geco.trace import Trace


def proved(
    proof: Proof, status: Status, found: list[Counterfactual], search: Search, trace: Trace
) -> tuple[bool | None, float | None, int | None]:
    """Whether the first is proved to be the nearest, how much nearer another may be, and how many ways are proved."""
    if status == "already_good":
        return None, None, None
    if not found:
        none_good = not len(search.archive.nearest(1))  # not even one that was not confirmed
        return status == "infeasible" or (proof.none_left and none_good), None, 0
    # The nearest of all may not be among those that the user's model confirmed.
    first = (found[0].unrounded or found[0]).distance
    if trace.unconfirmed or trace.unasked:
        return first <= proof.lower, max(0.0, first - proof.lower), int(first <= proof.lower)
    return proof.ways > 0, 0.0 if proof.ways else max(0.0, first - proof.lower), min(proof.ways, len(found))


def proof_in_reason(proof: Proof | None, told: Explanation, k: int) -> str:
    """The reason of an explanation, with what is proved; without an answer that alone."""
    if told.proven and told.status == "none_found":
        return f"No change that the rules allow leads to {told.target}; that is proved."
    return told.reason + _proved(proof, told, k)


def _proved(proof: Proof | None, told: Explanation, k: int) -> str:
    if proof is None or told.proven is None or told.status == "infeasible":
        return ""
    found = len(told.counterfactuals)
    if not found:
        return " Not proved: there may be one."
    if not told.proven:
        return f" Not proved: another answer nearer by at most {shorten(told.gap)} may exist."
    if told.proven_ways == found and found > 1:
        others = "; there are no others" if proof.none_left and found < k else ""
        return f" Proved: these are the nearest ways{others}."
    others = "; there is no other way" if proof.none_left and found < k else ""
    # A rounder value may be farther than what was found.
    apart = "nothing" if told.counterfactuals[0].unrounded is None else "apart from rounding, nothing"
    return f" Proved: {apart} nearer than the first exists{others}."
