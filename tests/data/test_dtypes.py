"""Every dtype of pandas: the model sees the user's own, and answers come back as plain values."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from asking import METHODS, Recorder, changed, found, pipeline

pytestmark = pytest.mark.parametrize("method", METHODS)

ROWS = 120
WORDS = np.array(["rent", "own", "free"], object)
COLUMNS: dict[str, Any] = {
    "int64": pd.Series(np.arange(ROWS) % 40),
    "int8": pd.Series(np.arange(ROWS) % 40, dtype="int8"),
    "uint16": pd.Series(np.arange(ROWS) % 40, dtype="uint16"),
    "float64": pd.Series(np.arange(ROWS) / 8),
    "float32": pd.Series(np.arange(ROWS) / 10, dtype="float32"),
    "bool": pd.Series(np.arange(ROWS) % 3 == 0),
    "object text": pd.Series(WORDS[np.arange(ROWS) % 3], dtype=object),
    "object booleans with None": pd.Series(np.array([True, False, None], object)[np.arange(ROWS) % 3], dtype=object),
    "object text with NaN": pd.Series(np.array(["a", "b", np.nan], object)[np.arange(ROWS) % 3], dtype=object),
    "str": pd.Series(list(WORDS[np.arange(ROWS) % 3]), dtype="str"),
    "string": pd.Series(list(WORDS[np.arange(ROWS) % 3]), dtype="string"),
    "string with NA": pd.Series([["a", "b", None][i % 3] for i in range(ROWS)], dtype="string"),
    "category": pd.Series(WORDS[np.arange(ROWS) % 3]).astype(pd.CategoricalDtype(["own", "free", "rent", "unused"])),
    "ordered category": pd.Series(WORDS[np.arange(ROWS) % 3]).astype(
        pd.CategoricalDtype(["rent", "free", "own"], ordered=True)
    ),
    "integer category": pd.Series(np.arange(ROWS) % 5 * 10).astype("category"),
    "category with NaN": pd.Series([["a", "b", None][i % 3] for i in range(ROWS)], dtype="category"),
    "Int64": pd.Series([None if i % 7 == 3 else i % 30 for i in range(ROWS)], dtype="Int64"),
    "Int8": pd.Series([None if i % 7 == 3 else i % 30 for i in range(ROWS)], dtype="Int8"),
    "Float64": pd.Series([None if i % 7 == 3 else i / 4 for i in range(ROWS)], dtype="Float64"),
    "boolean": pd.Series([None if i % 7 == 3 else i % 2 == 0 for i in range(ROWS)], dtype="boolean"),
    "datetime64[ns]": pd.Series(pd.date_range("2020-01-01", periods=ROWS)).astype("datetime64[ns]"),
    "datetime64[s]": pd.Series(pd.date_range("2020-01-01", periods=ROWS)).astype("datetime64[s]"),
    "dates": pd.Series([dt.date(2020, 1, 1) + dt.timedelta(days=i) for i in range(ROWS)], dtype=object),
    "arrow integers": pd.Series(list(range(ROWS)), dtype="int32[pyarrow]"),
    "arrow text": pd.Series(list(WORDS[np.arange(ROWS) % 3]), dtype="string[pyarrow]"),
}
FITTABLE = [d for d in COLUMNS if "date" not in d and d != "string with NA"]  # scikit-learn cannot encode these
every_dtype = pytest.mark.parametrize("dtype", COLUMNS)


def table(dtype: str) -> pd.DataFrame:
    return pd.DataFrame({"value": COLUMNS[dtype], "need": np.arange(ROWS) % 11})


def signature(frame: pd.DataFrame) -> list[Any]:
    """Dtypes, and of categories also which and in which order: pandas calls dtypes equal that differ in it."""
    return [(c, str(d), d, list(getattr(d, "categories", ()))) for c, d in frame.dtypes.items()]


def wanting(series: pd.Series) -> Any:
    """A function that wants some value of the column which row 0 does not have, and a small need."""
    wanted = next(v for v in series.tolist() if not pd.isna(v) and v != series.iloc[0])

    def model(frame: pd.DataFrame) -> np.ndarray:
        has = np.array([not pd.isna(v) and v == wanted for v in frame["value"].tolist()])
        return 0.2 + 0.5 * has - 0.01 * frame["need"].to_numpy(float)

    return model


@every_dtype
def test_every_frame_that_reaches_the_model_has_the_users_dtypes(dtype, method):
    frame = table(dtype)
    model = Recorder(wanting(frame["value"]))
    found(model, frame, frame.iloc[0].to_dict(), method)

    assert [signature(s) for s in model.shown] == [signature(frame)] * len(model.shown)


@every_dtype
def test_answers_hold_values_of_the_column(dtype, method):
    frame = table(dtype)
    explanation = found(wanting(frame["value"]), frame, frame.iloc[0].to_dict(), method)
    values = {cf.values["value"] for cf in explanation.counterfactuals}

    assert values <= {v for v in frame["value"].tolist() if not pd.isna(v)}


@every_dtype
def test_x_as_a_row_of_the_frame_is_echoed(dtype, method):
    frame = table(dtype)
    explanation = found(wanting(frame["value"]), frame, frame.iloc[[0]], method)
    value = frame["value"].tolist()[0]

    assert explanation.x["value"] == (None if pd.isna(value) else value)


@pytest.mark.parametrize("dtype", FITTABLE)
def test_a_pipeline_fitted_on_the_frame_is_asked_with_what_it_was_fitted_on(dtype, method):
    frame = table(dtype)
    same = np.array([not pd.isna(v) and v == frame["value"].iloc[1] for v in frame["value"]])
    good = frame["need"].to_numpy() + 6 * same >= 8
    model = pipeline(frame, good)
    bad = int(np.flatnonzero(model.predict(frame) == 0)[0])
    explanation = found(model, frame, frame.iloc[bad], method)
    row = pd.DataFrame([explanation.counterfactuals[0].values])
    answer = pd.DataFrame({c: pd.Series(row[c].tolist(), dtype=frame[c].dtype) for c in frame})

    assert model.predict(answer)[0]


def test_integer_codes_declared_categorical_are_all_equally_far(method):
    frame = pd.DataFrame({"code": [1, 2, 3, 90], "age": [30, 31, 32, 33]})
    explanation = found(
        lambda f: np.where(f["code"] == 90, 0.9, 0.1),
        frame,
        {"code": 1, "age": 30},
        method,
        kinds={"code": "categorical"},
    )

    assert [cf.distance for cf in explanation.counterfactuals] == [0.5]


def test_integer_codes_declared_categorical_are_not_raised(method):
    frame = pd.DataFrame({"code": [1, 2, 3, 90]})
    explanation = found(
        lambda f: np.where(f["code"] == 90, 0.9, 0.1), frame, {"code": 1}, method, kinds={"code": "categorical"}
    )

    assert explanation.sentence(explanation.counterfactuals[0]) == "Change code from 1 to 90."


def test_dates_are_nearer_the_fewer_days_lie_between(method):
    frame = pd.DataFrame({"due": pd.date_range("2024-01-01", periods=101)})
    model = lambda f: np.where(f["due"] >= pd.Timestamp("2024-01-11"), 0.9, 0.1)  # noqa: E731
    explanation = found(model, frame, {"due": "2024-01-01"}, method, params=geco.Params(alpha=0))

    assert explanation.counterfactuals[0].distance == pytest.approx(0.1)


def test_dates_are_printed_as_dates(method):
    frame = pd.DataFrame({"due": pd.date_range("2024-01-01", periods=101)})
    model = lambda f: np.where(f["due"] >= pd.Timestamp("2024-01-11"), 0.9, 0.1)  # noqa: E731
    explanation = found(model, frame, {"due": dt.date(2024, 1, 1)}, method)

    assert "due 2024-01-01 ▶ 2024-01-11" in str(explanation)


def test_a_rule_may_bound_a_date_by_days(method):
    frame = pd.DataFrame({"due": pd.date_range("2024-01-01", periods=101)})
    model = lambda f: 0.4 + f["due"].dt.day.to_numpy() / 100  # noqa: E731
    explanation = found(
        model, frame, {"due": "2024-01-01"}, method, "PLAF x_cf.due <= x.due + 20\nPLAF x_cf.due > '2024-01-14'"
    )

    assert dt.datetime(2024, 1, 14) < explanation.counterfactuals[0].values["due"] <= dt.datetime(2024, 1, 21)


def test_booleans_are_true_and_false_everywhere(method):
    frame = pd.DataFrame({"own": [True, False, True], "age": [20, 30, 40]})
    explanation = found(lambda f: np.where(f["own"], 0.9, 0.1), frame, {"own": False, "age": 30}, method)

    assert explanation.counterfactuals[0].values["own"] is True
    assert changed(explanation) == {"own"}


def test_boosted_trees_of_xgboost_take_a_frame_of_categories(method):
    from xgboost import XGBClassifier

    frame, good = shop()
    model = XGBClassifier(n_estimators=20, max_depth=3, enable_categorical=True, random_state=0).fit(frame, good)
    explanation = found(model, frame, frame.iloc[int(np.argmin(model.predict_proba(frame)[:, 1]))], method)

    assert model.predict(as_frame(explanation, frame)).all()


def test_boosted_trees_of_lightgbm_take_a_frame_of_categories(method):
    from lightgbm import LGBMClassifier

    frame, good = shop()
    model = LGBMClassifier(n_estimators=20, num_leaves=7, random_state=0, verbose=-1).fit(frame, good)
    explanation = found(model, frame, frame.iloc[int(np.argmin(model.predict_proba(frame)[:, 1]))], method)

    assert model.predict(as_frame(explanation, frame)).all()


def test_lightgbm_renames_columns_with_spaces_and_is_understood(method):
    from lightgbm import LGBMClassifier

    frame, good = shop()
    frame = frame.rename(columns={"visits": "visits per year"})
    model = LGBMClassifier(n_estimators=20, num_leaves=7, random_state=0, verbose=-1).fit(frame, good)
    explanation = found(model, frame, frame.iloc[int(np.argmin(model.predict_proba(frame)[:, 1]))], method)

    assert "visits per year" in explanation.x


def test_lightgbm_fitted_on_an_array_is_asked_with_arrays(method):
    from lightgbm import LGBMClassifier

    frame = pd.DataFrame({"a": np.arange(200) % 20, "b": np.arange(200) % 7})
    model = LGBMClassifier(n_estimators=5, verbose=-1).fit(frame.to_numpy(), frame["a"] > 10)
    explainer = geco.Explainer(model, geco.Database.from_frame(frame), method=method)

    assert explainer.explain({"a": 3, "b": 3}).status == "found"
    assert "on array input" in explainer.describe()


def shop() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "city": pd.Categorical(rng.choice(["Oslo", "Rome", "Bern", "Lima"], 400)),
            "plan": pd.Categorical(rng.choice(["free", "basic", "gold"], 400), ["free", "basic", "gold"], ordered=True),
            "visits": rng.integers(0, 50, 400),
        }
    )
    good = (frame["visits"] + 20 * (frame["plan"] == "gold") + 10 * (frame["city"] == "Rome") > 35).to_numpy()
    return frame, good


def as_frame(explanation: Any, frame: pd.DataFrame) -> pd.DataFrame:
    rows = [cf.values for cf in explanation.counterfactuals]
    return pd.DataFrame({c: pd.Series([r[c] for r in rows], dtype=frame[c].dtype) for c in frame})
