"""The mapping of the model's number to [0, 1]: good ⇔ above 0.5, monotone, never NaN of its own making."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from geco.models.goal.target import Goal, Target, resolve

PROBABILITY = st.floats(0, 1) | st.floats(0.499999, 0.500001)
QUANTITY = st.floats(allow_nan=False, width=64)
THRESHOLDS = st.floats(0, 1, exclude_max=True)
MARGINS = st.floats(0, 1)
WHOLE = st.integers(-(10**6), 10**6)


def threshold(t: float) -> Goal:
    return Goal("probability", "", threshold=t)


@st.composite
def intervals(draw: st.DrawFn) -> Goal:
    low, high = sorted([draw(QUANTITY), draw(QUANTITY)])
    end = draw(st.sampled_from(["both", "low", "high"]))
    low, high = (-np.inf if end == "high" else low), (np.inf if end == "low" else high)
    return Goal("number", "", low=low, high=high, softness=draw(st.floats(1e-300, 1e300)))


@st.composite
def tables(draw: st.DrawFn) -> tuple[Goal, np.ndarray]:
    classes = draw(st.integers(3, 6))
    wanted = draw(st.sets(st.integers(0, classes - 1), min_size=1, max_size=classes - 1))
    scores = draw(st.lists(st.lists(PROBABILITY, min_size=classes, max_size=classes), min_size=1, max_size=8))
    return Goal("probability", "", tuple(sorted(wanted)), by_lead=True), np.array(scores)


def one(goal: Goal, number: float) -> float:
    return float(goal.outcome(np.array([number]))[0])


@given(THRESHOLDS, PROBABILITY)
def test_a_probability_is_good_above_the_threshold_and_only_there(t, p):
    assert (one(threshold(t), p) > 0.5) == (p > t)


@given(THRESHOLDS, st.lists(PROBABILITY, min_size=2))
def test_a_higher_probability_never_has_a_lower_outcome(t, numbers):
    assert (np.diff(threshold(t).outcome(np.sort(numbers))) >= 0).all()


@given(THRESHOLDS, st.floats(-10, 10))
def test_a_number_that_is_not_a_probability_stays_in_range(t, p):
    assert 0 <= one(threshold(t), p) <= 1


@given(PROBABILITY)
def test_probabilities_of_float32_are_judged_as_they_are(p):
    single = np.array([p], np.float32)

    assert (threshold(0.3).outcome(single)[0] > 0.5) == (float(single[0]) > 0.3)


@given(tables())
def test_among_classes_good_means_that_a_wanted_one_leads(case):
    goal, scores = case
    wanted = scores[:, goal.columns].max(axis=1)
    unwanted = np.delete(scores, goal.columns, axis=1).max(axis=1)

    assert ((goal.outcome(scores) > 0.5) == (wanted > unwanted)).all()


@given(tables())
def test_a_lead_that_is_not_a_tie_agrees_with_argmax(case):
    goal, scores = case
    tie = np.sort(scores, axis=1)[:, -1] == np.sort(scores, axis=1)[:, -2]
    chosen = np.isin(scores.argmax(axis=1), goal.columns)

    assert ((goal.outcome(scores) > 0.5) == chosen)[~tie].all()


@given(intervals(), QUANTITY)
def test_a_quantity_is_good_inside_the_interval_and_only_there(goal, number):
    assert (one(goal, number) > 0.5) == (goal.low <= number <= goal.high)


@given(intervals(), st.lists(QUANTITY, min_size=2))
def test_a_nearer_quantity_never_has_a_lower_outcome(goal, numbers):
    below = np.sort([n for n in numbers if n <= goal.high])
    above = np.sort([n for n in numbers if n >= goal.low])

    assert (np.diff(goal.outcome(below)) >= 0).all()
    assert (np.diff(goal.outcome(above)) <= 0).all()


@given(st.sampled_from([1, -1]), MARGINS, QUANTITY)
def test_a_decision_function_is_good_beyond_its_margin_and_only_there(sign, margin, number):
    goal = Goal("decision", "", sign=sign, margin=margin)

    assert (one(goal, number) > 0.5) == (sign * number > margin)


@given(st.sampled_from([1, -1]), MARGINS, st.lists(QUANTITY, min_size=2))
def test_a_decision_function_is_mapped_in_its_order(sign, margin, numbers):
    outcome = Goal("decision", "", sign=sign, margin=margin).outcome(np.sort(numbers))

    assert (sign * np.diff(outcome) >= 0).all()


@given(st.lists(WHOLE, min_size=1), st.sets(WHOLE, min_size=1))
def test_a_label_is_good_if_it_is_wanted_and_only_then(labels, wanted):
    goal = Goal("label", "", wanted=frozenset(wanted))

    assert list(goal.outcome(np.array(labels)) > 0.5) == [v in wanted for v in labels]


@given(intervals(), THRESHOLDS, QUANTITY)
def test_no_number_becomes_nan(goal, t, number):
    assert not np.isnan(one(goal, number))
    assert not np.isnan(one(threshold(t), number))
    assert not np.isnan(one(Goal("decision", ""), number))


@given(intervals(), THRESHOLDS)
def test_nan_stays_nan(goal, t):
    table = np.array([[0.2, np.nan, 0.3]])

    assert np.isnan([one(goal, np.nan), one(threshold(t), np.nan), one(Goal("decision", ""), np.nan)]).all()
    assert np.isnan(Goal("probability", "", (0,), by_lead=True).outcome(table)).all()


@given(st.lists(QUANTITY | st.just(np.nan), min_size=1, max_size=20))
def test_whatever_the_predictions_on_d_the_softness_is_usable(answers):
    goal = resolve(Target(interval=(0, 1)), "number", None, np.array(answers))

    assert 0 < goal.softness < np.inf
