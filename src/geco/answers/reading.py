"""read_explanation: an Explanation from what ``to_dict`` and ``to_json`` gave, so that answers can be stored.

Values are as JSON has them: a date is ISO text until an Explainer reads it by its schema, as ``recheck`` does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from geco.answers.asked import Asked
from geco.answers.explanation import Action, Counterfactual, Explanation
from geco.answers.made import Made
from geco.answers.range import Range
from geco.answers.step import Step
from geco.errors import DataError, shown
from geco.trace import Size, Trace


def read_explanation(data: Any) -> Explanation:
    """What ``Explanation.from_dict`` gives."""
    try:
        return _explanation(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise DataError(f"this is not what Explanation.to_dict() gives: {what}") from error


def _explanation(data: Any) -> Explanation:
    if not isinstance(data, Mapping):
        raise TypeError(f"expected a dict, got {shown(data)}")
    miss, status, stopped_by = data["nearest_miss"], data["status"], data["stopped_by"]
    if not isinstance(status, str) or not isinstance(stopped_by, str):
        raise TypeError(f"status is {shown(status)}, stopped_by {shown(stopped_by)}")
    return Explanation(
        x=dict(data["x"]),
        outcome=_number(data["outcome"]),
        target=str(data["target"]),
        status=status,  # type: ignore[arg-type]
        stopped_by=stopped_by,  # type: ignore[arg-type]
        reason=str(data["reason"]),
        counterfactuals=tuple(_counterfactual(each) for each in data["counterfactuals"]),
        nearest_miss=None if miss is None else _counterfactual(miss),
        notes=tuple(data["notes"]),
        proven=data.get("proven"),
        gap=data.get("gap"),
        proven_ways=data.get("proven_ways"),
        k=data.get("k"),
        good=data.get("good"),
        seconds=float(data.get("seconds", 0.0)),
        trace=_trace(data.get("trace", {})),
        made=None if data.get("made") is None else Made.of(data["made"]),
    )


def _counterfactual(data: Mapping[str, Any]) -> Counterfactual:
    read: dict[str, Any] = {**_known(Counterfactual, data), "outcome": _number(data["outcome"])}
    read["values"] = dict(data["values"])
    read["changes"] = tuple(map(_action, data["changes"]))
    read["ranges"] = {
        feature: Range(**{**_known(Range, run), "others": tuple(run.get("others", ()))})
        for feature, run in data.get("ranges", {}).items()
    }
    read["steps"] = tuple(
        Step(**{**_known(Step, each), "changes": tuple(map(_action, each["changes"]))})
        for each in data.get("steps", ())
    )
    before = data.get("unrounded")
    read["unrounded"] = None if before is None else _counterfactual(before)
    made: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in read.items()}
    return Counterfactual(**made)


def _action(data: Mapping[str, Any]) -> Action:
    asks = data.get("asks")
    made = None if asks is None else Asked(asks["feature"], asks["op"], tuple(asks["values"]), tuple(asks["after"]))
    return Action(**{**_known(Action, data), "asks": made})


def _known(cls: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    """What this version knows of; an earlier one wrote less, a later one may write more."""
    return {name: data[name] for name in cls.__dataclass_fields__ if name in data}


def _trace(data: Mapping[str, Any]) -> Trace:
    known = _known(Trace, data)
    return Trace(**{**known, "sizes": [Size(**size) for size in known.get("sizes", ())]})


def _number(value: Any) -> Any:
    """The model's number; to_dict writes NaN as None and infinity as text, and leaves a label as it is."""
    if value is None:
        return math.nan
    return float(value) if value in ("inf", "-inf") else value
