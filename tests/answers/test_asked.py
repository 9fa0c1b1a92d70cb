"""What a rule asks for, in values: nothing where no such value exists."""

from __future__ import annotations

from datetime import date

import pandas as pd

import geco


def test_a_day_before_the_first_is_not_told_of():
    days = pd.to_datetime(["2001-01-01", "2002-01-01", "2003-01-01"]).date
    table = pd.DataFrame({"until": list(days) * 3, "job": ["a", "b", "c"] * 3})
    rule = "PLAF IF x_cf.job != x.job THEN x_cf.until >= x.until - 800000"
    asked = geco.Explainer(
        lambda frame: 0.2 + 0.6 * (frame["job"] == "b"), geco.Database.from_frame(table), geco.parse_plaf(rule)
    )
    explanation = asked.explain({"until": date(2002, 1, 1), "job": "a"})

    assert explanation.status == "found"
    assert explanation.to_json() and str(explanation)
    assert [explanation.sentence(cf) for cf in explanation.counterfactuals]


def test_a_rule_about_impossible_days_does_not_fail():
    from geco.answers.asked import _worth
    from geco.plaf.syntax import Arithmetic, Number, Ref

    before = Arithmetic("-", Ref("x", "until"), Number(800000.0))

    assert _worth(before, {"until": date(2002, 1, 1)}, {}) is None
    assert _worth(before, {"until": pd.Timestamp("2002-01-01 00:00:00.000000001")}, {}) is None
