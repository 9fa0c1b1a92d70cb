"""Ways of a compiled model are tight: what was found in the last rounds is brought nearer along its own lines, too."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import geco

sklearn = pytest.importorskip("sklearn")


def loose(explanation: geco.Explanation) -> int:
    """The answers with a change of which less would do, all else as it is."""

    def less(cf: geco.Counterfactual, action: geco.Action) -> bool:
        run = cf.ranges[action.feature]
        nearest = run.low if action.after > action.before else run.high
        return abs(nearest - action.before) < abs(action.after - action.before)

    return sum(any(less(cf, action) for action in cf.changes) for cf in explanation.counterfactuals)


@pytest.mark.parametrize("values", [400, 100_000])  # of which nearly all that occur are different
def test_hardly_an_answer_of_a_network_asks_for_more_of_a_change_than_the_model_does(values: int):
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler

    rng = np.random.default_rng(5)
    frame = pd.DataFrame({name: rng.integers(0, values, 4000) for name in "abcdef"})
    part = frame / values
    good = part.a + part.b * part.c + np.sin(4 * part.d) + part.e > 2.2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a few rounds of fitting are enough
        model = make_pipeline(MinMaxScaler(), MLPClassifier((24,), max_iter=60, random_state=0)).fit(frame, good)
    explainer = geco.Explainer(model, geco.Database.from_frame(frame), params=geco.Params(round=False))
    explanations = explainer.explain_many(frame[~model.predict(frame)].head(30))

    answers = sum(len(explanation.counterfactuals) for explanation in explanations)
    assert sum(map(loose, explanations)) <= answers / 20  # in rounds of few rows it was a third of them
