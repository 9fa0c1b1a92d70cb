"""D from polars, pyarrow, Parquet and SQL, with models on the frames people use there."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import geco
from asking import METHODS, Recorder, found, pipeline
from geco.errors import InstanceError

pytestmark = pytest.mark.parametrize("method", METHODS)

ROWS = 60
I = range(ROWS)  # noqa: E741
X = {"age": 25, "income": 3.5, "job": "clerk", "own": False, "since": dt.date(2020, 1, 5)}
PLAIN: dict[str, list[Any]] = {
    "age": [20 + i % 30 for i in I],
    "income": [None if i % 9 == 4 else i / 4 for i in I],
    "job": [["clerk", "nurse", None][i % 3] for i in I],
    "own": [i % 2 == 0 for i in I],
    "since": [dt.date(2020, 1, 1) + dt.timedelta(days=i) for i in I],
}
FRAMES = {"polars": pl.DataFrame(PLAIN), "pyarrow": pa.table(PLAIN)}
COLUMNS: dict[str, Any] = {
    "polars Int8": pl.Series([i % 30 for i in I], dtype=pl.Int8),
    "polars Float32": pl.Series([i / 10 for i in I], dtype=pl.Float32),
    "polars Categorical": pl.Series([["a", "b", "c"][i % 3] for i in I], dtype=pl.Categorical),
    "polars Enum": pl.Series([["a", "b", "c"][i % 3] for i in I], dtype=pl.Enum(["c", "b", "a", "z"])),
    "polars Decimal": pl.Series([i / 4 for i in I]).cast(pl.Decimal(10, 2)),
    "polars Datetime": pl.Series([dt.datetime(2020, 1, 1, i % 24) for i in I], dtype=pl.Datetime("ms")),
    "polars Boolean": pl.Series([[True, False, None][i % 3] for i in I]),
    "pyarrow int8": pa.array([i % 30 for i in I], pa.int8()),
    "pyarrow float32": pa.array([i / 10 for i in I], pa.float32()),
    "pyarrow dictionary": pa.array([["a", "b", "c"][i % 3] for i in I]).dictionary_encode(),
    "pyarrow large_string": pa.array([["a", "b", None][i % 3] for i in I], pa.large_string()),
    "pyarrow decimal": pa.array([Decimal(i) / 4 for i in I], pa.decimal128(10, 2)),
    "pyarrow timestamp": pa.array([dt.datetime(2020, 1, 1, i % 24) for i in I], pa.timestamp("ns")),
    "pyarrow date64": pa.array([dt.date(2020, 1, 1 + i % 28) for i in I], pa.date64()),
    "pyarrow bool": pa.array([[True, False, None][i % 3] for i in I]),
}


def with_need(column: Any) -> Any:
    need = [i % 11 for i in I]
    return (
        pl.DataFrame({"v": column, "need": need})
        if isinstance(column, pl.Series)
        else pa.table({"v": column, "need": need})
    )


def dtypes(frame: Any) -> list[Any]:
    return list(frame.dtypes) if isinstance(frame, pl.DataFrame) else list(frame.schema.types)


@pytest.mark.parametrize("dtype", COLUMNS)
def test_the_model_sees_the_users_frame_and_dtypes(dtype, method):
    frame = with_need(COLUMNS[dtype])
    model = Recorder(lambda f: 0.3 + np.asarray(f["need"]) / 30)
    explanation = found(
        model, frame, {"v": frame["v"].to_pylist()[0] if dtype.startswith("pya") else frame["v"][0], "need": 2}, method
    )

    assert all(type(shown) is type(frame) and dtypes(shown) == dtypes(frame) for shown in model.shown)
    assert type(explanation.counterfactuals[0].values["need"]) is int


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("polars Int8", 1000),
        ("polars Int8", 2.5),
        ("polars Float32", 0.109375),
        ("polars Categorical", "new"),
        ("polars Datetime", dt.datetime(2020, 1, 1, 1, 1, 1, 5)),
        ("pyarrow int8", 1000),
        ("pyarrow int8", 2.5),
        ("pyarrow float32", 0.109375),
        ("pyarrow dictionary", "new"),
        ("pyarrow large_string", "new"),
        ("pyarrow timestamp", dt.datetime(2020, 1, 1, 1, 1, 1, 5)),
    ],
)
def test_a_value_never_seen_reaches_the_model_exactly(dtype, value, method):
    frame = with_need(COLUMNS[dtype])
    model = Recorder(lambda f: 0.3 + np.asarray(f["need"]) / 30)
    found(model, frame, {"v": value, "need": 2}, method)
    shown = model.shown[1]["v"]

    assert (shown[0].as_py() if dtype.startswith("pyarrow") else shown[0]) == value


def test_a_value_outside_a_polars_enum_is_refused(method):
    explainer = geco.Explainer(
        lambda f: np.asarray(f["need"]) / 30, geco.Database.from_frame(with_need(COLUMNS["polars Enum"])), method=method
    )
    with pytest.raises(InstanceError, match="v has no value 'q'; in order its values are 'c' < 'b' < 'a' < 'z'"):
        explainer.explain({"v": "q", "need": 2})


@pytest.mark.parametrize("dtype", COLUMNS)
def test_x_may_lack_a_value(dtype, method):
    frame = with_need(COLUMNS[dtype])
    model = Recorder(lambda f: 0.3 + np.asarray(f["need"]) / 30)
    found(model, frame, {"v": None, "need": 2}, method)
    shown = model.shown[1]["v"]

    assert (shown[0].as_py() if dtype.startswith("pyarrow") else shown[0]) is None


@pytest.mark.parametrize("library", FRAMES)
def test_x_may_be_a_row_of_the_same_library(library, method):
    frame = FRAMES[library]
    explanation = found(lambda f: np.asarray(f["age"]) / 80, frame, frame[4:5], method, k=1)

    assert explanation.x == {name: values[4] for name, values in PLAIN.items()}


@pytest.mark.parametrize("x", [pl.Series([25.0, 3.5]), pa.array([25, 3.5])])
def test_a_column_is_refused_as_x(x, method):
    with pytest.raises(InstanceError, match="x must be a dict, a Series or a frame of one row, got"):
        found(lambda f: np.asarray(f["age"]) / 80, FRAMES["polars"], x, method)


@pytest.mark.parametrize("library", FRAMES)
def test_a_function_on_arrays_is_given_arrays(library, method):
    frame = FRAMES[library].select(["age", "income"])
    model = Recorder(lambda a: np.clip(a[:, 0] / 80 + np.nan_to_num(a[:, 1]) / 100, 0, 1))
    database = geco.Database.from_frame(frame)
    found(model, database, {"age": 25, "income": None}, method, k=1, input="array")

    assert all(isinstance(shown, np.ndarray) and shown.dtype == float for shown in model.shown)


@pytest.mark.parametrize("library", FRAMES)
def test_a_model_fitted_on_the_pandas_form_is_asked_with_it(library, method):
    frame = FRAMES[library].to_pandas().drop(columns="since")
    model = pipeline(frame, (frame["age"] > 35).to_numpy())
    x = {name: X[name] for name in frame}
    d = FRAMES[library].select(["age", "income", "job", "own"])

    assert found(model, d, x, method, k=1).counterfactuals[0].values["age"] > 30


def test_a_scikit_learn_model_fitted_on_polars_is_asked_with_polars(method):
    from sklearn.tree import DecisionTreeClassifier

    frame = FRAMES["polars"].select(["age", "own"])
    model = DecisionTreeClassifier(random_state=0).fit(frame, (frame["age"] > 35).to_numpy())
    explainer = geco.Explainer(model, geco.Database.from_frame(frame), method=method)

    assert explainer.explain({"age": 25, "own": True}).status == "found"
    assert "on polars input" in explainer.describe()


def test_parquet_and_a_model_fitted_on_pandas(tmp_path, method):
    path = tmp_path / "people.parquet"
    frame = pd.DataFrame({**PLAIN, "label": [age > 35 for age in PLAIN["age"]]})
    frame.to_parquet(path)
    read = pd.read_parquet(path)
    features = [c for c in read if c not in ("label", "since")]
    model = pipeline(read[features], read["label"].to_numpy())
    d = geco.Database.from_file(path, exclude=["label"])

    assert found(model, d, X, method, k=1).counterfactuals[0].values["since"] == X["since"]


def test_a_query_and_a_model_fitted_on_pandas(tmp_path, method):
    with duckdb.connect(tmp_path / "people.duckdb") as connection:
        arrow = FRAMES["pyarrow"]  # noqa: F841  DuckDB finds it by its name
        connection.execute("CREATE TABLE people AS SELECT * FROM arrow")
        read = connection.sql("SELECT age, income, job, own FROM people").df()
    model = pipeline(read, (read["age"] > 35).to_numpy())
    d = geco.Database.from_sql("SELECT age, income, job, own FROM people", tmp_path / "people.duckdb")

    assert found(model, d, {name: X[name] for name in read}, method, k=1).counterfactuals[0].values["age"] > 30


def test_a_csv_and_a_model_fitted_on_what_pandas_reads(tmp_path, method):
    path = tmp_path / "people.csv"
    frame = pd.DataFrame(PLAIN).drop(columns="since").assign(married=[[True, False, None][i % 3] for i in I])
    frame.to_csv(path, index=False)
    read = pd.read_csv(path)
    model = pipeline(read, (read["age"] > 35).to_numpy())
    x = {**{name: X[name] for name in frame if name in X}, "married": None}

    assert found(model, geco.Database.from_file(path), x, method, k=1).counterfactuals[0].values["age"] > 30
