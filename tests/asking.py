"""Ask about one x by both methods, and judge whatever comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import geco

METHODS = ("genetic", "frontier")


def explain(
    model: Any, d: Any, x: Any, method: str, program: str = "", k: int = 3, ways: str | None = None, **settings: Any
) -> Any:
    """An explanation whose answers obey every rule and change what they say they change."""
    database = d if isinstance(d, geco.Database) else geco.Database.from_frame(d, kinds=settings.pop("kinds", None))
    explainer = geco.Explainer(model, database, geco.parse_plaf(program), method=method, **settings)
    explanation = explainer.explain(x, k=k, ways=ways)
    for cf in explanation.counterfactuals:
        assert cf.confirmed
        assert explainer.check(x, cf.values) == []
        named = {a.feature for a in cf.changes} & set(cf.values)
        assert named <= {f for f, v in cf.values.items() if v != explanation.x[f]}
    return explanation


def found(*args: Any, **settings: Any) -> Any:
    """The explanation, which must have an answer."""
    explanation = explain(*args, **settings)
    assert explanation.status == "found", explanation.reason
    return explanation


def changed(explanation: Any) -> set[str]:
    return {a.feature for cf in explanation.counterfactuals for a in cf.changes}


class Recorder:
    """A function on frames that remembers every frame it was shown."""

    def __init__(self, function: Any) -> None:
        self.function, self.shown = function, []

    def __call__(self, frame: Any) -> Any:
        self.shown.append(frame)
        return self.function(frame)


def pipeline(frame: pd.DataFrame, good: np.ndarray) -> Any:
    """What users have: one-hot text, imputed and scaled numbers, a linear model, fitted on exactly this frame."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import Pipeline, make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numeric = [c for c in frame if pd.api.types.is_numeric_dtype(frame[c]) and not _is_boolean(frame[c])]
    other = [c for c in frame if c not in numeric]
    encoder = ColumnTransformer(
        [
            ("number", make_pipeline(SimpleImputer(), StandardScaler()), numeric),
            ("other", OneHotEncoder(handle_unknown="ignore"), other),
        ]
    )
    return Pipeline([("encode", encoder), ("model", LogisticRegression())]).fit(frame, good)


def _is_boolean(series: pd.Series) -> bool:
    return bool(pd.api.types.is_bool_dtype(series))
