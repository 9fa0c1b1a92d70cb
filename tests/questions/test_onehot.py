"""Every question about a table with a ONEHOT set, by compiled model and black box: the set is one thing with a name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

import geco

JOBS = ("clerk", "nurse", "cook")
RULES = f"ONEHOT job: {', '.join(f'job_{each}' for each in JOBS)}\nINCREASE age"
QUESTIONS: dict[str, Callable[[geco.Explainer, dict[str, Any]], Any]] = {
    "tradeoffs": lambda explainer, x: explainer.tradeoffs(x),
    "obstacles": lambda explainer, x: explainer.obstacles(x),
    "reasons": lambda explainer, x: explainer.reasons(x),
    "what_if": lambda explainer, x: explainer.what_if(x, {"job": "nurse"}),
    "nearest_row": lambda explainer, x: explainer.nearest_row(x),
    "smallest": lambda explainer, x: explainer.smallest(x, "job"),
    "explain": lambda explainer, x: explainer.explain(x, only=["job"]),
}


def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    job = rng.integers(0, 3, 300)
    columns = {"age": rng.integers(20, 60, 300), "pay": rng.integers(10, 90, 300)}
    return pd.DataFrame(columns | {f"job_{each}": (job == i).astype(int) for i, each in enumerate(JOBS)})


@pytest.fixture(scope="module", params=["compiled", "black box"])
def explainer(request: pytest.FixtureRequest) -> geco.Explainer:
    frame = table()
    forest = RandomForestClassifier(10, max_depth=5, random_state=0).fit(frame, frame.pay + 30 * frame.job_nurse > 70)
    model = forest if request.param == "compiled" else lambda rows: forest.predict_proba(rows)[:, 1]
    cheap = geco.Params(weights={"job": 0.01})  # so that most answers change it
    return geco.Explainer(model, geco.Database.from_frame(frame), geco.parse_plaf(RULES), params=cheap)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_is_answered_about_a_onehot_set(explainer: geco.Explainer, question: str) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    refused = [x for x in table().to_dict("records") if x["pay"] in range(45, 65) and not x["job_nurse"]]
    for x in refused[:3]:
        answer = QUESTIONS[question](explainer, x)
        assert answer.to_dict() and "job_" not in str(answer)
        assert "job" in str(answer) or question == "reasons"
        if hasattr(answer, "plot"):
            answer.plot()
            pyplot.close("all")
