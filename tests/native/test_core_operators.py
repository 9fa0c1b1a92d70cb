"""mutate and crossover on both representations, and the representations themselves."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spaces import Rows, Space, array, random_space, seeds

from geco import _core

FORMS = [_core.Delta, _core.Listing]
SEEDS = st.integers(0, 2**63)


def populations(rules: bool = True) -> st.SearchStrategy[tuple[Space, _core.Space, list[Rows]]]:
    """A space, its native form started at a candidate that obeys, and some obeying candidates."""
    return seeds().map(lambda seed: _population(seed, rules)).filter(bool)


def _population(seed: int, rules: bool) -> tuple[Space, _core.Space, list[Rows]] | None:
    space, rng = random_space(seed, rules, None if rules else True), random.Random(seed)
    obeying = [rows for rows in space.candidates() if space.obeys(rows)]
    if not obeying:
        return None
    core = space.build(rng.choice(obeying))
    return space, core, rng.choices(obeying, k=rng.randint(1, 8))


def made(form, core, rows, operator, *arguments):
    counts = _core.CascadeCounts(core)
    population = form.from_rows(core, array(rows, core.width))
    return getattr(population, operator)(core, *arguments, counts).rows().tolist()


@given(populations(), st.integers(1, 4), st.booleans(), SEEDS)
def test_both_representations_mutate_to_the_same_candidates(problem, m, selective, seed):
    _, core, rows = problem

    assert made(_core.Delta, core, rows, "mutate", m, selective, seed, 3) == made(
        _core.Listing, core, rows, "mutate", m, selective, seed, 3
    )


@given(populations(), SEEDS)
def test_both_representations_cross_to_the_same_candidates(problem, seed):
    _, core, rows = problem

    assert made(_core.Delta, core, rows, "crossover", seed, 3) == made(_core.Listing, core, rows, "crossover", seed, 3)


@given(populations(), st.integers(1, 4), st.booleans(), SEEDS)
def test_mutated_and_crossed_candidates_obey_every_rule(problem, m, selective, seed):
    space, core, rows = problem
    children = made(_core.Delta, core, rows, "mutate", m, selective, seed, 0)
    children += made(_core.Delta, core, rows, "crossover", seed, 0)

    assert [child for child in children if not space.obeys(tuple(child))] == []


@given(populations(rules=False), st.integers(1, 4), SEEDS)
def test_mutation_draws_up_to_m_different_rows_of_each_group_outside_delta(problem, m, seed):
    space, core, rows = problem
    parent = rows[0]
    children = made(_core.Delta, core, [parent], "mutate", m, False, seed, 0)
    drawn = [{c[g] for c in children if c[g] != parent[g]} for g in range(core.width)]
    expected = [
        min(m, len(set(table.order()) - {parent[g]})) * (parent[g] == core.start[g])
        for g, table in enumerate(space.tables)
    ]

    assert [len(rows) for rows in drawn] == expected
    assert len(children) == sum(expected)


@given(populations(rules=False), st.integers(1, 4), SEEDS)
def test_selective_mutation_moves_groups_of_delta_nearer_to_x(problem, m, seed):
    space, core, rows = problem
    parent = rows[0]
    for child in made(_core.Listing, core, [parent], "mutate", m, True, seed, 0):
        moved = [g for g in range(core.width) if child[g] != parent[g]]

        assert len(moved) == 1
        assert parent[moved[0]] != core.start[moved[0]]
        assert space.tables[moved[0]].cost(child[moved[0]]) < space.tables[moved[0]].cost(parent[moved[0]])


@given(populations(), SEEDS)
def test_same_seed_same_candidates(problem, seed):
    _, core, rows = problem

    assert made(_core.Delta, core, rows, "mutate", 2, False, seed, 1) == made(
        _core.Delta, core, rows, "mutate", 2, False, seed, 1
    )


@given(populations())
@pytest.mark.parametrize("form", FORMS)
def test_a_representation_gives_back_the_rows_it_was_given(form, problem):
    _, core, rows = problem

    assert form.from_rows(core, array(rows, core.width)).rows().tolist() == [list(r) for r in rows]


@given(populations())
@pytest.mark.parametrize("form", FORMS)
def test_take_keeps_the_order_asked_for(form, problem):
    _, core, rows = problem
    whole = form.from_rows(core, array(rows, core.width))

    assert whole.take(np.arange(len(rows))[::-1].copy()).rows().tolist() == [list(r) for r in rows[::-1]]


@given(populations(), st.integers(0, 2**31))
@pytest.mark.parametrize("form", FORMS)
def test_select_numbers_the_points_on_after_the_candidates(form, problem, seed):
    _, core, rows = problem
    points = rows[::-1]
    chosen = np.random.default_rng(seed).permutation(2 * len(rows))
    selected = form.from_rows(core, array(rows, core.width)).select(core, array(points, core.width), chosen)

    assert selected.rows().tolist() == [list([*rows, *points][i]) for i in chosen]


@given(populations())
def test_the_delta_representation_stores_only_the_groups_of_delta(problem):
    space, core, rows = problem
    delta = _core.Delta.from_rows(core, array(rows, core.width))
    changed = [g for r in rows for g in range(core.width) if r[g] != core.start[g]]

    assert delta.cells == len(changed)
    assert delta.stored(core, delta.rows()) == (sum(space.tables[g].features for g in changed), delta.cells)


@given(populations())
def test_the_listing_stores_every_group(problem):
    space, core, rows = problem
    listing = _core.Listing.from_rows(core, array(rows, core.width))
    features = len(rows) * sum(table.features for table in space.tables)

    assert listing.cells == len(rows) * core.width
    assert listing.stored(core, listing.rows()) == (features, listing.cells)


@given(populations())
@pytest.mark.parametrize("form", FORMS)
def test_best_per_delta_is_the_first_of_each_set_of_groups(form, problem):
    _, core, rows = problem
    sets = [tuple(r[g] != core.start[g] for g in range(core.width)) for r in rows]
    first = [i for i, changed in enumerate(sets) if changed not in sets[:i]]

    assert form.from_rows(core, array(rows, core.width)).best_per_delta().tolist() == first


@given(populations())
@pytest.mark.parametrize("form", FORMS)
def test_rows_that_do_not_exist_are_refused(form, problem):
    _, core, _ = problem
    nowhere = np.full((1, core.width), 99, np.int32)

    with pytest.raises(ValueError, match="no such row"):
        form.from_rows(core, nowhere)
    with pytest.raises(ValueError, match="no such row"):
        form.from_rows(core, nowhere[:0]).select(core, nowhere, np.array([0]))


@given(populations())
@pytest.mark.parametrize("form", FORMS)
def test_a_mutation_of_no_rows_and_a_candidate_that_is_not_there_are_refused(form, problem):
    _, core, rows = problem
    population = form.from_rows(core, array(rows, core.width))

    with pytest.raises(ValueError, match="positive"):
        population.mutate(core, 0, False, 0, 0, _core.CascadeCounts(core))
    with pytest.raises(ValueError, match="no such candidate"):
        population.take(np.array([len(rows)]))
    with pytest.raises(ValueError, match="no such candidate"):
        population.select(core, array(rows, core.width), np.array([2 * len(rows)]))
