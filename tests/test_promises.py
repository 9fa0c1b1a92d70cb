"""What geco promises about every answer: it is confirmed, it ends, it repeats, and it says why."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import geco
import geco.demo
from geco.errors import InstanceError, ModelError, SettingsError, TargetError
from oracles.rules import violations

PROGRAM = """
PLAF x_cf.age >= x.age
FIXED sex
PLAF IF x_cf.education > x.education THEN x_cf.age >= x.age + 4
"""
X = {"age": 30, "sex": "f", "income": 20, "education": 2, "owns_home": False, "rate": 0.25}


def table() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 70, 300),
            "sex": rng.choice(["f", "m"], 300),
            "income": rng.integers(0, 100, 300),
            "education": rng.integers(0, 6, 300),
            "owns_home": rng.random(300) < 0.5,
            "rate": np.round(rng.random(300), 2),
        }
    )


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return table()


def probability(frame: pd.DataFrame) -> np.ndarray:
    score = 0.06 * frame["income"] + 0.8 * frame["education"] + 1.5 * frame["owns_home"] - frame["rate"]
    return 1 / (1 + np.exp(6 - score.to_numpy(float)))


def never(frame: pd.DataFrame) -> np.ndarray:
    return np.full(len(frame), 0.2)


def explainer(frame: pd.DataFrame, model: Any = probability, program: str = PROGRAM, **settings: Any) -> geco.Explainer:
    return geco.Explainer(model, geco.Database.from_frame(frame), geco.parse_plaf(program), **settings)


class Recorder:
    """A model that remembers every frame it was shown."""

    def __init__(self, model: Any = probability) -> None:
        self.model, self.frames = model, []

    def __call__(self, frame: pd.DataFrame) -> np.ndarray:
        self.frames.append(frame.copy())
        return np.asarray(self.model(frame))

    @property
    def rows(self) -> int:
        return sum(len(f) for f in self.frames)


# 1. Every answer satisfies every rule and is confirmed by the user's model object


def test_every_answer_obeys_every_rule(frame):
    explanation = explainer(frame).explain(X)

    assert [violations(PROGRAM, X, cf.values, frame) for cf in explanation.counterfactuals] == [[]] * 4


def test_every_answer_is_good_by_the_models_own_number(frame):
    explanation = explainer(frame).explain(X)
    answers = pd.DataFrame([cf.values for cf in explanation.counterfactuals])

    assert [cf.outcome for cf in explanation.counterfactuals] == probability(answers).tolist()


def test_the_last_call_shows_the_model_x_and_the_answers_in_one_batch(frame):
    model = Recorder()
    explanation = explainer(frame, model, params=geco.Params(round=False)).explain(X, ranges=False)
    shown = model.frames[-1].to_dict("records")

    assert X in shown and all(cf.values in shown for cf in explanation.counterfactuals)


def test_an_answer_the_model_takes_back_is_dropped_and_counted(frame):
    class Fickle(Recorder):
        """Good during the search; once x comes again, high incomes get a no."""

        def __call__(self, frame: pd.DataFrame) -> np.ndarray:
            outcome = super().__call__(frame)
            confirming = len(self.frames) > 2 and (frame == pd.Series(X)).all(axis=1).any()
            return np.where(confirming & (frame["income"].to_numpy() > 40), 0.1, outcome)

    explanation = explainer(frame, Fickle()).explain(X)

    assert explanation.trace.unconfirmed > 0
    assert all(cf.values["income"] <= 40 for cf in explanation.counterfactuals)


def test_a_random_model_never_gets_an_unconfirmed_answer_through(frame):
    rng = np.random.default_rng(0)
    latest: dict[tuple[object, ...], float] = {}

    def coin(frame: pd.DataFrame) -> np.ndarray:
        said = rng.random(len(frame))
        latest.update(zip((tuple(row.values()) for row in frame.to_dict("records")), said, strict=True))
        return said

    explanation = explainer(frame, coin).explain(X)

    assert explanation.trace.unconfirmed > 0
    assert all(latest[tuple(cf.values.values())] > 0.5 for cf in explanation.counterfactuals)


def test_verify_false_asks_the_model_nothing_more_after_the_search(frame):
    model, unverified = Recorder(), Recorder()
    explainer(frame, model).explain(X)
    explanation = explainer(frame, unverified, verify=False).explain(X)

    assert unverified.rows < model.rows
    assert not any(cf.confirmed for cf in explanation.counterfactuals)


def test_what_is_printed_is_what_was_scored(frame):
    model = Recorder()
    explanation = explainer(frame, model).explain(X)
    scored = {tuple(r.values()) for f in model.frames for r in f.to_dict("records")}

    assert all(tuple(cf.values.values()) in scored for cf in explanation.counterfactuals)


def test_integers_booleans_and_text_keep_their_types(frame):
    explanation = explainer(frame).explain(X)
    types = {name: {type(cf.values[name]) for cf in explanation.counterfactuals} for name in X}

    assert types == {
        "age": {int},
        "sex": {str},
        "income": {int},
        "education": {int},
        "owns_home": {bool},
        "rate": {float},
    }


def test_the_model_sees_the_users_dtypes(frame):
    model = Recorder()
    explainer(frame, model).explain(X)

    assert all(shown.dtypes.equals(frame.dtypes) for shown in model.frames)


def test_every_change_names_its_feature_before_and_after(frame):
    explanation = explainer(frame).explain(X)
    for cf in explanation.counterfactuals:
        told = {a.feature: (a.before, a.after) for a in cf.changes}

        assert told == {f: (X[f], v) for f, v in cf.values.items() if v != X[f]}


def test_a_change_forced_by_a_rule_names_that_rule(frame):
    def educated(frame: pd.DataFrame) -> np.ndarray:
        return (frame["education"] > 3).to_numpy(float)

    best = explainer(frame, educated).explain(X).counterfactuals[0]
    required = {a.feature: a.required_by for a in best.changes}

    assert required["education"] is None
    assert required["age"] == "PLAF IF x_cf.education > x.education THEN x_cf.age >= x.age + 4"


# Different ways


def test_no_two_answers_change_the_same_groups(frame):
    explanation = explainer(frame).explain(X)

    assert len({cf.groups for cf in explanation.counterfactuals}) == len(explanation.counterfactuals) == 4


def test_undoing_any_single_change_loses_the_good_outcome_or_breaks_a_rule(frame):
    for cf in explainer(frame).explain(X, k=8).counterfactuals:
        for action in cf.changes if len(cf.changes) > 1 else ():
            undone = cf.values | {action.feature: X[action.feature]}

            assert violations(PROGRAM, X, undone, frame) or probability(pd.DataFrame([undone]))[0] <= 0.5


def test_without_diversity_the_answers_are_the_nearest_of_all(frame):
    subject = explainer(frame)
    ways, plain = subject.explain(X), subject.explain(X, ways="top")

    assert plain.counterfactuals[3].distance < ways.counterfactuals[3].distance


# 2. explain always ends, and says how


def test_found_when_an_answer_exists(frame):
    explanation = explainer(frame).explain(X)

    assert explanation.status == "found"
    assert explanation.stopped_by in ("converged", "budget")


def test_already_good_when_x_is_good_and_obeys_every_rule(frame):
    explanation = explainer(frame).explain(X | {"income": 99, "education": 5})

    assert explanation.status == "already_good"
    assert explanation.counterfactuals == ()


def test_a_good_x_that_breaks_a_rule_is_not_already_good(frame):
    x = X | {"income": 99, "education": 5}
    explanation = explainer(frame, program="PLAF x_cf.age >= 40").explain(x)

    assert explanation.status == "found"
    assert {a.feature: a.required_by for a in explanation.counterfactuals[0].changes} == {"age": "PLAF x_cf.age >= 40"}


def test_none_found_when_no_allowed_candidate_is_good(frame):
    explanation = explainer(frame, never).explain(X)

    assert explanation.status == "none_found"
    assert explanation.counterfactuals == ()


def test_none_found_gives_the_nearest_miss_that_obeys_the_rules(frame):
    def nearly(frame: pd.DataFrame) -> np.ndarray:
        return frame["income"].to_numpy(float) / 250

    miss = explainer(frame, nearly).explain(X).nearest_miss

    assert miss is not None and miss.values["income"] == frame["income"].max()
    assert violations(PROGRAM, X, miss.values, frame) == []


def test_the_nearest_miss_of_an_interval_far_out_of_reach_is_the_prediction_nearest_to_it(frame):
    def pay(frame: pd.DataFrame) -> np.ndarray:
        return 100.0 + frame["income"].to_numpy(float)

    explanation = explainer(frame, pay, target=(1e9, None)).explain(X)

    assert explanation.nearest_miss.outcome == 100.0 + frame["income"].max()


def test_a_nearest_miss_may_cost_nothing(frame):
    def richer(frame: pd.DataFrame) -> np.ndarray:
        return 0.1 + 0.3 * (frame["income"].to_numpy() > 50)

    free = geco.Params(weights={"income": 0})
    miss = explainer(frame, richer, params=free).explain(X).nearest_miss

    assert ([action.feature for action in miss.changes], miss.distance) == (["income"], 0.0)


def test_infeasible_when_everything_is_fixed(frame):
    explanation = explainer(frame, program="FIXED " + ", ".join(frame.columns)).explain(X)

    assert explanation.status == "infeasible"


def test_infeasible_is_not_said_when_a_single_other_candidate_is_allowed(frame):
    program = "FIXED sex, income, education, owns_home, rate\nPLAF x_cf.age BETWEEN 30 AND 31"
    explanation = explainer(frame, never, program).explain(X)

    assert explanation.status == "none_found"


def test_infeasible_is_not_said_of_a_table_that_was_cut(monkeypatch):
    """The value that the rules ask for may be in D, among the rows left out."""
    monkeypatch.setattr("geco.data.domain.MAX_ROWS", 100)
    rates, together = pd.DataFrame({"rate": np.arange(1000), "fee": 1}), "GROUP rate, fee\n"
    kept = explainer(rates, never, together).domain.tables[0].values["rate"]
    left_out = min(set(range(1000)) - set(kept[1:]))
    explanation = explainer(rates, never, f"{together}PLAF x_cf.rate = {left_out}").explain({"rate": 999, "fee": 1})

    assert explanation.status == "none_found"


def test_a_group_without_a_row_is_found_at_once_however_many_come_before_it():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.permutation(300) for name in "abcdefgh"})
    explainer = geco.Explainer(lambda rows: rows["a"] > 1000, geco.Database.from_frame(frame))

    explanation = explainer.explain(frame.iloc[0], rules="DECREASE h\nPLAF x_cf.h >= 400")

    assert explanation.status == "infeasible"
    assert "no value of 'h' in D keeps" in explanation.reason


def test_infeasible_names_the_rule_that_can_never_hold(frame):
    explanation = explainer(frame, program="PLAF x_cf.age > 1000").explain(X)

    assert explanation.status == "infeasible"
    assert "PLAF x_cf.age > 1000" in explanation.reason


def test_contradicting_rules_are_not_said_to_have_no_value_in_D_each(frame):
    explanation = explainer(frame, program="PLAF x_cf.age > 50 PLAF x_cf.age < 20").explain(X)

    assert "no value of 'age' in D keeps PLAF x_cf.age > 50 and the other rules" in explanation.reason


@pytest.mark.parametrize("rule", ["PLAF x.age > 1000", "PLAF x.sex IN ('m')"])
def test_a_rule_about_x_alone_that_x_breaks_is_infeasible_and_named(frame, rule):
    explanation = explainer(frame, program=rule).explain(X)

    assert explanation.status == "infeasible"
    assert f"{rule} says nothing about x_cf" in explanation.reason


def test_the_rule_that_drops_most_candidates_is_named(frame):
    program = "PLAF IF x_cf.income > x.income AND x_cf.age > 0 THEN 1 = 2\nFIXED sex, education, owns_home, rate"
    explanation = explainer(frame, program=program).explain(X)

    assert explanation.status == "none_found"
    assert "PLAF IF x_cf.income > x.income and x_cf.age > 0 THEN 1 = 2" in explanation.reason


@pytest.mark.parametrize("most", [1, 7, 50, 333])
def test_max_evals_is_never_exceeded(frame, most):
    model = Recorder()
    subject = explainer(frame, model)
    model.frames.clear()
    explanation = subject.explain(X, max_evals=most)

    assert model.rows <= most
    assert explanation.stopped_by == "budget"


@pytest.mark.parametrize(
    ("method", "words"),
    [
        (geco.Frontier(max_rounds=1), "limit of rounds (max_rounds=1)"),
        (geco.Genetic(max_generations=1), "limit of generations (max_generations=1)"),
        (geco.Certifai(generations=2), "limit of generations (generations=2)"),
    ],
    ids=lambda given: type(given).__name__,
)
def test_a_search_that_ends_at_a_limit_of_its_settings_names_it_and_not_the_budget(frame, method, words):
    explanation = explainer(frame, method=method).explain(X)

    assert (explanation.status, explanation.stopped_by) == ("found", "budget")
    assert words in explanation.reason
    assert "budget" not in explanation.reason and "max_evals" not in explanation.reason


def test_a_search_that_gives_up_without_an_answer_says_after_how_many_rounds(frame):
    explanation = explainer(frame, never, method=geco.Frontier(patience=3)).explain(X)

    assert (explanation.status, explanation.stopped_by) == ("none_found", "budget")
    assert "limit of rounds without an answer (patience=3)" in explanation.reason


def test_a_search_that_ends_at_max_evals_says_so(frame):
    assert "max_evals" in explainer(frame).explain(X, max_evals=333).reason


def test_a_budget_leaves_rows_for_the_confirmation(frame):
    explanation = explainer(frame).explain(X, max_evals=600)

    assert explanation.stopped_by == "budget"
    assert explanation.counterfactuals and all(cf.confirmed for cf in explanation.counterfactuals)


def test_a_budget_too_small_to_confirm_what_was_found_is_given_as_the_reason(frame):
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(frame[["income"]], frame["income"] > 50)
    explanation = explainer(frame, tree).explain(X, max_evals=1)

    assert (explanation.status, explanation.stopped_by) == ("none_found", "budget")
    assert "max_evals left no rows" in explanation.reason


def test_x_far_outside_the_range_of_D_still_gets_its_answers(frame):
    """A distance above 1 must not make a counterfactual rank below candidates that are none."""
    explanation = explainer(frame, program="FIXED income, education").explain(X | {"rate": 500.0, "education": 5})

    assert explanation.status == "found"


@pytest.mark.parametrize("most", [10**6, 10**12])
def test_max_evals_large_enough_changes_nothing(frame, most):
    subject = explainer(frame)

    assert subject.explain(X, max_evals=most) == subject.explain(X)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"k": 0}, "k must be a whole number of at least 1, got 0"),
        ({"k": 2**40}, "k must be at most 1000000, got 1099511627776"),
        ({"seed": 2**64}, "seed must be at most 18446744073709551615, got 18446744073709551616"),
        ({"deadline": "1s"}, "deadline must be a positive number of seconds, got '1s'"),
        ({"deadline": float("nan")}, "deadline must be a positive number of seconds, got nan"),
        ({"deadline": float("-inf")}, "deadline must be a positive number of seconds, got -inf"),
        ({"deadline": True}, "deadline must be a positive number of seconds, got True"),
    ],
)
def test_a_question_that_makes_no_sense_gives_one_of_our_errors(frame, asked, message):
    with pytest.raises(SettingsError, match=message):
        explainer(frame).explain(X, **asked)


@pytest.mark.parametrize(
    ("method", "setting", "value", "message"),
    [
        (geco.Frontier, "parents", 0, "parents must be a whole number of at least 1, got 0"),
        (geco.Frontier, "max_rounds", 2**40, "max_rounds must be at most 100000000, got 1099511627776"),
        (geco.Frontier, "per_delta", None, "per_delta must be a whole number of at least 1, got None"),
        (geco.Frontier, "patience", "auto", "patience must be a whole number of at least 1, got 'auto'"),
        (geco.Genetic, "q", 2**40, "q must be at most 100000000, got 1099511627776"),
        (geco.Exact, "max_boxes", True, "max_boxes must be a whole number of at least 1, got True"),
    ],
)
def test_a_setting_of_a_search_that_makes_no_sense_gives_one_of_our_errors(method, setting, value, message):
    with pytest.raises(SettingsError, match=message):
        method(**{setting: value})


@pytest.mark.parametrize("method", [geco.Frontier, None, 7])
def test_something_that_is_not_a_method_gives_our_error_when_the_explainer_is_made(frame, method):
    with pytest.raises(SettingsError, match=r"method must be a name or an object such as geco.Genetic\(\), got"):
        explainer(frame, method=method)


def test_numbers_of_numpy_are_taken_like_those_of_python(frame):
    subject = explainer(frame)
    asked = {"k": np.int64(2), "seed": np.uint8(3), "max_evals": np.int32(900)}

    assert subject.explain(X, **asked) == subject.explain(X, k=2, seed=3, max_evals=900)


@pytest.mark.parametrize("deadline", [float("inf"), 1e308, 10**400], ids=["inf", "1e308", "10**400"])
def test_an_infinite_deadline_counts_as_no_deadline(frame, deadline):
    subject = explainer(frame)

    assert subject.explain(X, deadline=deadline) == subject.explain(X)


def test_a_deadline_is_overshot_by_at_most_one_call_and_50_ms(frame):
    calls: list[float] = []

    def slow(frame: pd.DataFrame) -> np.ndarray:
        start = time.perf_counter()
        time.sleep(0.1)
        outcome = never(frame)
        calls.append(time.perf_counter() - start)
        return outcome

    subject = explainer(frame, slow)
    start = time.perf_counter()
    explanation = subject.explain(X, deadline=0.35)
    seconds = time.perf_counter() - start

    assert explanation.stopped_by == "deadline"
    assert seconds <= 0.35 + max(calls) + 0.05


def test_no_call_is_started_that_cannot_end_before_the_deadline(frame):
    starts: list[float] = []

    def slow(frame: pd.DataFrame) -> np.ndarray:
        starts.append(time.perf_counter())
        time.sleep(0.15)
        return never(frame)

    subject = explainer(frame, slow)
    begin = time.perf_counter()
    subject.explain(X, deadline=0.5)

    assert max(starts) - begin <= 0.5 - 0.15 + 0.05


def test_a_deadline_still_leaves_time_for_the_confirmation(frame):
    def slow(frame: pd.DataFrame) -> np.ndarray:
        time.sleep(0.05)
        return probability(frame)

    explanation = explainer(frame, slow).explain(X, deadline=0.4)

    assert explanation.status == "found"
    assert all(cf.confirmed for cf in explanation.counterfactuals)


def test_a_model_that_raises_gives_one_of_our_errors(frame):
    def broken(frame: pd.DataFrame) -> np.ndarray:
        raise KeyError("no such column")

    with pytest.raises(ModelError, match="no such column"):
        explainer(frame, broken).explain(X)


@pytest.mark.parametrize(
    ("returned", "word"),
    [(lambda f: np.zeros(len(f) + 1), "65"), (lambda f: None, "one answer per row")],
)
def test_a_model_that_returns_no_predictions_gives_one_of_our_errors(frame, returned, word):
    with pytest.raises(ModelError, match=word):
        explainer(frame, returned).explain(X)


def test_text_labels_without_a_target_give_one_of_our_errors(frame):
    with pytest.raises(TargetError, match="'no', 'yes'"):
        explainer(frame, lambda f: np.where(probability(f) > 0.5, "yes", "no"))


def test_the_reason_claims_no_more_than_was_tried(frame):
    explanation = explainer(frame).explain(X, max_evals=1)

    assert "No allowed change" not in explanation.reason


def test_exhausted_means_that_every_allowed_candidate_was_tried(frame):
    """A plateau: nothing but three changes at once helps, so no candidate looks better than another."""
    few = frame.assign(income=frame["income"] // 10, age=frame["age"] // 10, rate=frame["rate"].round(1))
    program = "FIXED sex, owns_home"

    def all_three(frame: pd.DataFrame) -> np.ndarray:
        return ((frame["income"] > 8) & (frame["age"] > 5) & (frame["education"] > 4)).to_numpy(int)

    explanation = explainer(few, all_three, program).explain(X | {"income": 2, "age": 3, "rate": 0.2})

    assert explanation.status == "found" or explanation.stopped_by != "exhausted"


def test_nan_from_the_model_is_never_good(frame):
    def holey(frame: pd.DataFrame) -> np.ndarray:
        return np.where(frame["income"] > 50, np.nan, probability(frame))

    explanation = explainer(frame, holey).explain(X)

    assert explanation.status == "found"
    assert all(cf.values["income"] <= 50 for cf in explanation.counterfactuals)


def test_a_round_whose_only_candidate_gets_nan_does_not_end_the_search(frame):
    def holey(frame: pd.DataFrame) -> np.ndarray:
        return np.where(frame["owns_home"], np.nan, 0.2)

    program = "FIXED age, sex, income, rate\nPLAF x_cf.education IN (2, 3)"
    explanation = explainer(frame, holey, program).explain(X)

    assert explanation.status == "none_found"


# 3. Same inputs and seed, same answer

SCRIPT = """
import json, sys
sys.path.insert(0, {tests!r})
import test_promises as t
print(json.dumps([cf.to_dict() for cf in t.explainer(t.table()).explain(t.X, seed=5).counterfactuals]))
"""


def test_the_same_seed_gives_the_same_answer_twice(frame):
    subject = explainer(frame)

    assert subject.explain(X, seed=5) == subject.explain(X, seed=5)


def test_the_same_seed_gives_the_same_answer_from_a_new_explainer(frame):
    assert explainer(frame).explain(X, seed=5) == explainer(frame).explain(X, seed=5)


def test_the_order_of_rows_in_D_does_not_matter(frame):
    shuffled = frame.sample(frac=1, random_state=0).reset_index(drop=True)

    assert explainer(shuffled).explain(X, seed=5) == explainer(frame).explain(X, seed=5)


def test_another_process_with_another_hash_seed_gives_the_same_answer(frame):
    here = [cf.to_dict() for cf in explainer(frame).explain(X, seed=5).counterfactuals]
    script = SCRIPT.format(tests=os.path.dirname(os.path.abspath(__file__)))
    runs = [
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert [json.loads(run) for run in runs] == [json.loads(json.dumps(here))] * 2


def test_explaining_others_in_between_does_not_matter(frame):
    subject = explainer(frame)
    first = subject.explain(X, seed=5)
    subject.explain(X | {"income": 1}, seed=9)

    assert subject.explain(X, seed=5) == first


def test_global_random_state_is_left_alone(frame):
    np.random.seed(4)  # noqa: NPY002
    expected = np.random.random()  # noqa: NPY002
    np.random.seed(4)  # noqa: NPY002
    explainer(frame).explain(X)

    assert np.random.random() == expected  # noqa: NPY002


# 4. Cost does not depend on the rows of D


def test_repeating_every_row_of_D_costs_no_more_model_rows(frame):
    once, often = Recorder(), Recorder()
    explainer(frame, once).explain(X)
    explainer(pd.concat([frame] * 50, ignore_index=True), often).explain(X)

    assert often.rows <= 1.5 * once.rows


# What goes in


@pytest.mark.parametrize("form", [dict, pd.Series, lambda x: pd.DataFrame([x])])
def test_x_may_be_a_dict_a_series_or_a_one_row_frame(frame, form):
    subject = explainer(frame)

    assert subject.explain(form(X)).counterfactuals == subject.explain(X).counterfactuals


def test_x_without_a_feature_gives_one_of_our_errors(frame):
    with pytest.raises(InstanceError, match="income"):
        explainer(frame).explain({f: v for f, v in X.items() if f != "income"})


def test_x_with_two_rows_gives_one_of_our_errors(frame):
    with pytest.raises(InstanceError, match="2"):
        explainer(frame).explain(frame.head(2))


def test_check_names_every_broken_rule(frame):
    x_cf = X | {"sex": "m", "age": 20}

    assert len(explainer(frame).check(X, x_cf)) == 2


def test_check_finds_nothing_wrong_with_x_itself(frame):
    assert explainer(frame).check(X, X) == []


def test_whoever_changes_the_frame_of_the_demo_changes_nobody_elses():
    geco.demo.load().frame["customer"] = 1

    assert "customer" not in geco.demo.load().frame
