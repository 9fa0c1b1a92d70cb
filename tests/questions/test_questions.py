"""What people ask next: what_if, smallest, obstacles, tradeoffs, reasons, nearest_row and summary."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from geco.errors import DataError, GecoError, InstanceError, SettingsError
from generators.credit import X, explainer, good, people, x_of
from oracles.schema import against_schema

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "questions.schema.json").read_text(encoding="utf-8"))
KINDS = ("black box", "compiled")


def answers(kind: str) -> dict[str, Any]:
    """Every question, asked once."""
    asked, x = explainer(kind), x_of(kind)
    return {
        "what_if": asked.what_if(x, income=2500, home="own"),
        "smallest": asked.smallest(x, "income"),
        "obstacles": asked.obstacles(x),
        "tradeoffs": asked.tradeoffs(x, k=2),
        "reasons": asked.reasons(x),
        "nearest_row": asked.nearest_row(x),
        "summary": asked.summary([asked.explain(x)] * 3, by="sex", obstacles=1),
    }


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_text_html_and_data_of_its_schema(kind: str) -> None:
    for name, answer in answers(kind).items():
        assert str(answer).strip()
        assert answer._repr_html_().startswith("<div>")
        assert against_schema(SCHEMA, json.loads(answer.to_json()), name) == []


def test_every_question_is_asked_of_a_file_without_its_model(tmp_path: Path) -> None:
    explainer("compiled").save(tmp_path / "saved", rows=True)
    alone, x = geco.Explainer.load(tmp_path / "saved"), x_of("compiled")

    assert alone.what_if(x, income=2500).good == explainer("compiled").what_if(x, income=2500).good
    assert alone.smallest(x, "income").counterfactuals[0].values == (
        explainer("compiled").smallest(x, "income").counterfactuals[0].values
    )
    assert [r.feature for r in alone.reasons(x)] == [r.feature for r in explainer("compiled").reasons(x)]
    assert alone.nearest_row(x).values == explainer("compiled").nearest_row(x).values
    assert [o.rule for o in alone.obstacles(x)] == [o.rule for o in explainer("compiled").obstacles(x)]


def test_answers_of_questions_fold_to_the_width_of_a_terminal_and_keep_their_words() -> None:
    for answer in answers("compiled").values():
        if not isinstance(answer, geco.Explanation):
            narrow = answer.text(50)

            assert max(map(len, narrow.splitlines())) <= 50
            assert sorted(narrow.replace("\n", " ").split()) == sorted(str(answer).replace("\n", " ").split())


def test_questions_write_numbers_as_explanations_do() -> None:
    asked = geco.Explainer(good, geco.Database.from_frame(people()), labels={"income": geco.Label("pay", unit="€")})

    assert str(asked.what_if(X, income=2500.0)).startswith("what if pay 1,900 € ▶ 2,500 €?")
    assert "pay  " in str(asked.reasons(X, n=20))


# what_if
@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_value_can_be_asked_about(kind: str) -> None:
    said = explainer(kind).what_if(x_of(kind), income=None)

    assert said.repaired is None and not said.allowed


def test_what_if_says_what_the_model_says() -> None:
    answer = explainer().what_if(X, income=4000, hours=45)

    assert answer.outcome == pytest.approx(good(pd.DataFrame([{**X, "income": 4000, "hours": 45}]))[0])
    assert answer.good
    assert answer.allowed


def test_what_if_names_the_rules_that_break_and_what_they_drag_along() -> None:
    answer = explainer().what_if(X, income=4000)

    assert answer.broken == ("PLAF IF x_cf.income > x.income THEN x_cf.hours >= x.hours + 2",)
    assert [(a.feature, a.after) for a in answer.dragged] == [("hours", 26)]
    assert answer.repaired == {**X, "income": 4000, "hours": 26}
    assert explainer().check(X, answer.repaired) == []


def test_what_if_takes_values_that_d_does_not_have_and_says_so() -> None:
    answer = explainer().what_if(X, hours=1000)

    assert answer.outside == ("D has no hours of 1,000; near it is 49",)
    assert answer.distance > 0


def test_what_if_takes_the_category_of_a_onehot_set() -> None:
    answer = explainer().what_if(X, home="own")

    assert (answer.values["home_rent"], answer.values["home_own"]) == (0, 1)
    assert [(a.feature, a.before, a.after) for a in answer.changes] == [("home", "rent", "own")]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"incom": 3}, "D has no feature 'incom' (did you mean 'income'?)"),
        ({"income": "much"}, "income"),
        ({"home": "castle"}, "the ONEHOT 'home' has no category 'castle'"),
        ({}, "what_if needs something that changes"),
        (3, "changes must be a dict by feature"),
    ],
)
def test_what_if_names_what_it_cannot_use(changes: Any, said: str) -> None:
    with pytest.raises(InstanceError) as error:
        explainer().what_if(X, changes)

    assert said in str(error.value)


# smallest


@pytest.mark.parametrize("kind", KINDS)
def test_smallest_changes_one_group_and_what_rules_drag_along(kind: str) -> None:
    answer = explainer(kind).smallest(x_of(kind), "income")
    changed = {a.feature: a for a in answer.counterfactuals[0].changes}

    assert set(changed) == {"income", "hours"}
    assert changed["hours"].after == X["hours"] + 2


def test_the_curve_of_smallest_is_what_the_model_says() -> None:
    curve = explainer().smallest(X, "hours").curve
    rows = pd.DataFrame([{**X, "hours": value} for value in curve.values])

    assert np.allclose(good(rows), curve.outcomes)
    assert curve.allowed == tuple(value >= X["hours"] for value in curve.values)


# obstacles


def test_a_rule_that_costs_nothing_is_named_as_such() -> None:
    found = {each.rule: each.price for each in explainer("compiled").obstacles(x_of("compiled"))}

    assert found["FIXED sex"] == 0
    assert max(found.values()) > 0


def test_where_there_is_no_answer_a_smallest_set_of_rules_is_named() -> None:
    fixed = ["income", "hours", "amount", "months", "home"]
    found = explainer("compiled").obstacles(x_of("compiled"), fixed=fixed)

    assert found.status == "blocked"
    assert len(found.give_up) == 2  # either income and the rule about hours, or income and hours
    assert found.proven
    assert found.without is not None


def test_no_rule_is_to_blame_where_the_model_never_says_yes() -> None:
    never = geco.Explainer(lambda frame: frame.hours * 0.0 + 0.1, geco.Database.from_frame(people()))
    never_with_rules = geco.Explainer(
        lambda frame: frame.hours * 0.0 + 0.1, geco.Database.from_frame(people()), geco.parse_plaf("FIXED sex")
    )

    assert never.obstacles(X).status == "no rule is to blame"
    assert never_with_rules.obstacles(X).status == "no rule is to blame"


def test_an_x_that_is_good_already_has_no_obstacles() -> None:
    rich = {**X, "income": 4900, "hours": 49, "amount": 2400, "months": 12}

    assert explainer().obstacles(rich).status == "good already"


# tradeoffs


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_on_the_front_is_worse_than_another_in_all(kind: str) -> None:
    points = explainer(kind).tradeoffs(x_of(kind), k=3).points

    assert len(points) > 2
    assert not any(a.dominates(b) for a in points for b in points)
    for point in points:
        assert explainer(kind).check(x_of(kind), point.counterfactual.values) == []


# reasons


def test_reasons_are_what_is_missing_to_the_typical_value_of_the_good() -> None:
    frame = people()
    accepted = frame[good(frame) > 0.5]
    found = {reason.feature: reason for reason in explainer().reasons(X, n=10)}
    typical = float(np.sort(accepted.income)[(len(accepted) - 1) // 2])
    alone = pd.DataFrame([{**X, "income": typical}, X])

    assert found["income"].against == typical
    assert found["income"].effect == pytest.approx(float(good(alone)[0] - good(alone)[1]))
    assert all(reason.effect > 0 for reason in found.values())


def test_the_best_value_is_never_worse_than_the_typical() -> None:
    typical = {r.feature: r.effect for r in explainer("compiled").reasons(x_of("compiled"), n=20)}
    best = {r.feature: r.effect for r in explainer("compiled").reasons(x_of("compiled"), n=20, against="best")}

    assert all(best[feature] >= effect - 1e-9 for feature, effect in typical.items())


def test_reasons_have_the_codes_of_the_table_and_never_what_may_not_be_named() -> None:
    first = explainer().reasons(X).reasons[0].feature
    coded = explainer().reasons(X, codes={first: ("07", "Not enough")})
    without = explainer().reasons(X, n=20, never=[first])

    assert (coded.reasons[0].code, coded.reasons[0].text) == ("07", "Not enough")
    assert "07 Not enough" in str(coded)
    assert first not in [reason.feature for reason in without]


def test_codes_of_the_explainer_travel_in_its_file(tmp_path: Path) -> None:
    asked = geco.Explainer(
        good, geco.Database.from_frame(people()), codes={"income": ("07", "Too low"), "months": {"never": True}}
    )
    usual = explainer().reasons(X, n=20)
    asked.save(tmp_path / "saved")
    codes = {r.feature: (r.code, r.text) for r in geco.Explainer.load(tmp_path / "saved", good).reasons(X, n=20)}

    assert codes["income"] == ("07", "Too low")
    assert "months" in [reason.feature for reason in usual] and "months" not in codes


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"never": ["incom"]}, "never: D has no feature 'incom' (did you mean 'income'?)"),
        ({"against": "worst"}, "against must be 'typical' or 'best'"),
        ({"n": 0}, "n must be a whole number of at least 1"),
        ({"codes": {"incom": "x"}}, "codes: D has no feature 'incom'"),
        ({"codes": {"income": 3}}, "codes['income'] must be a pair"),
        ({"codes": {"income": {"never": 1}}}, "codes['income'] must be a pair"),
    ],
)
def test_reasons_name_what_they_cannot_use(words: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError) as error:
        explainer().reasons(X, **words)

    assert said in str(error.value)


# nearest_row


def test_the_nearest_row_is_the_nearest_good_row_that_obeys_the_rules() -> None:
    asked, frame = explainer(), people()
    rows = [{k: v.item() if hasattr(v, "item") else v for k, v in row.items()} for row in frame.to_dict("records")]
    accepted = [row for row, number in zip(rows, good(frame), strict=True) if number > 0.5]
    allowed = [row for row in accepted if asked.check(X, row) == []]
    answer = asked.nearest_row({**X})

    assert (answer.values is None) == (not allowed)
    loose = geco.Explainer(good, geco.Database.from_frame(frame))
    nearest = min(loose.deployment.distance.between(loose.domain, X, row) for row in accepted)
    assert loose.nearest_row(X).distance == pytest.approx(nearest)


def test_a_file_has_rows_of_d_only_if_it_was_saved_with_them(tmp_path: Path) -> None:
    explainer("compiled").save(tmp_path / "saved")

    with pytest.raises(DataError, match=r"save it with explainer\.save\(path, rows=True\)"):
        geco.Explainer.load(tmp_path / "saved").nearest_row(x_of("compiled"))


# summary


def test_summary_counts_who_is_helped_and_compares_groups() -> None:
    asked, frame = explainer("compiled"), people()
    refused = frame[good(frame) <= 0.5].head(40)
    explanations = asked.explain_many(refused.assign(sex=(refused.sex == "f").astype(int)), k=1)
    found = asked.summary(explanations, by=refused.sex.tolist(), obstacles=3)
    again = asked.summary(explanations, by=refused.sex.tolist(), obstacles=3)

    assert found == again
    assert found.everyone.helped == sum(e.status == "found" for e in explanations) / 40
    assert {g.name: g.people for g in found.groups} == refused.sex.value_counts().to_dict()
    assert found.asked == 3
    for difference in found.differences:
        assert difference.low <= difference.value <= difference.high


def test_summary_makes_quarters_of_a_feature_with_many_values() -> None:
    explanations = [explainer().explain({**X, "age": age}, k=1) for age in range(20, 40)]
    found = explainer().summary(explanations, by="age", obstacles=0)

    assert sum(group.people for group in found.groups) == 20
    assert len(found.groups) == 4


@pytest.mark.parametrize(
    ("given", "by", "said"),
    [([], None, "explanations is empty"), (None, "sx", "by: D has no feature 'sx'"), (None, ["a", "b"], "by has 2")],
)
def test_summary_names_what_it_cannot_use(given: Any, by: Any, said: str) -> None:
    with pytest.raises(GecoError) as error:
        explainer().summary([explainer().explain(X, k=1)] if given is None else given, by=by)

    assert said in str(error.value)


def test_what_a_change_drags_along_is_found_among_many_other_features() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.integers(0, 1000, 3000) for name in ("most", "top", "high", "a", "b", "c")})
    for name, above in {"recent": "most", "middle": "top", "low": "high"}.items():
        frame[name] = np.minimum(frame[above], rng.integers(0, 1000, 3000))
    rules = geco.parse_plaf(
        "PLAF x_cf.middle <= x_cf.top PLAF x_cf.low <= x_cf.high PLAF x_cf.recent <= x_cf.most INCREASE a, b"
    )
    explainer = geco.Explainer(lambda f: (f["recent"] > 900) * 1.0, geco.Database.from_frame(frame), rules)
    x = {**frame.iloc[0].to_dict(), "most": int(frame["most"].min()), "recent": int(frame["recent"].min())}
    asked = int(frame["recent"].median())

    answer = explainer.what_if(x, recent=asked)

    assert [action.feature for action in answer.dragged] == ["most"]
    assert answer.dragged[0].after == frame["most"][frame["most"] >= asked].min()
