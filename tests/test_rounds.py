"""Rounds in the native core: the same as the loop of algorithm1.py, step by step in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import geco
from geco import _core
from geco.errors import InstanceError, SettingsError
from geco.models.scoring.onrows import OnRows

PROGRAM = """
GROUP rooms, area
PLAF x_cf.age >= x.age
PLAF IF x_cf.education > x.education THEN x_cf.age >= x.age + 4
PLAF IF x_cf.income > x.income THEN x_cf.hours >= x.hours
"""
MODELS = {
    "tree": (DecisionTreeClassifier(max_depth=6, random_state=0), 1),
    "three classes": (RandomForestClassifier(30, max_depth=6, random_state=0), 2),
    "boosted": (GradientBoostingClassifier(n_estimators=30, random_state=0), 1),
    "linear": (LogisticRegression(max_iter=2000), 1),
    "network": (MLPClassifier((8,), max_iter=60, random_state=0), 1),
    "regression": (DecisionTreeRegressor(max_depth=6, random_state=0), (2.2, None)),
}


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    n = 400
    return pd.DataFrame(
        {
            "age": rng.integers(18, 70, n),
            "income": np.round(rng.gamma(2.0, 20.0, n), 1),
            "education": rng.integers(0, 6, n),
            "hours": rng.integers(10, 60, n),
            "rooms": rng.integers(1, 6, n),
            "area": rng.integers(20, 200, n),
        }
    )


def explainer(name: str, frame: pd.DataFrame, **options: Any) -> geco.Explainer:
    model, target = MODELS[name]
    score = 0.04 * frame.income + 0.5 * frame.education + 0.01 * frame.area
    y = np.digitize(score, [3.5, 4.8]) if name == "three classes" else (score > 4.5).astype(int)
    fitted = model.fit(frame, score if name == "regression" else y)
    return geco.Explainer(fitted, geco.Database.from_frame(frame), geco.parse_plaf(PROGRAM), target=target, **options)


def untimed(explanation: geco.Explanation) -> dict[str, Any]:
    plain = explanation.to_dict()
    plain.pop("seconds"), plain.pop("made")
    for name in ("seconds", "model_seconds", "model_calls"):
        plain["trace"].pop(name)
    for cf in plain["counterfactuals"]:  # scikit-learn's own products differ in the last bit with the size of a call
        for told in (cf, *cf["steps"]):
            told["outcome"] = round(told["outcome"], 12)
    return plain


@pytest.mark.parametrize("name", MODELS)
def test_rounds_in_the_core_give_what_the_steps_in_python_give(name, frame, monkeypatch):
    asked = explainer(name, frame)
    xs = [frame.iloc[i].to_dict() for i in range(12)]
    native = [untimed(asked.explain(x)) for x in xs]
    monkeypatch.setattr(OnRows, "native", None)

    assert [untimed(asked.explain(x)) for x in xs] == native


@pytest.mark.parametrize("name", ["tree", "three classes", "boosted"])
def test_lines_of_many_rows_are_outlined_and_give_what_listed_ones_give(name, monkeypatch):
    rng = np.random.default_rng(6)
    fine = pd.DataFrame(rng.normal(50.0, 20.0, (1500, 4)), columns=["income", "education", "area", "debt"])
    fine["debt"] = fine["debt"].where(rng.random(1500) > 0.1)  # missing where the forest has a side for it
    score = 0.04 * fine.income + 0.02 * fine.education - 0.03 * fine.area + rng.normal(0, 0.2, 1500)
    y = np.digitize(score, [1.2, 2.0]) if name == "three classes" else (score > 2.0).astype(int)
    table = fine.drop(columns="debt") if name == "boosted" else fine
    model = clone(MODELS[name][0]).fit(table, y)
    program = geco.parse_plaf("PLAF x_cf.area >= x.area - 30")
    asked = geco.Explainer(model, geco.Database.from_frame(table), program, target=MODELS[name][1])
    xs = [table.iloc[i].to_dict() for i in range(25)]
    native = [untimed(asked.explain(x, k=k)) for x in xs for k in (1, 5)]
    monkeypatch.setattr(OnRows, "native", None)

    assert [untimed(asked.explain(x, k=k)) for x in xs for k in (1, 5)] == native


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing_but_the_time(name, threads, frame):
    asked = explainer(name, frame)
    many = asked.explain_many(frame.head(40), threads=threads)

    assert [untimed(e) for e in many] == [untimed(asked.explain(frame.iloc[i].to_dict())) for i in range(40)]


def test_a_callback_is_called_after_every_round(frame):
    seen: list[int] = []
    explanation = explainer("tree", frame).explain(frame.iloc[1].to_dict(), on_round=lambda p: seen.append(p.round))

    assert seen == list(range(1, explanation.trace.generations + 1))


def test_a_deadline_ends_the_rounds_of_a_batch_and_keeps_its_order(frame):
    many = explainer("three classes", frame).explain_many(frame, threads=2, deadline=0.05)

    assert len(many) == len(frame)
    assert [e.x["income"] for e in many] == frame.income.tolist()


@pytest.mark.parametrize("threads", [0, -1, 1.5, True])
def test_a_wrong_number_of_threads_is_refused(threads, frame):
    with pytest.raises(SettingsError, match="threads must be a whole number of at least 1"):
        explainer("tree", frame).explain_many(frame, threads=threads)


def test_an_error_raised_for_one_row_of_a_threaded_batch_is_its_own(frame):
    rows = [frame.iloc[0].to_dict(), {"age": 3}, frame.iloc[1].to_dict()]
    many = explainer("tree", frame).explain_many(rows, threads=2)

    assert [e.status == "failed" for e in many] == [False, True, False]


def test_a_batch_that_is_left_early_stops_its_threads(frame):
    asked = explainer("three classes", frame)
    rows = (frame.iloc[i].to_dict() if i < 50 else 1 // 0 for i in range(60))
    with pytest.raises(InstanceError, match="rows cannot be read: ZeroDivisionError"):
        asked.explain_many(rows, threads=3)

    assert asked.explain_many(frame.head(3), threads=3)[2].status in ("found", "already_good", "none_found")


def test_the_pool_refuses_no_threads():
    with pytest.raises(ValueError, match="1 to 1,024 threads"):
        _core.Pool(0)


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("name", ["three classes", "network"])
def test_a_round_that_is_under_way_when_the_time_is_over_is_given_up(name, native, frame, monkeypatch):
    asked = explainer(name, frame)
    x = next(row for _, row in frame.iterrows() if asked.explain(row).trace.generations > 3)
    if not native:
        monkeypatch.setattr(OnRows, "native", None)
    ended = [asked.explain(x, deadline=seconds) for seconds in np.geomspace(1e-6, 1e-1, 20)]

    assert {e.stopped_by for e in ended} <= {"deadline", "converged", "exhausted"}
    assert ended[0].stopped_by == "deadline"
    assert all(cf.confirmed for e in ended for cf in e.counterfactuals)


@pytest.mark.parametrize("name", ["three classes", "network"])
def test_the_core_looks_at_the_clock_within_a_round(name, frame):
    compiled = explainer(name, frame).compiled
    anchor = compiled.core.anchor(np.zeros(compiled.encoding.width))
    parents = np.zeros((1, compiled.core.width), np.int32)
    line = parents, np.zeros(1, np.int32), np.array([0, 2]), np.array([1, 2], np.int32)

    with pytest.raises(_core.OutOfTime):
        compiled.core.points(anchor, parents, 0.0)
    with pytest.raises(_core.OutOfTime):
        compiled.core.lines(anchor, *line, 0.0)
