"""Odd tables and odd x: gaps, values never seen, constants, many values, one row, features too few or too many."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from asking import METHODS, Recorder, changed, explain, found, pipeline
from geco.errors import DataError, InstanceError

pytestmark = pytest.mark.parametrize("method", METHODS)


def people(rows: int = 90) -> pd.DataFrame:
    i = np.arange(rows)
    return pd.DataFrame(
        {
            "age": 20 + i % 30,
            "income": np.where(i % 9 == 4, np.nan, 1000.0 + 50 * (i % 45)),
            "job": pd.Series(np.array(["clerk", "nurse", None], object)[i % 3], dtype=object),
        }
    )


def wants_income(frame: pd.DataFrame) -> np.ndarray:
    return np.clip(frame["income"].fillna(0).to_numpy(float) / 4000, 0, 1)


def test_a_missing_value_may_become_known(method):
    explanation = found(wants_income, people(), {"age": 30, "income": math.nan, "job": "clerk"}, method)

    assert explanation.counterfactuals[0].values["income"] > 2000
    assert explanation.x["income"] is None


def test_a_known_value_never_becomes_missing(method):
    model = lambda f: np.where(f["income"].isna(), 0.9, f["income"] / 7000)  # noqa: E731
    explanation = explain(model, people(), {"age": 30, "income": 1500.0, "job": "clerk"}, method)

    assert explanation.status == "none_found"


def test_a_known_value_may_become_missing_where_the_rules_allow_it(method):
    model = lambda f: np.where(f["income"].isna(), 0.9, f["income"] / 7000)  # noqa: E731
    x = {"age": 30, "income": 1500.0, "job": "clerk"}
    explanation = found(model, people(), x, method, "ALLOW MISSING income")

    assert explanation.counterfactuals[0].values["income"] is None


@pytest.mark.parametrize("mark", [None, math.nan, pd.NA])
def test_missing_objects_reach_the_model_as_the_user_marks_them(method, mark):
    frame = pd.DataFrame({"job": pd.Series(["clerk", "nurse", mark] * 9, dtype=object), "age": range(27)})
    model = Recorder(lambda f: np.where(f["age"] > 20, 0.9, 0.1))
    found(model, frame, {"job": None, "age": 3}, method)

    assert all(v is mark for shown in model.shown for v in shown["job"] if pd.isna(v))


def test_an_encoder_that_knows_gaps_as_nan_is_shown_nan(method):
    frame = people().assign(
        job=pd.Series(np.array(["clerk", "nurse", np.nan], object)[np.arange(90) % 3], dtype=object)
    )
    model = pipeline(frame, (frame["income"].fillna(0) > 2000).to_numpy())

    assert found(model, frame, {"age": 25, "income": 1100.0, "job": None}, method)


@pytest.mark.parametrize("dtype", ["bool", "int64", "int8", "str", "object", "category", "datetime64[ns]"])
def test_x_may_lack_a_value_that_every_row_of_d_has(method, dtype):
    values = {"str": list("ab") * 10, "object": list("ab") * 10, "category": list("ab") * 10}.get(dtype, [0, 1] * 10)
    frame = pd.DataFrame({"value": pd.Series(values).astype(dtype), "age": range(20)})
    model = Recorder(lambda f: np.where(f["age"] > 12, 0.9, 0.1))
    found(model, frame, {"value": None, "age": 3}, method)

    assert model.shown[1]["value"].isna()[0] and model.shown[-1]["value"].isna()[0]


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("int64", 10**6),
        ("int8", 1000),
        ("int64", 2.5),
        ("uint8", -3),
        ("float64", 1e9),
        ("float32", 0.125),
        ("Int64", -5),
        ("Int8", 1000),
        ("Int64", 2.5),
        ("Float32", 0.125),
        ("int32[pyarrow]", 2**40),
        ("str", "new"),
        ("string", "new"),
        ("object", "new"),
        ("category", "new"),
        ("datetime64[ns]", dt.datetime(1492, 10, 12)),
        ("datetime64[s]", dt.datetime(2020, 1, 1, 1, 1, 1, 5)),
    ],
)
def test_a_value_never_seen_reaches_the_model_exactly(method, dtype, value):
    text = dtype in ("str", "string", "object", "category")
    frame = pd.DataFrame({"value": pd.Series(list("ab") * 10 if text else [0, 1] * 10).astype(dtype), "age": range(20)})
    model = Recorder(lambda f: np.where(f["age"] > 12, 0.9, 0.1))
    explanation = found(model, frame, {"value": value, "age": 3}, method)

    assert model.shown[1]["value"].tolist()[0] == model.shown[-1]["value"].tolist()[0] == value
    assert explanation.x["value"] == value
    assert any("never occurs in D" in note for note in explanation.notes)


def test_a_new_category_goes_through_an_encoder_that_ignores_it(method):
    frame = people().assign(job=pd.Categorical(np.array(["clerk", "nurse", "none"])[np.arange(90) % 3]))
    model = pipeline(frame, (frame["income"].fillna(0) > 2000).to_numpy())
    explanation = found(model, frame, {"age": 25, "income": 1100.0, "job": "astronaut"}, method)

    assert explanation.x["job"] == "astronaut"


def test_a_value_outside_its_order_is_refused_by_name(method):
    frame = pd.DataFrame({"plan": pd.Categorical(["free", "gold"] * 5, ["free", "basic", "gold"], ordered=True)})
    explainer = geco.Explainer(lambda f: np.where(f["plan"] == "gold", 0.9, 0.1), geco.Database.from_frame(frame))

    with pytest.raises(
        InstanceError, match="plan has no value 'platinum'; in order its values are 'free' < 'basic' < 'gold'"
    ):
        explainer.explain({"plan": "platinum"})


def test_a_value_in_its_order_but_not_in_d_is_ranked(method):
    frame = pd.DataFrame({"plan": pd.Categorical(["free", "gold"] * 5, ["free", "basic", "gold"], ordered=True)})
    explanation = found(
        lambda f: np.where(f["plan"] == "gold", 0.9, 0.1), frame, {"plan": "basic"}, method, params=geco.Params(alpha=0)
    )

    assert explanation.counterfactuals[0].distance == 0.5


def test_a_fraction_among_integer_codes_is_refused(method):
    frame = pd.DataFrame({"code": [1, 2, 3]})
    database = geco.Database.from_frame(frame, kinds={"code": "categorical"})
    explainer = geco.Explainer(lambda f: f["code"] / 4, database, method=method)

    with pytest.raises(InstanceError, match=r"code = 1.5: expected an integer"):
        explainer.explain({"code": 1.5})


def test_a_constant_column_never_changes(method):
    frame = people().assign(country="Chile", version=7)
    explanation = found(wants_income, frame, frame.iloc[0], method)

    assert not changed(explanation) & {"country", "version"}


def test_an_x_that_differs_from_a_constant_column_may_join_it(method):
    frame = pd.DataFrame({"version": [7] * 20, "age": range(20)})
    explanation = found(lambda f: np.where(f["version"] == 7, 0.9, 0.1), frame, {"version": 6, "age": 3}, method)

    assert explanation.counterfactuals[0].values == {"version": 7, "age": 3}


def test_only_constant_columns_leave_nothing_to_change(method):
    frame = pd.DataFrame({"a": [1] * 5, "b": ["u"] * 5})

    assert explain(lambda f: np.full(len(f), 0.1), frame, {"a": 1, "b": "u"}, method).status == "infeasible"


def test_a_column_of_30000_values_gets_a_near_one(method):
    frame = pd.DataFrame({"amount": np.arange(30_000) * 3, "age": np.arange(30_000) % 50})
    explanation = found(
        lambda f: np.clip(f["amount"] / 90_000, 0, 1), frame, {"amount": 30_000, "age": 20}, method, k=1
    )

    assert 45_000 < explanation.counterfactuals[0].values["amount"] < 48_000


def test_a_table_of_one_row_leads_to_that_row(method):
    frame = pd.DataFrame({"age": [40], "job": ["nurse"]})
    explanation = found(lambda f: np.where(f["age"] == 40, 0.9, 0.1), frame, {"age": 30, "job": "clerk"}, method)

    assert explanation.counterfactuals[0].values == {"age": 40, "job": "clerk"}


def test_a_table_of_one_row_equal_to_x_is_infeasible(method):
    frame = pd.DataFrame({"age": [40], "job": ["nurse"]})

    assert explain(lambda f: np.full(len(f), 0.1), frame, {"age": 40, "job": "nurse"}, method).status == "infeasible"


def test_an_empty_table_is_refused(method):
    with pytest.raises(DataError, match="the database has no rows; at least one is needed"):
        explain(wants_income, people().head(0), {}, method)


def test_a_feature_missing_from_x_is_named(method):
    with pytest.raises(InstanceError, match="x has no value for 'income'; give all 3 features of the schema"):
        explain(wants_income, people(), {"age": 30, "job": "clerk"}, method)


def test_a_misspelled_feature_of_x_is_recognised(method):
    with pytest.raises(InstanceError, match=r"x has no value for 'income' \(did you mean 'incom'\?\)"):
        explain(wants_income, people(), {"age": 30, "job": "clerk", "incom": 3.0}, method)


def test_what_x_has_beyond_the_features_changes_nothing(method):
    x = {"age": 30, "income": 1500.0, "job": "clerk"}

    assert found(wants_income, people(), {**x, "name": "Ada", "label": 0}, method) == found(
        wants_income, people(), x, method
    )


@pytest.mark.parametrize("x", [[30, 1.0, "clerk"], "clerk", np.array([30.0]), None])
def test_an_x_without_names_is_refused(method, x):
    with pytest.raises(InstanceError, match="x must be a dict, a Series or a frame of one row, got"):
        explain(wants_income, people(), x, method)


def test_a_feature_the_model_does_not_read_moves_only_by_a_rule(method):
    frame = people().assign(savings=np.arange(90) % 20)
    model = pipeline(frame[["age", "income", "job"]], (frame["income"].fillna(0) > 2000).to_numpy())
    x = {"age": 25, "income": 1100.0, "job": "clerk", "savings": 3}
    free = found(model, frame, x, method)
    bound = found(model, frame, x, method, "PLAF IF x_cf.income > x.income THEN x_cf.savings >= x.savings + 5")

    assert "savings" not in changed(free)
    assert all(("savings" in moved(cf)) == ("income" in moved(cf)) for cf in bound.counterfactuals)
    assert "savings" in changed(bound)


def moved(cf: Any) -> set[str]:
    return {a.feature for a in cf.changes}
