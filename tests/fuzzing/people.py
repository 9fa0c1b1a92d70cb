"""What valid calls are made of: a small table, rules, models, explainers, explanations and a saved file; made once."""

from __future__ import annotations

import datetime as dt
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import geco
from fuzzing.models import Counting, good

RULES = """FIXED id
GROUP home, region
PLAF x_cf.age >= x.age
PLAF IF x_cf.income > x.income THEN x_cf.age >= x.age + 1
PLAF x_cf.since >= '2001-01-01'
"""


@cache
def people(rows: int = 150) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    income = np.round(rng.lognormal(3.2, 0.4, rows), 1)
    income[::17] = np.nan
    days = [dt.datetime(2010, 1, 1) + dt.timedelta(int(d), 0, int(d)) for d in rng.integers(0, 4000, rows)]
    return pd.DataFrame(
        {
            "id": 2**53 + np.arange(rows, dtype=np.int64),
            "age": rng.integers(18, 70, rows),
            "income": income,
            "home": rng.choice(["rent", "own", "family"], rows).astype(object),
            "region": rng.choice(["north", "south"], rows).astype(object),
            "member": rng.random(rows) < 0.5,
            "since": pd.Series(days, dtype="datetime64[us]"),
        }
    )


def xs(n: int = 4) -> list[dict[str, Any]]:
    """Rows that are refused."""
    frame = people()
    return frame[good(frame) < 0.4].head(n).to_dict("records")


@cache
def program() -> geco.Program:
    return geco.parse_plaf(RULES)


@cache
def database() -> geco.Database:
    return geco.Database.from_frame(people())


@cache
def forest() -> Any:
    """Read and compiled by geco."""
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    frame = people().fillna({"income": 0.0})
    encode = ColumnTransformer(
        [("text", OneHotEncoder(), ["home", "region"]), ("rest", "passthrough", ["age", "member"])]
    )
    model = make_pipeline(encode, RandomForestClassifier(9, max_depth=6, random_state=0))
    return model.fit(frame, (good(frame) > 0.5).astype(int))


@cache
def explainer(kind: str) -> geco.Explainer:
    """By name: a black box, compiled, exact, the paper's."""
    model = Counting(good) if kind in ("black box", "genetic black box") else forest()
    method = {"exact": "exact", "genetic": "genetic", "genetic black box": "genetic"}.get(kind, "frontier")
    return geco.Explainer(model, database(), program(), method=method)


def slow_explainer(sleep: float) -> tuple[geco.Explainer, Counting]:
    """A black box whose model takes its time, and that model."""
    model = Counting(good, sleep)
    return geco.Explainer(model, database(), program()), model


@cache
def explanations() -> Any:
    return explainer("compiled").explain_many(xs(3), k=2)


@cache
def folder() -> Path:
    """For files of this process."""
    return Path(_kept().name)


@cache
def _kept() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="geco-fuzz-")


@cache
def saved(kind: str) -> bytes:
    explainer(kind).save(folder() / "made.geco")
    return (folder() / "made.geco").read_bytes()
