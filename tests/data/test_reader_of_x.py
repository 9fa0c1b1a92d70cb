"""read_numbered: what the core reads of an x is what read_instance and Domain.number have for it."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import geco
from geco.data.database import Database
from geco.data.domain import Domain
from geco.data.instance import read_instance, read_numbered
from geco.errors import InstanceError
from strategies import random_instances, random_problem, seeds

DAY = dt.date(2020, 2, 29)
FRAME = pd.DataFrame(
    {
        "job": pd.Categorical(["clerk", "nurse", "clerk"]),
        "age": [30, 31, 35],
        "code": [1, 2, 3],
        "income": [0.5, np.nan, 1e9],
        "short": np.array([0.7, 0.1, 0.2], np.float32),
        "shorter": np.array([0.7, 0.1, 0.2], np.float16),
        "married": [True, False, True],
        "born": pd.Series([DAY] * 3, dtype=object),
        "since": [dt.datetime(2020, 2, 29, 12)] * 3,
        "level": ["low", "high", "low"],
    }
)
VALUES: list[Any] = [
    *(0, 1, -3, 30, 2**52, 2**53 + 1, 2**63 - 1, 2**63, -(2**70), 10**299, 10**301, True, False),
    *(0.0, -0.0, 0.5, 0.7, 30.0, 37.5, 1e300, -1e200, 3.5e38, 1e-46, float("nan"), float("inf"), -float("inf")),
    *(np.int64(30), np.int64(2**63 - 1), np.int32(-1), np.int8(4), np.uint64(2**64 - 1), np.float64(0.7)),
    *(np.float64("nan"), np.float64("inf"), np.float32(0.7), np.float16(0.7), np.bool_(True), np.str_("clerk")),
    *("clerk", "nurse", "never seen", "low", "high", "", "\ud800", "2020-02-29", "2020-02-29 12:00", "30"),
    *(None, pd.NA, pd.NaT, DAY, dt.datetime(2020, 2, 29, 12), pd.Timestamp(2020, 2, 29), Decimal("0.7"), Decimal(3)),
    *(np.datetime64("2020-02-29"), np.array(3), [], object),
]


def domain_of(frame: pd.DataFrame, **orders: list[str]) -> Domain:
    database = Database.from_frame(frame, kinds={"code": "categorical"} if "code" in frame else None)
    return Domain.build(database, [[name] for name in frame], database.schema.with_orders(orders))


DOMAIN = domain_of(FRAME, level=["low", "high"])


def told(read: Any) -> Any:
    """What is read, to the last sign of a zero; or how that fails."""
    try:
        plain, numbers = read()
    except InstanceError as error:
        return str(error)
    return [(name, type(value), repr(value)) for name, value in plain.items()], list(map(repr, numbers))


def slowly(x: Any, domain: Domain) -> tuple[dict[str, Any], list[float]]:
    plain = read_instance(x, domain)
    return plain, [domain.number(f, plain[f]) for table in domain.tables for f in table.features]


def same(x: Any, domain: Domain) -> bool:
    return bool(told(lambda: read_numbered(x, domain)) == told(lambda: slowly(x, domain)))


@given(st.lists(st.sampled_from(VALUES), min_size=len(FRAME.columns), max_size=len(FRAME.columns)))
def test_any_values_are_read_as_in_python(values):
    assert same(dict(zip(FRAME.columns, values, strict=True)), DOMAIN)


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("name", FRAME.columns)
def test_each_value_in_each_column_is_read_as_in_python(name, value):
    assert same({**FRAME.iloc[0].to_dict(), name: value}, DOMAIN)


@given(seeds(), st.booleans())
def test_random_x_are_read_as_in_python(seed, hostile):
    problem = random_problem(seed, hostile)
    domain = geco.Explainer(
        lambda frame: np.zeros(len(frame)),
        Database.from_frame(problem.frame, kinds=problem.kinds),
        geco.parse_plaf(problem.program),
    ).domain

    assert all(same(x, domain) for x in random_instances(problem, 5))


def test_x_may_come_as_a_series_or_a_frame_and_may_lack_a_feature():
    row = FRAME.iloc[0]

    assert same(row, DOMAIN)
    assert same(FRAME.iloc[[0]], DOMAIN)
    assert same(row.to_dict() | {"more": 1}, DOMAIN)
    assert same({**row.drop("age"), "aeg": 3}, DOMAIN)
    assert same(FRAME, DOMAIN)
    assert same([1, 2], DOMAIN)


FRAMES = {
    "mixed": FRAME,
    "whole and not": pd.DataFrame({"a": [2**53 + 1, 2], "b": [0.1, np.nan], "c": np.array([0.7, 1], np.float32)}),
    "whole": pd.DataFrame({"a": [2**63 - 1, 2], "b": np.array([2, 2], np.int8)}),
    "fractions": pd.DataFrame({"a": [0.1, np.nan], "b": np.array([0.7, 0.1], np.float16)}),
    "true and whole": pd.DataFrame({"a": [True, False], "b": [2**53 + 1, 2]}),
    "true": pd.DataFrame({"a": [True, False], "b": [False, True]}),
    "dates": pd.DataFrame({"a": pd.to_datetime(["2020-02-29", None])}),
    "dates and whole": pd.DataFrame({"a": pd.to_datetime(["2020-02-29", None]), "b": [1, 2]}),
    "one category": pd.DataFrame({"a": pd.Categorical(["x", None])}),
    "nullable": pd.DataFrame({"a": pd.array([2**53 + 1, None], "Int64"), "b": pd.array([0.5, None], "Float64")}),
    "nullable true": pd.DataFrame({"a": pd.array([True, None], "boolean"), "b": pd.array(["x", None], "string")}),
    "texts": pd.DataFrame({"a": ["x", None], "b": ["y", "z"]}),
}


@pytest.mark.parametrize("row", [0, 1])
@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_of_one_row_has_the_values_of_its_columns(name, row):
    frame = FRAMES[name].iloc[[row]]
    domain = domain_of(FRAMES[name].iloc[:1])
    by_column = {column: values.array[0] for column, values in frame.items()}

    assert told(lambda: slowly(frame, domain)) == told(lambda: slowly(by_column, domain))
    assert same(frame, domain)


class Raises:
    def __hash__(self):
        return hash("age")

    def __eq__(self, other):
        raise RuntimeError("not comparable")


def test_a_key_that_raises_is_told_of_as_in_python():
    x = {Raises(): 1, **FRAME.iloc[0].drop("age")}

    assert same(x, DOMAIN)
    with pytest.raises(InstanceError, match="x cannot be read: RuntimeError: not comparable"):
        read_numbered(x, DOMAIN)
