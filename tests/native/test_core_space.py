"""Space: what it refuses to be built from, distances, and rules against their plain evaluation."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from spaces import Rule, Space, Table, array, random_predicate, seeds, spaces, steps

from geco import _core


def group(allowed=(1, 1), weight=(0, 1), additive=(0, 1), largest=(0, 0), side=(), features=1):
    columns = [np.array(column, float) for column in (weight, additive, largest)]
    return np.array(allowed, np.uint8), *columns, np.array(side, np.int8), True, features


TRUTH = (0, np.ones(2, np.uint8))
WRONG = {
    "group: columns of one length": ([group(weight=(0, 1, 1))], [], [], [0]),
    "slot 0 included": ([group((), (), (), ())], [], [], [0]),
    "one side per row": ([group(side=(1,))], [], [], [0]),
    "column: no such group": ([group()], [], [(1, np.zeros(2))], [0]),
    "column: one number per row": ([group()], [], [(0, np.zeros(3))], [0]),
    "predicate: no such group": ([group()], [([], (5, np.ones(2, np.uint8)), -1)], [], [0]),
    "predicate: one truth value per row": ([group()], [([], (0, np.ones(3, np.uint8)), -1)], [], [0]),
    "predicate: no such column": ([group()], [([], steps(("column", 0)), -1)], [], [0]),
    "rule: no such group": ([group()], [([], TRUTH, 1)], [], [0]),
    "topological: every group once": ([group()], [], [], []),
    "topological: no such group": ([group()], [], [], [3]),
}
MALFORMED = {
    "arrays of one length": ([0, 0], [1.0], [0]),
    "no such operation": ([99], [0.0], [0]),
    "two values left": ([0, 0], [1.0, 1.0], [0, 0]),
    "an operand is missing": ([0, 2], [1.0, 0.0], [0, 0]),
    "no step at all": ([], [], []),
    "nested too deeply": ([0] * 65, [1.0] * 65, [0] * 65),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_space_of_the_wrong_shape_is_refused(message):
    with pytest.raises(ValueError, match=message):
        _core.Space.build(*WRONG[message])


@pytest.mark.parametrize("fault", MALFORMED)
def test_a_malformed_predicate_is_refused(fault):
    ops, values, indices = MALFORMED[fault]
    predicate = np.array(ops, np.int32), np.array(values, float), np.array(indices, np.int32)

    with pytest.raises(ValueError, match="predicate"):
        _core.Space.build([group()], [([], predicate, -1)], [], [0])


@pytest.mark.parametrize("start", [[0], [0, 2], [0, -1]])
def test_a_start_outside_the_space_is_refused(start):
    with pytest.raises(ValueError, match="start"):
        _core.Space.build([group(), group()], [], [], [0, 1], start)


def test_rows_of_another_width_are_refused():
    space = _core.Space.build([group(), group()], [], [], [0, 1])

    with pytest.raises(ValueError, match="one column per group"):
        space.distance(np.zeros((1, 3), np.int32))


@given(spaces())
def test_the_distance_is_the_sum_of_the_terms_and_the_largest(space):
    candidates = space.candidates()

    assert space.build().distance(array(candidates, len(space.tables))).tolist() == [
        space.distance(rows) for rows in candidates
    ]


@given(spaces())
def test_choices_are_the_allowed_rows_nearest_first(space):
    core = space.build()

    assert [core.choices(g).tolist() for g in range(core.width)] == [table.order() for table in space.tables]


@given(spaces())
def test_first_broken_names_the_first_rule_a_candidate_breaks(space):
    candidates = space.candidates()

    assert space.build().first_broken(array(candidates, len(space.tables))).tolist() == [
        _first_broken(space, rows) for rows in candidates
    ]


@given(spaces())
def test_x_obeys_if_it_breaks_no_rule(space):
    x = [0] * len(space.tables)

    assert space.build().x_obeys == (_first_broken(space, x) == _core.Space.NONE_BROKEN)


def _first_broken(space, rows):
    if not all(table.allowed[row] for table, row in zip(space.tables, rows, strict=True)):
        return _core.Space.NOT_ALLOWED
    return next((i for i, rule in enumerate(space.rules) if not space.holds(rule, rows)), _core.Space.NONE_BROKEN)


NUMBERS = [-1.0, 0.0, 0.5, 2.0, float("nan")]


@given(seeds())
def test_a_predicate_as_steps_says_what_plain_arithmetic_says(seed):
    predicate = random_predicate(random.Random(seed), [0, 1])
    table = Table([True] * 5, [1.0] * 5, [0.0] * 5, [0.0] * 5, NUMBERS)
    space = Space([table, table], [Rule([], predicate, -1)], [0, 1])
    candidates = space.candidates()

    assert (space.build().first_broken(array(candidates, 2)) == _core.Space.NONE_BROKEN).tolist() == [
        bool(space.value(predicate, rows)) for rows in candidates
    ]


def test_a_truth_column_and_steps_are_two_forms_of_one_predicate():
    columns = [(0, np.array([0.0, 1.0, 2.0]))]
    groups = [group((1, 1, 1), (0, 1, 1), (0, 1, 1), (0, 0, 0))]
    as_truth = _core.Space.build(groups, [([], (0, np.array([0, 1, 1], np.uint8)), -1)], columns, [0])
    as_steps = _core.Space.build(groups, [([], steps((">=", ("column", 0), ("constant", 1.0))), -1)], columns, [0])
    rows = np.array([[0], [1], [2]], np.int32)

    assert as_truth.first_broken(rows).tolist() == as_steps.first_broken(rows).tolist() == [0, -1, -1]
