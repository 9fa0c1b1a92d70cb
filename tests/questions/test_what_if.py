"""What if: what is allowed, what D does not have, and what cannot be asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from geco.errors import GecoError, InstanceError
from generators.credit import X, explainer

FRAME = pd.DataFrame({
    "home": ["rent", "own"] * 20,
    "debt": [None if n % 7 == 0 else float(n) for n in range(40)],
    "pay": range(40),
    "level": pd.Categorical(["low", "a < b"] * 20, ["low", "a < b"], ordered=True),
})  # fmt: skip
BEGIN: dict[str, Any] = {"home": "rent", "debt": 3.0, "pay": 5, "level": "low"}


def asked(model: Callable[[pd.DataFrame], Any] = lambda f: (f["pay"] > 20) * 1.0, **words: Any) -> geco.Explainer:
    return geco.Explainer(model, geco.Database.from_frame(FRAME), **words)


def picky(frame: pd.DataFrame) -> np.ndarray:
    """As libraries do that encode categories."""
    if not frame["home"].isin(["rent", "own"]).all():
        raise ValueError("/src/cat_container.h:29: Found a category not in the training set")
    return np.asarray((frame["pay"] > 20) * 1.0)


def test_what_becomes_missing_is_not_allowed_as_check_says() -> None:
    said = asked().what_if(BEGIN, debt=None)

    assert not said.allowed and not said.to_dict()["allowed"]
    assert list(said.missing) == asked().check(BEGIN, said.values)
    assert "not allowed: debt became missing, which needs ALLOW MISSING debt" in str(said)
    assert asked(program=geco.parse_plaf("ALLOW MISSING debt")).what_if(BEGIN, debt=None).allowed
    assert asked().what_if({**BEGIN, "debt": None}, pay=7).allowed


def test_a_value_that_d_does_not_have_is_allowed_and_said() -> None:
    said = asked().what_if(BEGIN, pay=100)

    assert said.allowed and said.good and said.outside


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"home": "castle"}, "D has no home of castle; it has own, rent"),
        ({"home": "ownr"}, "D has no home of ownr; near it is own"),
        ({"pay": 100}, "D has no yearly pay of 100 €; near it is 39 €"),
        ({"pay": None}, "D has no row where yearly pay is missing"),
    ],
)
def test_what_d_does_not_have_is_said_in_words(changes: dict[str, Any], told: str) -> None:
    labelled = asked(lambda f: (f["debt"] > 20) * 1.0, labels={"pay": geco.Label("yearly pay", unit="€")})

    assert labelled.what_if(BEGIN, changes).outside == (told,)


def test_a_category_that_the_model_cannot_take_is_said_with_those_of_d() -> None:
    message = "home has no value 'boat' in D, and the model cannot take it; it has 'own', 'rent'"
    with pytest.raises(InstanceError, match=message):
        asked(picky).what_if(BEGIN, home="boat")


def test_the_values_of_an_order_are_in_quotes() -> None:
    with pytest.raises(InstanceError, match=r"level has no value 'PhD'; in order its values are 'low' < 'a < b'$"):
        asked().what_if(BEGIN, level="PhD")


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda e: e.what_if(X, income=3, target=0.4), "what_if takes features alone, no target"),
        (lambda e: e.reasons(X, target=0.1), "reasons takes no target"),
        (lambda e: e.reasons(X, never=[["sex"]]), r"never: D has no feature \['sex'\]"),
        (lambda e: e.smallest(X, ["income"]), r"feature must be the name of one feature, got \['income'\]"),
        (lambda e: e.summary([e.explain(X)], by=3), "by must be a feature, or a group for each explanation, got 3"),
        (lambda e: e.plot_strips(3), "explanation must be what explain returned, got 3"),
    ],
)
def test_wrong_words_of_a_question_are_answered_in_words(ask: Callable[[geco.Explainer], Any], told: str) -> None:
    with pytest.raises(GecoError, match=told):
        ask(explainer())
