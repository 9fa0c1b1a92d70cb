"""What else would do, and rounder numbers: by the definition, and on tables made by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import geco
from oracles.ranges import faults


@pytest.mark.parametrize("compiled", [True, False])
def test_ranges_of_random_problems_are_those_of_the_definition(compiled):
    counts: Counter[str] = Counter()

    assert [fault for seed in range(24) for fault in faults(seed, counts, compiled)] == []
    assert counts["runs"] > 10 and counts["categories"] > 5 and counts["one-hot"] > 0


def tree(frame: pd.DataFrame, good: Any) -> DecisionTreeClassifier:
    return DecisionTreeClassifier(random_state=0).fit(frame, good)


def answer(pay: Any, good: Any, x: int, program: str = "", **settings: Any) -> geco.Counterfactual:
    """The first answer where pay alone decides."""
    frame = pd.DataFrame({"pay": pay, "age": 3})
    explainer = geco.Explainer(tree(frame, good), geco.Database.from_frame(frame), geco.parse_plaf(program), **settings)
    return explainer.explain({"pay": x, "age": 3}).counterfactuals[0]


def test_a_range_never_goes_past_the_value_that_x_has():
    pay = np.arange(0, 40)
    got = answer(pay, (pay < 18) | (pay > 18), 18, params=geco.Params(round=False)).ranges["pay"]

    assert (got.low, got.high, got.least, got.most) in [(0, 17, True, True), (19, 39, True, True)]


def test_a_range_ends_where_a_rule_forbids_a_value_and_goes_over_values_that_are_not_offered():
    pay = np.arange(0, 40)
    forbidden = answer(pay, pay > 20, 18, "PLAF x_cf.pay != 25", params=geco.Params(round=False))
    rare = answer(np.append(pay, [v for v in pay if v != 25]), np.append(pay, [v for v in pay if v != 25]) > 20, 18,
                  params=geco.Params(round=False, min_support=2))  # fmt: skip

    assert (forbidden.ranges["pay"].low, forbidden.ranges["pay"].high) == (21, 24)
    assert (rare.ranges["pay"].low, rare.ranges["pay"].high) == (21, 39)
    assert rare.ranges["pay"].most and not forbidden.ranges["pay"].most


def test_a_value_is_rounded_within_a_tenth_of_the_change_and_what_was_found_is_kept():
    pay = np.array([1900, *range(2037, 2300)])
    cf = answer(pay, pay > 2036, 1900)

    assert cf.values["pay"] == 2040  # 2100 would be more than a tenth farther
    assert cf.unrounded is not None and cf.unrounded.values["pay"] == 2037
    assert cf.ranges["pay"].low == 2037


def test_a_number_with_decimals_moves_no_farther_than_others_for_fewer_digits():
    pay = np.array([0.49, *np.round(np.arange(0.4987, 0.52, 0.0002), 4), 0.502, 0.51])
    cf = answer(pay, pay > 0.4985, 0.49)

    assert cf.values["pay"] == 0.4987 and cf.unrounded is None


@pytest.mark.parametrize("compile", [True, False])
def test_an_answer_stays_as_it_was_found_where_rounding_would_make_it_contain_another(compile):
    ages = np.arange(3, 11)
    pay, age = (side.ravel() for side in np.meshgrid([1000, 1094, 1100, 1190, 3000], ages))
    frame = pd.DataFrame({"pay": pay, "age": age})
    model = tree(frame, (pay >= 1190) | ((pay >= 1094) & (age >= 4)))
    database, x = geco.Database.from_frame(frame), {"pay": 1000, "age": 3}
    first, second = geco.Explainer(model, database, compile=compile).explain(x, k=2).counterfactuals
    plain = geco.Explainer(model, database, compile=compile, params=geco.Params(round=False)).explain(x, k=2)

    assert first.values["pay"] == 1190
    assert second.values["pay"] == 1094 and second.unrounded is None  # 100 are more than half of 190
    assert second.ranges == plain.counterfactuals[1].ranges


def test_a_value_that_a_rule_forced_and_a_code_stay_as_they_are():
    pay = np.array([1900, *range(2037, 2300)])
    frame = pd.DataFrame({"pay": pay, "bonus": pay % 50})
    program = "PLAF x_cf.bonus >= 49\nPLAF IF x_cf.bonus > x.bonus THEN x_cf.pay >= 2037"
    explainer = geco.Explainer(
        tree(frame, (pay > 2036) & (pay % 50 > 48)), geco.Database.from_frame(frame), geco.parse_plaf(program)
    )
    forced = explainer.explain({"pay": 1900, "bonus": 0}).counterfactuals[0]
    codes = geco.Database.from_frame(pd.DataFrame({"pay": pay}), kinds={"pay": "categorical"})
    code = geco.Explainer(tree(pd.DataFrame({"pay": pay}), pay > 2036), codes).explain({"pay": 1900}).counterfactuals[0]

    assert forced.values["pay"] == 2037 and forced.unrounded is None
    assert code.unrounded is None


@pytest.mark.parametrize("compile", [True, False])
def test_the_model_is_asked_at_most_twice_more_for_all_ranges_and_rounding(compile):
    pay = np.array([1900, *range(2037, 2300)])
    frame = pd.DataFrame({"pay": pay, "age": np.arange(len(pay)) % 7})
    model, x = tree(frame, pay > 2036), {"pay": 1900, "age": 3}
    database = geco.Database.from_frame(frame)
    full = geco.Explainer(model, database, compile=compile).explain(x)
    bare = geco.Explainer(model, database, compile=compile, params=geco.Params(round=False)).explain(x, ranges=False)

    assert full.trace.model_calls - bare.trace.model_calls <= (0 if compile else 2)


def test_what_no_time_is_left_for_is_left_out():
    pay = np.arange(0, 40)
    frame = pd.DataFrame({"pay": pay, "age": pay % 7})
    explainer = geco.Explainer(tree(frame, pay > 20), geco.Database.from_frame(frame), compile=False)
    explanation = explainer.explain({"pay": 18, "age": 3}, deadline=0.5)

    assert all(not cf.ranges for cf in explanation.counterfactuals)
