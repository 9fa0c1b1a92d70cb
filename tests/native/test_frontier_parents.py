"""InPlay and Parents: what is in play in order, and whom of it a round expands. Nodes are written by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from spaces import Space, Table

from geco import _core

Node = tuple[float, float, int, int]  # distance, outcome, index, number of the set of changed groups


def in_play(*nodes: Node) -> _core.InPlay:
    made = _core.InPlay()
    made.add(list(nodes))
    return made


def parents(whole_lines: bool = False, **numbers: int) -> _core.Parents:
    settings = _core.FrontierSettings.of(1, 0, 3, 4, False).but(**{"parents": 4, **numbers})
    return _core.Parents(settings, whole_lines)


def chosen(choice: list[_core.Parent]) -> list[int]:
    return [parent.index for parent in choice]


def test_nodes_are_in_order_of_distance_and_of_one_distance_the_higher_outcome_is_first():
    made = in_play((0.5, 0.1, 0, 0), (0.2, 0.1, 1, 0))
    made.add([(0.5, 0.3, 2, 0), (0.1, 0.0, 3, 0)])

    assert made.within(math.inf) == [3, 1, 2, 0]


def test_no_counterfactual_is_better_than_another_of_the_same_distance():
    assert in_play((0.5, 0.6, 0, 0), (0.5, 0.9, 1, 0)).within(1.0) == [0, 1]


def test_of_what_is_as_far_as_the_bound_only_counterfactuals_are_in_play():
    assert in_play((0.5, 0.4, 0, 0), (0.5, 0.6, 1, 0), (0.4, 0.1, 2, 0), (0.6, 0.9, 3, 0)).within(0.5) == [2, 1]


def test_what_the_archive_has_scored_is_taken_in_once_it_is():
    table = Table([True, True, True], [1.0] * 3, [0.0, 0.25, 0.5], [0.0] * 3, [0.0] * 3)
    space = Space([table], [], [0]).build()
    archive, made = _core.Archive(space), _core.InPlay()
    claims = _core.Claims(space, archive)
    claims.claim([2], math.inf), claims.claim([1], math.inf)
    made.follow(archive)
    nothing_yet = made.within(math.inf)
    archive.score_latest(np.array([0.2, 0.3]), np.array([0.2, 0.3]))
    made.follow(archive)

    assert (nothing_yet, made.within(math.inf)) == ([], [1, 0])


def test_parents_are_spread_along_the_frontier_from_the_nearest_to_the_highest_outcome():
    frontier = [(i / 10, i / 100, i, i) for i in range(7)]

    assert chosen(parents(parents=3, explorer_share=100).choose(in_play(*frontier), math.inf)) == [0, 3, 6]


def test_what_was_expanded_is_not_expanded_again_while_there_is_something_new():
    made, nodes = parents(), in_play((0.1, 0.1, 0, 0), (0.2, 0.2, 1, 1))
    made.expanded(_core.Parent(0), whole=False)

    assert chosen(made.choose(nodes, math.inf)) == [1]


def test_where_nothing_new_is_left_thinned_lines_are_looked_at_again_but_whole_ones_are_not():
    made, nodes = parents(), in_play((0.1, 0.1, 0, 0), (0.2, 0.2, 1, 1))
    made.expanded(_core.Parent(0), whole=False)
    made.expanded(_core.Parent(1), whole=True)
    second = made.choose(nodes, math.inf)
    made.expanded(second[0], whole=False)

    assert [(parent.index, parent.again) for parent in second] == [(0, True)]
    assert made.choose(nodes, math.inf) == []


def test_on_a_plateau_further_layers_fill_up_a_few_per_set_of_changed_groups():
    plateau = [(0.1 + i / 100, 0.2, i, 0 if i < 5 else 1) for i in range(8)]
    made = parents(parents=4, per_delta=2, explorer_share=100).choose(in_play(*plateau), math.inf)

    assert chosen(made) == [0, 1, 5, 6]


def test_a_share_explores_the_sets_of_changed_groups_expanded_least():
    made = parents(parents=4)
    nodes = in_play((0.0, 0.4, 0, 0), (0.1, 0.1, 1, 1), (0.1, 0.2, 2, 1), (0.3, 0.2, 3, 2))

    assert chosen(made.choose(nodes, math.inf))[0] == 0  # all are untried, and the nearest comes first
    for index in (0, 1, 2, 3):
        made.expanded(_core.Parent(index), whole=False)
    more = in_play((0.0, 0.4, 0, 0), (0.05, 0.41, 4, 0), (0.2, 0.3, 5, 3))
    assert chosen(made.choose(more, math.inf))[0] == 5


def test_the_nearest_counterfactual_of_each_set_of_changed_groups_is_brought_nearer():
    nodes = in_play((0.2, 0.9, 0, 0), (0.3, 0.9, 1, 0), (0.4, 0.9, 2, 1))

    assert chosen(parents(parents=4).choose(nodes, math.inf))[:2] == [0, 2]


@pytest.mark.parametrize(("whole_lines", "again"), [(False, [0, 1]), (True, [1])])
def test_a_second_look_at_a_counterfactual_is_spared_where_lines_are_whole(whole_lines, again):
    made, nodes = parents(whole_lines), in_play((0.2, 0.9, 0, 0), (0.1, 0.2, 1, 1))
    made.expanded(_core.Parent(0), whole=False)

    assert sorted(chosen(made.choose(nodes, 0.5))) == again
