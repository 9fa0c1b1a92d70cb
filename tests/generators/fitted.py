"""Models fitted on the data of a random problem, instead of its own model.

``fitted_problem(seed)`` is ``random_problem(seed)`` with a decision tree, a random forest or boosted trees behind a
preprocessing that acts column by column; goals are a class, a lead among three, a threshold or an interval. With
``"linear"`` it is a linear model, with ``"network"`` one of a hidden layer, with ``"several"`` two of the first kind
that must both agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from strategies import Problem, random_problem

Models = Literal["trees", "linear", "network", "several"]
UNSEEN, MISSING = -1.0, -2.0


@dataclass(frozen=True)
class Fitted:
    """A problem whose model is a fitted pipeline, the target to give, and good or not by the pipeline itself."""

    problem: Problem
    target: Any
    good: Callable[[pd.DataFrame], np.ndarray]


class Codes(TransformerMixin, BaseEstimator):
    """Numbers stay, everything else becomes its place among the values seen."""

    def fit(self, frame: pd.DataFrame, y: Any = None) -> Codes:
        self.codes_ = {
            name: {v: float(i) for i, v in enumerate(sorted(set(column.dropna()), key=str))}
            for name, column in frame.items()
            if not _is_number(column)
        }
        self.feature_names_in_ = np.array(frame.columns, object)
        return self

    def transform(self, frame: pd.DataFrame) -> np.ndarray:
        return np.stack([self._column(name, frame[name]) for name in self.feature_names_in_], axis=1)

    def _column(self, name: str, column: pd.Series) -> np.ndarray:
        codes = self.codes_.get(name)
        return np.array([MISSING if pd.isna(v) else codes.get(v, UNSEEN) if codes else float(v) for v in column], float)


def fitted_problem(seed: int, models: Models = "trees") -> Fitted:
    """The problem of this seed with a fitted model; the same on every machine."""
    problem = random_problem(seed)
    rng = np.random.default_rng([20263, seed])
    outcome = np.asarray(problem.model(problem.frame), float).ravel()
    outcome = outcome + rng.normal(0, 0.2, len(outcome)) + rng.normal(0, 0.3) * _noise(problem.frame, rng)
    kind = ("class", "lead", "threshold", "interval")[rng.choice(4, p=[0.4, 0.2, 0.2, 0.2])]
    if models != "several":
        return _with_model(problem, outcome, kind, models, rng)
    of_both = rng.integers(2**32)  # the same target for each
    one, other = (
        _with_model(problem, outcome + noise, kind, "trees", np.random.default_rng([of_both, number]))
        for number, noise in enumerate([0, rng.normal(0, 0.2, len(outcome))])
    )
    pair = [one.problem.model, other.problem.model]
    good = [_good(model, one.target) for model in pair]
    return Fitted(replace(problem, model=pair), one.target, lambda frame: good[0](frame) & good[1](frame))


def _with_model(problem: Problem, outcome: np.ndarray, kind: str, models: Models, rng: np.random.Generator) -> Fitted:
    if kind == "interval":
        return _interval(problem, outcome, _pipeline(models, rng, numbers=True), rng)
    cuts = np.quantile(outcome, [0.4, 0.75] if kind == "lead" else [rng.uniform(0.5, 0.9)])
    labels = np.searchsorted(cuts, outcome)
    labels[: len(cuts) + 1] = np.arange(len(cuts) + 1)  # every class occurs
    model = _pipeline(models, rng, numbers=False).fit(problem.frame, labels)
    if kind == "lead":
        target: Any = set(map(int, rng.choice(3, rng.integers(1, 3), replace=False)))
    else:
        target = 0.5 if kind == "class" else float(rng.choice([0.3, 0.65, 0.8]))
    return Fitted(replace(problem, model=model), target, _good(model, target))


def _interval(problem: Problem, outcome: np.ndarray, model: Pipeline, rng: np.random.Generator) -> Fitted:
    model.fit(problem.frame, outcome)
    answers = np.sort(model.predict(problem.frame))
    low, high = np.quantile(answers, sorted(rng.uniform(0.3, 1, 2)))
    target = (float(low), None if rng.random() < 0.4 else float(high))
    return Fitted(replace(problem, model=model), target, _good(model, target))


def _good(model: Pipeline, target: Any) -> Callable[[pd.DataFrame], np.ndarray]:
    """By the pipeline itself: a class that leads, an interval or a threshold."""
    if isinstance(target, set):
        return lambda frame: _lead(model.predict_proba(frame), sorted(target)) > 0
    if isinstance(target, tuple):
        low, high = target[0], np.inf if target[1] is None else target[1]
        return lambda frame: (model.predict(frame) >= low) & (model.predict(frame) <= high)
    return lambda frame: model.predict_proba(frame)[:, 1] > target


def _pipeline(models: Models, rng: np.random.Generator, numbers: bool) -> Pipeline:
    if models == "trees":
        return Pipeline([("codes", Codes()), ("trees", _regressor(rng) if numbers else _classifier(rng))])
    state, units = int(rng.integers(1000)), int(rng.integers(2, 17))
    if models == "linear":
        model: Any = Ridge() if numbers else LogisticRegression()
    else:
        settings = {"hidden_layer_sizes": (units,), "random_state": state, "max_iter": 60, "learning_rate_init": 0.03}
        model = (MLPRegressor if numbers else MLPClassifier)(**settings)
    return Pipeline([("codes", Codes()), ("scale", StandardScaler()), ("sums", model)])


def _lead(chances: np.ndarray, wanted: list[int]) -> np.ndarray:
    """Strictly: a tie, which predict decides by the order of classes, is not good enough."""
    return chances[:, wanted].max(axis=1) - np.delete(chances, wanted, axis=1).max(axis=1)


def _classifier(rng: np.random.Generator) -> Any:
    state, trees, depth = int(rng.integers(1000)), int(rng.integers(3, 16)), int(rng.integers(2, 7))
    return [
        DecisionTreeClassifier(random_state=state),
        RandomForestClassifier(trees, max_depth=depth, random_state=state),
        ExtraTreesClassifier(trees, max_depth=depth, random_state=state),
        GradientBoostingClassifier(n_estimators=trees, max_depth=min(depth, 3), random_state=state),
        HistGradientBoostingClassifier(max_iter=trees, max_depth=depth, min_samples_leaf=3, random_state=state),
    ][rng.integers(5)]


def _regressor(rng: np.random.Generator) -> Any:
    state, trees = int(rng.integers(1000)), int(rng.integers(3, 16))
    return [
        DecisionTreeRegressor(random_state=state),
        RandomForestRegressor(trees, max_depth=4, random_state=state),
        GradientBoostingRegressor(n_estimators=trees, max_depth=3, random_state=state),
    ][rng.integers(3)]


def _noise(frame: pd.DataFrame, rng: np.random.Generator) -> np.ndarray:
    """Something smooth that depends on every column, so that trees have more to learn than the problem's own model."""
    coded = Codes().fit(frame).transform(frame)
    return (coded - coded.mean(axis=0)) / (coded.std(axis=0) + 1e-9) @ rng.normal(size=coded.shape[1])


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
