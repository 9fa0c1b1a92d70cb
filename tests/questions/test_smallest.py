"""How far one thing must move: it stays the only one that is chosen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import geco
from generators.credit import people


@pytest.mark.parametrize("method", ["frontier", "exact"])
def test_it_stays_with_its_group_whatever_a_proof_would_find(method):
    table = people()[["income", "hours", "amount"]]
    good = table.income + 30 * table.hours - 0.15 * table.amount > 2600
    model = DecisionTreeClassifier(random_state=0).fit(table, good.astype(int))
    asked = geco.Explainer(model, geco.Database.from_frame(table), method=method)
    refused = table[~good].iloc[:20]
    found = [cf for _, x in refused.iterrows() for cf in asked.smallest(x, "hours", k=5).counterfactuals]

    assert {cf.groups for cf in found} == {("hours",)}


def test_what_is_fixed_is_said_to_be() -> None:
    frame = pd.DataFrame({"age": range(20, 60), "income": [n % 11 for n in range(40)]})
    database = geco.Database.from_frame(frame)
    explainer = geco.Explainer(lambda f: (f["income"] > 5) * 1.0, database, geco.parse_plaf("FIXED age"))

    assert explainer.smallest({"age": 30, "income": 2}, "age").reason == "age cannot move: it is fixed by the rules."
    assert explainer.smallest({"age": 30, "income": 2}, "income", fixed=["income"]).reason.startswith("income cannot")


LOAN = """
DECREASE price, amount
PLAF x_cf.amount <= x_cf.price
PLAF IF x_cf.degree > x.degree THEN x_cf.age >= x.age + 2
INCREASE age, degree
"""


def loans(seed: int) -> tuple[geco.Explainer, pd.DataFrame]:
    """A small table, and a model that likes small amounts, dear things and old people."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({f: rng.integers(1, top, 60) for f, top in (("price", 90), ("age", 40), ("degree", 5))})
    frame["amount"] = (frame.price * rng.uniform(0.4, 1, 60)).astype(int)
    w = rng.normal([0.3, 1, 1, -1], 0.7)
    columns = ["price", "age", "degree", "amount"]
    frame = frame[columns]
    bar = float((frame @ w).quantile(0.8))
    return geco.Explainer(
        lambda f: 1 / (1 + np.exp(-(f[columns].to_numpy(float) @ w - bar) / 10)),
        geco.Database.from_frame(frame),
        geco.parse_plaf(LOAN),
    ), frame


def dragging(explainer: geco.Explainer, frame: pd.DataFrame, x: dict[str, Any], feature: str) -> list[dict[str, Any]]:
    """Every value of D for this feature, with the nearest values of others that the rules ask for, by hand."""
    found = []
    for value in frame[feature].unique().tolist():
        x_cf = {**x, feature: value}
        if feature == "price" and x_cf["amount"] > value:
            x_cf["amount"] = max((a for a in frame.amount.tolist() if a <= value), default=None)
        if feature == "degree" and value > x["degree"]:
            x_cf["age"] = min((a for a in frame.age.tolist() if a >= x["age"] + 2), default=None)
        if value != x[feature] and None not in x_cf.values() and not explainer.check(x, x_cf):
            found.append(x_cf)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_it_moves_the_feature_and_else_only_what_a_rule_makes_move(seed: int) -> None:
    explainer, frame = loans(seed)
    refused = [x for x in frame.to_dict("records") if not explainer.what_if(x, price=x["price"]).good][:4]
    for x in refused:
        for feature in frame.columns:
            found = explainer.smallest(x, feature, params=geco.Params(round=False))
            ways = [w for w in dragging(explainer, frame, x, feature) if explainer.what_if(x, w).good]

            assert bool(found.counterfactuals) == bool(ways)
            for cf in found.counterfactuals:
                nearest = min(explainer.what_if(x, way).distance for way in ways)
                assert cf.values[feature] != x[feature]
                assert all(a.required_by for a in cf.changes if a.feature != feature)
                assert cf.distance == pytest.approx(nearest)


def test_where_keeping_a_rule_is_enough_the_feature_need_not_move() -> None:
    frame = pd.DataFrame({"home": ["rent", "own", "ignore"] * 20, "amount": range(60)})
    rules = geco.parse_plaf("PLAF x_cf.home != 'ignore'")
    explainer = geco.Explainer(lambda f: (f["amount"] < 40) * 1.0, geco.Database.from_frame(frame), rules)
    found = explainer.smallest({"home": "ignore", "amount": 20}, "amount")

    assert found.status == "none_found" and not found.counterfactuals
    assert found.reason.startswith("amount need not move: home ignore ▶ ")
    assert [a.feature for a in explainer.smallest({"home": "ignore", "amount": 50}, "amount").counterfactuals[0].changes
            ] == ["home", "amount"]  # fmt: skip


def test_a_long_line_is_gone_along_in_steps_and_still_answered_by_its_nearest_value() -> None:
    frame = pd.DataFrame({"income": np.arange(60_000) * 1.0, "age": np.arange(60_000) % 50})
    explainer = geco.Explainer(lambda f: (f["income"] > 41_234) * 1.0, geco.Database.from_frame(frame))
    found = explainer.smallest({"income": 1000.0, "age": 30}, "income", params=geco.Params(round=False))

    assert found.counterfactuals[0].values["income"] == 41_235
