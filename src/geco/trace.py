"""Trace: what happened on the way to an explanation, in counts, sizes and seconds.

The Search laps the clock per operator, the driver counts what reached the user's model object.
Nothing here influences the answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple


class Size(NamedTuple):
    """How much one generation stores, in numbers.

    ``paper`` is the measure of Sec. 6.4 (features of Δ × candidates), ``ours`` counts row numbers (groups of Δ ×
    candidates) and ``listing`` the full vectors a naive listing would hold (all features × candidates).
    """

    paper: int
    ours: int
    listing: int


@dataclass
class Trace:
    """Filled while ``explain`` runs; read it from ``explanation.trace``.

    ``model_calls``, ``model_rows`` and ``model_seconds`` cover everything that reached the user's object, x and
    the confirmation included. In a batch, ``model_rows`` are the rows asked for this x, ``model_calls`` the calls they
    were part of, and the seconds of a shared call are split by rows.
    ``dropped`` counts candidates by the text of the rule that removed them. ``cascades`` is how often action_cascade
    changed a group. ``unconfirmed`` counts answers the user's model took back, ``unasked`` those that ``max_evals``
    left no rows to confirm, ``unsettled`` those returned before it was known that no change in them can be undone.

    Examples
    --------
    >>> trace = Trace()
    >>> with trace.lap("mutate"):
    ...     pass
    >>> trace.drop("PLAF x_cf.age >= x.age", 3)
    >>> list(trace.seconds), trace.dropped
    (['mutate'], {'PLAF x_cf.age >= x.age': 3})
    """

    generations: int = 0
    points_scored: int = 0
    model_calls: int = 0
    model_rows: int = 0
    model_seconds: float = 0.0
    seconds: dict[str, float] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)
    cascades: int = 0
    unconfirmed: int = 0
    unasked: int = 0
    unsettled: int = 0
    sizes: list[Size] = field(default_factory=list)

    def lap(self, operator: str) -> Lap:
        """Add the time spent inside the ``with`` block to ``seconds[operator]``."""
        return Lap(self, operator)

    def add(self, operator: str, seconds: float) -> None:
        """Add to ``seconds[operator]``."""
        self.seconds[operator] = self.seconds.get(operator, 0.0) + seconds

    def drop(self, rule: str, count: int = 1) -> None:
        """Count candidates that ``rule`` removed."""
        if count:
            self.dropped[rule] = self.dropped.get(rule, 0) + count

    def model_called(self, rows: int, seconds: float) -> None:
        """Count one call of the user's object."""
        self.model_calls += 1
        self.model_rows += rows
        self.model_seconds += seconds

    @property
    def compression(self) -> float | None:
        """The naive listing's size over the Δ-representation's, both summed over generations (Sec. 6.4)."""
        stored = sum(size.paper for size in self.sizes)
        return sum(size.listing for size in self.sizes) / stored if stored else None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "generations": int(self.generations),
            "points_scored": int(self.points_scored),
            "model_calls": int(self.model_calls),
            "model_rows": int(self.model_rows),
            "model_seconds": float(self.model_seconds),
            "seconds": {operator: float(seconds) for operator, seconds in self.seconds.items()},
            "dropped": {rule: int(count) for rule, count in self.dropped.items()},
            "cascades": int(self.cascades),
            "unconfirmed": int(self.unconfirmed),
            "unasked": int(self.unasked),
            "unsettled": int(self.unsettled),
            "sizes": [{name: int(value) for name, value in size._asdict().items()} for size in self.sizes],
            "compression": self.compression,
        }


class Lap:
    """One lap of the clock; a class because a generator-based context manager costs more than some operators."""

    __slots__ = ("operator", "start", "trace")

    def __init__(self, trace: Trace, operator: str) -> None:
        self.trace, self.operator = trace, operator

    def __enter__(self) -> None:
        self.start = perf_counter()

    def __exit__(self, *exception: object) -> None:
        self.trace.add(self.operator, perf_counter() - self.start)
