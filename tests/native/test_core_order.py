"""Ways to an answer, against all orders of its changes; and what is told of candidates, against one question each."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from hypothesis import given
from spaces import array, spaces, steps

from geco import _core


def walked(order, answer):
    """The candidates between x and the answer."""
    rows, between = [0] * len(answer), []
    for group in order[:-1]:
        rows[group] = answer[group]
        between.append(tuple(rows))
    return between


def broken_on(core, order, answer):
    """What first_broken says on this way."""
    return core.first_broken(array(walked(order, answer), len(answer))).tolist()


def rules_broken(core, order, answer):
    return sum(broken != _core.Space.NONE_BROKEN for broken in broken_on(core, order, answer))


@given(spaces())
def test_a_way_breaks_as_few_rules_as_any_order_and_is_the_first_such_by_group(space):
    core, answers = space.build(), space.candidates()

    ways, _ = core.ways_to(array(answers, len(space.tables)))

    for answer, (order, _) in zip(answers, ways, strict=True):
        orders = list(permutations([g for g, row in enumerate(answer) if row]))
        assert tuple(order) == min(orders, key=lambda each: (rules_broken(core, each, answer), each))


@given(spaces())
def test_what_lies_on_the_ways_and_what_it_breaks_is_given_answer_by_answer(space):
    core, answers = space.build(), space.candidates()

    ways, between = core.ways_to(array(answers, len(space.tables)))

    assert between.tolist() == [
        list(rows) for answer, (order, _) in zip(answers, ways, strict=True) for rows in walked(order, answer)
    ]
    assert [broken for _, broken in ways] == [
        broken_on(core, order, answer) for answer, (order, _) in zip(answers, ways, strict=True)
    ]


def test_more_changes_than_are_looked_at_are_made_in_the_order_of_groups():
    many = 14
    table = (np.ones(2, np.uint8), *(np.array([0.0, 1.0]) for _ in range(3)), np.zeros(0, np.int8), True, 1)
    columns = [(g, np.array([0.0, 1.0])) for g in range(many)]
    needs_the_last = steps(
        ("or", ("=", ("column", 0), ("constant", 0.0)), ("=", ("column", many - 1), ("constant", 1.0)))
    )
    core = _core.Space.build([table] * many, [([], needs_the_last, -1)], columns, list(range(many)))

    [(order, broken)], _ = core.ways_to(np.ones((1, many), np.int32))

    assert order == list(range(many))
    assert broken == [0] * (many - 1)  # which the last group first would not


@given(spaces())
def test_what_is_told_of_candidates_is_what_is_said_of_each(space):
    core = space.build()
    candidates = array(space.candidates(), len(space.tables))
    known, archive = candidates[::2], _core.Archive(core)
    archive.score(core, known, np.full(len(known), 0.25), np.arange(len(known), dtype=float))

    facts = core.facts(archive, candidates)

    assert [each.distance for each in facts] == core.distance(candidates).tolist()
    assert [each.number for each in facts][::2] == list(range(len(known)))
    assert np.isnan([each.number for each in facts][1::2]).all()
    assert [each.changed for each in facts] == [row.nonzero()[0].tolist() for row in candidates]
    assert [each.rows for each in facts] == [row[row.nonzero()].tolist() for row in candidates]
    assert [each.required for each in facts] == [core.required(row) for row in candidates]
