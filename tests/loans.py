"""A small project in a folder: a table, a scikit-learn model, rules and a geco.toml."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

ROWS = 400


def people() -> pd.DataFrame:
    """Loans: repaid mostly where income is high against the amount."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "customer": 4000 + np.arange(ROWS),
            "age": rng.integers(18, 80, ROWS),
            "income": rng.integers(5, 60, ROWS) * 100,
            "amount": rng.integers(1, 90, ROWS) * 100,
            "housing": rng.choice(["own", "rent", "free"], ROWS),
        }
    )
    good = frame["income"] * 1.5 + 20 * frame["age"] > frame["amount"] + rng.normal(0, 500, ROWS) + 1000
    return frame.assign(repaid=np.where(good, "yes", "no"))


@cache
def fitted() -> Any:
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    frame = people()
    encode = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["housing"]), remainder="passthrough")
    forest = RandomForestClassifier(n_estimators=10, max_depth=5, random_state=0)
    return make_pipeline(encode, forest).fit(frame[["age", "income", "amount", "housing"]], frame["repaid"])


TOML = """
[data]
source = "loans.csv"
label = "repaid"
key = "customer"

[model]
file = "model.skops"
target = "yes"

[rules]
file = "rules.plaf"

[search]
k = 2
"""


def write_project(folder: Path, toml: str = TOML, rules: str = "FIXED age\n") -> Path:
    """Writes a project that works unless another geco.toml is given; returns the path of its geco.toml."""
    people().to_csv(folder / "loans.csv", index=False)
    (folder / "model.skops").write_bytes(_saved())
    (folder / "rules.plaf").write_text(rules)
    (folder / "geco.toml").write_text(toml, encoding="utf-8")
    return folder / "geco.toml"


@cache
def _saved() -> bytes:
    from skops.io import dumps

    return bytes(dumps(fitted()))
