"""Grounds: C_x as the core has it is what ground() makes of x, or is left to it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import geco
from geco.data.instance import read_numbered
from geco.space.deployment import Deployment
from geco.space.feasible import feasible_space, space_of_x
from geco.space.ground import KnownText, ground, skipped
from strategies import random_instances, random_problem, seeds

FRAME = pd.DataFrame(
    {
        "a": [1, 2, 3],
        "b": [0.5, 1.5, np.nan],
        "c": [0, 1, 5],
        "job": ["clerk", "nurse", "clerk"],
        "level": ["low", "high", "low"],
        "married": [True, False, True],
        "born": pd.to_datetime(["2020-01-01", "2021-01-01", "2022-01-01"]).date,
    }
)
RULES = [
    "x_cf.a >= x.a + 4",
    "x_cf.a / x.c >= x.a",
    "x_cf.b >= x.a / x.c",
    "x_cf.b >= x.b",
    "x_cf.b = x.b",
    "x_cf.b != x.b",
    "x_cf.a <= x_cf.b - x.b * (x.a - -3)",
    "IF x.a > 1 THEN x_cf.c = 3",
    "IF x.a > x.c and x.b < 1 THEN x_cf.c >= x.c",
    "IF x.job = 'clerk' and x_cf.c > -x.a THEN x_cf.job != x.job",
    "IF x.married = TRUE THEN x_cf.b > x.b",
    "IF x.born > '2020-06-01' THEN x_cf.a < 3",
    "IF x_cf.job = x.job THEN x_cf.level >= x.level",
    "IF x_cf.a IN (1, 2) THEN x.a = 2",
    "x_cf.c BETWEEN x.a AND x.a * x.a",
    "x_cf.born <= x.born + 30",
    "IF x.job IN ('nurse', 'judge') THEN x_cf.a > x.a",
    "IF x.c / x.a > 2 THEN x_cf.b <= x.c",
]
PROGRAM = "ORDER level: 'low' < 'high'\n" + "\n".join(f"PLAF {rule}" for rule in RULES)
VALUES: dict[str, list[Any]] = {
    "a": [0, 1, 2, 7, -3, 2**53 + 1, 2**60, None],
    "b": [0.5, -0.0, 1.5, 0.1, 1e200, None],
    "c": [0, 1, 5, 2**53, None],
    "job": ["clerk", "nurse", "never seen", None],
    "level": ["low", "high", None],
    "married": [True, False, None],
    "born": ["2020-01-01", "2020-12-31", None],
}


def deployment_of(frame: pd.DataFrame, program: str, kinds: Any = None) -> Deployment:
    database = geco.Database.from_frame(frame, kinds=kinds)
    return geco.Explainer(lambda rows: np.zeros(len(rows)), database, geco.parse_plaf(program)).deployment


DEPLOYMENT = deployment_of(FRAME, PROGRAM)


def in_python(deployment: Deployment, x: dict[str, Any]) -> Any:
    grounded = ground(x, deployment.rules)
    constants = [
        deployment.domain.number(c.feature, c.value) if isinstance(c, KnownText) else float(c)
        for rule in grounded
        for c in rule.constants
    ]
    return [r.number for r in grounded], b"".join(r.kept for r in grounded), constants, grounded.notes


def same(deployment: Deployment, given: Any) -> bool:
    """True if the core has it; fails if it has something else than Python."""
    x, numbers = read_numbered(given, deployment.domain)
    found = None if deployment.grounds is None else deployment.grounds.of(numbers)
    if found is not None:
        rules, kept, constants, missing, without = found
        notes = tuple(skipped(deployment.rules[r], deployment.features[f]) for r, f in without)
        assert (rules, kept, constants, notes) == in_python(deployment, x)
        assert missing == [r.number for r in ground(x, deployment.rules) if r.kept[-1:] == b"\2"]
    told, wanted = space_of_x(deployment, x, numbers), feasible_space(deployment, ground(x, deployment.rules), x)
    assert (told.notes, list(told.rows_like_x), told.breaks) == (wanted.notes, list(wanted.rows_like_x), wanted.breaks)
    assert [*map(repr, told.numbers)] == [*map(repr, wanted.numbers)]
    assert [*map(str, told.rules)] == [*map(str, wanted.rules)]
    assert {g: str(r) for g, r in told.broken.items()} == {g: str(r) for g, r in wanted.broken.items()}
    choices = [[space.core.choices(g).tolist() for g in range(space.core.width)] for space in (told, wanted)]
    assert (choices[0], told.feasible, told.x_obeys) == (choices[1], wanted.feasible, wanted.x_obeys)
    return found is not None


@given(st.fixed_dictionaries({name: st.sampled_from(values) for name, values in VALUES.items()}))
def test_rules_of_every_kind_are_grounded_as_in_python(x):
    whole = all(x[f] is not None and abs(x[f]) < 2**50 for f in "abc")

    assert same(DEPLOYMENT, x) or not whole or x["c"] == 0 or x["a"] == 0


@given(seeds(), st.booleans())
def test_random_x_are_grounded_as_in_python(seed, hostile):
    problem = random_problem(seed, hostile)
    deployment = deployment_of(problem.frame, problem.program, problem.kinds)

    for x in random_instances(problem, 5):
        same(deployment, x)


def test_most_problems_are_grounded_in_the_core():
    problems = [random_problem(seed) for seed in range(40)]
    done = [same(deployment_of(p.frame, p.program, p.kinds), p.x) for p in problems]

    assert sum(done) >= 30


@pytest.mark.parametrize(
    "rule", ["x_cf.a >= x.a / x.c", "x_cf.a >= x.a * 9007199254740993", "IF x.a / x.c > 1 THEN 1 = 2"]
)
def test_what_doubles_would_get_wrong_is_left_to_python(rule):
    deployment = deployment_of(FRAME, f"PLAF {rule}")

    assert not same(deployment, {**FRAME.iloc[0].to_dict(), "c": 0})


def test_exact_values_are_left_to_python():
    frame = FRAME.assign(since=pd.to_datetime("2020-01-01 12:00") + pd.to_timedelta([0, 1, 2], unit="ns"))
    deployment = deployment_of(frame, "PLAF x_cf.since >= x.since")

    assert deployment.grounds is None
    assert not same(deployment, frame.iloc[0].to_dict())


def test_a_space_wants_as_many_numbers_as_there_are_features():
    with pytest.raises(ValueError, match="one number per feature"):
        DEPLOYMENT.grounds.of([1.0])
    with pytest.raises(ValueError, match="one number per feature"):
        DEPLOYMENT.core.ground_space(DEPLOYMENT.grounds, [math.nan], 1, 1.0)
