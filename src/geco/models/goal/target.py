"""Target: what "good" means; resolve makes it definite for a model, or says what to give instead."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from geco.errors import TargetError, shown
from geco.given import is_a, not_negative, number
from geco.models.goal.goal import Floats, Goal, Output, plain

__all__ = ["Goal", "Output", "Target", "resolve"]


@dataclass(frozen=True)
class Target:
    """What counts as good.

    Parameters
    ----------
    labels : the wanted label, or a set of them.
    threshold : the probability of the wanted labels must be above this (default 0.5, strict).
    interval : for models that predict a quantity ``(low, high)``, ends included; either may be None.
    margin : how far beyond the bare minimum the answer must stay: added to the threshold, to the lead over the best
        unwanted class, to the decision function, or to both ends of the interval.

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
        if self.labels is not None:
            object.__setattr__(self, "labels", _labels(self.labels))
        if self.threshold is not None and not 0 <= _number(self.threshold) < 1:
            raise TargetError(f"threshold must be at least 0 and below 1, got {shown(self.threshold)}")
        not_negative("margin", self.margin)
        if self.interval is not None:
            self._check_interval()

    @classmethod
    def of(cls, given: Any, margin: float) -> Target:
        """A plain value as a Target: a pair is an interval, a fraction a threshold, anything else labels."""
        if isinstance(given, Target):
            return replace(given, margin=margin) if margin else given
        if isinstance(given, tuple) and len(given) == 2 and all(v is None or is_a(Real, v) for v in given):
            return cls(interval=given, margin=margin)
        if isinstance(given, float | np.floating) and not float(given).is_integer():
            return cls(threshold=float(given), margin=margin)
        return cls(labels=given, margin=margin)

    def _check_interval(self) -> None:
        interval: Any = self.interval
        if self.labels is not None or self.threshold is not None:
            raise TargetError("an interval goes with neither labels nor threshold; give one or the other")
        pair = isinstance(interval, tuple | list) and len(interval) == 2
        if not pair or not all(end is None or not math.isnan(_number(end)) for end in interval):
            raise TargetError(f"an interval is a pair (low, high) of numbers or None, got {shown(interval)}")
        low, high = interval
        if low is None and high is None:
            raise TargetError("the interval (None, None) accepts every prediction; give at least one end")
        if low is not None and high is not None and low > high:
            raise TargetError(f"the interval ({low}, {high}) is empty: its low end is above its high end")


@dataclass(frozen=True)
class Asked:
    """How a model is asked, and for what: the settings of an Explainer."""

    target: Target
    input: Literal["auto", "frame", "array"] = "auto"
    compile: bool = True


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
        raise TargetError(
            "a pair of numbers is an interval, for models that predict a quantity; this one predicts classes: "
            "give a label, or several as a set {...}"
        )
    if output == "label" and target.margin:
        raise TargetError("margin needs a model that returns a probability or a quantity; this one returns labels only")
    if output in ("label", "decision") and target.threshold is not None:
        raise TargetError(f"threshold {target.threshold:g} needs a model that returns a probability; give a label")
    if classes is None and output == "probability" and probe.ndim == 1:
        return _one_probability(target, probe)
    if classes is None and output == "label":
        wanted = _answered(target, probe)
    else:
        known = list(range(probe.shape[1])) if classes is None else [plain(c) for c in classes]
        wanted = wanted_classes(target, known)
    shown = " or ".join(map(repr, wanted))
    if output == "label":
        return Goal("label", f"prediction {shown}", wanted=frozenset(wanted))
    if output == "decision":
        sign = 1 if wanted == (known[1],) else -1
        side = f"{'>' if sign > 0 else '<'} {sign * target.margin:.12g}"
        return Goal("decision", f"prediction {shown} (decision function {side})", margin=target.margin, sign=sign)
    chosen = tuple(i for i, c in enumerate(known) if c in wanted)
    if len(known) > 2 and target.threshold is None:
        words = f"prediction {shown}" + (f", ahead by more than {target.margin:.12g}" if target.margin else "")
        return Goal("probability", words, chosen, by_lead=True, margin=target.margin)
    return _threshold(target, f"P({' or '.join(map(str, wanted))})", chosen)


def _interval(target: Target, answers: Floats) -> Goal:
    known = answers[np.isfinite(answers)]
    if target.interval is None:
        seen = f" (from {known.min():.12g} to {known.max():.12g} on a sample of D)" if len(known) else ""
        raise TargetError(
            f"this model predicts a quantity{seen}; say what is good with target=(low, high); one end may be None"
        )
    low = -np.inf if target.interval[0] is None else float(target.interval[0] + target.margin)
    high = np.inf if target.interval[1] is None else float(target.interval[1] - target.margin)
    if low > high:
        raise TargetError(f"a margin of {target.margin:g} leaves nothing of the interval {target.interval}")
    words = f"between {low:.12g} and {high:.12g}"
    if np.isinf(low) or np.isinf(high):
        words = f"≥ {low:.12g}" if np.isfinite(low) else f"≤ {high:.12g}"
    return Goal("number", f"prediction {words}", low=low, high=high, softness=_softness(known))


def _softness(known: Floats) -> float:
    """The spread of predictions on D: between quartiles, else over all, else 1."""
    if not len(known):
        return 1.0
    with np.errstate(over="ignore"):
        lowest, first, third, highest = np.percentile(known, [0, 25, 75, 100])
        spread = float(third - first or highest - lowest)
    return spread if 0 < spread < np.inf else 1.0


def _one_probability(target: Target, probe: Floats) -> Goal:
    """A function that returns one probability without labels: it is that of the good outcome."""
    known = probe[~np.isnan(probe)]
    if target.labels == (1,) and isinstance(target.labels[0], float) and (known != np.round(known)).any():
        raise TargetError(
            f"target {shown(target.labels[0])} cannot be a threshold: no probability is above it; "
            "give one above 0 and below 1, or leave target out for P(good) > 0.5"
        )
    if target.labels not in (None, (1,)):
        raise TargetError(
            f"target {shown(target.labels[0])} names a label, but the model returns one probability without labels; "
            "give a threshold, or a function that returns the probability of the wanted label"
        )
    return _threshold(target, "P(good)", ())


def _answered(target: Target, probe: npt.NDArray[Any]) -> tuple[Any, ...]:
    """The wanted labels of a model that names none."""
    if target.labels is not None:
        return tuple(target.labels)
    seen = sorted({plain(v) for v in probe if v is not None}, key=repr)
    if not all(v in (0, 1) for v in seen):
        quantity = "" if any(isinstance(v, str) for v in seen) else ", or target=(low, high) if it is a quantity"
        raise TargetError(f"say which outcome is good with target=...; the model answered {_list(seen)}{quantity}")
    return (True,) if any(isinstance(v, bool) for v in seen) else (1,)


def _threshold(target: Target, name: str, columns: tuple[int, ...]) -> Goal:
    threshold = float((0.5 if target.threshold is None else target.threshold) + target.margin)
    if threshold >= 1:
        raise TargetError(f"threshold and margin add up to {threshold:g}; no probability is above that")
    return Goal("probability", f"{name} > {threshold:.12g}", columns, threshold=threshold)


def wanted_classes(target: Target, classes: Sequence[Any]) -> tuple[Any, ...]:
    """The classes that are good, in the model's order; raises TargetError where that is unclear."""
    if target.labels is None:
        if len(classes) == 2 and set(classes) == {0, 1}:  # True equals 1
            return tuple(c for c in classes if c == 1)
        raise TargetError(f"say which outcome is good with target=...; the model's classes are {_list(classes)}")
    for label in target.labels:
        if label not in classes:
            raise TargetError(f"the model has no class {shown(label)}; its classes are {_list(classes)}")
    if len(set(target.labels)) == len(classes):
        raise TargetError("every class of the model is wanted, so every prediction is good already")
    return tuple(c for c in classes if c in target.labels)


def _list(classes: Sequence[Any]) -> str:
    first = ", ".join(map(shown, classes[:20]))
    return first + (f" and {len(classes) - 20} more" if len(classes) > 20 else "")


def _labels(given: Any) -> tuple[Any, ...]:
    """One label or several, as plain values in a fixed order."""
    several = given.tolist() if isinstance(given, np.ndarray) else given
    labels = [plain(v) for v in (several if isinstance(several, set | frozenset | list | tuple) else [several])]
    if not labels:
        raise TargetError("target names no label; give at least one")
    for label in labels:
        if not _can_be_a_label(label):
            raise TargetError(f"a label is text, a number or a truth value, got {shown(label)}")
    return tuple(sorted(labels, key=repr))


def _can_be_a_label(value: Any) -> bool:
    """Equal to itself, or NaN, and of a kind that can be a member of a set: what a model may answer with."""
    try:
        return hash(value) is not None and isinstance(value == value, bool | np.bool_) and bool(repr(value))
    except Exception:
        return False


def _number(value: Any) -> float:
    """NaN if it is not a number."""
    plain_number = number(value)
    return math.nan if plain_number is None else plain_number
