"""obstacles: prices that belong to the answers shown, sets to give up, what time did not settle, and the pictures."""

from __future__ import annotations

import itertools
import json
import math
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import geco
from geco.models.asking.meter import Clock
from geco.questions import tried
from geco.questions.tried import NOTHING, Tried
from generators.credit import explainer, model, people, x_of
from oracles.schema import against_schema

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "questions.schema.json").read_text(encoding="utf-8"))
SHUT = ["income", "hours", "amount", "months", "home"]


GROUPS = "ONEHOT home: home_rent, home_own, home_free GROUP amount, months "
NEEDS_HOURS = "PLAF IF x_cf.income > x.income THEN x_cf.hours >= x.hours + 2"


@cache
def database() -> geco.Database:
    return geco.Database.from_frame(people().assign(sex=(people().sex == "f").astype(int)))


def blocked(*more: str) -> geco.Obstacles:
    """Of one for whom it is enough to give up one of two rules; the second brings the nearer answer."""
    fixed = ", ".join(["hours", "sex", "age", "amount", "months", "home_rent", "home_own", "home_free", *more])
    rules = geco.parse_plaf(f"{GROUPS} FIXED {fixed} {NEEDS_HOURS}")
    return geco.Explainer(model(), database(), rules).obstacles(x_of("compiled"))


def blocked_twice() -> geco.Obstacles:
    """Of one who needs another rule to go as well."""
    return blocked("income")


@cache
def hard() -> tuple[geco.Explainer, dict[str, Any]]:
    """A linear model whose features weigh nearly the same: many answers are nearly as near, and proofs take long."""
    rng = np.random.default_rng(0)
    names = [f"f{i}" for i in range(6)]
    frame = pd.DataFrame(rng.normal(size=(1000, 6)).round(3), columns=names)
    score = frame @ (1 + 0.01 * rng.random(6))
    linear = LogisticRegression(max_iter=500).fit(frame, score + 0.1 * rng.normal(size=1000) > 3)
    rules = geco.parse_plaf(
        f"INCREASE {', '.join(names)} FIXED f0 PLAF IF x_cf.f1 > x.f1 THEN x_cf.f2 >= x.f2 + x_cf.f1 - x.f1"
    )
    asked = geco.Explainer(linear, geco.Database.from_frame(frame), rules, params=geco.Params(alpha=0.0))
    return asked, frame.iloc[score.argmin()].to_dict()


def not_round() -> tuple[geco.Explainer, dict[str, Any]]:
    """Answers that ``explain`` would round."""
    frame = pd.DataFrame({"a": range(1003, 9003, 7), "b": range(9002, 1002, -7)})
    asked = geco.Explainer(
        lambda rows: ((rows.a > 5017) | (rows.b > 3011)) * 1.0,
        geco.Database.from_frame(frame),
        geco.parse_plaf("FIXED b"),
    )
    return asked, {"a": 1003, "b": 1003}


@pytest.mark.parametrize("kind", ["compiled", "black box", "numbers that are not round"])
def test_a_price_is_the_difference_of_the_two_answers_shown(kind: str) -> None:
    asked, x = not_round() if kind.startswith("numbers") else (explainer(kind), x_of(kind))
    found = asked.obstacles(x)

    assert found.nearest is not None
    assert any(each.price for each in found)
    for each in found:
        assert each.answer is not None
        assert each.price == pytest.approx(found.nearest.distance - each.answer.distance, abs=1e-12)


# no answer


def test_the_rule_to_give_up_is_the_one_that_brings_the_nearest_answer() -> None:
    found = blocked()
    brought = [each.answer.distance for each in found if each.answer is not None]

    assert len(brought) > 1
    assert brought == sorted(brought)
    assert found.give_up == (found.obstacles[0].rule,) == (NEEDS_HOURS,)
    assert found.without is not None and found.without.distance == brought[0]


def test_of_sets_of_the_same_size_the_one_with_the_nearest_answer_is_chosen() -> None:
    found = blocked_twice()
    rules = [each.rule for each in found]
    free = geco.Explainer(model(), database(), geco.parse_plaf(GROUPS), params=geco.Params(round=False))

    def near(dropped: tuple[str, ...]) -> float:
        kept = " ".join(rule for rule in rules if rule not in dropped)
        ways = free.explain(x_of("compiled"), k=1, rules=kept).counterfactuals
        return ways[0].distance if ways else math.inf

    nearest = sorted(map(near, itertools.combinations(rules, 2)))
    assert len(found.give_up) == 2
    assert nearest[0] < nearest[1] < math.inf
    assert found.without is not None
    assert found.without.distance == pytest.approx(nearest[0])


def test_the_table_has_the_distance_of_each_answer() -> None:
    head, rows, _ = blocked()._table()

    assert head[1] == "distance"
    assert all(row[1] for row in rows)


def test_what_only_leaves_out_is_not_named_as_a_rule_that_somebody_wrote() -> None:
    said = str(explainer("compiled").obstacles(x_of("compiled"), only=["income"]))

    assert "hours (not in only)" in said
    assert "FIXED hours" not in said
    assert "FIXED sex" in said


# time


def test_what_was_not_settled_in_time_is_said_and_not_said_to_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tried, "SECONDS", 0.1)
    asked, x = hard()
    found = asked.obstacles(x)
    unsure = {each.rule for each in found if not each.price and not each.proven}

    assert unsure
    assert set(found.unsettled) == set(found.to_dict()["unsettled"]) == unsure
    assert against_schema(SCHEMA, json.loads(found.to_json()), "obstacles") == []
    assert "not settled in time: " in str(found)
    assert "cost nothing" not in str(found)
    assert not found.proven


def test_proofs_have_a_few_seconds_in_all_where_there_is_no_deadline() -> None:
    asked, x = hard()
    began = time.perf_counter()
    asked.obstacles(x)

    assert time.perf_counter() - began < 4 * tried.SECONDS


@pytest.mark.parametrize("kind", ["compiled", "black box"])
@pytest.mark.parametrize("words", [{}, {"fixed": SHUT}])
def test_a_deadline_that_is_over_at_once_lets_nothing_be_said_of_a_rule(kind: str, words: dict[str, Any]) -> None:
    found = explainer(kind).obstacles(x_of(kind), deadline=1e-6, **words)

    assert found.status in ("blocked", "out of time")
    assert not found.proven and not any(each.proven for each in found)
    assert {*found.unsettled} == {each.rule for each in found if each.answer is None}
    assert against_schema(SCHEMA, json.loads(found.to_json()), "obstacles") == []


def test_of_a_black_box_it_is_only_said_that_nothing_nearer_was_found() -> None:
    said = str(explainer("black box").obstacles(x_of("black box")))

    assert "nothing nearer was found without one of these: " in said
    assert "cost nothing" not in said


def test_what_is_proved_without_some_rules_holds_with_more_of_them() -> None:
    parts, x = explainer("compiled")._parts, x_of("compiled")
    one, two = frozenset([0]), frozenset([0, 1])  # FIXED sex and age cost nothing
    asked = Tried(parts, x, 0, Clock(None))
    asked.ask([NOTHING, one, two])
    assert asked.said[two].proven and asked.near(two) == asked.near(NOTHING)

    for dropped in (NOTHING, one):
        object.__setattr__(asked.said[dropped], "proven", False)
    assert asked.settled(one) and asked.settled(NOTHING)
    object.__setattr__(asked.said[two], "proven", False)
    assert not asked.settled(one)


def test_an_answer_counts_without_the_rules_alone_that_it_breaks() -> None:
    asked = Tried(explainer("compiled")._parts, x_of("compiled"), 0, Clock(None))
    asked.ask([frozenset([0, 1])])  # FIXED sex and age, which the nearest answer keeps

    assert asked.answer(NOTHING) is not None


# text and pictures


def test_lists_of_rules_are_folded_between_two_rules() -> None:
    rules = [f"PLAF x_cf.income >= {n} * x.income - {n}" for n in range(1, 9)]
    found = explainer("compiled").obstacles(x_of("compiled"), rules=" ".join(rules).replace(">=", "<= 90000 +"))
    lines = str(found).splitlines()
    listed = lines[next(i for i, line in enumerate(lines) if line.startswith("these cost nothing")) :]

    assert len(listed) > 1
    assert all(len(line) <= 120 for line in listed)
    assert all(line.endswith(",") for line in listed[:-1])


def test_the_picture_shows_what_giving_up_a_rule_brings_where_there_is_no_answer() -> None:
    found = blocked()
    ax = found.plot()

    assert ax.get_title(loc="left") == "no answer: what giving up a rule brings"
    assert [bar.get_width() for bar in ax.patches] == [e.answer.distance for e in found if e.answer is not None][:10]


def test_the_picture_shows_the_set_where_no_rule_alone_brings_an_answer() -> None:
    found = blocked_twice()
    ax = found.plot()

    assert found.without is not None
    assert [bar.get_width() for bar in ax.patches] == [found.without.distance]
    assert " ".join(ax.get_yticklabels()[0].get_text().split()).startswith(" and ".join(found.give_up)[:40])


def test_the_picture_says_what_was_not_settled_in_time() -> None:
    ax = explainer("black box").obstacles(x_of("black box"), deadline=1e-6).plot()

    assert "5 rules not settled in time" in ax.get_xlabel()
    assert ax.texts[0].get_text() == "out of time"


def test_the_picture_tells_no_answer_from_no_price() -> None:
    rules = geco.parse_plaf(f"{GROUPS} FIXED sex")
    free = geco.Explainer(model(), database(), rules).obstacles(x_of("compiled")).plot()

    assert [text.get_text() for text in free.texts] == ["no rule costs anything"]
