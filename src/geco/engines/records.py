"""Explanation ▶ record: a dict of plain values with the columns of schema.py and no clock in it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from geco.answers.explanation import Action, Counterfactual, Explanation
from geco.answers.range import Range
from geco.answers.values import plain
from geco.data.domain import Domain
from geco.errors import GecoError, shown

Record = dict[str, Any]


def record_of(row: int | None, key: Any, explanation: Explanation, domain: Domain) -> Record:
    """One x and its answers."""
    cfs = explanation.counterfactuals
    return {
        "row": row,
        "key": key,
        "status": explanation.status,
        "stopped_by": explanation.stopped_by,
        "reason": explanation.reason,
        "target": explanation.target,
        "outcome": _number(explanation.outcome),
        "found": len(cfs),
        "distance": _number(cfs[0].distance) if cfs else None,
        "proven": None if explanation.proven is None else bool(explanation.proven),
        "gap": None if explanation.gap is None else _number(explanation.gap),
        "proven_ways": explanation.proven_ways,
        "notes": list(explanation.notes),
        "x": dict(explanation.x) if explanation.status != "failed" else _x(explanation.x, domain),
        "nearest_miss": None if explanation.nearest_miss is None else answer_of(explanation.nearest_miss),
        "answers": [{"place": place, **answer_of(cf)} for place, cf in enumerate(cfs, 1)],
    }


def not_held(record: Record, error: Exception) -> Record:
    """What stands for a row with a value that no column of the schema can hold."""
    reason = (
        f"its answers cannot be written as Arrow or Parquet: {shown(str(error), 200)}; "
        "JSON lines and CSV have room for any value"
    )
    nothing = dict.fromkeys(("outcome", "distance", "proven", "gap", "proven_ways", "x", "nearest_miss"))
    empty: Record = {**nothing, "found": 0, "notes": []}
    return {**record, **empty, "status": "failed", "stopped_by": "error", "reason": reason, "answers": []}


def answer_of(cf: Counterfactual) -> Record:
    """One answer."""
    return {
        "distance": _number(cf.distance),
        "outcome": _number(cf.outcome),
        "confirmed": bool(cf.confirmed),
        "groups": list(cf.groups),
        "changes": [_change(action, cf.ranges.get(action.feature)) for action in cf.changes],
        "values": dict(cf.values),
        "holds": None,
    }


def _change(action: Action, known: Range | None) -> Record:
    return {
        "feature": action.feature,
        "before": plain(action.before),
        "after": plain(action.after),
        "required_by": action.required_by,
        "low": None if known is None else plain(known.low),
        "high": None if known is None else plain(known.high),
        "others": [] if known is None else [plain(value) for value in known.others],
    }


def _x(x: Mapping[str, Any], domain: Domain) -> Record | None:
    """In the form that D has; None if some of it does not fit, as in a failed row."""
    try:
        return {name: domain.plain(name, x[name]) for name in domain.names}
    except (GecoError, KeyError):
        return None


def _number(value: Any) -> float | None:
    """Arrow and JSON both have null for what is not a number."""
    try:
        number = float(value)
    except (TypeError, ValueError):  # a model of labels may have said a word
        return None
    return None if math.isnan(number) else number
