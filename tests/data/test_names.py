"""Column names as they come: spaces, quotes, unicode, words of SQL and of PLAF."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from asking import METHODS, changed, found, pipeline

NAMES = [
    "hours per week",
    "hours-per-week",
    'the "best" one',
    "it's",
    "größe",
    "年收入",
    "Δ",
    "select",
    "group by",
    "count(*)",
    "; drop table d; --",
    "IF",
    "then",
    "PLAF",
    "GROUP",
    "fixed",
    "x",
    "x_cf",
    "cf",
    "in",
    "between",
    "and",
    "order",
    "true",
    "c0",
    "v0",
    "m0",
    "n",
    "t",
    "distance",
    "0",
    "1e3",
    "a.b",
    "a,b",
    "%s",
    "{}",
    "#",
    " leading",
    "back\\slash",
]

pytestmark = [pytest.mark.parametrize("method", METHODS), pytest.mark.parametrize("name", NAMES)]


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def table(name: str) -> pd.DataFrame:
    i = np.arange(60)
    return pd.DataFrame({name: i % 20, "other": i % 7, "Other": i % 5})


def test_a_column_of_this_name_is_moved_and_ruled(name, method):
    model = lambda f: f[name].to_numpy() / 25 + f["other"].to_numpy() / 100  # noqa: E731
    x = {name: 3, "other": 1, "Other": 2}
    program = f"INCREASE {quoted(name)}\nPLAF x_cf.{quoted(name)} <= x.{quoted(name)} + 14\nFIXED other"
    explanation = found(model, table(name), x, method, program, k=1)

    assert changed(explanation) == {name}
    assert explanation.counterfactuals[0].values[name] in range(13, 18)
    assert name in str(explanation)


def test_a_column_of_this_name_may_be_in_a_group_and_in_an_implication(name, method):
    model = lambda f: f[name].to_numpy() / 25  # noqa: E731
    x = {name: 3, "other": 1, "Other": 2}
    q = quoted(name)
    program = f'GROUP {q}, other\nPLAF IF x_cf.{q} > x.{q} THEN x_cf."Other" > x."Other"'
    explanation = found(model, table(name), x, method, program, k=1)

    assert explanation.counterfactuals[0].values["Other"] > 2


def test_a_model_fitted_on_a_column_of_this_name_is_asked(name, method):
    frame = table(name)
    model = pipeline(frame, (frame[name] > 12).to_numpy())

    assert found(model, frame, {name: 3, "other": 1, "Other": 2}, method, k=1)
