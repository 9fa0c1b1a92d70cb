"""What real answers say beside their values: the class that results, what a rule asks for, a rule that x breaks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

import geco
from geco.answers.explanation import Action, Counterfactual
from geco.answers.proof import proof_in_reason
from geco.search.base import Proof

PAY = np.repeat(np.arange(10, 40), 4)
FRAME = pd.DataFrame({"pay": PAY, "age": np.tile([20, 30, 40, 50], 30), "limit": PAY + 5})
GRADE = np.where(PAY < 20, "bronze", np.where(PAY < 30, "silver", "gold"))
X = {"pay": 12, "age": 20, "limit": 17}


class Labels:
    """A model that names its answer and nothing else."""

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        return np.where(frame["pay"] < 20, "bronze", np.where(frame["pay"] < 30, "silver", "gold"))


def explained(model: Any, program: str = "", x: Any = X, **settings: Any) -> geco.Explanation:
    database = geco.Database.from_frame(FRAME)
    return geco.Explainer(model, database, geco.parse_plaf(program), target={"silver", "gold"}, **settings).explain(x)


@pytest.fixture(scope="module")
def forest() -> RandomForestClassifier:
    return RandomForestClassifier(20, random_state=0).fit(FRAME, GRADE)


@pytest.mark.parametrize("compile", [True, False])
def test_with_several_classes_an_answer_says_which_of_them_results(forest, compile):
    explanation = explained(forest, compile=compile)

    for cf in explanation.counterfactuals:
        assert cf.predicted == forest.predict(pd.DataFrame([cf.values]))[0]
        assert cf.to_dict()["predicted"] == cf.predicted and cf.predicted in explanation.sentence(cf)


def test_a_model_of_labels_says_the_label_and_one_of_two_classes_says_nothing(forest):
    labelled = explained(Labels()).counterfactuals[0]
    two = RandomForestClassifier(5, random_state=0).fit(FRAME, PAY > 25)

    assert labelled.predicted == "silver"
    assert geco.Explainer(two, geco.Database.from_frame(FRAME)).explain(X).counterfactuals[0].predicted is None


def test_a_change_that_a_rule_requires_says_what_the_rule_asks_for():
    explanation = explained(
        Labels(), "PLAF IF x_cf.pay > x.pay THEN x_cf.age >= x.age + 10\nPLAF x_cf.pay <= x_cf.limit"
    )
    actions = {a.feature: a for cf in explanation.counterfactuals for a in cf.changes if a.required_by}

    assert actions["age"].to_dict()["asks"] == {"feature": "age", "op": ">=", "values": [30], "after": ["pay"]}
    assert geco.Explanation.from_dict(explanation.to_dict()).to_dict() == explanation.to_dict()
    for cf in explanation.counterfactuals:
        for action in cf.changes:
            assert (action.asks is None) == (action.required_by is None)
            if action.feature == "limit":
                assert action.asks.op == ">=" and int(action.asks.values[0]) == cf.values["pay"]


def test_an_x_that_is_good_and_breaks_a_rule_says_so(forest):
    explanation = explained(forest, "PLAF x_cf.age >= 30", {"pay": 35, "age": 20, "limit": 40})

    assert explanation.good and explanation.status == "found"
    assert "x is good as it is, but breaks a rule: PLAF x_cf.age >= 30" in explanation.notes
    assert explanation.counterfactuals[0].changes[0].asks.values == (30,)


def test_of_a_rounded_answer_the_reason_does_not_say_that_nothing_is_nearer():
    exact = Counterfactual({"pay": 2087}, (Action("pay", 1900, 2087),), 0.1, 0.7, True)
    rounder = Counterfactual({"pay": 2100}, (Action("pay", 1900, 2100),), 0.11, 0.7, True, unrounded=exact)
    said = [
        proof_in_reason(Proof(0.1, 1), geco.Explanation(X, 0.3, "", "found", "converged", "", (cf,), proven=True), 1)
        for cf in (exact, rounder)
    ]

    assert said == [
        " Proved: nothing nearer than the first exists.",
        " Proved: apart from rounding, nothing nearer than the first exists.",
    ]
