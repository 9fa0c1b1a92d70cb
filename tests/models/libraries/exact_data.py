"""Tables for the exactness of compiled models: made ones with every difficulty, and the real data sets."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest

DATA = Path(os.environ.get("GECO_DATA") or Path(__file__).resolve().parents[4] / "shared" / "data")
Data = Callable[[], tuple[pd.DataFrame, Any]]
Goal = Literal["binary", "three", "number", "count"]


def plain(goal: Goal = "binary", rows: int = 600) -> tuple[pd.DataFrame, Any]:
    """Floats, float32, whole numbers small and large, a switch, and a column with few values."""
    rng = np.random.default_rng(7)
    x = pd.DataFrame(
        {
            "a": rng.normal(size=rows),
            "b": rng.lognormal(3, 2, size=rows),
            "c": rng.integers(0, 9, rows),
            "d": rng.integers(0, 10**9, rows),
            "e": rng.choice([0.0, 0.1, 0.2, 0.3], rows),
            "f": rng.random(rows) < 0.4,
            "g": rng.normal(size=rows).astype(np.float32),
        }
    )
    score = x["a"] + np.log(x["b"]) / 2 - x["c"] / 4 + 2 * x["f"] + x["e"] * 3 + rng.normal(size=rows) / 2
    return x, labels(score, goal)


def gaps(goal: Goal = "binary", rows: int = 600) -> tuple[pd.DataFrame, Any]:
    """The same as floats, a tenth missing."""
    x, y = plain(goal, rows)
    rng = np.random.default_rng(8)
    return x.astype(np.float64).mask(rng.random(x.shape) < 0.1), y


def zeros(goal: Goal = "binary", rows: int = 600) -> tuple[pd.DataFrame, Any]:
    """Many zeros, and numbers that are almost zero."""
    x, y = gaps(goal, rows)
    rng = np.random.default_rng(9)
    small = rng.choice([0.0, -0.0, 1e-36, -1e-36, 2e-35, 1e-30], x.shape)
    return x.mask(rng.random(x.shape) < 0.3, pd.DataFrame(small, x.index, x.columns)), y


def categories(goal: Goal = "binary", rows: int = 600, many: int = 40) -> tuple[pd.DataFrame, Any]:
    """Columns of the category dtype (text, numbers, ordered, many values, some never used) beside numbers with gaps."""
    rng = np.random.default_rng(10)
    names = [f"city {i}" for i in range(many)]
    x = pd.DataFrame(
        {
            "age": rng.normal(40, 9, rows),
            "job": pd.Categorical(
                rng.choice(["clerk", "cook", "judge", "miner"], rows), ["judge", "cook", "clerk", "miner", "king"]
            ),
            "code": pd.Categorical(rng.choice([3, 11, 12, 70], rows)),
            "hours": rng.integers(1, 60, rows),
            "city": pd.Categorical(
                rng.choice(names, rows, p=np.arange(1, many + 1) / np.arange(1, many + 1).sum()), names
            ),
            "grade": pd.Categorical(rng.choice(["low", "mid", "high"], rows), ["low", "mid", "high"], ordered=True),
        }
    )
    weight = np.sin(np.arange(many) * 1.7)[x["city"].cat.codes]
    score = x["age"] / 9 + 2 * (x["job"] == "cook") - 2 * (x["code"] == 11) + 2 * weight + x["grade"].cat.codes
    y = labels(score + rng.normal(size=rows) / 2, goal)
    x["age"] = x["age"].mask(rng.random(rows) < 0.1)
    x["job"] = x["job"].mask(rng.random(rows) < 0.1)
    return x, y


def filled(goal: Goal = "binary", rows: int = 600) -> tuple[pd.DataFrame, Any]:
    """The same without gaps among the categories, for libraries that take none; one is of text, one of numbers."""
    x, y = categories(goal, rows)
    return x.assign(
        job=x["job"].cat.add_categories(["none"]).fillna("none"),
        city=x["city"].astype(str).astype(object),
        code=x["code"].astype(np.int64),
    ), y


def labels(score: Any, goal: Goal) -> Any:
    """What is to be learnt from a score."""
    score = np.asarray(score, np.float64)
    if goal == "number":
        return score
    if goal == "count":
        return np.maximum(np.round(np.exp((score - score.mean()) / 4) * 3), 1.0)
    cuts = [0.5] if goal == "binary" else [0.3, 0.7]
    return np.digitize(score, np.quantile(score, cuts))


def real(name: str, label: str, rows: int = 1_000) -> tuple[pd.DataFrame, Any]:
    """The first rows of a real data set, text as categories; skips the test where the file is absent."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not in the data folder; set GECO_DATA to the folder that holds it")
    table = pd.read_csv(path, nrows=rows)
    y = pd.factorize(table.pop(label), sort=True)[0]
    for column in table.columns:
        if not pd.api.types.is_numeric_dtype(table[column]):
            table[column] = table[column].astype("category")
    return table, y


def of(source: Callable[..., Any], *args: str) -> Data:
    """A table with these arguments, such as what is learnt."""
    return partial(source, *args)


def title(data: Data) -> str:
    """How a table is called: ``gaps three``, or the name of the file."""
    if not isinstance(data, partial):
        return data.__name__  # type: ignore[attr-defined,no-any-return]
    return data.args[0].partition(".")[0] if data.func is real else f"{data.func.__name__} {data.args[0]}"


three, number, count = of(plain, "three"), of(plain, "number"), of(plain, "count")
credit = of(real, "credit.csv", "NoDefaultNextMonth")
compas = of(real, "compas.csv", "two_year_recid")
adult = of(real, "adult.csv.gz", "income")
give = of(real, "give_me_some_credit.csv.gz", "SeriousDlqin2yrs")
german = of(real, "german.csv", "risk")
