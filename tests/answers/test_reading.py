"""Stored answers: Explanation.from_dict and from_json give back what to_dict and to_json wrote."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import geco
from geco.errors import DataError

FRAME = pd.DataFrame(
    {
        "income": [1000.0 + 10 * i for i in range(60)],
        "region": [i % 7 for i in range(60)],
        "since": [dt.date(2020, 1, 1) + dt.timedelta(days=30 * (i % 20)) for i in range(60)],
    }
)


def model_of(least: float) -> Any:
    return lambda rows: (rows["income"].to_numpy() > least) * 0.8 + 0.1


def explainer(least: float = 1300) -> geco.Explainer:
    return geco.Explainer(model_of(least), geco.Database.from_frame(FRAME, kinds={"region": "categorical"}), target=0.5)


X = {"income": 1000.0, "region": 3, "since": dt.date(2020, 1, 1)}


def test_an_explanation_comes_back_equal_but_for_dates_which_json_does_not_have() -> None:
    frame = FRAME[["income", "region"]]
    tree = DecisionTreeClassifier(max_depth=3).fit(frame, FRAME.income > 1300)
    given = geco.Explainer(tree, geco.Database.from_frame(frame)).explain({"income": 1000.0, "region": 3})
    again = geco.Explanation.from_json(given.to_json())

    assert again == given
    assert again.to_dict() == given.to_dict()
    assert again.sentence(again.counterfactuals[0]) == given.sentence(given.counterfactuals[0])


def test_answers_stored_in_may_can_be_rechecked_in_june() -> None:
    stored = json.dumps([explainer().explain(X).to_dict()])
    read = [geco.Explanation.from_dict(each) for each in json.loads(stored)]
    [same] = explainer().recheck(read, model_of(1300))
    [other] = explainer().recheck(read, model_of(1400))

    assert same.holds
    assert not other.holds and other.instead is not None and other.instead.values["since"] == X["since"]


@pytest.mark.parametrize("row", [{}, {"income": 5}])
def test_rows_that_failed_or_are_good_come_back_too(row: dict[str, Any]) -> None:
    for given in (explainer().explain({**X, "income": 1500.0}), explainer().explain_many([row])[0]):
        assert geco.Explanation.from_dict(given.to_dict()).to_dict() == given.to_dict()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "it has no 'nearest_miss'"),
        ("[1]", r"expected a dict, got \[1\]"),
        ("{", "this is not JSON"),
        ('{"nearest_miss": null, "status": 3, "stopped_by": "x"}', "status is 3"),
    ],
)
def test_something_else_is_refused_with_one_sentence(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        geco.Explanation.from_json(text)
