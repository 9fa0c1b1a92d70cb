"""What the model says of rows that are sent, without any explanation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from geco.data.instance import read_instance
from geco.errors import InstanceError
from geco.models.asking.batches import Request
from geco.models.asking.batches import answer as ask
from geco.models.asking.meter import Clock
from geco.models.compiling.encode import NotSeparable
from geco.saved.model import Absent
from geco.trace import Trace

if TYPE_CHECKING:
    from geco.explainer import Explainer


def predictions(explainer: Explainer, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Per row the model's number, whether it is good, and what counts as good."""
    instances = []
    for number, row in enumerate(rows):
        try:
            instances.append(read_instance(row, explainer.domain))
        except InstanceError as error:
            raise InstanceError(f"row {number}: {error}" if len(rows) > 1 else str(error)) from None
    said = _compiled(explainer, instances) if isinstance(explainer.model.called, Absent) else _own(explainer, instances)
    words = explainer.model.goal.words
    return [
        {"outcome": number if math.isfinite(number) else None, "good": outcome > 0.5, "target": words}
        for outcome, number in said
    ]


def _own(explainer: Explainer, instances: Sequence[dict[str, Any]]) -> list[tuple[float, float]]:
    """By the user's model, in one call."""
    x_rows = np.zeros((1, len(explainer.domain.tables)), np.int32)
    requests = [Request(explainer.model, explainer.model.inputs.of(x), x_rows, 1, Trace()) for x in instances]
    ask(requests, Clock(None))
    for request in requests:
        if request.error is not None:
            raise request.error
    return [(float(np.nan_to_num(request.outcome[0])), float(request.numbers[0])) for request in requests]


def _compiled(explainer: Explainer, instances: Sequence[dict[str, Any]]) -> list[tuple[float, float]]:
    """By the compiled model of a file that was loaded without its model."""
    compiled, domain = explainer.compiled, explainer.domain
    assert compiled is not None  # without both, nothing could have been loaded
    x_rows = np.zeros((1, len(domain.tables)), np.int32)
    said = []
    for x in instances:
        rows_like_x = [domain.find(g, x) for g in range(len(domain.tables))]
        anchor = compiled.anchor(rows_like_x, x, lambda x=x: x)  # type: ignore[misc]
        if isinstance(anchor, NotSeparable):
            raise InstanceError(anchor.reason)
        outcome, numbers = compiled.points(anchor, x_rows)
        said.append((float(np.nan_to_num(outcome[0])), float(numbers[0])))
    return said


def model_is_well(explainer: Explainer) -> bool:
    """Whether the model still answers about rows of D: then it is what was sent that it cannot judge."""
    box = explainer.model
    if isinstance(box.called, Absent):
        return True
    try:
        box.goal.judge(box.predict(box.inputs.probe(box.probe_rows[:1])))
    except Exception:
        return False
    return True
