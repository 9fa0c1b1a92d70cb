"""One run by itself: it ends as it would among others, with its seconds and with time kept for what is left to do."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest

import geco
from geco.lockstep.lockstep import alone, lockstep
from geco.models.asking.meter import Clock
from geco.questions.asked import asked

D = pd.DataFrame({"income": range(40), "debt": [0, 1, 2, 3] * 10})
X = {"income": 5, "debt": 3}


def slow(frame: pd.DataFrame) -> np.ndarray:
    time.sleep(0.02)
    return np.asarray((0.02 * frame["income"] - 0.1 * frame["debt"] + 0.2).clip(0, 1))


@pytest.mark.parametrize("deadline", [None, 60.0])
def test_a_run_by_itself_is_the_only_one_of_its_batch(deadline: float | None) -> None:
    explainer = geco.Explainer(slow, geco.Database.from_frame(D))
    question = explainer._question(3, 0, None, None, True, None)
    clocks = [Clock(deadline), Clock(deadline)]
    runs = [asked(X, question, explainer._parts, clock) for clock in clocks]
    begun = time.perf_counter()
    by_itself = alone(runs[0], clocks[0])
    seconds = time.perf_counter() - begun
    [(_, in_a_batch)] = lockstep(iter([runs[1]]), clocks[1], most=1)

    assert by_itself == in_a_batch
    assert by_itself.trace.model_calls == in_a_batch.trace.model_calls > 1
    assert 0.8 * seconds <= by_itself.seconds <= seconds
    assert clocks[0].own_seconds > 0
