"""Values of x: every spelling of a value is the one D has, everything else is refused by name."""

import datetime as dt
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from geco.data.database import Database
from geco.data.domain import Domain
from geco.errors import DataError, InstanceError

DAY, NOON = dt.date(2020, 2, 29), dt.datetime(2020, 2, 29, 12)


@pytest.fixture(scope="module")
def people():
    frame = pd.DataFrame(
        {
            "age": [30],
            "income": [0.5],
            "job": ["clerk"],
            "married": [True],
            "born": pd.Series([DAY], dtype=object),
            "since": [NOON],
        }
    )
    database = Database.from_frame(frame)
    return Domain.build(database, [[name] for name in database.schema.names], database.schema)


@pytest.mark.parametrize(
    ("feature", "value", "expected"),
    [
        ("age", np.int64(3), 3),
        ("age", np.array(3), 3),
        ("age", 3.0, 3),
        ("age", np.float32(3), 3),
        ("age", Decimal(3), 3),
        ("age", 3.5, 3.5),
        ("age", True, 1),
        ("income", 3, 3.0),
        ("income", np.float32(0.5), 0.5),
        ("income", Decimal("0.5"), 0.5),
        ("job", np.str_("x"), "x"),
        ("job", "", ""),
        ("married", np.True_, True),
        ("married", 0, False),
        ("born", DAY, DAY),
        ("born", dt.datetime(2020, 2, 29), DAY),
        ("born", pd.Timestamp(2020, 2, 29), DAY),
        ("born", np.datetime64("2020-02-29"), DAY),
        ("born", "2020-02-29", DAY),
        ("since", NOON, NOON),
        ("since", pd.Timestamp(NOON), NOON),
        ("since", np.datetime64(NOON), NOON),
        ("since", "2020-02-29T12:00:00", NOON),
        ("since", DAY, dt.datetime(2020, 2, 29)),
    ],
)
def test_every_spelling_becomes_the_value_of_d(people, feature, value, expected):
    plain = people.plain(feature, value)

    assert (plain, type(plain)) == (expected, type(expected))


@pytest.mark.parametrize("feature", ["age", "income", "job", "married", "born", "since"])
@pytest.mark.parametrize("value", [None, math.nan, np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT")])
def test_every_spelling_of_missing_is_none(people, feature, value):
    assert people.plain(feature, value) is None
    assert math.isnan(people.number(feature, value))


@pytest.mark.parametrize(
    ("feature", "value", "expected"),
    [
        ("age", "3", "age = '3': expected an integer"),
        ("age", math.inf, "age = inf: expected an integer"),
        ("income", "abc", "income = 'abc': expected a finite number"),
        ("income", -math.inf, "income = -inf: expected a finite number"),
        ("income", 10**400, "income = 1000000000000000000000000000000000000...: expected a finite number"),
        ("job", 3, "job = 3: expected text"),
        ("job", ["clerk"], "job = ['clerk']: expected text"),
        ("married", "yes", "married = 'yes': expected True or False"),
        ("married", 2, "married = 2: expected True or False"),
        ("born", "soon", "born = 'soon': expected a date (datetime.date, or text such as '2024-05-31')"),
        ("born", NOON, f"born = {NOON!r}: expected a date (datetime.date, or text such as '2024-05-31')"),
        (
            "since",
            12,
            "since = 12: expected a datetime without time zone "
            "(datetime.datetime, or text such as '2024-05-31 12:00:00')",
        ),
    ],
)
def test_other_values_are_refused_by_name(people, feature, value, expected):
    with pytest.raises(InstanceError) as caught:
        people.plain(feature, value)

    assert str(caught.value) == expected


def test_a_time_zone_is_refused(people):
    with pytest.raises(InstanceError, match="expected a datetime without time zone"):
        people.plain("since", "2020-02-29T12:00:00+02:00")


def test_an_unknown_feature_is_named(people):
    with pytest.raises(DataError, match=r"no feature 'agee' \(did you mean 'age'\?\)"):
        people.plain("agee", 3)


@pytest.mark.parametrize(
    ("feature", "value", "expected"),
    [
        ("age", 41, 41.0),
        ("income", -0.0, 0.0),
        ("married", True, 1.0),
        ("born", dt.date(1970, 1, 3), 2.0),
        ("since", dt.datetime(1969, 12, 31, 18), -0.25),
    ],
)
def test_numbers_of_values_that_d_does_not_have(people, feature, value, expected):
    assert people.number(feature, value) == expected


def test_numbers_of_values_of_d_are_those_of_the_tables(people):
    for table in people.tables:
        (name,) = table.features

        assert people.number(name, table.values[name][1]) == table.numbers[name][1]
