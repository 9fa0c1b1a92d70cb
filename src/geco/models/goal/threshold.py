"""Classifiers with a threshold of their own: scikit-learn's FixedThresholdClassifier and TunedThresholdClassifierCV.

What such a model predicts is its decision at that threshold, so that is what "good" means, unless the user says
another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from geco.errors import TargetError
from geco.models.goal.goal import Goal, plain
from geco.models.goal.target import Target, wanted_classes

BESIDE = 1e-12  # how far from 1 - t the other class must be: its probability is rounded alone


@dataclass(frozen=True)
class Threshold:
    """The class ``label`` is predicted where its score is at least ``value``.

    Attributes
    ----------
    method : whose score it is: "predict_proba" or "decision_function".
    name : of the class that brought it.
    """

    method: str
    value: float
    label: Any
    name: str

    def goal(self, target: Target, classes: Sequence[Any]) -> Goal:
        """The target at this threshold; which label is good may be said by the user."""
        [wanted] = wanted_classes(target if target.labels else replace(target, labels=self.label), classes)
        positive = wanted == self.label
        if self.method == "predict_proba":
            return self._by_probability(wanted, positive, list(classes).index(wanted), target.margin)
        sign = 1 if self.label == classes[1] else -1
        if positive:
            at = math.nextafter(self.value + target.margin, -math.inf)
            return Goal("decision", self._words("the score", "≥", self.value + target.margin), margin=at, sign=sign)
        at = -self.value + target.margin
        return Goal("decision", self._words("the score", "<", -at), margin=at, sign=-sign)

    def _by_probability(self, wanted: Any, positive: bool, column: int, margin: float) -> Goal:
        least = self.value + margin if positive else 1 - self.value + margin
        # Every goal is strict; the number right below makes "at least" of "above".
        at = math.nextafter(least, -math.inf) if positive else least + BESIDE
        if at >= 1:
            raise TargetError(f"no probability of {wanted!r} is beyond {least:.12g}, which the {self.name} asks for")
        words = self._words(f"P({wanted})", "≥" if positive else ">", least)
        return Goal("probability", words, (column,), threshold=at)

    def _words(self, what: str, sign: str, number: float) -> str:
        return f"{what} {sign} {number:.12g}, by the threshold of the {self.name}"


def own_threshold(model: Any) -> Threshold | None:
    """The threshold a model brings, also from within a pipeline or a search; None for all others."""
    names = {cls.__name__ for cls in type(model).__mro__ if cls.__module__.startswith("sklearn.")}
    if "Pipeline" in names:
        return own_threshold(model.steps[-1][1])
    if "BaseSearchCV" in names:
        return own_threshold(getattr(model, "best_estimator_", None))
    if "TunedThresholdClassifierCV" in names:
        return _threshold(model, model.best_threshold_, model._curve_scorer._get_pos_label())
    if "FixedThresholdClassifier" in names:
        return _threshold(model, model.threshold, model.pos_label)
    return None


def _threshold(model: Any, value: Any, label: Any) -> Threshold:
    asked = model.response_method
    if asked == "auto":
        asked = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
    if value == "auto":
        value = 0.5 if asked == "predict_proba" else 0.0
    label = plain(model.classes_[1]) if label is None else label
    return Threshold(asked, float(value), label, type(model).__name__)
