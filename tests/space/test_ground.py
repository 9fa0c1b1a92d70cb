"""ground: what of a rule is left once x is known."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest

import geco
from geco.space.forms import RuleForm
from geco.space.ground import ground

GROUNDED = {
    "PLAF x_cf.a >= x.a + 4": "a >= 6",
    "PLAF x_cf.a / x.zero >= x.a": "a / 0 >= 2",
    "PLAF x_cf.a >= x.a / x.zero": "a >= 2 / 0",
    "PLAF IF x.a > 1 THEN x_cf.b = 3": "b = 3",
    "PLAF IF x.a > 2 THEN x_cf.b = 3": "",
    "PLAF IF x.job = 'clerk' and x_cf.b > -x.a THEN x_cf.job != x.job": "'clerk' = 'clerk' and b > -2 ⇒ job != 'clerk'",
    "PLAF IF x.gone > 1 THEN x_cf.b = 3": "",
    "PLAF x_cf.gone = x.gone": "gone is missing",
    "PLAF IF x_cf.b > 1 THEN x_cf.gone = x.gone": "b > 1 ⇒ gone is missing",
    "PLAF x_cf.b BETWEEN x.a AND x.a * x.a": "b BETWEEN 2 AND 4",
    "PLAF IF x_cf.b IN (1, 2) THEN 1 = 2": "b IN (1, 2) ⇒ 1 = 2",
}
X = {"a": 2, "b": 5, "zero": 0, "job": "clerk", "gone": None}


@pytest.mark.parametrize("rule", GROUNDED)
def test_every_value_of_x_takes_its_place(rule):
    assert str(ground(X, geco.parse_plaf(rule).rules)) == GROUNDED[rule]


@pytest.mark.parametrize("rule", GROUNDED)
def test_forms_made_beforehand_give_the_same(rule):
    forms = [RuleForm(r) for r in geco.parse_plaf(rule).rules]

    assert [str(ground(X, forms)) for _ in range(2)] == [GROUNDED[rule]] * 2


def test_a_consequent_without_its_value_is_skipped_and_noted():
    grounded = ground(X, geco.parse_plaf("PLAF x_cf.b >= x.a + x.gone").rules)

    assert (grounded.rules, grounded.notes) == (
        (),
        ("skipped 'PLAF x_cf.b >= x.a + x.gone': x has no value for 'gone'",),
    )


@pytest.mark.parametrize(("since", "left"), [("2020-05-01", [3]), ("2020-07-01", [1, 2])])
def test_a_date_of_x_is_compared_with_a_date_in_text(since, left):
    days = pd.to_datetime(["2020-01-01", "2021-01-01", "2022-01-01"])
    frame = pd.DataFrame({"since": np.repeat(days, 3), "a": [1, 2, 3] * 3})
    program = (
        "FIXED since\nPLAF IF x.since >= '2020-06-01' THEN x_cf.a < 3\nPLAF IF x.since < '2020-06-01' THEN x_cf.a > 2"
    )
    explainer = geco.Explainer(
        lambda table: 0.9 * (table["a"] != 7), geco.Database.from_frame(frame), geco.parse_plaf(program)
    )
    explanation = explainer.explain({"since": datetime.datetime.fromisoformat(since), "a": 7}, ways="top")

    assert sorted(cf.values["a"] for cf in explanation.counterfactuals) == left


@pytest.mark.parametrize("rule", ["x_cf.since + 30 >= '2021-01-31'", "x_cf.a + x_cf.since >= '2021-01-02 12:00'"])
def test_days_may_be_added_to_a_date_beside_a_text(rule):
    days = pd.to_datetime(["2020-01-01", "2021-01-01", "2022-01-01"])
    frame = pd.DataFrame({"since": np.repeat(days, 3), "a": [1, 2, 3] * 3})
    explainer = geco.Explainer(
        lambda table: 0.9 * (table["a"] == 3), geco.Database.from_frame(frame), geco.parse_plaf(f"PLAF {rule}")
    )
    x = {"since": days[0], "a": 1}
    [best] = explainer.explain(x, k=1).counterfactuals

    assert (best.values["since"].year, explainer.check(x, best.values)) == (2021, [])


@pytest.mark.parametrize(("condition", "least"), [("'a' = 'a'", 3), ("'a' != 'a'", 2), ("'b' IN ('a', 'b')", 3)])
def test_two_texts_are_compared_though_no_feature_is_there(condition, least):
    frame = pd.DataFrame({"a": [1, 2, 3]})
    program = geco.parse_plaf(f"PLAF IF {condition} THEN x_cf.a > 2")
    explainer = geco.Explainer(lambda table: 0.9 * (table["a"] > 1), geco.Database.from_frame(frame), program)
    [best] = explainer.explain({"a": 1}, k=1).counterfactuals

    assert best.values["a"] == least


@pytest.mark.parametrize("limit", ["{0} * {0}", "x.a * {0} * {0}", "{0} * {0} / 3", "{0} * {0} - 0.5"])
def test_a_calculation_beyond_all_floats_is_infinite(limit):
    [rule] = ground(X, geco.parse_plaf(f"PLAF x_cf.b < {limit.format('9' * 300)}").rules)

    assert rule.constants == [np.inf]
