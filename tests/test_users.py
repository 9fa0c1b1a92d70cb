"""What users of other tools complained about; the number in a test's name is the number of the complaint."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from geco.errors import GecoError, TargetError

TREES = ["ash", "elm", "oak", "yew"]


def table(rows: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(11)
    word_count = rng.integers(5, 60, rows)
    education = rng.integers(0, 5, rows)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 70, rows),
            "word_count": word_count,
            "word_unique": (word_count * rng.random(rows)).astype(int),
            "education": education,
            "degree": np.array(["none", "school", "BSc", "MSc", "PhD"], object)[education],
            "tree": rng.choice(TREES, rows).astype(object),
            "rate": np.round(rng.random(rows), 3),
        }
    )


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return table()


@pytest.fixture(scope="module")
def x() -> dict[str, Any]:
    return {
        "age": 30,
        "word_count": 20,
        "word_unique": 5,
        "education": 1,
        "degree": "school",
        "tree": "ash",
        "rate": 0.125,
    }


def probability(frame: pd.DataFrame) -> np.ndarray:
    score = 0.08 * frame["word_unique"] + 0.5 * frame["education"] + (frame["tree"] == "oak") + frame["rate"]
    return 1 / (1 + np.exp(3 - score.to_numpy(float)))


def pipeline(frame: pd.DataFrame, classifier: Any, label: Any = None) -> Any:
    """A pipeline with one-hot text, as users have it."""
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    text = [c for c in frame if not pd.api.types.is_numeric_dtype(frame[c])]
    numeric = [c for c in frame if c not in text]
    encoder = ColumnTransformer([("cat", OneHotEncoder(), text), ("num", StandardScaler(), numeric)])
    return Pipeline([("enc", encoder), ("clf", classifier)]).fit(
        frame, probability(frame) > 0.5 if label is None else label
    )


def explainer(frame: pd.DataFrame, model: Any = probability, program: str = "", **settings: Any) -> geco.Explainer:
    return geco.Explainer(model, geco.Database.from_frame(frame), geco.parse_plaf(program), **settings)


def changed(explanation: Any) -> set[str]:
    return {a.feature for cf in explanation.counterfactuals for a in cf.changes}


def test_01_the_table_is_read_once_and_never_touched_by_a_question(x):
    frame = table()
    subject = explainer(frame)
    before = subject.explain(x)
    frame.loc[:, "education"] = 0

    assert subject.explain(x) == before


def test_02_a_nearest_neighbour_model_does_not_hang(frame, x):
    from sklearn.neighbors import KNeighborsClassifier

    start = time.perf_counter()
    explanation = explainer(frame, pipeline(frame, KNeighborsClassifier(5))).explain(x)

    assert explanation.status in ("found", "already_good", "none_found")
    assert time.perf_counter() - start < 10


def test_03_a_budget_gives_the_best_so_far_and_says_so(frame, x):
    explanation = explainer(frame).explain(x, max_evals=3000)

    assert (explanation.status, explanation.stopped_by) == ("found", "budget")


def test_04_the_work_per_question_is_bounded(frame):
    subject = explainer(frame)
    rows = [subject.explain(dict(frame.iloc[i])).trace.model_rows for i in range(25)]

    assert max(rows) < 40_000


def test_05_features_can_be_frozen(frame, x):
    explanation = explainer(frame, program="FIXED education, degree").explain(x)

    assert explanation.status == "found"
    assert not changed(explanation) & {"education", "degree"}


def test_06_a_permitted_range_is_kept(frame, x):
    explanation = explainer(frame, program="PLAF x_cf.word_unique BETWEEN 0 AND 9").explain(x)

    assert explanation.status == "found"
    assert all(cf.values["word_unique"] <= 9 for cf in explanation.counterfactuals)


def test_07_a_frozen_raw_feature_stays_frozen_behind_one_hot_columns(frame, x):
    from sklearn.linear_model import LogisticRegression

    explanation = explainer(frame, pipeline(frame, LogisticRegression()), "FIXED tree, degree").explain(x)

    assert explanation.status == "found"
    assert not changed(explanation) & {"tree", "degree"}


def test_08_one_feature_can_be_bounded_by_another(frame, x):
    program = "PLAF x_cf.word_unique <= x_cf.word_count\nPLAF x_cf.word_unique > x.word_count"
    explanation = explainer(frame, program=program).explain(x)

    assert explanation.counterfactuals
    assert all(
        x["word_count"] < cf.values["word_unique"] <= cf.values["word_count"] for cf in explanation.counterfactuals
    )


def test_09_grouped_features_take_only_combinations_that_occur(frame, x):
    explanation = explainer(frame, program="GROUP education, degree").explain(x)
    occurring = set(zip(frame["education"], frame["degree"], strict=True))

    assert "education" in changed(explanation)
    assert all((cf.values["education"], cf.values["degree"]) in occurring for cf in explanation.counterfactuals)


def test_10_one_hot_columns_always_have_exactly_one_set():
    drawn = np.random.default_rng(2).integers(0, 4, 80)
    frame = pd.DataFrame({f"is_{t}": (drawn == i).astype(int) for i, t in enumerate(TREES)})
    program = "ONEHOT tree: is_ash, is_elm, is_oak, is_yew"
    explanation = explainer(frame, lambda f: f["is_oak"].to_numpy(float), program).explain(
        dict(frame.iloc[0] * 0) | {"is_ash": 1}
    )
    best = explanation.counterfactuals[0]

    assert best.values == {"is_ash": 0, "is_elm": 0, "is_oak": 1, "is_yew": 0}
    assert [a.feature for a in best.changes] == ["tree"]
    assert best.distance == 1.0


def test_11_a_pipeline_on_raw_columns_is_taken_as_it_is(frame, x):
    from sklearn.ensemble import RandomForestClassifier

    model = pipeline(frame, RandomForestClassifier(20, random_state=0))
    best = explainer(frame, model).explain(x).counterfactuals[0]

    assert best.outcome == model.predict_proba(pd.DataFrame([best.values]))[0, 1] > 0.5


def test_12_an_answer_written_as_json_and_read_back_is_still_good(frame, x):
    explanation = explainer(frame).explain(x)
    answers = pd.DataFrame([cf["values"] for cf in json.loads(explanation.to_json())["counterfactuals"]])

    assert (probability(answers) > 0.5).all()


def test_13_the_instance_is_echoed_exactly(frame, x):
    explanation = explainer(frame).explain(x | {"rate": 0.1 + 0.2})

    assert explanation.x == x | {"rate": 0.1 + 0.2}


def test_14_every_answer_changes_the_outcome(frame):
    subject = explainer(frame)
    bad = [dict(frame.iloc[i]) for i in range(40) if probability(frame.iloc[[i]])[0] <= 0.5]
    answers = [cf.values for x in bad for cf in subject.explain(x).counterfactuals]

    assert len(answers) >= 2 * len(bad)
    assert (probability(pd.DataFrame(answers)) > 0.5).all()


def test_15_missing_values_may_become_known_but_not_the_reverse():
    frame = table().astype({"word_unique": "float64"})
    frame.loc[::7, "word_unique"] = np.nan
    frame.loc[::5, "tree"] = None
    x = {
        "age": 30,
        "word_count": 20,
        "word_unique": None,
        "education": 1,
        "degree": "school",
        "tree": "ash",
        "rate": 0.125,
    }
    explanation = explainer(frame, lambda f: probability(f.fillna({"word_unique": 0}))).explain(x)

    assert any(cf.values["word_unique"] is not None for cf in explanation.counterfactuals)
    assert all(cf.values["tree"] is not None for cf in explanation.counterfactuals)


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f.astype({"tree": "category"}),
        lambda f: f.astype({"education": "Int64"}),
        lambda f: f.assign(rich=f["rate"] > 0.5),
        lambda f: f.astype({"education": "category"}),
    ],
)
def test_16_integers_booleans_and_categories_are_all_accepted(x, change):
    frame = change(table())
    x = x | ({"rich": False} if "rich" in frame else {})
    explanation = explainer(frame, lambda f: probability(f.astype({"education": int}))).explain(x)

    assert explanation.status == "found"


def test_16_a_value_never_seen_in_the_data_is_accepted_and_noted(frame, x):
    explanation = explainer(frame).explain(x | {"tree": "baobab"})

    assert explanation.status == "found"
    assert any("baobab" in note for note in explanation.notes)


def test_17_memory_does_not_grow_with_the_rows():
    import tracemalloc

    subject = explainer(table(100_000), program="")
    tracemalloc.start()
    subject.explain(dict(table(1).iloc[0]) | {"education": 0, "word_unique": 0})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 100e6


def test_19_the_threshold_is_the_one_the_user_chose(frame, x):
    best = explainer(frame, target=0.7).explain(x).counterfactuals[0]

    assert best.outcome > 0.7


def test_20_text_labels_need_a_target_and_the_error_lists_them(frame):
    from sklearn.tree import DecisionTreeClassifier

    model = pipeline(frame, DecisionTreeClassifier(), np.where(probability(frame) > 0.5, "yes", "no"))

    with pytest.raises(TargetError, match=r"'no', 'yes'"):
        explainer(frame, model)


def test_20_text_labels_work_with_a_target(frame, x):
    from sklearn.tree import DecisionTreeClassifier

    model = pipeline(frame, DecisionTreeClassifier(random_state=0), np.where(probability(frame) > 0.5, "yes", "no"))
    best = explainer(frame, model, target="yes").explain(x).counterfactuals[0]

    assert model.predict(pd.DataFrame([best.values]))[0] == "yes"


def test_21_an_unattainable_target_gives_the_closest_reachable(frame, x):
    explanation = explainer(frame, lambda f: 0.4 * probability(f)).explain(x)

    assert explanation.status == "none_found"
    assert explanation.nearest_miss.outcome > explanation.outcome


def test_22_weights_and_seeds_work_together(frame, x):
    dear = geco.Params(weights={"word_unique": 1000.0})
    plain, weighted = (explainer(frame, params=p).explain(x, k=1, seed=3) for p in (geco.Params(), dear))

    assert "word_unique" in changed(plain)
    assert "word_unique" not in changed(weighted)


def test_23_a_transition_can_be_forbidden(frame, x):
    program = "FIXED word_unique, education, rate\nPLAF IF x.tree = 'ash' THEN x_cf.tree != 'oak'"
    explanation = explainer(frame, lambda f: (f["tree"] == "oak").to_numpy(float), program).explain(x)

    assert explanation.status == "none_found"


def test_24_every_answer_says_how_far_it_is_what_changed_and_what_the_model_says(frame, x):
    for cf in explainer(frame).explain(x).counterfactuals:
        assert cf.distance > 0 and cf.changes and cf.outcome > 0.5


def test_25_an_explanation_can_be_pickled_and_written_as_json(x):
    frame = table().astype({"rate": "float32"})
    explanation = explainer(frame).explain(x)

    assert pickle.loads(pickle.dumps(explanation)) == explanation
    assert json.loads(explanation.to_json())["status"] == "found"


def test_26_what_follows_from_a_change_is_part_of_the_answer(frame, x):
    program = "PLAF IF x_cf.education > x.education THEN x_cf.age >= x.age + 4"
    explanation = explainer(frame, program=program).explain(x, k=8)
    learned = [cf for cf in explanation.counterfactuals if cf.values["education"] > x["education"]]

    assert learned and all(cf.values["age"] >= 34 for cf in learned)


def test_27_no_deep_learning_library_is_loaded():
    script = "import geco, sys; print([m for m in ('tensorflow', 'torch', 'sklearn', 'xgboost') if m in sys.modules])"

    assert subprocess.check_output([sys.executable, "-c", script], text=True).strip() == "[]"


def test_28_finding_nothing_comes_with_a_reason(frame, x):
    explanation = explainer(frame, lambda f: np.zeros(len(f))).explain(x)

    assert explanation.status == "none_found" and len(explanation.reason) > 20
    assert explanation.reason in str(explanation)


def test_28_a_table_of_one_row_works(frame, x):
    explanation = explainer(frame.head(1)).explain(x)

    assert explanation.status in ("found", "none_found")


def test_29_the_model_is_not_asked_more_when_the_table_grows(x):
    small, large = (explainer(table(n), program="FIXED rate").explain(x).trace.model_rows for n in (2_000, 50_000))

    assert large < 2 * small


def test_30_answers_of_a_gradient_boosted_model_hold_for_its_predict(frame, x):
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = pipeline(frame, HistGradientBoostingClassifier(max_iter=30, random_state=0))
    answers = pd.DataFrame([cf.values for cf in explainer(frame, model).explain(x).counterfactuals])

    assert len(answers) and model.predict(answers).all()


def test_31_a_failed_question_does_not_spoil_the_next(frame, x):
    subject = explainer(frame)
    before = subject.explain(x)
    with pytest.raises(GecoError):
        subject.explain({"age": "old"})

    assert subject.explain(x) == before


def test_32_a_forest_is_asked_in_few_large_calls(frame, x):
    from sklearn.ensemble import RandomForestClassifier

    trace = explainer(frame, pipeline(frame, RandomForestClassifier(10, random_state=0))).explain(x).trace

    assert trace.model_calls <= trace.generations + 4
