"""Target: what "good" means, and how the model's own number is mapped to [0, 1] with good above 0.5.

The decision is always taken on the model's own number; the mapping only says which of two bad candidates is closer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from geco.errors import SettingsError, TargetError

Floats = npt.NDArray[np.float64]
Output = Literal["probability", "label", "number", "decision"]


@dataclass(frozen=True)
class Target:
    """What counts as good.

    Parameters
    ----------
    labels : the wanted label or labels.
    threshold : the probability of the wanted labels must be above this (default 0.5, strict).
    interval : for regressors ``(low, high)``; either end may be None.
    margin : how far beyond the bare minimum the answer must stay: added to the threshold, to the lead over the best
        unwanted class, or to both ends of the interval.

    Examples
    --------
    >>> Target(labels="approved", threshold=0.7).labels
    ('approved',)
    """

    labels: Any = None
    threshold: float | None = None
    interval: tuple[float | None, float | None] | None = None
    margin: float = 0.0

    def __post_init__(self) -> None:
        if self.labels is not None and not isinstance(self.labels, tuple):
            many = isinstance(self.labels, set | frozenset | list)
            object.__setattr__(self, "labels", tuple(sorted(self.labels, key=repr)) if many else (self.labels,))
        if self.threshold is not None and not 0 <= self.threshold < 1:
            raise TargetError(f"threshold must be at least 0 and below 1, got {self.threshold!r}")
        if not self.margin >= 0:
            raise SettingsError(f"margin must not be negative, got {self.margin!r}")
        if self.interval is not None:
            low, high = self.interval
            if low is None and high is None:
                raise TargetError("the interval (None, None) accepts every prediction; give at least one end")
            if low is not None and high is not None and low > high:
                raise TargetError(f"the interval ({low}, {high}) is empty: its low end is above its high end")

    @classmethod
    def of(cls, given: Any, margin: float) -> Target:
        """A plain value as a Target: a pair is an interval, a broken number a threshold, anything else labels."""
        if isinstance(given, Target):
            return given if not margin else cls(given.labels, given.threshold, given.interval, margin)
        if given is None:
            return cls(margin=margin)
        if isinstance(given, tuple) and len(given) == 2 and all(v is None or _is_number(v) for v in given):
            return cls(interval=given, margin=margin)
        if isinstance(given, float) and not given.is_integer():
            return cls(threshold=given, margin=margin)
        if isinstance(given, tuple):
            given = list(given)
        return cls(labels=given, margin=margin)


@dataclass(frozen=True)
class Goal:
    """A Target made definite for one model: its output in, the model's own number and the mapped outcome out."""

    output: Output
    words: str
    columns: tuple[int, ...] = ()  # wanted columns of a probability table
    by_lead: bool = False  # multi-class: the best wanted class must lead the best unwanted one
    wanted: frozenset[Any] = frozenset()  # wanted labels where only labels are to be had
    threshold: float = 0.5
    low: float = -np.inf
    high: float = np.inf
    softness: float = 1.0  # regression: the distance at which a miss has lost most of its outcome
    margin: float = 0.0
    sign: int = 1  # decision functions are positive for the second class

    def numbers(self, raw: npt.NDArray[Any]) -> Floats:
        """The model's own number per row: P(wanted), the prediction, or 1 and 0 for labels."""
        if self.output == "label":
            return np.array([_plain(v) in self.wanted for v in raw], np.float64)
        if self.output == "probability" and raw.ndim == 2:
            wanted = raw[:, self.columns]
            return np.asarray(wanted.max(axis=1) if self.by_lead else wanted.sum(axis=1), np.float64)
        return np.asarray(raw, np.float64)

    def outcome(self, raw: npt.NDArray[Any]) -> Floats:
        """M(x') in [0, 1], good ⇔ above 0.5."""
        if self.by_lead:
            wanted = raw[:, self.columns].max(axis=1)
            lead = wanted - np.delete(raw, self.columns, axis=1).max(axis=1) - self.margin
            return _never_even(lead > 0, np.clip(np.asarray(0.5 + lead / 2, np.float64), 0, 1))
        number = self.numbers(raw)
        if self.output == "number":
            gap = np.maximum(np.maximum(self.low - number, number - self.high), 0.0)
            return np.where(gap == 0, 1.0, 0.5 * np.exp(-gap / self.softness))
        if self.output == "decision":
            beyond = self.sign * number - self.margin
            return _never_even(beyond > 0, 1 / (1 + np.exp(-np.clip(beyond, -500, 500))))
        t = self.threshold
        below, above = number / (2 * t) if t > 0 else np.zeros_like(number), 0.5 + (number - t) / (2 * (1 - t))
        return _never_even(number > t, np.where(number > t, above, below))


def resolve(target: Target, output: Output, classes: Sequence[Any] | None, probe: npt.NDArray[Any]) -> Goal:
    """Make the target definite for a model with this output.

    Parameters
    ----------
    output : what the model returns.
    classes : its classes, where it names them.
    probe : its answers on a sample of D: how many columns there are, and how far numbers are apart.
    """
    if output == "number":
        return _interval(target, probe.astype(float))
    if target.interval is not None:
        raise TargetError("an interval is for models that predict a quantity; this one predicts classes: give a label")
    if output == "label" and target.margin:
        raise TargetError("margin needs a model that returns a probability or a quantity; this one returns labels only")
    if classes is None:
        return _unnamed(target, output, probe)
    known = [_plain(c) for c in classes]
    wanted = _wanted(target, known)
    shown = " or ".join(map(repr, wanted))
    if output == "label":
        return Goal("label", f"prediction {shown}", wanted=frozenset(wanted))
    if output == "decision":
        return Goal("decision", f"prediction {shown}", margin=target.margin, sign=1 if wanted == (known[1],) else -1)
    chosen = tuple(i for i, c in enumerate(known) if c in wanted)
    if len(known) > 2 and target.threshold is None:
        words = f"prediction {shown}" + (f" by a lead of {target.margin:g}" if target.margin else "")
        return Goal("probability", words, chosen, by_lead=True, margin=target.margin)
    return _threshold(target, f"P({' or '.join(map(str, wanted))})", chosen)


def _interval(target: Target, spread: Floats) -> Goal:
    if target.interval is None:
        raise TargetError(
            "this model predicts a quantity; say what is good with target=(low, high); one end may be None"
        )
    low = -np.inf if target.interval[0] is None else target.interval[0] + target.margin
    high = np.inf if target.interval[1] is None else target.interval[1] - target.margin
    if low > high:
        raise TargetError(f"a margin of {target.margin:g} leaves nothing of the interval {target.interval}")
    quartiles = np.nanpercentile(spread, [25, 75])
    softness = float(quartiles[1] - quartiles[0]) or 1.0
    ends = [f"≥ {low:g}"] * bool(np.isfinite(low)) + [f"≤ {high:g}"] * bool(np.isfinite(high))
    return Goal("number", "prediction " + " and ".join(ends), low=low, high=high, softness=softness)


def _unnamed(target: Target, output: Output, probe: npt.NDArray[Any]) -> Goal:
    """A callable that names no classes: P(good), a table by column number, or labels."""
    if output == "label":
        numeric = all(isinstance(v, bool | int | float | np.number | np.bool_) for v in probe.ravel())
        if target.labels is None and not numeric:
            seen = sorted({_plain(v) for v in probe.ravel()}, key=repr)
            raise TargetError(f"say which outcome is good with target=...; the model answered {_list(seen)}")
        wanted = target.labels if target.labels is not None else (1,)  # True equals 1
        return Goal("label", f"prediction {' or '.join(map(repr, wanted))}", wanted=frozenset(wanted))
    columns = probe.shape[1] if probe.ndim == 2 else 1
    if columns == 1:
        if target.labels not in (None, (1,), (True,)):
            raise TargetError(
                f"target {target.labels[0]!r} names a label, but the model returns one probability without labels; "
                "give a threshold, or a function that returns the probability of the wanted label"
            )
        return _threshold(target, "P(good)", ())
    known = list(range(columns))
    wanted = _wanted(target, known)
    if columns > 2 and target.threshold is None:
        words = f"prediction {' or '.join(map(str, wanted))}"
        return Goal("probability", words, tuple(wanted), by_lead=True, margin=target.margin)
    return _threshold(target, f"P({' or '.join(map(str, wanted))})", tuple(wanted))


def _threshold(target: Target, name: str, columns: tuple[int, ...]) -> Goal:
    threshold = (0.5 if target.threshold is None else target.threshold) + target.margin
    if threshold >= 1:
        raise TargetError(f"threshold and margin add up to {threshold:g}; no probability is above that")
    return Goal("probability", f"{name} > {threshold:g}", columns, threshold=threshold)


def _wanted(target: Target, classes: Sequence[Any]) -> tuple[Any, ...]:
    if target.labels is None:
        if len(classes) == 2 and set(classes) in ({0, 1}, {False, True}):
            return (classes[1],)
        raise TargetError(f"say which outcome is good with target=...; the model's classes are {_list(classes)}")
    for label in target.labels:
        if label not in classes:
            raise TargetError(f"the model has no class {label!r}; its classes are {_list(classes)}")
    if len(set(target.labels)) == len(classes):
        raise TargetError("every class of the model is wanted, so every prediction is good already")
    return tuple(_plain(label) for label in target.labels)


def _never_even(good: npt.NDArray[np.bool_], outcome: Floats) -> Floats:
    """Good must stay strictly above 0.5 and bad must not rise above it, whatever rounding does."""
    return np.where(
        good, np.maximum(outcome, np.nextafter(0.5, 1)), np.where(np.isnan(outcome), np.nan, np.minimum(outcome, 0.5))
    )


def _list(classes: Sequence[Any]) -> str:
    shown = ", ".join(map(repr, classes[:20]))
    return shown + (f" and {len(classes) - 20} more" if len(classes) > 20 else "")


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)
