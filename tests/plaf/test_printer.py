"""The canonical text of a program, and that it parses back to the same program."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geco.plaf.parser import parse_plaf
from geco.plaf.printer import KEYWORDS, print_filters, print_predicate, print_program, print_rule
from geco.plaf.syntax import (
    Arithmetic,
    Between,
    Comparator,
    Comparison,
    FeatureList,
    Group,
    Member,
    Negate,
    Number,
    Order,
    Program,
    Ref,
    Rule,
    Text,
)

TEXTS = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    ["it's", "''", '"', "a # b", "; PLAF", " "]
)
NAMES = st.sampled_from(["age", "x", "x_cf", "cf", "hours-per-week", "größe", "ıf", "a.b", "1st", *KEYWORDS]) | TEXTS
NUMBERS = (st.integers() | st.floats(allow_nan=False, allow_infinity=False)).map(Number)
REFS = st.builds(Ref, st.sampled_from(["x", "x_cf"]), NAMES)
LEAVES = NUMBERS | REFS | st.builds(Text, TEXTS)


def _compound(inner: st.SearchStrategy) -> st.SearchStrategy:  # type: ignore[type-arg]
    # A minus before a number is part of the number, so there is no Negate of a Number.
    negations = inner.filter(lambda e: not isinstance(e, Number)).map(Negate)
    return negations | st.builds(Arithmetic, st.sampled_from("+-*/"), inner, inner)


EXPRESSIONS = st.recursive(LEAVES, _compound, max_leaves=8)
PREDICATES = (
    st.builds(Comparison, st.sampled_from(get_args(Comparator)), EXPRESSIONS, EXPRESSIONS)
    | st.builds(Member, EXPRESSIONS, st.lists(NUMBERS | st.builds(Text, TEXTS), min_size=1, max_size=4).map(tuple))
    | st.builds(Between, EXPRESSIONS, EXPRESSIONS, EXPRESSIONS)
)
NAME_LISTS = st.lists(NAMES, min_size=1, max_size=4).map(tuple)
STATEMENTS = (
    st.builds(Rule, st.lists(PREDICATES, max_size=3).map(tuple), PREDICATES)
    | st.builds(Group, NAME_LISTS, st.none() | NAMES)
    | st.builds(FeatureList, st.sampled_from(["FIXED", "INCREASE", "DECREASE", "ALLOW MISSING"]), NAME_LISTS)
    | st.builds(Order, NAMES, st.lists(TEXTS, min_size=2, max_size=4).map(tuple))
)
PROGRAMS = st.lists(STATEMENTS, max_size=5).map(lambda s: Program(tuple(s)))


@settings(deadline=None)
@given(PROGRAMS)
def test_every_program_parses_back_from_its_text(program: Program) -> None:
    assert parse_plaf(str(program)) == program


@settings(deadline=None)
@given(PROGRAMS)
def test_canonical_text_is_canonical(program: Program) -> None:
    text = print_program(program)

    assert print_program(parse_plaf(text)) == text


@pytest.mark.parametrize(
    "expression",
    [
        "x.a - (x.b - 1)",
        "x.a - x.b - 1",
        "(x.a + 1) * 2",
        "x.a * 2 + 1",
        "x.a / (x.b * 2)",
        "-(x.a + 1)",
        "-x.a * 2",
        "x.a - -4",
        "x.a + (1 + 2)",
    ],
)
def test_an_expression_keeps_only_the_parentheses_it_needs(expression: str) -> None:
    (rule,) = parse_plaf(f"PLAF x_cf.a = ({expression})").rules

    assert print_rule(rule) == f"PLAF x_cf.a = {expression}"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("group a,b", "GROUP a, b"),
        ("onehot c : a,b", "ONEHOT c: a, b"),
        ("fixed a,b", "FIXED a, b"),
        ("increase a", "INCREASE a"),
        ("decrease a", "DECREASE a"),
        ("allow missing a", "ALLOW MISSING a"),
        ("order a:'x'<'y'", "ORDER a: 'x' < 'y'"),
        ("plaf cf.a=='x'", "PLAF x_cf.a = 'x'"),
        ("plaf if x.a<>1&&x.b≥2 then cf.c=true", "PLAF IF x.a != 1 and x.b >= 2 THEN x_cf.c = 1"),
        ("plaf cf.a between 1 and 2", "PLAF x_cf.a BETWEEN 1 AND 2"),
        ("plaf cf.a in(1,'b')", "PLAF x_cf.a IN (1, 'b')"),
        ('group "plain", "two words", order_', 'GROUP plain, "two words", order_'),
        ("plaf x_cf.order = 1e3", 'PLAF x_cf."order" = 1000.0'),
    ],
)
def test_canonical_plaf_looks_like_this(text: str, canonical: str) -> None:
    assert str(parse_plaf(text)) == canonical


def test_a_predicate_prints_alone() -> None:
    assert print_predicate(parse_plaf("PLAF x_cf.age>=x.age+4").rules[0].consequent) == "x_cf.age >= x.age + 4"


@pytest.mark.parametrize(
    ("rule", "filters"),
    [
        ("PLAF IF x_cf.a > 1 THEN x_cf.b >= 2", "PLAF IF x_cf.a > 1 and x_cf.b < 2 THEN 1 = 2"),
        ("PLAF x_cf.b != 2", "PLAF IF x_cf.b = 2 THEN 1 = 2"),
        ("PLAF x_cf.b IN (1, 2)", "PLAF IF x_cf.b != 1 and x_cf.b != 2 THEN 1 = 2"),
        ("PLAF x_cf.b BETWEEN 1 AND 2", "PLAF IF x_cf.b < 1 THEN 1 = 2; PLAF IF x_cf.b > 2 THEN 1 = 2"),
    ],
)
def test_a_rule_turns_into_filters_by_negating_its_consequent(rule: str, filters: str) -> None:
    assert print_filters(parse_plaf(rule).rules[0]) == filters
