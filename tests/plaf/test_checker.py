"""What the checker hands on when a program fits the schema, and what it warns of."""

from __future__ import annotations

import pytest
from people import PEOPLE

from geco.errors import DataError, PlafError
from geco.plaf.checker import CheckedProgram, check_program
from geco.plaf.parser import parse_plaf
from geco.plaf.syntax import Comparison, Group, Number, Program, Ref, Rule


def check(text: str) -> CheckedProgram:
    return check_program(parse_plaf(text), PEOPLE)


def warnings(text: str) -> list[str]:
    return [d.message for d in check(text).warnings]


def test_features_in_no_group_are_groups_of_their_own_in_schema_order() -> None:
    groups = [g.features for g in check("GROUP income, education").groups]

    assert groups[:4] == [("age",), ("gender",), ("income", "education"), ("job",)]
    assert len(groups) == len(PEOPLE) - 1


def test_group_of_gives_the_number_of_a_features_group() -> None:
    checked = check("GROUP income, education")

    assert (checked.group_of("education"), checked.group_of("income"), checked.group_of("job")) == (2, 2, 3)


def test_group_of_an_unknown_feature_is_an_error() -> None:
    with pytest.raises(DataError, match="did you mean 'age'"):
        check("").group_of("agee")


def test_a_onehot_is_a_group_with_a_name() -> None:
    assert Group(("color_red", "color_blue"), "color") in check("ONEHOT color: color_red, color_blue").groups


def test_order_makes_text_ordinal() -> None:
    checked = check("ORDER degree: 'none' < 'bachelor' INCREASE degree PLAF x_cf.degree <= 'bachelor'")

    assert checked.schema["degree"].order == ("none", "bachelor")
    assert checked.schema["degree"].kind == "ordinal"


def test_text_features_of_the_same_order_may_be_compared() -> None:
    assert warnings("ORDER degree: 'a' < 'b' ORDER rank: 'a' < 'b' PLAF x_cf.degree >= x.rank") == []


def test_fixed_increase_and_decrease_are_rules() -> None:
    rules = check("FIXED gender INCREASE age DECREASE income").rules
    written = check("PLAF x_cf.gender = x.gender PLAF x_cf.age >= x.age PLAF x_cf.income <= x.income").rules

    assert rules == written


def test_a_rule_is_named_as_it_was_written() -> None:
    rules = check("FIXED gender, age PLAF x_cf.income >= x.income").rules

    assert [str(Program((r,))) for r in rules] == ["FIXED gender", "FIXED age", "PLAF x_cf.income >= x.income"]


def test_allow_missing_lists_its_features() -> None:
    assert check("ALLOW MISSING age, job ALLOW MISSING income").allow_missing == {"age", "job", "income"}


def test_groups_come_after_the_groups_their_rules_read() -> None:
    checked = check("PLAF IF x_cf.job = 'clerk' THEN x_cf.income < 9 PLAF IF x_cf.income < 9 THEN x_cf.age > x.age")
    place = {checked.groups[g].features[0]: i for i, g in enumerate(checked.topological)}

    assert place["job"] < place["income"] < place["age"]


def test_without_rules_across_groups_the_order_is_that_of_the_groups() -> None:
    assert check("INCREASE age").topological == tuple(range(len(PEOPLE)))


def test_a_rule_between_two_counterfactual_features_defines_the_left_one() -> None:
    checked = check("PLAF x_cf.age <= x_cf.income")
    place = {checked.groups[g].features[0]: i for i, g in enumerate(checked.topological)}

    assert checked.rules[0].defines == "age"
    assert place["income"] < place["age"]


def test_a_circle_inside_one_group_is_not_a_cycle() -> None:
    text = "GROUP age, income PLAF x_cf.age <= x_cf.income PLAF IF x_cf.income > 3 THEN x_cf.age > 3"

    assert len(check(text).topological) == len(PEOPLE) - 1


def test_a_cycle_turned_into_a_filter_as_the_help_says_is_accepted() -> None:
    text = "PLAF IF x_cf.age > x.age THEN x_cf.income > x.income"
    with pytest.raises(PlafError) as caught:
        check(f"{text}\nPLAF IF x_cf.income > x.income THEN x_cf.age > x.age")
    instead = str(caught.value.diagnostics[0].help).partition("write: ")[2]

    assert check(f"{text}\n{instead}").warnings == ()


def test_two_separate_cycles_are_both_reported() -> None:
    with pytest.raises(PlafError) as caught:
        check(
            "PLAF x_cf.age < x_cf.income PLAF x_cf.income > x_cf.age "
            "PLAF x_cf.color_red < x_cf.color_blue PLAF x_cf.color_blue > x_cf.color_red"
        )

    assert [d.code for d in caught.value.diagnostics] == ["cycle", "cycle"]


@pytest.mark.parametrize(
    "rule",
    [
        "PLAF x_cf.member = true",
        "PLAF x_cf.member >= x.member",
        "PLAF x_cf.since >= '2024-05-31'",
        "PLAF x_cf.since BETWEEN '2024-01-01' AND x.since + 30",
        "PLAF x_cf.since - x.since <= 30",
        "PLAF x_cf.job IN ('clerk', 'nurse')",
        "PLAF IF x.job = 'clerk' THEN x_cf.job != 'nurse'",
        'PLAF x_cf."hours-per-week" <= 2 * x."hours-per-week" / 3',
        "PLAF x_cf.job = 'never seen'",
    ],
)
def test_rules_that_make_sense_get_no_warning(rule: str) -> None:
    assert warnings(rule) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("GROUP age", "a group of one feature changes nothing: age"),
        ("FIXED age ALLOW MISSING age", "'age' is FIXED, so it cannot become missing"),
        ("PLAF IF 1 = 1 THEN x_cf.age > 3", "1 = 1 is always true"),
        ("PLAF IF 2 < 1 THEN x_cf.age > 3", "2 < 1 is never true, so this rule never applies"),
        ("PLAF IF x_cf.age > 3 THEN 2 * 2 = 4", "2 * 2 = 4 is always true, so this rule says nothing"),
        ("PLAF x_cf.age >= x_cf.age", "x_cf.age >= x_cf.age is always true, so this rule says nothing"),
        ("PLAF 'a' = 'a'", "'a' = 'a' is always true, so this rule says nothing"),
        ("PLAF 1 = 2", "1 = 2 is never true, so no counterfactual is allowed"),
        ("PLAF IF x.job = 'clerk' THEN x.age > 3", "this rule says nothing about x_cf"),
    ],
)
def test_what_is_allowed_but_hardly_meant_gets_a_warning(text: str, message: str) -> None:
    assert warnings(text) == [message]


def test_a_warning_says_that_it_is_one() -> None:
    (warning,) = check_program(parse_plaf("GROUP age", "a.plaf"), PEOPLE).warnings

    assert str(warning) == (
        "a.plaf:1:1: warning: a group of one feature changes nothing: age\n"
        "  1 | GROUP age\n"
        "    | ^^^^^^^^^\n"
        "help: name two or more features, or remove it"
    )


def test_a_program_made_in_code_is_checked_too() -> None:
    program = Program((Rule((), Comparison(">", Ref("x_cf", "agee"), Number(3))),))
    with pytest.raises(PlafError) as caught:
        check_program(program, PEOPLE)

    assert str(caught.value) == "<plaf>: unknown feature 'agee'\nhelp: did you mean 'age'?"


def test_huge_constants_are_compared_without_overflow() -> None:
    huge = "9" * 300

    assert warnings(f"PLAF IF {huge} * {huge} > 1 THEN x_cf.age > 3") == [f"{huge} * {huge} > 1 is always true"]
