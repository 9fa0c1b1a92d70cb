"""conditions: what good means in sums before the link, as linear conditions that a proof can bound.

In: a compiled forest and the goal. Out: alternatives of forms (weighted sums of the outputs) with what each needs; good
needs all forms of one alternative. Where a link has no linear form the conditions are only necessary: the evaluator
judges every candidate by the goal itself, and its judgement counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from geco import _core
from geco.errors import SettingsError
from geco.models.compiling.adapt import NotCompiled
from geco.models.compiling.compiled import Compiled
from geco.models.goal.goal import Goal
from geco.models.kinds.blend import Blend
from geco.models.kinds.forest import Forest
from geco.models.kinds.linear import Linear
from geco.models.kinds.link import Link
from geco.models.kinds.network import Mlp

Floats = npt.NDArray[np.float64]
MOST_UNITS, MOST_FEATURES = 16, 10  # of a network that is proved
ROUNDING, SINGLE_ROUNDING = 1e-12, 1e-5  # of the model's number: what its link may round away


@dataclass(frozen=True, eq=False)
class Conditions:
    """Weights [alternatives, forms, outputs] and needs [alternatives, forms] over the sums of a forest.

    Whatever is good meets the needs. Whatever is above ``sure`` is good; it is infinite where that cannot be said.
    """

    weights: Floats
    needs: Floats
    sure: Floats


@dataclass(frozen=True, eq=False)
class ForestBounds:
    """Once per model: its forest, and what is good."""

    forest: _core.Forest
    conditions: Conditions

    quick = sets = True

    @property
    def single(self) -> bool:
        return self.forest.trees == 1

    def of(self, x: Floats) -> _core.Bounds:
        """For the encoded row of one x."""
        good = self.conditions
        return _core.Bounds(self.forest, self.forest.anchor(x), good.weights, good.needs, good.sure)


def conditions_of(compiled: Compiled | NotCompiled | bool) -> Conditions:
    """The conditions of this model and goal; a SettingsError says why there are none and what to use."""
    if isinstance(compiled, NotCompiled):
        raise SettingsError(
            f"method 'exact' needs a compiled forest, and this model cannot be compiled: {compiled.reason}; "
            "use method='frontier'"
        )
    assert isinstance(compiled, Compiled)
    kind = compiled.kind
    if isinstance(kind, Blend) or (isinstance(kind, Mlp) and (why := too_large(compiled))):
        what = why if isinstance(kind, Mlp) else "this model is several in one"
        raise SettingsError(
            "method 'exact' proves its answers for trees, forests, linear models and networks with one hidden layer "
            f"of up to {MOST_UNITS} ReLU on up to {MOST_FEATURES} features, and {what}; use method='frontier'"
        )
    goal, link, outputs = compiled.model.goal, kind.link, _outputs(kind)
    if outputs == 1:
        return _of_one_sum(goal, link, wanted_only=compiled.wanted_only)
    made = _of_lead(goal, link, outputs) if goal.by_lead else _of_shares(goal, link, outputs)
    if made is None:
        raise SettingsError(
            f"method 'exact' has no bounds for a threshold on classes that are judged one against the rest "
            f"({outputs} of them); leave out the threshold, or use method='frontier'"
        )
    return made


def too_large(compiled: Compiled) -> str | None:
    """Why nothing is proved of this network, if nothing is."""
    kind = compiled.kind
    assert isinstance(kind, Mlp)
    if len(kind.weights) != 2 or [step.name for step in kind.steps[0]] != ["relu"]:
        return "this network has other layers"
    if (units := kind.weights[0].shape[1]) > MOST_UNITS:
        return f"this one has {units}"
    if (features := len(compiled.model.inputs.features)) > MOST_FEATURES:
        return f"this table has {features}"
    return None


def _outputs(kind: Forest | Linear | Mlp) -> int:
    if isinstance(kind, Forest):
        return kind.outputs
    return int((kind.coefficient if isinstance(kind, Linear) else kind.weights[-1]).shape[1])


def _of_one_sum(goal: Goal, link: Link, wanted_only: bool) -> Conditions:
    """The sum must be at least so high, and for an interval at most so high."""
    low, high = goal.threshold, math.inf
    if goal.output == "number":
        low, high = goal.low, goal.high
    elif goal.output == "decision":
        low, high = (goal.margin, math.inf) if goal.sign > 0 else (-math.inf, -goal.margin)
    elif goal.columns == (0,) and not wanted_only:
        low, high = -math.inf, 1.0 - goal.threshold  # the number is that of the second class
    needs, sure = (_ends(link, low, high, by * _rounding(link)) for by in (1, -1))
    return Conditions(np.array([[[1.0], [-1.0]]]), needs, sure)


def _ends(link: Link, low: float, high: float, wider: float) -> Floats:
    """What the sum and its negative must reach for the number to be in this interval, made wider on both sides."""
    low, high = low - wider * max(1.0, abs(low)), high + wider * max(1.0, abs(high))
    return np.array(
        [[-np.inf if math.isinf(low) else _inverse(link, low), -np.inf if math.isinf(high) else -_inverse(link, high)]]
    )


def _of_lead(goal: Goal, link: Link, outputs: int) -> Conditions:
    """One wanted class leads all others: P_w - P_u > margin. Every link keeps the order of its sums."""
    linear = link.name in ("identity", "proba")
    need = goal.margin if linear else 0.0
    if link.name == "softmax":
        # P_u < P_w - margin with P_w <= 1 makes P_w / P_u = exp(s_w - s_u) at least 1 / (1 - margin).
        need = -math.log1p(-min(goal.margin, 1 - 1e-15))
    return _each_wanted_ahead(goal, link, outputs, need, linear or (link.name == "softmax" and goal.margin == 0))


def _of_shares(goal: Goal, link: Link, outputs: int) -> Conditions | None:
    """P(wanted) above a threshold for several classes."""
    if link.name in ("identity", "proba"):
        weights = np.zeros((1, 1, outputs))
        weights[0, 0, list(goal.columns)] = 1.0
        at, rounding = np.array([[goal.threshold]]), _rounding(link)
        return Conditions(weights, at - rounding, at + rounding)
    if link.name != "softmax":
        return None
    # The best of n wanted classes has at least an n-th of their odds, and those are against each other class alone.
    need = _logit(goal.threshold - _rounding(link)) - math.log(len(goal.columns))
    return _each_wanted_ahead(goal, link, outputs, need, sufficient=False)


def _each_wanted_ahead(goal: Goal, link: Link, outputs: int, need: float, sufficient: bool) -> Conditions:
    unwanted = [k for k in range(outputs) if k not in goal.columns]
    weights = np.zeros((len(goal.columns), len(unwanted), outputs))
    for alternative, wanted in enumerate(goal.columns):
        for form, other in enumerate(unwanted):
            weights[alternative, form, wanted], weights[alternative, form, other] = 1.0, -1.0
    needs = np.full(weights.shape[:2], (need - _rounding(link)) / link.scale)
    return Conditions(
        weights, needs, needs + 2 * _rounding(link) / link.scale if sufficient else np.full_like(needs, np.inf)
    )


def _inverse(link: Link, number: float) -> float:
    """The sum that the link takes to this number; infinite where none is that low or high."""
    if link.name == "exp":
        sum_ = -math.inf if number <= 0 else math.log(number)
    elif link.name in ("expit", "sigmoid"):
        sum_ = _logit(number)
    elif link.name == "huber":
        sum_ = -math.inf if number < 0 else math.inf if number > 1 else 2 * number - 1
    else:
        sum_ = number
    return sum_ / link.scale


def _logit(p: float) -> float:
    return -math.inf if p <= 0 else math.inf if p >= 1 else math.log(p) - math.log1p(-p)


def _rounding(link: Link) -> float:
    return SINGLE_ROUNDING if link.single else ROUNDING
