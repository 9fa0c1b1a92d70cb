"""A LightGBM file whose model was fitted on categories, beside a table that has texts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import geco
from geco.errors import GecoError

lightgbm = pytest.importorskip("lightgbm", reason="needs lightgbm")


@pytest.fixture
def table() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    columns = {
        "pay in all": rng.integers(0, 100, 400),
        "town": rng.choice(["b", "c", "a"], 400),
        "job": rng.choice([7, 3, 5], 400),
    }
    frame = pd.DataFrame(columns)
    frame["paid"] = (frame["pay in all"] + 30 * (frame["town"] == "c") + 5 * frame["job"] > 75).astype(int)
    return frame


def project(folder: Path, table: pd.DataFrame, categories: dict[str, list[object]]) -> Path:
    features = table.drop(columns="paid")
    for name, values in categories.items():
        features[name] = pd.Categorical(features[name], categories=values)
    data = lightgbm.Dataset(features, table["paid"])
    lightgbm.train({"objective": "binary", "verbose": -1, "min_data_in_leaf": 5}, data, 15).save_model(folder / "m.txt")
    table.to_csv(folder / "t.csv", index=False)
    text = '[data]\nsource = "t.csv"\nlabel = "paid"\n[model]\nfile = "m.txt"\nthreshold = 0.5\n'
    (folder / "geco.toml").write_text(text)
    return folder


@pytest.mark.parametrize("categories", [{"town": ["c", "a", "b"]}, {"town": ["a", "b", "c"], "job": [7, 3, 5]}, {}])
def test_the_model_is_shown_the_categories_that_it_was_fitted_on(
    tmp_path: Path, table: pd.DataFrame, categories: dict[str, list[object]]
) -> None:
    given = table if categories else table.drop(columns="town")
    opened = geco.open(project(tmp_path, given, categories))
    features = given.drop(columns="paid")
    shown = features.assign(**{name: pd.Categorical(features[name], values) for name, values in categories.items()})
    numbers = lightgbm.Booster(model_file=tmp_path / "m.txt").predict(shown)
    refused = features[numbers < 0.4].head(8)

    explanations = opened.explainer.explain_many(refused)

    assert opened.explainer.compiled is not None
    assert [e.outcome for e in explanations] == pytest.approx(numbers[numbers < 0.4][:8].tolist())
    assert all(cf.confirmed for e in explanations for cf in e.counterfactuals)
    assert any(e.counterfactuals for e in explanations)


def test_a_table_without_one_of_the_categories_is_an_error_of_ours(tmp_path: Path, table: pd.DataFrame) -> None:
    folder = project(tmp_path, table, {"town": ["a", "b", "c"]})
    table.drop(columns="town").to_csv(folder / "t.csv", index=False)

    with pytest.raises(GecoError, match="town"):
        geco.open(folder).explainer.explain(table.drop(columns=["town", "paid"]).iloc[0])
