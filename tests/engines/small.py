"""A small deployment for batches: a table, a tree, a rule; and a model that can be made to fail."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

import geco

ROWS = 30


@cache
def table() -> pd.DataFrame:
    """Whole numbers, fractions with gaps, text, truth values and dates, and a key that is no feature."""
    rng = np.random.default_rng(7)
    return pd.DataFrame(
        {
            "customer": np.arange(ROWS) * 7 + 1000,
            "age": rng.integers(20, 60, ROWS),
            "income": np.where(rng.random(ROWS) < 0.1, np.nan, rng.integers(10, 50, ROWS) / 4),
            "housing": rng.choice(["rent", "own", "free, 'shared'"], ROWS),
            "married": rng.random(ROWS) < 0.5,
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, ROWS), unit="D"),
        }
    )


def features() -> pd.DataFrame:
    return table().drop(columns="customer")


def encoded(frame: pd.DataFrame) -> np.ndarray:
    return np.column_stack([frame["age"], frame["income"].fillna(0), frame["married"], frame["housing"] == "own"])


@cache
def tree() -> DecisionTreeClassifier:
    frame = features()
    label = (frame["age"] / 10 + frame["income"].fillna(0) + 2 * frame["married"] > 11).astype(int)
    return DecisionTreeClassifier(max_depth=4, random_state=0).fit(encoded(frame), label)


class Scoring:
    """A black box that raises for the customers of 33 as long as the file it is told of exists."""

    def __init__(self, broken_while: str = "") -> None:
        self.broken_while = broken_while

    def __call__(self, frame: pd.DataFrame) -> Any:
        if self.broken_while and os.path.exists(self.broken_while) and (frame["age"] == 33).any():
            raise ConnectionError("the scoring service is away")
        return tree().predict_proba(encoded(frame))[:, 1]


@cache
def explainer() -> geco.Explainer:
    program = geco.parse_plaf("FIXED since\nPLAF x_cf.age >= x.age\n")
    return geco.Explainer(Scoring(), geco.Database.from_frame(features()), program)


def compiled() -> geco.Explainer:
    """Needs no model in the workers, and so no library of models."""
    frame = features()[["age", "income"]].fillna(0)
    label = (frame["age"] / 10 + frame["income"] > 11).astype(int)
    model = DecisionTreeClassifier(max_depth=4, random_state=0).fit(frame, label)
    return geco.Explainer(model, geco.Database.from_frame(frame))


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
