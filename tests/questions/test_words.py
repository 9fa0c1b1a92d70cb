"""Words of one question: fixed, only, rules, target, margin and params."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

import geco
from geco.errors import DataError, GecoError, PlafError, SettingsError, TargetError
from oracles.words import asked

RULES = "FIXED age\nPLAF IF x_cf.income > x.income THEN x_cf.hours >= x.hours"


def people() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "age": rng.integers(20, 60, 400),
            "income": rng.integers(10, 60, 400) * 100,
            "hours": rng.integers(10, 60, 400),
            "savings": rng.integers(0, 40, 400) * 250,
        }
    )


def model() -> Any:
    frame = people()
    good = frame.income + 40 * frame.hours + 0.4 * frame.savings > 5000
    return RandomForestClassifier(25, max_depth=6, random_state=0).fit(frame, np.where(good, "yes", "no"))


X = {"age": 30, "income": 2500, "hours": 25, "savings": 1500}


@pytest.fixture(scope="module")
def explainer() -> geco.Explainer:
    return geco.Explainer(model(), geco.Database.from_frame(people()), geco.parse_plaf(RULES), target="yes")


@pytest.mark.parametrize("seed", range(8))
def test_words_give_what_an_explainer_built_with_them_gives(seed: int) -> None:
    assert [way for way, equal, _ in asked(seed) if not equal] == []


def test_what_is_fixed_does_not_change(explainer: geco.Explainer) -> None:
    explanation = explainer.explain(X, fixed=["income", "savings"])

    assert explanation.status == "found"
    assert {a.feature for cf in explanation.counterfactuals for a in cf.changes} == {"hours"}


def test_only_what_is_named_changes(explainer: geco.Explainer) -> None:
    explanation = explainer.explain(X, only="savings")

    assert {a.feature for cf in explanation.counterfactuals for a in cf.changes} <= {"savings"}


def test_an_answer_names_the_added_rules_that_are_at_their_limit(explainer: geco.Explainer) -> None:
    free = explainer.explain(X, k=1, only=["savings"]).counterfactuals[0].values["savings"]
    frame = people()
    most = int(frame.savings[frame.savings <= free].max())
    bound = explainer.explain(X, k=1, only=["savings"], rules=f"PLAF x_cf.savings <= {most}")
    loose = explainer.explain(X, k=1, only=["savings"], rules="PLAF x_cf.savings <= 9000000")

    assert bound.counterfactuals[0].binding == (f"PLAF x_cf.savings <= {most}",)
    assert f"at its limit: x_cf.savings <= {most}" in str(bound)
    assert loose.counterfactuals[0].binding == ()


def test_what_is_fixed_is_named_as_it_was_said(explainer: geco.Explainer) -> None:
    assert explainer.explain(X, fixed=["income"]).counterfactuals[0].binding == ("FIXED income",)


def test_rules_may_be_a_program(explainer: geco.Explainer) -> None:
    text = "PLAF x_cf.hours <= 40\nDECREASE savings"

    assert explainer.explain(X, rules=text) == explainer.explain(X, rules=geco.parse_plaf(text))


def test_a_threshold_alone_is_about_the_usual_label(explainer: geco.Explainer) -> None:
    explanation = explainer.explain(X, target=0.8)

    assert explanation.target == "P(yes) > 0.8"
    assert all(cf.outcome > 0.8 for cf in explanation.counterfactuals)


def test_a_margin_adds_to_the_usual_target(explainer: geco.Explainer) -> None:
    assert explainer.explain(X, margin=0.2).target == "P(yes) > 0.7"


def test_the_explainer_is_left_as_it_was(explainer: geco.Explainer) -> None:
    before = explainer.explain(X)
    explainer.explain(X, fixed=["income"], target=0.8, params=geco.Params(alpha=0.5, beta=0.5))

    assert explainer.explain(X) == before


def test_the_same_words_are_made_ready_once(explainer: geco.Explainer) -> None:
    from geco.words import Words

    words = [Words.of({"fixed": ["income"], "rules": "PLAF x_cf.hours <= 40"}) for _ in range(2)]
    first, again = (explainer._parts.asked_with(each) for each in words)

    assert first is again
    assert first.domain is explainer.domain
    assert first.panel is explainer._parts.panel


def test_a_loaded_explainer_takes_words_without_its_model(explainer: geco.Explainer, tmp_path: Path) -> None:
    explainer.save(tmp_path / "saved")
    alone = geco.Explainer.load(tmp_path / "saved")
    asked_of = {"fixed": ["income"], "rules": "PLAF x_cf.hours <= 50", "target": 0.6}
    expected = [cf.values for cf in explainer.explain(X, **asked_of).counterfactuals]

    assert expected
    assert [cf.values for cf in alone.explain(X, **asked_of).counterfactuals] == expected


def test_a_class_that_a_file_does_not_hold_needs_the_model(explainer: geco.Explainer, tmp_path: Path) -> None:
    explainer.save(tmp_path / "saved")

    with pytest.raises(TargetError, match=r"saved for P\(yes\) > 0\.5, and its file holds no other class"):
        geco.Explainer.load(tmp_path / "saved").explain(X, target="no")
    assert geco.Explainer.load(tmp_path / "saved", model()).explain(X, target="no").target == "P(no) > 0.5"


def test_a_linear_model_in_a_file_holds_both_classes(tmp_path: Path) -> None:
    frame = people()
    linear = LogisticRegression(max_iter=2000).fit(frame, frame.income > 3000)
    geco.Explainer(linear, geco.Database.from_frame(frame)).save(tmp_path / "saved")
    rich = dict(frame.iloc[int(frame.income.argmax())])
    alone = geco.Explainer.load(tmp_path / "saved").explain(rich, target=False)
    anew = geco.Explainer(linear, geco.Database.from_frame(frame), target=False).explain(rich)

    assert [cf.values for cf in alone.counterfactuals] == [cf.values for cf in anew.counterfactuals]


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("GROUP age, hours", "rules:1:1: GROUP cannot be asked for one question: the tables of D are built with it"),
        ("ALLOW MISSING age", "rules:1:1: ALLOW MISSING cannot be asked for one question"),
        ("FIXED age\nPLAF x_cf.hous <= 40", "rules:2:11: unknown feature 'hous'"),
        ("PLAF IF x_cf.hours > x.hours THEN x_cf.income > x.income", "depend on each other in a circle"),
        ("PLAF x_cf.hours <=", "rules:1:19"),
    ],
)
def test_wrong_rules_are_told_as_those_of_a_file(explainer: geco.Explainer, rules: str, line: str) -> None:
    with pytest.raises(PlafError) as error:
        explainer.explain(X, rules=rules)

    assert line in str(error.value)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"fixed": ["incom"]}, "fixed: D has no feature 'incom' (did you mean 'income'?)"),
        ({"only": [3]}, "only must be a list of features"),
        ({"fixed": 3}, "fixed must be a list of features"),
        ({"rules": 3}, "rules must be PLAF text or a Program"),
        ({"params": {"alpha": 1}}, "params must be geco.Params"),
        ({"margin": -1}, "margin must be a number that is not negative"),
        ({"fixd": ["age"]}, "a question has no word 'fixd' (did you mean 'fixed'?)"),
        ({"target": "maybe"}, "the model has no class 'maybe'"),
        ({"params": geco.Params(weights={"incom": 2})}, "did you mean 'income'"),
    ],
)
def test_wrong_words_are_named(explainer: geco.Explainer, words: dict[str, Any], said: str) -> None:
    with pytest.raises((SettingsError, TargetError, DataError)) as error:
        explainer.explain(X, **words)

    assert said in str(error.value)
    with pytest.raises(GecoError):
        explainer.explain_many([X], **words)


def test_programs_add_up() -> None:
    both = geco.parse_plaf("GROUP age, hours\nFIXED age") + geco.parse_plaf("\nPLAF x_cf.hous > 1")

    assert str(both) == "GROUP age, hours\nFIXED age\nPLAF x_cf.hous > 1"
    with pytest.raises(PlafError, match=r"4:11: unknown feature 'hous'\n  4 \| PLAF x_cf.hous > 1"):
        geco.Explainer(model(), geco.Database.from_frame(people()), both, target="yes")
