"""A small deployment with every kind of feature, for the tests of questions."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

import geco

RULES = """
ONEHOT home: home_rent, home_own, home_free
GROUP amount, months
FIXED sex, age
INCREASE hours
PLAF IF x_cf.income > x.income THEN x_cf.hours >= x.hours + 2
PLAF x_cf.amount >= 0.5 * x.amount
"""
X = {
    "sex": "f", "age": 31, "income": 1900, "hours": 24, "amount": 9000, "months": 36,
    "home_rent": 1, "home_own": 0, "home_free": 0,
}  # fmt: skip


@cache
def people() -> pd.DataFrame:
    rng = np.random.default_rng(7)
    n = 500
    months = rng.choice([12, 24, 36, 48], n)
    home = rng.integers(0, 3, n)
    return pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], n),
            "age": rng.integers(20, 65, n),
            "income": rng.integers(10, 50, n) * 100,
            "hours": rng.integers(10, 50, n),
            "amount": months * rng.integers(5, 12, n) * 40,
            "months": months,
            "home_rent": (home == 0).astype(int),
            "home_own": (home == 1).astype(int),
            "home_free": (home == 2).astype(int),
        }
    )


@cache
def model() -> Any:
    frame = people()
    score = frame.income + 30 * frame.hours - 0.15 * frame.amount + 400 * frame.home_own + 6 * frame.age
    features = frame.assign(sex=(frame.sex == "f").astype(int))
    return RandomForestClassifier(20, max_depth=6, random_state=0).fit(features, score > 2600)


def good(frame: pd.DataFrame) -> np.ndarray:
    """The same model as a function, with text in its frame."""
    return np.asarray(model().predict_proba(frame.assign(sex=(frame.sex == "f").astype(int)))[:, 1])


@cache
def explainer(kind: str = "black box") -> geco.Explainer:
    """Asked as a black box, or compiled over a frame without text."""
    frame, chosen = people(), good
    if kind == "compiled":
        frame, chosen = frame.assign(sex=(frame.sex == "f").astype(int)), model()
    return geco.Explainer(chosen, geco.Database.from_frame(frame), geco.parse_plaf(RULES))


def x_of(kind: str = "black box") -> dict[str, Any]:
    return {**X, "sex": 1} if kind == "compiled" else dict(X)
