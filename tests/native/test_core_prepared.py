"""Prepared: what the confirmation asks, and what is told of what was said, against the same in Python."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import geco
from geco import _core
from geco.answers.ranges import around
from geco.data.instance import read_instance
from geco.search.base import Archive
from geco.space.feasible import FeasibleSpace, feasible_space
from geco.space.ground import ground

PROGRAM = """
PLAF x_cf.age >= x.age
PLAF IF x_cf.income > x.income THEN x_cf.age >= x.age + 2
"""
STEPS = 2
NAMED = 3


class Case(NamedTuple):
    space: FeasibleSpace
    archive: Archive
    found: Any
    near: _core.Around
    prepared: _core.Prepared


@pytest.fixture(scope="module")
def space() -> FeasibleSpace:
    rng = np.random.default_rng(3)
    n = 300
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 70, n),
            "income": rng.integers(1000, 9999, n),
            "town": rng.choice(["a", "b", "c", "d"], n),
            "debt": rng.integers(0, 40, n),
        }
    )
    model = DecisionTreeClassifier(max_depth=4, random_state=0).fit(frame[["income"]], frame["income"] > 5000)
    explainer = geco.Explainer(
        lambda table: model.predict(table[["income"]]), geco.Database.from_frame(frame), geco.parse_plaf(PROGRAM)
    )
    x = read_instance(frame.iloc[5].to_dict(), explainer.domain)
    return feasible_space(explainer.deployment, ground(x, explainer.deployment.rules), x)


def case(space: FeasibleSpace, data: st.DataObject) -> Case:
    """Some answers, rounded and looked around by a made-up model."""
    choices = [[0, *space.core.choices(group)[:40].tolist()] for group in range(space.core.width)]
    drawn = data.draw(st.lists(st.tuples(*map(st.sampled_from, choices)), min_size=1, max_size=4, unique=True))
    found = np.array([rows for rows in drawn if any(rows)] or [[0, choices[1][1], 0, 0]], np.int32)
    near = around(space, found, data.draw(st.booleans()), data.draw(st.booleans()))
    while len((lines := near.ask())[3]):
        near.tell(np.array([0.9 if row * 7919 % 11 else 0.1 for row in lines[3].tolist()]))
    archive = Archive(space)
    return Case(space, archive, found, near, _core.Prepared(archive.core, near, True, STEPS))


def ends(run: Any, chosen: int) -> list[int]:
    low, high, others = run[3], run[4], run[7]
    rows = (low, high) if low != high else dict.fromkeys((low, *others[:NAMED]))
    return [row for row in rows if row != chosen]


def rows_asked(of: Case) -> tuple[list[list[int]], list[list[int]], list[int], list[list[int]]]:
    """The answers, what they were, where each range begins in all of it, and the candidates on the ways."""
    shown = of.near.answers().tolist()
    asked = shown + [found for found, now in zip(of.found.tolist(), shown, strict=True) if found != now]
    begins = [len(asked)]
    for run in of.near.ranges():
        for row in ends(run, shown[run[0]][run[1]]):
            asked.append([row if group == run[1] else r for group, r in enumerate(shown[run[0]])])
        begins.append(len(asked))
    _, between = of.space.core.ways_to(np.array(asked[:STEPS], np.int32))
    return shown, asked, begins, between.tolist()


@given(st.data())
def test_one_call_asks_answers_what_they_were_ends_and_steps(space, data):
    of = case(space, data)
    _, asked, _, between = rows_asked(of)

    assert of.prepared.asked().tolist() == asked + between
    assert of.prepared.between == len(between)


@given(st.data())
def test_what_is_told_is_what_the_model_said(space, data):
    of = case(space, data)
    shown, asked, begins, between = rows_asked(of)
    said = data.draw(st.lists(st.sampled_from([0.2, 0.8, 0.9]), max_size=len(asked) + len(between)))
    good = [outcome > 0.5 for outcome in said] + [False] * (len(asked) + len(between) - len(said))
    facts = of.prepared.confirmed(np.array(said, float), np.arange(len(said), dtype=float))

    was = {i: len(shown) + n for n, i in enumerate(of.prepared.moved)}
    places = [i if good[i] else was[i] for i in range(len(shown)) if good[i] or (i in was and good[was[i]])]
    assert [each.place for each in facts] == [place for place in places if place < len(said)]
    held = [all(good[a:b]) for a, b in pairwise(begins)]
    runs = [run for run, holds in zip(of.near.ranges(), held, strict=True) if holds]
    for each in facts:
        rounded = each.place in was
        rows = asked[each.place]
        assert each.number == each.place
        assert each.changed == [group for group, row in enumerate(rows) if row]
        assert each.rows == [row for row in rows if row]
        assert (None if each.unrounded is None else each.unrounded.rows) == (
            [row for row in of.found[each.place].tolist() if row] if rounded else None
        )
        assert each.ranges == [run for run in runs if run[0] == each.place]
        [(order, broken)], on_the_way = of.space.core.ways_to(np.array([rows], np.int32))
        assert (each.order, each.broken) == (order, broken)
        heard = {tuple(row): at for at, row in enumerate(between, len(asked)) if at < len(said)}
        numbers = [None if one is None else one[1] for one in each.between]
        assert [n is None for n in numbers] == [tuple(row) not in heard for row in on_the_way.tolist()]
        pairs = zip(numbers, on_the_way.tolist(), strict=True)
        assert all(n is None or between[int(n) - len(asked)] == row for n, row in pairs)


@given(st.data())
def test_without_a_model_all_are_told_and_what_is_on_the_way_is_heard_later(space, data):
    of = case(space, data)
    moved = of.prepared.moved
    facts = of.prepared.unconfirmed(np.array(moved, float))

    assert [each.number for each in facts if each.unrounded is not None] == moved
    assert [each.ranges for each in facts] == [[r for r in of.near.ranges() if r[0] == i] for i in range(len(facts))]
    for each in facts:
        steps = len(each.broken)
        assert each.between == [None] * steps and len(each.unheard(space.core.width)) == steps
        each.hear(np.full(steps, 0.25), np.arange(steps, dtype=float))
        assert each.all_heard
        assert each.between == [(0.25, float(i)) for i in range(steps)]


@pytest.mark.parametrize("numbers", [[], [0.5, 0.5]])
def test_numbers_of_another_length_are_refused(numbers, space):
    near = around(space, np.array([[0, 3, 0, 0]], np.int32), False, False)
    prepared = _core.Prepared(Archive(space).core, near, False, 0)

    with pytest.raises(ValueError, match="confirmed"):
        prepared.confirmed(np.array([0.5]), np.array(numbers))
    with pytest.raises(ValueError, match="unconfirmed"):
        prepared.unconfirmed(np.array([0.5, 0.5]))
