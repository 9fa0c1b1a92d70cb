"""What hostile problems have besides odd columns: settings of 0, fitted models that tell neighbours apart, exact x.

``as_columns_have_it`` says what a value given for x is worth: a float32 column has no 0.7, a date has no np.datetime64.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

from generators.tables import Table

NORMS = ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.05, 0.95, 0.0), (0.5, 0.0, 0.5), (0.2, 0.3, 0.5))
FACTORS = (0.0, 0.0, 1e-300, 0.5, 3.0, 1e300)


class Ranks(TransformerMixin, BaseEstimator):
    """Every value becomes its place among those seen, compared as Python does: exactly."""

    def fit(self, frame: pd.DataFrame, y: Any = None) -> Ranks:
        self.seen_ = {name: sorted({_comparable(v) for v in column.astype(object) if not pd.isna(v)}, key=_key)
                      for name, column in frame.items()}  # fmt: skip
        self.feature_names_in_ = np.array(frame.columns, object)
        return self

    def transform(self, frame: pd.DataFrame) -> np.ndarray:
        return np.stack([self._ranks(name, frame[name]) for name in self.feature_names_in_], axis=1)

    def _ranks(self, name: str, column: pd.Series) -> np.ndarray:
        seen, values = self.seen_[name], column.astype(object).tolist()
        ranks = {v: -1 if pd.isna(v) else _place(seen, _comparable(v)) for v in set(values)}  # few are different
        return np.array([ranks[v] for v in values], float)


def _place(seen: list[Any], value: Any) -> float:
    """Its rank, between two ranks for a value never seen."""
    place = bisect_left(seen, _key(value), key=_key)
    return place if place < len(seen) and seen[place] == value else place - 0.5


def _comparable(value: Any) -> Any:
    return value if isinstance(value, int | float | str | dt.date | pd.Timestamp) else float(value)


def _key(value: Any) -> Any:
    """Text that was never among booleans or numbers still has a place: by kind, then by value."""
    return isinstance(value, str), value


def fitted_on_ranks(model: Any, frame: pd.DataFrame, rng: np.random.Generator) -> Pipeline:
    """A small tree or ensemble that has learned what the model says, with some noise."""
    outcome = np.asarray(model(frame), float).ravel() + rng.normal(0, 0.15, len(frame))
    labels = (outcome > np.quantile(outcome, rng.uniform(0.5, 0.9))).astype(int)
    labels[:2] = 0, 1  # both classes occur
    state = int(rng.integers(1000))
    estimator = [
        DecisionTreeClassifier(random_state=state),
        DecisionTreeClassifier(max_depth=4, random_state=state),
        RandomForestClassifier(int(rng.integers(3, 9)), max_depth=5, random_state=state),
        GradientBoostingClassifier(n_estimators=int(rng.integers(3, 9)), random_state=state),
    ][rng.integers(4)]
    return Pipeline([("ranks", Ranks()), ("trees", estimator)]).fit(frame, labels)


def hostile_params(tables: list[Table], rng: np.random.Generator) -> dict[str, Any]:
    """Norms with zeros, weights and costs that are nothing or very much, all three scales."""
    alpha, beta, gamma = NORMS[rng.integers(len(NORMS))]
    names = [t.name if t.kind == "onehot" else c.name for t in tables for c in t.columns]
    ordered = [c.name for t in tables if t.kind != "onehot" for c in t.columns if c.ordered]
    return {
        "alpha": alpha,
        "beta": beta,
        "gamma": gamma,
        "weights": {n: _factor(rng) for n in names if rng.random() < 0.2},
        "costs": {n: (_factor(rng), _factor(rng)) for n in ordered if rng.random() < 0.15},
        "scale": ["range", "range", "range", "mad", "std"][rng.integers(5)],
    }


def _factor(rng: np.random.Generator) -> float:
    return FACTORS[rng.integers(len(FACTORS))]


def as_columns_have_it(x: Mapping[str, Any], frame: pd.DataFrame) -> dict[str, Any]:
    """x as its columns would hold it; whatever a dtype cannot hold stays as it is."""
    return {name: _as_held(value, frame[name].dtype) for name, value in x.items()}


def _as_held(value: Any, dtype: Any) -> Any:
    if value is None or pd.isna(value):
        return None
    if dtype == np.float32:
        return float(np.float32(value))
    if isinstance(value, np.datetime64):
        return pd.Timestamp(value)
    return value.item() if isinstance(value, np.generic) else value
