"""explain_many: the answers of explain, row by row, with model calls shared by many rows."""

from __future__ import annotations

import contextlib
import datetime as dt
import gc
import io
import re
import time
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from benchmarks import protocol
from conftest import REPOSITORY
from geco.errors import InstanceError, SettingsError
from geco.lockstep.lockstep import runs_at_once
from oracles.rules import violations
from soak import explainer_for
from strategies import random_problem

METHODS = ["genetic", "frontier"]
PROGRAM = """
PLAF x_cf.age >= x.age
PLAF IF x_cf.education > x.education THEN x_cf.age >= x.age + 4
"""


def table(rows: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 70, rows),
            "income": rng.integers(0, 100, rows),
            "education": rng.integers(0, 6, rows),
            "home": rng.choice(["own", "rent"], rows),
            "rate": np.round(rng.random(rows), 2),
        }
    )


def probability(frame: pd.DataFrame) -> np.ndarray:
    score = 0.06 * frame["income"] + 0.8 * frame["education"] + 1.5 * (frame["home"] == "own") - frame["rate"]
    return 1 / (1 + np.exp(6 - score.to_numpy(float)))


class Recorder:
    """A model that remembers the size of every call, and answers through another."""

    def __init__(self, model: Any = probability) -> None:
        self.model, self.calls = model, []

    def __call__(self, frame: pd.DataFrame) -> np.ndarray:
        self.calls.append(len(frame))
        return np.asarray(self.model(frame))


def explainer(model: Any = probability, frame: pd.DataFrame | None = None, **settings: Any) -> geco.Explainer:
    database = geco.Database.from_frame(table() if frame is None else frame)
    subject = geco.Explainer(model, database, geco.parse_plaf(PROGRAM), **settings)
    if isinstance(model, Recorder):
        model.calls.clear()
    return subject


# Same answers


@pytest.mark.parametrize("method", METHODS)
def test_the_answers_are_those_of_explain_row_by_row(method):
    subject = explainer(method=method)
    rows = table().head(40)

    assert list(subject.explain_many(rows, k=3, seed=2)) == [
        subject.explain(rows.iloc[[i]], k=3, seed=2) for i in range(40)
    ]


@pytest.mark.parametrize("method", METHODS)
def test_on_random_problems_every_row_gets_the_answer_it_gets_alone(method):
    for seed in range(40):
        problem = random_problem(seed)
        subject = explainer_for(problem, method)
        rows = [problem.x, *problem.frame.head(2).to_dict("records")]
        together, alone = subject.explain_many(rows), [subject.explain(x) for x in rows]

        assert list(together) == alone, seed


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dataset", ["credit", "adult"])
def test_on_real_data_every_row_gets_the_answer_it_gets_alone(dataset, method):
    if not protocol.available():
        pytest.skip("the peers' protocol is absent; set GECO_PEERS to its folder")
    cell = protocol.cell(dataset, "dt")
    subject = geco.Explainer(
        cell.pipeline, geco.Database.from_frame(cell.frame), geco.parse_plaf(cell.program), method=method
    )
    rows = cell.frame.iloc[list(cell.rows[:12])]

    assert list(subject.explain_many(rows)) == [subject.explain(cell.x(row)) for row in cell.rows[:12]]


def test_a_budget_holds_for_every_row():
    subject = explainer()
    rows = table().head(10)
    together = subject.explain_many(rows, max_evals=300)

    assert max(e.trace.model_rows for e in together) <= 300
    assert list(together) == [subject.explain(rows.iloc[[i]], max_evals=300) for i in range(10)]


def test_more_rows_than_fit_at_once_are_all_explained_in_order(monkeypatch):
    monkeypatch.setattr("geco.many.runs_at_once", lambda domain: 3)
    rows = table().head(20)
    explanations = explainer().explain_many(rows, k=1)

    assert [e.x for e in explanations] == rows.to_dict("records")


def test_a_row_whose_value_needs_a_wider_dtype_does_not_change_what_others_are_shown():
    shown: list[tuple[str, int]] = []

    def model(frame: pd.DataFrame) -> np.ndarray:
        shown.append((str(frame["income"].dtype), len(frame)))
        return probability(frame)

    subject = explainer(model)
    rows = [{**x, "income": 20.5} if i == 2 else x for i, x in enumerate(table().head(5).to_dict("records"))]
    subject = explainer(model, table().astype({"income": "int8"}), method=geco.Genetic())
    shown.clear()
    explanations = subject.explain_many(rows)

    assert sum(n for dtype, n in shown if dtype == "float64") == explanations[2].trace.model_rows
    assert sum(n for _, n in shown) == sum(e.trace.model_rows for e in explanations)


# Shared calls


@pytest.mark.parametrize("method", METHODS)
def test_a_batch_needs_hardly_more_calls_than_its_longest_row(method):
    model = Recorder()
    explanations = explainer(model, method=method).explain_many(table().head(100))

    assert len(model.calls) <= max(e.trace.model_calls for e in explanations) + 10


def test_confirmations_are_shared_too():
    model = Recorder(lambda frame: (frame["income"] > 50).to_numpy(float))
    rows = table().query("income < 50").head(30)
    explanations = explainer(model).explain_many(rows, k=1)

    assert all(cf.confirmed for e in explanations for cf in e.counterfactuals)
    assert len(model.calls) < 30


def test_the_rows_of_the_traces_add_up_to_what_reached_the_model():
    model = Recorder()
    explanations = explainer(model).explain_many(table().head(30))

    assert sum(e.trace.model_rows for e in explanations) == sum(model.calls)


def test_the_seconds_of_the_rows_add_up_to_the_time_of_the_batch():
    subject = explainer(lambda frame: (time.sleep(0.02), probability(frame))[1])
    start = time.perf_counter()
    explanations = subject.explain_many(table().head(30))
    seconds = time.perf_counter() - start
    told = sum(e.seconds for e in explanations)

    assert 0.8 * seconds <= told <= seconds
    assert sum(e.trace.model_seconds for e in explanations) <= told


def test_no_call_is_larger_than_the_limit(monkeypatch):
    monkeypatch.setattr("geco.models.asking.batches.MAX_ROWS", 500)
    model = Recorder()
    subject = explainer(model)
    rows = table().head(20)
    explanations = subject.explain_many(rows)

    assert max(model.calls) == 500
    assert list(explanations) == [subject.explain(rows.iloc[[i]]) for i in range(20)]


def test_fewer_rows_are_under_way_at_once_where_the_domain_is_large():
    wide = pd.DataFrame({"a": np.arange(100_000), "b": np.arange(100_000)[::-1]})
    large = geco.Explainer(lambda f: f["a"].to_numpy() / 1e5, geco.Database.from_frame(wide))

    assert runs_at_once(large._parts) < runs_at_once(explainer()._parts)


# Rows that fail


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (lambda x: {k: v for k, v in x.items() if k != "age"}, "x has no value for 'age'"),
        (lambda x: x | {"income": "much"}, "income"),
        (lambda x: 17, "must be a dict"),
    ],
)
def test_a_row_that_cannot_be_read_fails_alone(spoil, word):
    subject = explainer()
    rows = table().head(4).to_dict("records")
    explanations = subject.explain_many([rows[0], spoil(rows[1]), rows[2], rows[3]])

    assert (explanations[1].status, explanations[1].stopped_by) == ("failed", "error")
    assert word in explanations[1].reason
    assert [explanations[i] for i in (0, 2, 3)] == [subject.explain(rows[i]) for i in (0, 2, 3)]


def test_a_row_the_model_fails_on_fails_alone():
    def picky(frame: pd.DataFrame) -> np.ndarray:
        if (frame["rate"] == 7.5).any():
            raise ValueError("a rate of 7.5?")
        return probability(frame)

    subject = explainer(picky)
    rows = table().head(5).to_dict("records")
    explanations = subject.explain_many([*rows, rows[0] | {"rate": 7.5}])

    assert "a rate of 7.5?" in explanations[5].reason and explanations[5].status == "failed"
    assert list(explanations[:5]) == [subject.explain(x) for x in rows]


def test_a_row_the_model_has_no_answer_for_fails_alone():
    subject = explainer(lambda frame: np.where(frame["rate"] == 7.5, np.nan, probability(frame)))
    rows = table().head(3).to_dict("records")
    explanations = subject.explain_many([rows[0] | {"rate": 7.5}, *rows])

    assert [e.status == "failed" for e in explanations] == [True, False, False, False]
    assert "NaN" in explanations[0].reason


def test_a_batch_with_a_failed_row_equals_itself_measured_again():
    subject, rows = explainer(), [{"age": 22}, dict(table().iloc[0])]

    assert subject.explain_many(rows) == subject.explain_many(rows)


def test_a_frame_with_a_column_twice_gets_one_clear_error():
    frame = table(3)

    with pytest.raises(InstanceError, match="two columns of the name 'age'; keep one of them"):
        explainer().explain_many(pd.concat([frame, frame[["age"]]], axis=1))


def test_a_failed_row_is_text_and_json_like_any_other():
    [failed] = explainer().explain_many([{"age": 3}])

    assert "failed (error): x has no value for" in str(failed)
    assert failed.to_dict()["x"] == {"age": 3} and failed.to_dict()["outcome"] is None


@pytest.mark.parametrize("wrong", [{"k": 0}, {"seed": -1}, {"deadline": 0}, {"max_evals": 0}, {"k": 100}])
def test_wrong_settings_are_an_error_and_not_a_status(wrong):
    with pytest.raises(SettingsError):
        explainer(method="genetic").explain_many(table().head(2), **wrong)


# Deadline


def test_a_deadline_is_for_the_whole_batch():
    calls: list[float] = []

    def slow(frame: pd.DataFrame) -> np.ndarray:
        start = time.perf_counter()
        time.sleep(0.03 + 1e-5 * len(frame))
        calls.append(time.perf_counter() - start)
        return probability(frame)

    subject = explainer(slow)
    start = time.perf_counter()
    explanations = subject.explain_many(table(), deadline=0.6)
    seconds = time.perf_counter() - start

    assert len(explanations) == 300
    assert seconds <= 0.6 + max(calls) + 0.5  # a busy machine adds to it; tests/fuzz.py measures the overrun
    assert "deadline" in {e.stopped_by for e in explanations}


def test_what_is_found_before_the_deadline_is_confirmed():
    def slow(frame: pd.DataFrame) -> np.ndarray:
        time.sleep(0.04)
        return probability(frame)

    explanations = explainer(slow).explain_many(table().head(20), deadline=0.5)
    answers = [cf for e in explanations for cf in e.counterfactuals]

    assert answers and all(cf.confirmed for cf in answers)


def test_rows_the_deadline_did_not_reach_say_so(monkeypatch):
    monkeypatch.setattr("geco.many.runs_at_once", lambda domain: 2)

    def slow(frame: pd.DataFrame) -> np.ndarray:
        time.sleep(0.02)
        return np.full(len(frame), 0.2)

    last = explainer(slow).explain_many(table(), deadline=0.1)[-1]

    assert (last.status, last.stopped_by) == ("none_found", "deadline")
    assert last.reason == "The deadline was reached before this row was begun."
    assert last.x == table().to_dict("records")[-1]


def test_a_deadline_too_short_for_any_call_gives_a_status_and_asks_nothing():
    model = Recorder()
    subject = explainer(model)
    alone, together = subject.explain(table().iloc[[0]], deadline=1e-6), subject.explain_many(table(), deadline=1e-6)

    assert model.calls == []
    assert {(e.status, e.stopped_by) for e in [alone, *together]} == {("none_found", "deadline")}


# What goes in and what comes out


def test_polars_pyarrow_dicts_and_series_give_the_same_as_pandas():
    import polars
    import pyarrow

    rows = table().head(5)
    subject = explainer()
    expected = subject.explain_many(rows, k=2)
    forms: list[Any] = [
        polars.from_pandas(rows),
        pyarrow.Table.from_pandas(rows, preserve_index=False),
        rows.to_dict("records"),
        (rows.iloc[i] for i in range(5)),
    ]

    assert [subject.explain_many(form, k=2) for form in forms] == [expected] * 4


def test_dates_and_missing_values_of_a_frame_arrive_as_they_are():
    frame = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=60), "n": [None, *range(59)]})

    def late(rows: pd.DataFrame) -> np.ndarray:
        return (rows["day"] > "2024-01-20").to_numpy(float)

    first = geco.Explainer(late, geco.Database.from_frame(frame)).explain_many(frame.head(3))[0]

    assert first.x == {"day": dt.datetime(2024, 1, 1), "n": None}


@pytest.mark.parametrize("wrong", [{"age": 3}, "rows.csv", table().iloc[0], np.zeros((3, 5)), 7])
def test_something_that_is_not_a_table_gets_one_clear_error(wrong):
    with pytest.raises(InstanceError, match="for one row use explain"):
        explainer().explain_many(wrong)


def test_no_rows_give_no_explanations():
    assert len(explainer().explain_many(table().head(0))) == 0
    assert explainer().explain_many([]).to_frame().empty


def test_explanations_are_a_list_that_can_be_cut():
    explanations = explainer().explain_many(table().head(6), k=1)

    assert len(explanations) == 6 and len(explanations[2:4]) == 2
    assert explanations[2:4][0] == explanations[2] == list(explanations)[2]


def test_the_frame_has_one_row_per_counterfactual_with_the_row_it_belongs_to():
    rows = table().head(20)
    explanations = explainer().explain_many(rows, k=3)
    frame = explanations.to_frame()
    first = explanations[int(frame["row"][0])].counterfactuals[0]

    told = ["row", "place", *rows.columns, "distance", "outcome"]
    assert list(frame.columns)[: len(told)] == told
    assert all(name.endswith(("_low", "_high", "_others")) for name in list(frame.columns)[len(told) :])
    assert frame.groupby("row").size().to_dict() == {
        i: len(e.counterfactuals) for i, e in enumerate(explanations) if e.counterfactuals
    }
    assert frame.iloc[0][list(rows.columns)].to_dict() == first.values
    assert frame["age"].dtype == "int64"


def test_the_dicts_are_those_of_the_explanations():
    explanations = explainer().explain_many(table().head(4), k=1)

    assert explanations.to_dicts() == [e.to_dict() for e in explanations]


def test_every_answer_of_a_batch_obeys_every_rule():
    frame = table()
    explanations = explainer().explain_many(frame.head(30))

    assert [violations(PROGRAM, e.x, cf.values, frame) for e in explanations for cf in e.counterfactuals] == [[]] * sum(
        len(e.counterfactuals) for e in explanations
    )


def test_the_bar_is_shown_on_request_only(capsys):
    subject = explainer()
    subject.explain_many(table().head(3), k=1)
    silent = capsys.readouterr()
    subject.explain_many(table().head(3), k=1, progress=True)
    shown = capsys.readouterr()

    assert silent.out == silent.err == shown.out == ""
    assert "3/3" in shown.err


def test_the_page_about_batches_shows_what_it_prints():
    page = (REPOSITORY / "docs" / "batch.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for code, shown in re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", page, re.DOTALL):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "batch.md", "exec"), names)

        assert printed.getvalue() == shown


def test_the_garbage_collector_is_as_it_was_after_a_batch_and_after_one_that_failed() -> None:
    before = gc.get_threshold()
    explainer().explain_many(table(3))
    with pytest.raises(InstanceError, match="ZeroDivisionError"):
        explainer().explain_many(1 // 0 for _ in range(2))

    assert gc.get_threshold() == before
