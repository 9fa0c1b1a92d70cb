"""Deployment: the Space it makes for an x, against plain Python; and what it refuses."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from spaces import Rule, Space, Table, array, random_predicate, seeds, spaces, steps

from geco import _core

NORM = (0.0, 1.0, 0.0, 1.0, 1.0)  # alpha, beta, gamma, n, min_support
BOUND = 1000
DROPPED, WRITTEN, MISSING = (bytes([state]) for state in _core.Kept)
NAN = math.nan
SETTINGS = (1.0, 1.0, 1.0, 1.0, 0.0, False, False)


def table(numbers, counts=None, divisor=1.0, weight=1.0, costs=(1.0, 1.0), step=0.0, may_go_missing=False):
    """A group of one quantity; slot 0 comes first and is not read."""
    column = np.array([[NAN, *numbers]])
    counts = np.array([0.0, *(counts or [1.0] * len(numbers))])
    return column, counts, [(divisor, weight, *costs, step, False, may_go_missing)], None, True


def made(tables, x, rules=(), kept=b"", constants=(), norm=NORM, numbers=None):
    core = _core.Deployment.build(list(tables), list(rules), list(range(len(tables))), norm)
    return core.space(list(x), list(range(len(rules)) if numbers is None else numbers), kept, list(constants), BOUND)


def distances(core, group, rows):
    candidates = np.zeros((len(rows), core.width), np.int32)
    candidates[:, group] = rows
    return core.distance(candidates).tolist()


EQUAL = steps(("=", ("column", 0), ("constant", 0.0)))
VALUE_OF_X = EQUAL[0], EQUAL[1], np.array([0, 1, 0], np.int32)  # the constant is the first value that grounding gives
RULE = ([], VALUE_OF_X, 0, 0)
TWO = [table([1.0, 2.0]), table([1.0, 2.0])]
WRONG = {
    "settings for every feature": lambda: made([(np.zeros((2, 3)), np.zeros(3), [SETTINGS], None, True)], []),
    "columns of one length": lambda: made([(np.zeros((1, 3)), np.zeros(2), [SETTINGS], None, True)], []),
    "one number per feature": lambda: made(TWO, [1.0]),
    "predicate: no such column": lambda: made(TWO, [1.0, 1.0], [([], steps(("column", 2)), 0, 0)], WRITTEN),
    "predicate: no such constant": lambda: made(
        TWO, [1.0, 1.0], [([], (EQUAL[0], EQUAL[1], np.array([0, -1, 0], np.int32)), 0, 0)], WRITTEN
    ),
    "rule: no such group": lambda: made(TWO, [1.0, 1.0], [([], EQUAL, 2, -1)], WRITTEN),
    "it mentions another": lambda: made(TWO, [1.0, 1.0], [([], EQUAL, 0, 1)], WRITTEN),
    "grounded: no such rule": lambda: made(TWO, [1.0, 1.0], [RULE], WRITTEN, [1.0], numbers=[1]),
    "grounded: one state per predicate": lambda: made(TWO, [1.0, 1.0], [RULE], WRITTEN * 2, [1.0]),
    "grounded: no such state": lambda: made(TWO, [1.0, 1.0], [RULE], b"\3", [1.0]),
    "grounded: a rule has a consequent": lambda: made(TWO, [1.0, 1.0], [RULE], DROPPED),
    "grounded: only one feature": lambda: made(
        TWO, [1.0, 1.0], [([], steps(("=", ("column", 0), ("column", 1))), 0, -1)], MISSING
    ),
    "grounded: one number per value of x": lambda: made(TWO, [1.0, 1.0], [RULE], WRITTEN, []),
    "topological: every group once": lambda: _core.Deployment.build(TWO, [], [0], NORM),
    "topological: no such group": lambda: _core.Deployment.build(TWO, [], [0, 5], NORM),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_what_does_not_fit_together_is_refused(message):
    with pytest.raises(ValueError, match=message):
        WRONG[message]()


@given(seeds())
def test_rows_of_one_quantity_come_nearest_first_and_equals_by_number(seed):
    rng = random.Random(seed)
    numbers = sorted(rng.sample(range(20), rng.randint(1, 12))) + [NAN] * rng.randint(0, 1)
    settings = {"weight": rng.choice([0.0, 1.0]), "costs": rng.choice([(1.0, 1.0), (0.0, 2.0), (3.0, 0.5)])}
    norm = rng.choice([NORM, (0.5, 0.5, 0.0, 2.0, 1.0), (0.2, 0.3, 0.5, 1.0, 1.0)])
    x = rng.choice([NAN, *map(float, range(20))])
    core, *_ = made([table(numbers, divisor=7.0, may_go_missing=True, **settings)], [x], norm=norm)
    own = next((r for r, z in enumerate(numbers, 1) if z == x or (math.isnan(z) and math.isnan(x))), None)
    offered = [r for r in range(1, len(numbers) + 1) if r != own]
    far = dict(zip(offered, distances(core, 0, offered), strict=True))

    assert core.choices(0).tolist() == sorted(offered, key=lambda r: (far[r], r))


def test_the_distance_is_equation_2_with_weights_and_costs_of_direction():
    core, *_ = made(
        [table([0.0, 4.0], divisor=8.0, weight=3.0, costs=(0.5, 2.0))], [2.0], norm=(0.25, 0.5, 0.25, 4.0, 1.0)
    )
    delta = [2 / 8 * 2.0 * 3.0, 2 / 8 * 0.5 * 3.0]

    assert distances(core, 0, [1, 2]) == [(0.25 * 3.0 + 0.5 * d) / 4 + 0.25 * d for d in delta]


def test_missing_is_one_away_from_every_value_and_nowhere_from_itself():
    tables = [table([1.0, 9.0, NAN], divisor=2.0, may_go_missing=True)]

    assert distances(made(tables, [1.0])[0], 0, [1, 2, 3]) == [0.0, 4.0, 1.0]
    assert distances(made(tables, [NAN])[0], 0, [1, 2, 3]) == [1.0, 1.0, 0.0]


def test_a_value_of_x_is_not_offered_and_its_row_is_named():
    core, own, *_ = made([table([1.0, 2.0, 3.0]), table([1.0, 2.0])], [2.0, 7.0])

    assert (own, core.choices(0).tolist(), core.choices(1).tolist()) == ([2, 0], [1, 3], [2, 1])


def test_rows_with_little_support_small_steps_and_new_missing_values_are_not_offered():
    tables = [table([1.0, 2.0, 3.0, 4.0, NAN], counts=[5.0, 5.0, 1.0, 5.0, 5.0], step=1.5)]
    core, *_ = made(tables, [2.4], norm=(0.0, 1.0, 0.0, 1.0, 2.0))

    assert core.choices(0).tolist() == [4]


@given(seeds())
def test_a_local_rule_leaves_the_rows_for_which_plain_arithmetic_says_so(seed):
    rng = random.Random(seed)
    numbers = [-1.0, 0.0, 0.5, 2.0, NAN]
    antecedent, consequent = random_predicate(rng, [0]), random_predicate(rng, [0])
    rule = ([steps(antecedent)], steps(consequent), 0, 0)
    core, _, broken, empty, _ = made([table(numbers, may_go_missing=True)], [7.0], [rule], WRITTEN * 2)
    plain = Space([Table([True] * 6, [1.0] * 6, [0.0] * 6, [0.0] * 6, [7.0, *numbers])], [], [0])
    holds = [not plain.value(antecedent, (r,)) or bool(plain.value(consequent, (r,))) for r in range(6)]

    assert sorted(core.choices(0).tolist()) == [r for r in range(1, 6) if holds[r]]
    assert broken == ([] if holds[0] else [(0, 0)])
    assert empty == ([] if any(holds[1:]) else [0])


@given(seeds())
def test_a_rule_across_groups_holds_where_plain_arithmetic_says_so(seed):
    rng = random.Random(seed)
    numbers = [-1.0, 0.0, 0.5, 2.0, NAN]
    antecedent, consequent = random_predicate(rng, [0, 1]), random_predicate(rng, [0, 1])
    rule = ([steps(antecedent)], steps(consequent), -1, -1)
    core, *_ = made([table(numbers, may_go_missing=True)] * 2, [7.0, 0.25], [rule], WRITTEN * 2)
    tables = [Table([True] * 6, [1.0] * 6, [0.0] * 6, [0.0] * 6, [x, *numbers]) for x in (7.0, 0.25)]
    plain = Space(tables, [Rule([antecedent], consequent, -1)], [0, 1])
    candidates = plain.candidates()

    assert (core.first_broken(array(candidates, 2)) == _core.Space.NONE_BROKEN).tolist() == [
        plain.obeys(rows) for rows in candidates
    ]


def test_values_of_x_fill_the_slots_of_rules_one_after_the_other():
    second = ([], (EQUAL[0], EQUAL[1], np.array([1, 1, 0], np.int32)), 1, 1)
    core, *_ = made([table([1.0, 2.0, 3.0])] * 2, [9.0, 9.0], [RULE, second], WRITTEN * 2, [2.0, 3.0])

    assert [core.choices(g).tolist() for g in (0, 1)] == [[2], [3]]


def test_a_predicate_that_grounding_dropped_is_not_looked_at():
    never = steps(("=", ("constant", 1.0), ("constant", 2.0)))
    core, *_ = made([table([1.0, 2.0])], [1.0], [([never], VALUE_OF_X, 0, 0)], DROPPED + WRITTEN, [2.0])

    assert core.start == [2]


def test_what_must_stay_missing_may_only_be_missing():
    core, _, _, empty, feasible = made([table([1.0, NAN], may_go_missing=True)], [NAN], [RULE], MISSING)

    assert (core.choices(0).tolist(), empty, feasible, core.start) == ([], [0], _core.Feasible.YES, [0])


def test_an_x_that_no_row_can_repair_is_infeasible():
    _, _, broken, _, feasible = made([table([1.0, 2.0])], [1.0], [RULE], WRITTEN, [5.0])

    assert (broken, feasible) == ([(0, 0)], _core.Feasible.NO)


@given(spaces())
def test_required_says_per_changed_group_what_undoing_it_would_break(space):
    core = space.build()
    rows = np.array(space.candidates()[-1], np.int32)
    changed = np.flatnonzero(rows)
    undone = np.stack([np.where(np.arange(len(rows)) == g, 0, rows) for g in changed]).astype(np.int32)

    assert core.required(rows) == core.first_broken(undone).tolist()
