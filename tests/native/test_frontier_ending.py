"""Ending: when a search stops, told of distances and of how many ways are settled."""

from __future__ import annotations

import math

from geco import _core


def ending(**numbers: int) -> _core.Ending:
    settings = _core.FrontierSettings.of(1, 0, 3, 4, False)
    return _core.Ending(settings.but(**{"stalled": 2, "max_rounds": 5, "end_game": 2, "patience": 8, **numbers}))


def told(made: _core.Ending, *bounds: float) -> bool:
    return [made.told(bound, bound) for bound in bounds][-1]


def test_while_the_bound_falls_it_goes_on():
    assert not told(ending(), math.inf, 0.5, 0.4, 0.3)


def test_it_stalls_after_rounds_without_a_nearer_way():
    made = ending()

    assert [made.told(0.5, 0.5) for _ in range(3)] == [False, False, True]


def test_a_nearer_first_way_counts_though_the_last_is_where_it_was():
    made = ending()

    assert [made.told(0.5, nearest) for nearest in (0.4, 0.3, 0.2)] == [False, False, False]


def test_rounds_without_enough_ways_do_not_stall():
    assert not told(ending(), *[math.inf] * 4)


def test_a_stalled_search_whose_ways_are_settled_has_converged():
    made = ending()
    told(made, 0.5, 0.5, 0.5)
    made.settle(1, 1)

    assert (made.converged, made.stopped_by) == (True, "converged")


def test_the_last_round_ends_by_budget():
    made = ending()
    told(made, 0.9, 0.8, 0.7, 0.6, 0.5)
    made.settle(1, 1)

    assert (made.converged, made.stopped_by) == (True, "budget")


def test_ways_that_are_not_settled_are_first():
    made = ending()
    told(made, 0.5, 0.5, 0.5)
    made.settle(2, 1)

    assert (made.converged, made.only_undos) == (False, True)


def test_settling_ends_after_the_end_game_with_what_is_settled():
    made = ending(max_rounds=2, end_game=1)
    told(made, 0.5, 0.4, 0.3)
    made.settle(2, 1)

    assert made.converged


def test_with_nothing_found_it_goes_on_to_the_end_of_its_patience():
    made, ends = ending(), []
    for _ in range(8):
        if made.told(math.inf, math.inf):
            made.settle(0, 0)
        ends.append(made.converged)

    assert ends == [False] * 7 + [True]
    assert not made.only_undos


def test_nothing_left_to_ask_about_is_the_end():
    found, none = ending(), ending()
    found.nothing_left(True)
    none.nothing_left(False)

    assert (found.stopped_by, none.stopped_by) == ("converged", "exhausted")
