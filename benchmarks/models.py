"""Models for the benchmarks: fitted pipelines, and a wrapper that counts everything that reaches one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.datasets import Dataset


class Counter:
    """Counts the rows, calls and seconds of everything that reaches the user's model object."""

    def __init__(self, pipeline: Any) -> None:
        self.pipeline = pipeline
        self.feature_names_in_ = pipeline.feature_names_in_
        self.classes_ = pipeline.classes_
        self.reset()

    def reset(self) -> None:
        self.rows, self.calls, self.seconds = 0, 0, 0.0

    def used(self) -> dict[str, Any]:
        return {"model_rows": self.rows, "model_calls": self.calls, "model_seconds": self.seconds}

    def _count(self, ask: Callable[[pd.DataFrame], Any], frame: pd.DataFrame) -> np.ndarray:
        start = time.perf_counter()
        answer = ask(frame)
        self.seconds += time.perf_counter() - start
        self.rows += len(frame)
        self.calls += 1
        return np.asarray(answer)


class Counted(Counter):
    """The pipeline as a black box."""

    def predict_proba(self, frame: pd.DataFrame) -> np.ndarray:
        return self._count(self.pipeline.predict_proba, frame)


class CountedLabels(Counter):
    """The pipeline as a black box that keeps its probabilities to itself."""

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        return self._count(self.pipeline.predict, frame)


def fit(dataset: Dataset, name: str, scaled: bool = True, **settings: Any) -> Any:
    """A seeded pipeline on the raw columns: ``dt``, ``rf``, ``mlp``, ``xgb``, ``lgbm``, ``hgb`` or ``linear``.

    Trees need no scaling: with ``scaled=False`` numbers reach them as they are, missing ones replaced.
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import Pipeline, make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    classifiers = {
        "dt": DecisionTreeClassifier(random_state=0),
        "rf": RandomForestClassifier(n_estimators=500, max_depth=10, random_state=0, n_jobs=1),
        "mlp": MLPClassifier(hidden_layer_sizes=(100,), random_state=0),
        "linear": LogisticRegression(max_iter=1000),
        "hgb": HistGradientBoostingClassifier(max_iter=200, early_stopping=False, random_state=0),
    }
    if name == "xgb":
        from xgboost import XGBClassifier

        classifiers["xgb"] = XGBClassifier(n_estimators=200, max_depth=6, random_state=0, n_jobs=1)
    if name == "lgbm":
        from lightgbm import LGBMClassifier

        classifiers["lgbm"] = LGBMClassifier(n_estimators=200, random_state=0, n_jobs=1, verbose=-1)
    text = [c for c in dataset.frame if not pd.api.types.is_numeric_dtype(dataset.frame[c])]
    numeric = [c for c in dataset.frame if c not in text]
    filled = SimpleImputer(strategy="median")
    plain: Any = filled if dataset.frame[numeric].isna().any(axis=None) else "passthrough"
    encoder = ColumnTransformer(
        [
            ("cat", OneHotEncoder(handle_unknown="ignore", sparse_output=False), text),
            ("num", make_pipeline(filled, StandardScaler()) if scaled else plain, numeric),
        ]
    )
    return Pipeline([("enc", encoder), ("clf", classifiers[name].set_params(**settings))]).fit(
        dataset.frame, dataset.label
    )
