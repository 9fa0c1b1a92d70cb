"""ways=: what counts as another answer, for every method; the enumeration of small problems says what is right."""

from __future__ import annotations

import itertools

import pandas as pd
import pytest

import geco
from geco.errors import SettingsError
from ways import examine

D = pd.DataFrame(list(itertools.product(range(5), range(5), range(3))), columns=["a", "b", "c"])
DRAGGED = """INCREASE a
PLAF IF x_cf.a > x.a THEN x_cf.b >= x.b + 1
PLAF IF x_cf.a = x.a THEN x_cf.b = x.b"""
X = {"a": 0, "b": 0, "c": 0}


def enough_of_c(frame: pd.DataFrame) -> pd.Series:
    return 0.3 + 0.3 * (frame["c"] >= 1)


def explainer(method: str = "frontier") -> geco.Explainer:
    return geco.Explainer(enough_of_c, geco.Database.from_frame(D), geco.parse_plaf(DRAGGED), method=method)


@pytest.mark.parametrize("method", ["frontier", "genetic"])
def test_changes_that_only_come_together_are_left_out_together(method: str) -> None:
    explanation = explainer(method).explain(X)

    assert [cf.groups for cf in explanation.counterfactuals] == [("c",)]


def test_sets_of_groups_may_contain_each_other() -> None:
    explanation = explainer().explain(X, ways="sets")

    assert [cf.groups for cf in explanation.counterfactuals] == [("c",), ("a", "b", "c")]


def test_the_top_may_change_the_same_groups() -> None:
    explanation = explainer().explain(X, ways="top", k=2)

    assert [cf.groups for cf in explanation.counterfactuals] == [("c",), ("c",)]


def test_diverse_names_what_it_is_now() -> None:
    with pytest.raises(SettingsError, match="diverse is now ways: 'minimal'"):
        explainer().explain(X, diverse=True)
    with pytest.raises(SettingsError, match="diverse is now ways: 'minimal'"):
        explainer().explain_many([X], diverse=False)


def test_ways_is_one_of_three_words() -> None:
    with pytest.raises(SettingsError, match="ways must be 'minimal', 'sets' or 'top', got 'all'"):
        explainer().explain(X, ways="all")  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["wit", "certifai", "simcf"])
def test_the_systems_compared_with_refuse_minimal_ways(method: str) -> None:
    with pytest.raises(SettingsError, match="does not look for ways='minimal'; use 'sets' or 'top'"):
        explainer(method).explain(X, ways="minimal")


def test_a_smaller_change_beside_another_one_is_another_way() -> None:
    frame = pd.DataFrame(list(itertools.product(range(11), range(3))), columns=["loan", "house"])

    def model(rows: pd.DataFrame) -> pd.Series:
        return 0.1 + 0.8 * ((rows["loan"] <= 4) | ((rows["loan"] <= 8) & (rows["house"] == 2)))

    subject = geco.Explainer(model, geco.Database.from_frame(frame, kinds={"house": "categorical"}))
    explanation = subject.explain({"loan": 10, "house": 0})

    assert [cf.groups for cf in explanation.counterfactuals] == [("loan",), ("loan", "house")]


@pytest.mark.parametrize("seed", [*range(505, 514), 1235, 1247, 3093])
def test_the_ways_of_small_problems_are_the_enumerated_ones(seed: int) -> None:
    for method, (same, first, faults) in examine(seed, 5).items():
        assert faults == []
        assert method == "genetic" or (same and first) or (method == "frontier" and seed == 3093)


def test_ways_that_only_rounding_tells_apart_stand_in_the_order_of_their_changes() -> None:
    # Two ways with the same terms in other groups: 0.4525946156847444 and 0.45259461568474446.
    assert examine(940153, 5)["exact"] == (True, True, [])


def test_half_is_half_as_the_table_writes_its_numbers() -> None:
    # As binary fractions, 17.3 − 9.6 is more than half of 25 − 9.6 by the last bit.
    frame = pd.DataFrame(list(itertools.product([9.6, 17.3, 25.0], range(2))), columns=["rate", "house"])

    def model(rows: pd.DataFrame) -> pd.Series:
        return 0.1 + 0.8 * ((rows["rate"] == 25) | ((rows["rate"] == 17.3) & (rows["house"] == 1)))

    explanation = geco.Explainer(model, geco.Database.from_frame(frame)).explain({"rate": 9.6, "house": 0})

    assert [cf.groups for cf in explanation.counterfactuals] == [("rate",), ("rate", "house")]
    assert examine(1310759, 5)["exact"] == (True, True, [])
