"""The rows of D as row numbers: what they stand for is D again."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest

import geco
from geco.data import grouptable
from geco.data.domain import Domain
from geco.data.joint import joint_rows
from soak import explainer_for
from strategies import random_problem


def rows_as_values(domain: Domain, rows: np.ndarray) -> set[tuple[object, ...]]:
    """The raw values that the row numbers stand for, features in the order of the schema."""
    columns = {f: t.values[f][rows[:, g]] for g, t in enumerate(domain.tables) for f in t.features}
    return set(zip(*(columns[name].tolist() for name in domain.names), strict=True))


@pytest.mark.parametrize("seed", range(40))
def test_the_rows_stand_for_exactly_the_distinct_rows_of_D(seed):
    problem = random_problem(seed)
    database = geco.Database.from_frame(problem.frame, kinds=problem.kinds)
    domain = explainer_for(problem, "frontier").domain
    values, _ = database.distinct(domain.names)

    rows = joint_rows(database, domain)

    assert rows_as_values(domain, rows) == set(zip(*(column.tolist() for column in values), strict=True))
    assert len(rows) == len(values[0])


def test_missing_values_dates_and_groups_of_several_features_are_found():
    frame = pd.DataFrame(
        {
            "since": [datetime.date(2020, 1, 1), None, datetime.date(2021, 5, 1), None],
            "pay": [1.5, np.nan, 1.5, 2.0],
            "job": ["cook", "cook", None, "clerk"],
        }
    )
    database = geco.Database.from_frame(frame)
    domain = Domain.build(database, [["job", "pay"], ["since"]], database.schema)

    rows = joint_rows(database, domain)

    assert len(rows) == 4
    assert rows_as_values(domain, rows) == {
        (datetime.date(2020, 1, 1), 1.5, "cook"),
        (None, None, "cook"),
        (datetime.date(2021, 5, 1), 1.5, None),
        (None, 2.0, "clerk"),
    }


def test_the_order_of_D_makes_no_difference():
    problem = random_problem(3)
    shuffled = problem.frame.sample(frac=1.0, random_state=1)

    first, second = (
        joint_rows(database, Domain.build(database, [[name] for name in problem.frame], database.schema))
        for database in (geco.Database.from_frame(frame) for frame in (problem.frame, shuffled))
    )

    assert first.tolist() == second.tolist()


def test_rows_with_values_that_a_cut_table_no_longer_has_are_left_out(monkeypatch):
    monkeypatch.setattr("geco.data.domain.MAX_ROWS", 50)
    database = geco.Database.from_frame(pd.DataFrame({"a": range(200), "b": [i % 3 for i in range(200)], "c": 1}))
    domain = Domain.build(database, [["a", "c"], ["b"]], database.schema)

    rows = joint_rows(database, domain)

    assert grouptable.MAX_ROWS > 200 > len(rows) == domain.tables[0].rows == 50
