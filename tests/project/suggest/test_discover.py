"""Suggested rules: what tables say about themselves; nothing that is false in a row without its count."""

# ruff: noqa: E501  (texts are shown as they are)

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import geco
from conftest import dataset_path
from geco.data.database import Database
from geco.project.suggest.discover import discover
from geco.project.suggest.suggestion import Suggestion
from geco.project.suggest.written import as_plaf, with_suggestions

ROWS = 600


def statements(frame: pd.DataFrame, program: str = "") -> list[str]:
    return [s.statement for s in discover(Database.from_frame(frame), geco.parse_plaf(program))]


def numbers(seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({name: rng.integers(0, 1000, ROWS) for name in ("first", "second", "third")})


def test_a_maximum_is_an_inequality_and_independent_columns_are_not() -> None:
    frame = numbers().assign(peak=lambda f: f[["first", "second"]].max(axis=1))

    assert statements(frame) == ["PLAF x_cf.first <= x_cf.peak", "PLAF x_cf.second <= x_cf.peak"]


def test_what_follows_from_two_inequalities_is_not_said() -> None:
    frame = numbers()[["first"]].assign(more=lambda f: f["first"] + 5, most=lambda f: f["more"] + f["first"])

    assert "PLAF x_cf.first <= x_cf.most" not in statements(frame)


def test_ranges_that_do_not_touch_are_an_accident() -> None:
    assert statements(numbers()[["first"]].assign(point=lambda f: 2000 + f["first"] % 20)) == []


def test_a_sum_is_found_and_checked_on_all_rows() -> None:
    frame = numbers().assign(total=lambda f: f["first"] + f["second"])
    spoilt = frame.assign(total=lambda f: f["total"].where(f.index != ROWS - 1, -1))

    assert "PLAF x_cf.total = x_cf.first + x_cf.second" in statements(frame)
    assert not any(" + " in statement for statement in statements(spoilt))


def test_columns_that_tell_each_other_are_a_group_and_give_the_text_its_order() -> None:
    frame = numbers().assign(number=lambda f: f["first"] % 4, school=lambda f: f["number"].map(dict(enumerate("dcba"))))

    assert "GROUP number, school" in statements(frame)
    assert "ORDER school: 'd' < 'c' < 'b' < 'a'" in statements(frame)


def test_exceptions_of_a_group_are_counted() -> None:
    frame = numbers().assign(
        city=lambda f: f["first"] % 6, area=lambda f: (f["first"] % 6).map(dict(enumerate("uvwxyz")))
    )
    frame.loc[3, "area"] = "u" if frame.loc[3, "area"] != "u" else "v"
    [group] = [s for s in discover(Database.from_frame(frame)) if s.kind == "group"]

    assert group.statement == "GROUP city, area"
    assert "599 of 600 rows" in group.evidence


@pytest.mark.parametrize("dtype", [int, bool, float])
def test_onehot_sets_are_found_by_their_names(dtype: type) -> None:
    rng = np.random.default_rng(1)
    text = pd.DataFrame(
        {"marital_status": rng.choice(["single", "twice", "wed"], ROWS), "job": rng.choice(["a", "b"], ROWS)}
    )
    found = statements(pd.get_dummies(text, dtype=dtype))

    assert "ONEHOT marital_status: marital_status_single, marital_status_twice, marital_status_wed" in found
    assert "ONEHOT job: job_a, job_b" in found
    assert "FIXED marital_status_single, marital_status_twice, marital_status_wed" in found


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("sex", "FIXED sex"),
        ("isMale", "FIXED isMale"),
        ("native country", 'FIXED "native country"'),
        ("age", "INCREASE age"),
        ("AgeGroup", "INCREASE AgeGroup"),
        ("priors_count", "INCREASE priors_count"),
        ("wage", None),
        ("year", "FIXED year"),
        ("shop_country", None),
        ("late_count_last6months", None),
        ("residence_since", "INCREASE residence_since"),
        ("since_when", None),
    ],
)
def test_names_say_what_is_protected_and_what_only_grows(name: str, statement: str | None) -> None:
    frame = pd.DataFrame({name: np.random.default_rng(0).integers(0, 5, ROWS)})

    assert statements(frame) == ([] if statement is None else [statement])


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["4 to 7 years", "< 1 year", "unemployed", ">= 7 years", "1 to 4 years"], ["unemployed", "< 1 year", "1 to 4 years", "4 to 7 years", ">= 7 years"]),
        (["High", "Low", "Medium"], ["Low", "Medium", "High"]),
        (["18-25", "26-40", "41+"], ["18-25", "26-40", "41+"]),
        (["A11", "A12", "A13"], None),
        (["red", "green", "blue"], None),
        (["1 to 2", "unknown", "3 to 4"], None),
        (["1. White", "2. Black", "3. Other"], None),
    ],
)  # fmt: skip
def test_text_with_an_order_is_seen(texts: list[str], order: list[str] | None) -> None:
    frame = pd.DataFrame({"since": np.random.default_rng(0).choice(texts, ROWS)})
    expected = [] if order is None else ["ORDER since: " + " < ".join(f"'{text}'" for text in order)]

    assert [s for s in statements(frame) if s.startswith("ORDER")] == expected


def test_keys_are_to_be_left_out_and_codes_not_to_be_reached() -> None:
    frame = (
        numbers().assign(id=range(100, 100 + ROWS), late=lambda f: f["first"] % 14).drop(columns=["second", "third"])
    )
    frame.loc[:3, "late"] = 98
    found = discover(Database.from_frame(frame))

    assert ("exclude", "id") in [(s.kind, s.statement) for s in found]
    assert "PLAF IF x.late <= 13 THEN x_cf.late <= 13" in [s.statement for s in found]


def test_a_year_since_when_is_no_time_that_grows() -> None:
    assert statements(pd.DataFrame({"member_since": np.random.default_rng(0).integers(1990, 2020, ROWS)})) == []


def test_nobody_is_sent_where_nothing_is_known() -> None:
    texts = ["rent", "unknown / no property", "car, known"]
    frame = pd.DataFrame({"property": np.random.default_rng(0).choice(texts, ROWS)})

    told = "'unknown / no property'"
    assert statements(frame) == [f"PLAF IF x.property != {told} THEN x_cf.property != {told}"]


def test_what_the_rules_say_or_turn_down_is_not_suggested_again() -> None:
    values = np.random.default_rng(0).integers(0, 5, (ROWS, 3))
    frame = pd.DataFrame(values, columns=["sex", "age", "race"])

    assert statements(frame, "FIXED race, sex\n# INCREASE age  # unreviewed") == []


def test_suggestions_written_into_a_program_are_complete_and_written_once() -> None:
    frame = numbers().assign(
        sex=lambda f: f["first"] % 2, id=range(ROWS), peak=lambda f: f[["first", "second"]].max(axis=1)
    )
    database = Database.from_frame(frame)
    source = with_suggestions("# mine\nFIXED third", discover(database))
    again = discover(database, geco.parse_plaf(source))

    assert source.startswith("# mine\nFIXED third\n\n")
    assert source.count("# unreviewed") == 3
    assert again == []


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_every_suggested_rule_holds_in_every_row_it_counts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 40, (200, 4)).astype(float)
    frame = pd.DataFrame(base, columns=list("abcd")).assign(e=base[:, :2].max(axis=1), f=base[:, 2] + base[:, 3])
    frame = frame.mask(rng.random(frame.shape) < 0.02)
    found = [s for s in discover(Database.from_frame(frame)) if s.kind in ("inequality", "sum")]
    for suggestion in found:
        left, sign, right = re.fullmatch(r"PLAF (.*) (<=|=) (.*)", suggestion.statement).groups()  # type: ignore[union-attr]
        values = [frame.eval(side.replace("x_cf.", "")) for side in (left, right)]
        known = values[0].notna() & values[1].notna()
        holds = (values[0] <= values[1]) if sign == "<=" else np.isclose(values[0], values[1])

        assert holds[known].all()
        assert f"holds in {known.sum():,} of {known.sum():,} rows" in suggestion.evidence


def test_the_known_dependencies_of_adult_and_credit_are_found() -> None:
    adult = Database.from_file(dataset_path("adult.csv.gz"), exclude=["income"])
    credit = Database.from_file(dataset_path("credit.csv"), exclude=["NoDefaultNextMonth"])
    by_statement = {s.statement: s.evidence for s in [*discover(adult), *discover(credit)]}
    bill = by_statement["PLAF x_cf.MostRecentBillAmount <= x_cf.MaxBillAmountOverLast6Months"]
    payment = by_statement["PLAF x_cf.MostRecentPaymentAmount <= x_cf.MaxPaymentAmountOverLast6Months"]

    assert "GROUP education, education_num" in by_statement
    assert bill.startswith("holds in 29,623 of 29,623 rows") and payment.startswith("holds in 29,623 of 29,623 rows")


def test_a_suggestion_is_printed_with_its_evidence_above_it() -> None:
    suggestions = [
        Suggestion("sum", "PLAF x_cf.a = x_cf.b", "why", 0.9, ("a", "b")),
        Suggestion("exclude", "id", "key", 1.0, ("id",)),
    ]

    assert as_plaf(suggestions) == (
        "# why\nPLAF x_cf.a = x_cf.b  # unreviewed\n# leave out 'id': key; add it to exclude in [data] of geco.toml\n"
    )
