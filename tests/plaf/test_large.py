"""Large programs: their check takes time and memory in proportion to their size, and their errors fit on a page."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from people import PEOPLE

from geco.data.schema import Feature, Schema
from geco.errors import PlafError
from geco.plaf.checker import check_program
from geco.plaf.dependencies import find_cycles, topological_order
from geco.plaf.diagnostics import Diagnostic
from geco.plaf.parser import parse_plaf
from geco.plaf.syntax import Comparison, Group, Number, Order, Program, Ref, Rule, Span

Large = Callable[[int], tuple[Program, Schema]]


def error(text: str) -> PlafError:
    with pytest.raises(PlafError) as caught:
        check_program(parse_plaf(text), PEOPLE)
    return caught.value


def test_groups_that_overlap_are_named_once_each_and_not_in_pairs():
    found = error("GROUP age, income " * 200)

    assert len(found.diagnostics) == 199
    assert str(found).endswith("\n… and 149 more errors")
    assert len(str(found)) < 50_000


def test_a_word_of_a_hundred_thousand_letters_is_not_repeated_in_full():
    with pytest.raises(PlafError, match="PLAF has no statement 'xxx") as caught:
        parse_plaf("x" * 100_000)

    assert len(str(caught.value)) < 3_000


def test_a_group_names_every_other_that_it_overlaps():
    found = error("GROUP age, income GROUP job, education GROUP job, age")

    assert [d.message.split(":")[0] for d in found.diagnostics] == ["'job' is in two groups", "'age' is in two groups"]


@pytest.mark.parametrize("between", [" ", "\n"], ids=["on one line", "line by line"])
def test_thousands_of_unknown_names_give_a_page_of_messages(between):
    found = error(between.join(f"PLAF x_cf.agee{i} > 1" for i in range(1000)))

    assert len(found.diagnostics) == 1000
    assert "… and 950 more errors" in str(found)
    assert len(str(found)) < 50_000


@pytest.mark.parametrize("between", [" ; ", "\n"], ids=["on one line", "line by line"])
def test_thousands_of_syntax_errors_give_a_page_of_messages(between):
    found = error(between.join(["PLAF x_cf.age >"] * 500))

    assert len(found.diagnostics) == 500
    assert len(str(found)) < 50_000


def test_lists_in_messages_are_cut():
    names = [f"a{i}" for i in range(2000)]
    one_big = f"GROUP {', '.join(names)} "
    found = error(one_big + " ".join(f"GROUP a{i}, b{i}" for i in range(300)))

    assert max(len(d.message) + len(d.help or "") for d in found.diagnostics) < 1000


def test_a_long_circle_is_cut():
    circle = Program(tuple(implication(i, (i + 1) % 2000) for i in range(2000)))

    with pytest.raises(PlafError, match="… and 1,950 more rules"):
        check_program(circle, numbers(2000))


@given(st.integers(0, 2000), st.integers(1, 300), st.integers(0, 2000))
def test_the_caret_stands_under_the_word_also_in_a_part_of_a_long_line(before, width, after):
    line = "-" * before + "w" * width + "." * after
    shown = str(Diagnostic("code", "message", Span("f", 1, before + 1, 1, before + 1 + width), line))
    _, source, caret = shown.split("\n")
    under = [c for c, mark in zip(source, caret, strict=False) if mark == "^"]

    assert under == ["w"] * len(under)
    assert len(under) == width or (len(under) > 100 and len(line) > 240)
    assert len(source) < 260


def implication(a: int, b: int) -> Rule:
    condition, consequent = (Comparison(">", Ref("x_cf", f"f{i}"), Number(1)) for i in (a, b))
    return Rule((condition,), consequent)


def numbers(n: int) -> Schema:
    return Schema(tuple(Feature(f"f{i}", "integer", "continuous") for i in range(n)))


def rules(n: int) -> tuple[Program, Schema]:
    text = "PLAF IF x_cf.f0 > x.f0 + 1 THEN x_cf.f1 >= x.f1 - 2\n"
    return Program(parse_plaf(text).statements * n, text * n), numbers(2)


def features(n: int) -> tuple[Program, Schema]:
    [rule] = parse_plaf(f"PLAF x_cf.f{n - 1} > 1").statements
    return Program((rule,) * n), numbers(n)


def groups(n: int) -> tuple[Program, Schema]:
    return Program(tuple(Group((f"f{2 * i}", f"f{2 * i + 1}")) for i in range(n))), numbers(2 * n)


def orders(n: int) -> tuple[Program, Schema]:
    schema = Schema(tuple(Feature(f"f{i}", "text", "categorical") for i in range(n)))
    return Program(tuple(Order(f.name, ("low", "high")) for f in schema)), schema


def values(n: int) -> tuple[Program, Schema]:
    schema = Schema((Feature("f", "text", "categorical"),))
    [rule] = parse_plaf(f"PLAF x_cf.f IN ('{n - 1}')").statements
    return Program((Order("f", tuple(map(str, range(n)))), *(rule,) * n)), schema


def chain(n: int) -> tuple[Program, Schema]:
    """And in front of it a circle."""
    return Program((implication(1, 0), *(implication(i, i + 1) for i in range(n)))), numbers(n + 1)


@pytest.mark.parametrize(
    ("large", "n"), [(rules, 400), (features, 800), (groups, 400), (orders, 400), (values, 1000), (chain, 200)]
)
def test_the_check_takes_time_in_proportion_to_the_program(large: Large, n: int):
    def seconds(size: int) -> float:
        program, schema = large(size)
        started = process_time()
        try:
            check_program(program, schema)
        except PlafError as found:
            assert large is chain and len(found.diagnostics) == 1
        return process_time() - started

    small, great = (min(seconds(size) for _ in range(3)) for size in (n, 8 * n))

    assert great < 24 * small  # 8 times where it grows with n, 64 times with its square


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda ab: ab[0] != ab[1]), max_size=25))
def test_the_cycles_found_share_no_group_and_without_them_there_is_none(pairs):
    edges = {a: {b: implication(a, b) for a_, b in sorted(pairs) if a_ == a} for a in range(10)}
    cycles = find_cycles(edges)
    on_cycles = [group for cycle in cycles for group in cycle]
    rest = {a: {b: r for b, r in to.items() if b not in on_cycles} for a, to in edges.items() if a not in on_cycles}

    assert len(on_cycles) == len(set(on_cycles))
    assert all(b in edges[a] for cycle in cycles for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    assert len(topological_order(rest)) == len(rest)
