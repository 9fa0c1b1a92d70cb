"""How far one thing must move: it stays the only one that is chosen."""

from __future__ import annotations

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
