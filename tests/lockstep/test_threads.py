"""One Explainer used from several threads at once gives the answers it gives alone."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from soak import explainer_for
from strategies import random_problem

METHODS = ["genetic", "frontier"]
THREADS = 8


def at_once(function: Any, arguments: list[Any]) -> list[Any]:
    """Call with each argument from eight threads that start together."""
    ready = threading.Barrier(THREADS)
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(lambda _: ready.wait(), range(THREADS)))
        return list(threads.map(function, arguments))


@pytest.mark.parametrize("method", METHODS)
def test_eight_threads_get_the_answers_of_one(method):
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(5)
    frame = pd.DataFrame({name: rng.integers(0, 40, 400) for name in "abcdef"})
    model = DecisionTreeClassifier(random_state=0).fit(frame, frame.sum(axis=1) > 120)
    program = geco.parse_plaf("PLAF x_cf.a >= x.a\nPLAF IF x_cf.b > x.b THEN x_cf.c >= x.c")
    subject = geco.Explainer(model, geco.Database.from_frame(frame), program, method=method)
    rows = frame.head(48).to_dict("records")
    alone = [subject.explain(x) for x in rows]

    assert at_once(subject.explain, rows) == alone


@pytest.mark.parametrize("method", METHODS)
def test_threads_that_explain_the_same_random_problem_agree(method):
    for seed in range(6):
        problem = random_problem(seed)
        subject = explainer_for(problem, method)
        alone = subject.explain(problem.x)

        assert at_once(subject.explain, [problem.x] * THREADS) == [alone] * THREADS, seed


def test_batches_and_single_questions_may_run_at_once():
    frame = pd.DataFrame({"a": np.arange(50), "b": np.arange(50)[::-1]})
    subject = geco.Explainer(lambda f: (f["a"] + f["b"]).to_numpy() / 100, geco.Database.from_frame(frame))
    alone = subject.explain_many(frame.head(10))

    assert at_once(lambda _: subject.explain_many(frame.head(10)), list(range(THREADS))) == [alone] * THREADS
