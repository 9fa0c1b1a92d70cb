"""Summaries: groups in their order, and what a few people say nothing about."""

from __future__ import annotations

import pandas as pd
import pytest

import geco

LEVELS = ["none", "school", "college", "a degree"]
FRAME = pd.DataFrame({
    "age": [20 + n % 45 for n in range(180)],
    "level": pd.Categorical([LEVELS[n * n % 7 % 4] for n in range(180)], LEVELS, ordered=True),
    "home": ["rent"] * 100 + ["own"] * 78 + ["boat"] * 2,
    "income": [n * 37 % 100 for n in range(180)],
})  # fmt: skip


@pytest.fixture(scope="module")
def asked() -> tuple[geco.Explainer, geco.Explanations]:
    explainer = geco.Explainer(lambda f: (f["income"] > 60) * 1.0, geco.Database.from_frame(FRAME))
    return explainer, explainer.explain_many(FRAME[FRAME.income < 60], k=1)


def test_quarters_and_ordered_text_stand_in_their_order(asked) -> None:
    explainer, explanations = asked
    by_age = explainer.summary(explanations, by="age", obstacles=0)
    by_level = explainer.summary(explanations, by="level", obstacles=0)
    ages = [int(group.name.split()[2 if group.name.startswith("up") else 1].strip(",")) for group in by_age.groups]

    assert len(ages) == 4 and ages == sorted(ages)
    assert by_age.groups[0].name.startswith("up to ")
    assert [group.name for group in by_level.groups] == [name for name in LEVELS if name in set(FRAME.level)]


def test_others_stand_by_size_and_all_are_compared_with_the_largest(asked) -> None:
    explainer, explanations = asked
    found = explainer.summary(explanations, by="home", obstacles=0)
    by_level = explainer.summary(explanations, by="level", obstacles=0)
    largest = max(by_level.groups, key=lambda group: group.asking).name

    assert [group.name for group in found.groups] == ["rent", "own", "boat"]
    assert {each.than for each in by_level.differences} == {largest}
    assert f"compared with the largest group, {largest}:" in str(by_level)


def test_of_a_few_people_nothing_is_said_but_that_they_are_few(asked) -> None:
    explainer, explanations = asked
    found = explainer.summary(explanations, by="home", obstacles=0)
    few = [each for each in found.differences if each.group == "boat"]
    others = [each for each in found.differences if each.group == "own"]

    assert few and all(each.too_few and each.low is each.high is None for each in few)
    assert all(not each.too_few and each.low <= each.value <= each.high for each in others)
    assert f"boat against rent: too few people ({few[0].people})" in str(found)
    assert few[0].to_dict()["low"] is None
    drawn = [text.get_text() for ax in found.plot().axes for text in ax.texts]
    assert drawn.count("too few people") == 2


def test_where_everybody_is_helped_that_is_said_once(asked) -> None:
    explainer, explanations = asked
    said = str(explainer.summary(explanations, by="level", obstacles=0))

    assert said.count("everybody who asks is helped, in every group") == 1
    assert "helped, " not in said.replace("is helped, in every", "")


def test_days_make_quarters_and_a_group_that_asks_nothing_has_no_costs() -> None:
    days = pd.to_datetime("2020-01-01") + pd.to_timedelta(range(60), "D")
    frame = pd.DataFrame({"since": days, "pay": range(60)})
    explainer = geco.Explainer(lambda f: (f["since"] > "2020-02-14") * 1.0, geco.Database.from_frame(frame))
    explanations = explainer.explain_many(frame, k=1)
    found = explainer.summary(explanations, by="since", obstacles=0)
    said = str(found)

    assert found.groups[0].name == "up to 2020-01-16"
    assert len(found.groups) == 4 and found.groups[-1].asking == 0
    assert "missing" not in said and "change since to 2020-02-15" in said and "T00:00" not in said
