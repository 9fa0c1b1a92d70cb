"""Parts of an answer that are put together once somebody looks at them: the same whoever looks, and when."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import geco
from geco.answers.explanation import PARTS, Counterfactual


@pytest.fixture
def answer() -> Counterfactual:
    """The nearest way of an x, of which nobody has looked at anything."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"age": rng.integers(18, 70, 300), "income": rng.integers(1000, 9999, 300)})
    model = DecisionTreeClassifier(max_depth=5, random_state=0).fit(frame, frame.income + 50 * frame.age > 7000)
    program = geco.parse_plaf("PLAF x_cf.age >= x.age\nPLAF IF x_cf.income > x.income THEN x_cf.age >= x.age + 1")
    explainer = geco.Explainer(model, geco.Database.from_frame(frame), program)
    refused = frame[model.predict(frame) == 0]
    return explainer.explain(refused.iloc[0]).counterfactuals[0]


def test_nothing_is_put_together_before_somebody_looks(answer):
    assert PARTS.isdisjoint(vars(answer))
    assert answer.changes is answer.changes
    assert "changes" in vars(answer) and "ranges" not in vars(answer)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, replace, lambda cf: pickle.loads(pickle.dumps(cf))])
def test_a_copy_has_all_parts_and_is_equal(again, answer):
    made = again(answer)

    assert vars(made).keys() >= PARTS and "_behind" not in vars(made)
    assert made == answer and repr(made) == repr(answer)
    assert made.to_dict() == answer.to_dict()


def test_parts_tell_of_the_answer_as_it_was_given(answer):
    given = dict(answer.values)
    answer.values.update(age=-1, income=-1)

    assert {action.feature: action.after for action in answer.changes}.items() <= given.items()
    assert all(action.after != -1 for step in answer.steps for action in step.changes)


def test_what_it_does_not_have_is_missing_as_from_any_object(answer):
    with pytest.raises(AttributeError, match="'Counterfactual' object has no attribute 'change'"):
        answer.change  # noqa: B018
    assert not hasattr(Counterfactual({}, (), 0.0, 0.0, True), "_behind")
