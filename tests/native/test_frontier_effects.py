"""Effects: guesses from what lines showed, trades around a counterfactual, and jumps. Everything is written by hand."""

from __future__ import annotations

import math

import pytest
from spaces import Space, Table

from geco import _core


def effects(groups: int = 3, rows: int = 4, free: bool = True, **numbers: int | bool) -> _core.Effects:
    """Groups whose row r costs r / 16."""
    costs = [r / 16 for r in range(rows + 1)]
    table = Table([True] * (rows + 1), [1.0] * (rows + 1), costs, [0.0] * (rows + 1), costs)
    fixed = Table(table.allowed, table.weight, table.additive, table.largest, table.numbers, free=False)
    space = Space([table] * (groups - 1) + [table if free else fixed], [], list(range(groups))).build()
    return _core.Effects(space, _core.FrontierSettings.of(1, 0, groups, 4, False).but(**numbers))


def test_the_cheapest_combination_that_would_turn_good_is_guessed():
    shown = [(0, 1, 0.5), (1, 1, 0.5), (2, 1, 0.5)]
    guesses = effects().guess([0, 0, 0], -1.4, shown, math.inf)

    assert [rows for _, rows in guesses if rows == [1, 1, 1]] == [[1, 1, 1]]
    assert [cost for cost, rows in guesses if rows == [1, 1, 1]] == [3 / 16]


def test_guesses_stand_around_the_first_sum_that_turns_good():
    shown = [(0, row, 0.3 * row) for row in (1, 2, 3, 4)]
    guesses = effects(guess_before=1, guess_after=2).guess([0, 0, 0], -0.5, shown, math.inf)

    assert [rows for _, rows in guesses] == [[1, 0, 0], [2, 0, 0], [3, 0, 0]]


def test_a_row_that_costs_more_and_does_less_is_in_no_guess():
    guesses = effects().guess([0, 0, 0], -0.5, [(0, 1, 0.6), (0, 2, 0.4)], math.inf)

    assert all(rows[0] != 2 for _, rows in guesses)


def test_what_the_parent_has_changed_is_kept_or_undone():
    guesses = effects().guess([2, 0, 0], 0.0, [(0, 0, -0.3), (1, 1, 0.5)], math.inf)

    assert [0, 1, 0] in [rows for _, rows in guesses]


@pytest.mark.parametrize(("log_odds", "bound"), [(-2.0, math.inf), (-1.4, 3 / 16)])
def test_there_is_no_guess_where_no_sum_turns_good_nearer_than_the_bound(log_odds, bound):
    shown = [(0, 1, 0.5), (1, 1, 0.5), (2, 1, 0.5)]

    assert effects().guess([0, 0, 0], log_odds, shown, bound) == []


def test_effects_must_come_group_by_group():
    with pytest.raises(ValueError, match="group by group"):
        effects().guess([0, 0, 0], 0.0, [(1, 1, 0.5), (0, 1, 0.5)], math.inf)


def test_a_trade_is_less_of_one_change_and_more_of_another():
    good = [3, 0, 0]
    trades = effects().trades(good, 7, 2)

    assert trades
    assert all(rows[0] < 3 and sum(row > 0 for row in rows[1:]) == 1 for rows in trades)


def test_a_trade_costs_less_than_it_saves():
    assert all(sum(rows) < 4 for rows in effects(rows=8).trades([4, 0, 0], 7, 2))


def test_groups_the_model_ignores_are_not_traded():
    assert all(rows[2] == 0 for rows in effects(free=False).trades([3, 0, 0], 7, 2))


def test_trades_are_other_ones_in_another_round_and_the_same_in_the_same():
    made = effects(rows=40)
    good = [30, 20, 0]

    assert made.trades(good, 7, 2) == made.trades(good, 7, 2)
    assert made.trades(good, 7, 2) != made.trades(good, 7, 3)


def test_small_trades_give_up_little_more_often():
    good = [40, 0, 0]
    large, small = (
        [rows[0] for round in range(30) for rows in effects(rows=40, small_trades=small).trades(good, 7, round)]
        for small in (False, True)
    )

    assert sum(small) / len(small) > sum(large) / len(large)


def test_where_few_combinations_can_be_asked_some_of_all_pairs_are_drawn():
    drawn = [
        tuple(rows)
        for round in range(40)
        for rows in effects(groups=6, combinations=2).trades([3, 3, 3, 0, 0, 0], 7, round)
    ]

    assert len(drawn) <= 40 * 6
    assert {g for rows in drawn for g, row in enumerate(rows) if row > (3 if g < 3 else 0)} == set(range(6))


def test_what_is_passed_over_is_not_drawn_again_and_nothing_else_is_missed():
    made, good = effects(groups=6, rows=40, combinations=30), [30, 20, 10, 0, 0, 0]
    again, once = ([tuple(rows) for rows in made.trades(good, 7, 2, once=once)] for once in (False, True))

    assert len(once) < len(again)
    assert list(dict.fromkeys(once)) == list(dict.fromkeys(again))


def test_a_jump_changes_some_of_the_free_groups():
    made = effects(groups=4, free=False)
    jumps = [made.jump(seed) for seed in range(50)]

    assert all(rows[3] == 0 for rows in jumps)
    assert 50 < sum(row > 0 for rows in jumps for row in rows) < 100
