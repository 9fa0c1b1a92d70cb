"""What a caller sees while a search runs: a callback per round, and logs that are silent unless asked for."""

from __future__ import annotations

import logging
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco

X = {"income": 5, "debt": 60, "late": 4}
METHODS = ["genetic", "frontier"]


def table() -> pd.DataFrame:
    rng = np.random.default_rng(8)
    return pd.DataFrame(
        {"income": rng.integers(0, 60, 500), "debt": rng.integers(0, 80, 500), "late": rng.integers(0, 6, 500)}
    )


def probability(frame: pd.DataFrame) -> np.ndarray:
    return 1 / (1 + np.exp(-(frame["income"] / 10 - frame["debt"] / 20 - frame["late"] / 2).to_numpy(float)))


def never(frame: pd.DataFrame) -> np.ndarray:
    return frame["income"].to_numpy(float) / 200


def explainer(method: Any = "genetic", model: Any = probability) -> geco.Explainer:
    return geco.Explainer(model, geco.Database.from_frame(table()), method=method)


@pytest.mark.parametrize("method", METHODS)
def test_the_callback_is_called_after_every_round(method):
    seen: list[geco.Progress] = []
    explanation = explainer(method).explain(X, on_round=seen.append)

    assert [p.round for p in seen] == list(range(1, explanation.trace.generations + 1))


@pytest.mark.parametrize("method", METHODS)
def test_watching_changes_no_answer(method):
    subject = explainer(method)

    assert subject.explain(X, on_round=lambda progress: None) == subject.explain(X)


@pytest.mark.parametrize("method", METHODS)
def test_the_best_so_far_never_gets_worse_and_ends_as_the_answer(method):
    seen: list[geco.Progress] = []
    explanation = explainer(method).explain(X, on_round=seen.append)
    distances = [p.best.distance for p in seen if p.best is not None]

    assert distances == sorted(distances, reverse=True)
    best = explanation.counterfactuals[0]
    assert distances[-1] == (best.unrounded or best).distance


def test_rows_and_seconds_only_grow():
    seen: list[geco.Progress] = []
    explanation = explainer().explain(X, on_round=seen.append)
    rows, seconds = [p.model_rows for p in seen], [p.seconds for p in seen]

    assert rows == sorted(rows) and 0 < rows[-1] <= explanation.trace.model_rows
    assert seconds == sorted(seconds) and seconds[0] > 0


def test_there_is_no_best_while_nothing_good_is_known():
    seen: list[geco.Progress] = []
    explainer(model=never).explain(X, on_round=seen.append)

    assert seen and all(p.best is None for p in seen)


@pytest.mark.parametrize("method", METHODS)
def test_a_callback_that_returns_false_ends_the_search_with_the_best_so_far(method):
    explanation = explainer(method).explain(X, on_round=lambda progress: progress.round < 2)

    assert (explanation.status, explanation.stopped_by) == ("found", "deadline")
    assert explanation.trace.generations == 2
    assert "you asked to stop" in explanation.reason
    assert all(cf.confirmed for cf in explanation.counterfactuals)


def test_stopping_a_search_that_has_just_ended_changes_nothing():
    subject = explainer()
    rounds = subject.explain(X).trace.generations
    explanation = subject.explain(X, on_round=lambda progress: progress.round < rounds)

    assert explanation == subject.explain(X)


def test_only_false_itself_ends_the_search():
    subject = explainer()

    assert subject.explain(X, on_round=lambda progress: 0) == subject.explain(X)


def test_what_the_callback_raises_reaches_the_caller():
    def closed(progress: geco.Progress) -> None:
        raise ConnectionResetError("the browser is gone")

    with pytest.raises(ConnectionResetError, match="the browser is gone"):
        explainer().explain(X, on_round=closed)


# Logs


def test_there_is_a_debug_line_per_round_and_an_info_line_per_explanation(caplog):
    with caplog.at_level(logging.DEBUG, logger="geco"):
        explanation = explainer().explain(X)
    levels = [record.levelname for record in caplog.records]

    assert levels.count("DEBUG") == explanation.trace.generations
    assert levels.count("INFO") == 1
    assert caplog.records[-1].getMessage().startswith("found (converged) after")


def test_a_failed_row_of_a_batch_is_logged(caplog):
    with caplog.at_level(logging.INFO, logger="geco"):
        explainer().explain_many([{"income": 3}])

    assert caplog.records[-1].getMessage().startswith("failed: x has no value for 'debt'")


def test_nothing_is_printed_by_default():
    script = """
import numpy as np, pandas as pd, geco
frame = pd.DataFrame({"a": range(20)})
geco.Explainer(lambda f: f["a"].to_numpy() / 20, geco.Database.from_frame(frame)).explain({"a": 1})
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert run.stdout == run.stderr == ""
