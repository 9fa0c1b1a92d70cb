"""The PLAF of the paper, by its number, and the programs that come with the data sets."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from conftest import DATA, dataset_path
from geco.data.schema import Feature, Schema
from geco.errors import PlafError
from geco.plaf.checker import check_program
from geco.plaf.parser import parse_plaf, read_plaf
from geco.plaf.printer import print_rule
from geco.plaf.syntax import Arithmetic, Comparison, Group, Number, Ref, Rule

EXAMPLE = """
GROUP education, income
PLAF x_cf.gender = x.gender
PLAF x_cf.age >= x.age
PLAF IF x_cf.education > x.education
        THEN x_cf.age > x.age+4
"""

ADULT = """
PLAF x_cf.Age >= x.Age
PLAF x_cf.Education >= x.Education
PLAF x_cf.MaritalStatus = x.MaritalStatus
PLAF x_cf.Relationship = x.Relationship
PLAF x_cf.Gender = x.Gender
PLAF x_cf.NativeCountry = x.NativeCountry
PLAF IF x_cf.Education > x.Education
     THEN x_cf.Age >= x.Age+4
"""

CREDIT = """
PLAF x_cf.isMale = x.isMale
PLAF x_cf.isMarried = x.isMarried
PLAF x_cf.AgeGroup >= x.AgeGroup
PLAF x_cf.EducationLevel >= x.EducationLevel
PLAF x_cf.HasHistoryOfOverduePayments >=
     x.HasHistoryOfOverduePayments
PLAF x_cf.TotalOverdueCounts >= x.TotalOverdueCounts
PLAF x_cf.TotalMonthsOverdue >= x.TotalMonthsOverdue
PLAF IF x_cf.EducationLevel > x.EducationLevel+1
     && x.AgeGroup < 2 THEN x_cf.AgeGroup == 2
PLAF IF x_cf.MonthsWithLowSpendingLast6Months >
     x.MonthsWithLowSpendingLast6Months
     THEN x_cf.MonthsWithHighSpendingLast6Months <
     x.MonthsWithHighSpendingLast6Months
"""


def integers(*names: str) -> Schema:
    return Schema(tuple(Feature(n, "integer", "ordinal") for n in names))


def test_example_plaf_0_groups_education_and_income() -> None:
    assert parse_plaf(EXAMPLE).groups == (Group(("education", "income")),)


def test_example_plaf_1_fixes_gender() -> None:
    assert parse_plaf(EXAMPLE).rules[0] == Rule((), Comparison("=", Ref("x_cf", "gender"), Ref("x", "gender")))


def test_example_plaf_2_lets_age_only_grow() -> None:
    assert parse_plaf(EXAMPLE).rules[1] == Rule((), Comparison(">=", Ref("x_cf", "age"), Ref("x", "age")))


def test_example_plaf_3_asks_for_four_more_years_with_a_higher_degree() -> None:
    condition = Comparison(">", Ref("x_cf", "education"), Ref("x", "education"))
    later = Arithmetic("+", Ref("x", "age"), Number(4))

    assert parse_plaf(EXAMPLE).rules[2] == Rule((condition,), Comparison(">", Ref("x_cf", "age"), later))


def test_the_rules_of_the_example_define_gender_age_and_age() -> None:
    assert [r.defines for r in parse_plaf(EXAMPLE).rules] == ["gender", "age", "age"]


def test_the_example_has_one_edge_from_education_and_income_to_age() -> None:
    checked = check_program(parse_plaf(EXAMPLE), integers("gender", "age", "education", "income"))

    assert [g.features for g in checked.groups] == [("gender",), ("age",), ("education", "income")]
    assert checked.topological == (0, 2, 1)


def test_the_adult_program_of_the_appendix_is_read_as_printed() -> None:
    names = ["Age", "Education", "MaritalStatus", "Relationship", "Gender", "NativeCountry"]
    checked = check_program(parse_plaf(ADULT), integers(*names))

    assert [r.defines for r in checked.rules] == [*names, "Age"]
    assert print_rule(checked.rules[-1]) == "PLAF IF x_cf.Education > x.Education THEN x_cf.Age >= x.Age + 4"
    assert checked.topological == (1, 0, 2, 3, 4, 5)


def test_the_credit_program_of_the_appendix_is_read_as_printed() -> None:
    rules = parse_plaf(CREDIT).rules

    assert len(rules) == 9
    assert print_rule(rules[4]) == "PLAF x_cf.HasHistoryOfOverduePayments >= x.HasHistoryOfOverduePayments"
    assert print_rule(rules[7]) == (
        "PLAF IF x_cf.EducationLevel > x.EducationLevel + 1 and x.AgeGroup < 2 THEN x_cf.AgeGroup = 2"
    )
    assert rules[8].defines == "MonthsWithHighSpendingLast6Months"


def test_a_clause_of_a_cnf_formula_is_a_filter_without_edges() -> None:
    text = "PLAF IF x_cf.a > 1 and x_cf.b <= 2 THEN 1 = 2  PLAF IF x_cf.b > 1 and x_cf.a <= 2 THEN 1 = 2"
    checked = check_program(parse_plaf(text), integers("a", "b"))

    assert [r.defines for r in checked.rules] == [None, None]
    assert checked.topological == (0, 1)
    assert checked.warnings == ()


def test_one_hot_columns_form_one_group() -> None:
    columns = ("color_red", "color_green", "color_blue")
    checked = check_program(parse_plaf("GROUP color_red, color_green, color_blue"), integers("age", *columns))

    assert [g.features for g in checked.groups] == [("age",), columns]


def test_a_feature_in_two_groups_asks_for_their_union() -> None:
    with pytest.raises(PlafError, match="write one: GROUP a, b, c"):
        check_program(parse_plaf("GROUP a, b GROUP b, c"), integers("a", "b", "c"))


def described_schema(name: str) -> Schema:
    """The schema of a shared data set, from its description and its first rows."""
    entry = json.loads(dataset_path("datasets.json").read_text(encoding="utf-8"))[name]
    head = pd.read_csv(dataset_path(entry["file"]), nrows=100)
    return Schema(tuple(_feature(c, head) for c in entry["columns"] if c["name"] != entry["label"]))


def _feature(column: dict[str, str], head: pd.DataFrame) -> Feature:
    number = pd.api.types.is_numeric_dtype(head[column["name"]])
    return Feature(column["name"], "number" if number else "text", "continuous" if number else "categorical")


def data_programs() -> list[str]:
    return [p.stem for p in sorted(DATA.glob("*.plaf"))] or ["credit"]


@pytest.mark.parametrize("name", data_programs())
def test_the_programs_beside_the_data_sets_fit_them(name: str) -> None:
    path: Path = dataset_path(f"{name}.plaf")
    checked = check_program(read_plaf(path), described_schema(name))

    assert checked.warnings == ()
    assert sorted(checked.topological) == list(range(len(checked.groups)))


@pytest.mark.parametrize("name", data_programs())
def test_the_programs_beside_the_data_sets_survive_printing(name: str) -> None:
    program = read_plaf(dataset_path(f"{name}.plaf"))

    assert parse_plaf(str(program)) == program
