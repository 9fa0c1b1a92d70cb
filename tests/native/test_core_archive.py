"""Archive: what was seen, what is best, and which different ways there are; rank against its definition."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spaces import Space, array, random_space, seeds, spaces

from geco import _core

OUTCOMES = [0.0, 0.3, 0.5, 0.51, 0.9]


def archive_of(core: _core.Space, outcomes: dict[tuple[int, ...], float]) -> _core.Archive:
    archive = _core.Archive(core)
    scores = np.array(list(outcomes.values()), float)
    archive.score(core, array(list(outcomes), core.width), scores, scores)
    return archive


def random_outcomes(seed: int) -> tuple[Space, dict[tuple[int, ...], float]]:
    """A space and an outcome for every candidate that obeys; x itself is bad."""
    space, rng = random_space(seed), random.Random(seed)
    obeying = [rows for rows in space.candidates()[1:] if space.obeys(rows)]
    return space, {(0,) * len(space.tables): 0.0} | {rows: rng.choice(OUTCOMES) for rows in obeying}


def scored() -> st.SearchStrategy[tuple[Space, dict[tuple[int, ...], float]]]:
    return seeds().map(random_outcomes)


def changed(rows) -> tuple[bool, ...]:
    return tuple(bool(row) for row in rows)


def irreducible_ways(space: Space, outcomes: dict[tuple[int, ...], float]) -> dict[tuple[bool, ...], float]:
    """Per set of changed groups the distance of the nearest counterfactual no change of which can be undone."""
    ways: dict[tuple[bool, ...], float] = {}
    for rows, outcome in outcomes.items():
        undone = [(*rows[:g], 0, *rows[g + 1 :]) for g in range(len(rows)) if rows[g]]
        if outcome > 0.5 and not any(outcomes.get(u, 0.0) > 0.5 for u in undone):
            ways[changed(rows)] = min(space.distance(rows), ways.get(changed(rows), np.inf))
    return ways


@given(seeds())
def test_claim_gives_each_new_candidate_once(seed):
    space = random_space(seed)
    core = space.build()
    candidates = random.Random(seed).choices(space.candidates(), k=30)
    archive = _core.Archive(core)
    fresh = archive.claim(core, array(candidates, core.width)).tolist()

    assert fresh == [list(rows) for rows in dict.fromkeys(candidates)]
    assert archive.claim(core, array(candidates, core.width)).tolist() == []
    assert len(archive) == len(fresh)


def test_twenty_thousand_candidates_are_told_apart():
    n = 200
    column = np.arange(n, dtype=float)
    group = np.ones(n, np.uint8), np.ones(n), column, np.zeros(n), np.zeros(0, np.int8), True, 1
    core = _core.Space.build([group, group], [], [], [0, 1])
    candidates = array([(i, j) for i in range(n) for j in range(n // 2)], 2)
    archive = _core.Archive(core)

    assert len(archive.claim(core, candidates)) == len(candidates)
    assert len(archive.claim(core, candidates[::-1].copy())) == 0
    assert archive.look_up(core, np.array([199, 99], np.int32))[0] == 199 + 99


@given(scored())
def test_look_up_gives_back_distance_outcome_and_the_models_number(problem):
    space, outcomes = problem
    core = space.build()
    archive = archive_of(core, outcomes)

    assert [archive.look_up(core, np.array(rows, np.int32)) for rows in outcomes] == [
        (space.distance(rows), outcome, outcome) for rows, outcome in outcomes.items()
    ]


@given(spaces())
def test_a_candidate_never_proposed_cannot_be_looked_up(space):
    core = space.build()

    with pytest.raises(ValueError, match="never proposed"):
        _core.Archive(core).look_up(core, np.zeros(core.width, np.int32))


@given(scored(), st.integers(1, 10))
def test_nearest_lists_the_counterfactuals_by_distance(problem, n):
    space, outcomes = problem
    core = space.build()
    nearest = archive_of(core, outcomes).nearest(core, n).tolist()
    expected = sorted((r for r in outcomes if outcomes[r] > 0.5), key=space.distance)[:n]

    assert [tuple(rows) for rows in nearest] == expected


@given(scored())
def test_highest_is_the_candidate_with_the_highest_outcome_and_of_those_the_nearest(problem):
    space, outcomes = problem
    core = space.build()
    moved = [r for r in outcomes if any(r)]
    highest = archive_of(core, outcomes).highest(core)
    expected = max(((outcomes[r], -space.distance(r)) for r in moved), default=None)
    found = None if highest is None else tuple(highest.tolist())

    assert (found and (outcomes[found], -space.distance(found))) == expected


@given(scored())
def test_ways_are_the_nearest_irreducible_counterfactual_of_each_set_of_groups(problem):
    space, outcomes = problem
    core = space.build()
    rows, settled, pending = archive_of(core, outcomes).ways(core, 100, 100, False)

    assert {changed(r): space.distance(tuple(r)) for r in rows.tolist()} == irreducible_ways(space, outcomes)
    assert settled.all()
    assert len(pending) == 0


@given(scored(), st.integers(1, 3))
def test_ways_come_nearest_first_and_no_more_than_asked(problem, n):
    space, outcomes = problem
    core = space.build()
    rows, _, _ = archive_of(core, outcomes).ways(core, n, n, False)

    assert [space.distance(tuple(r)) for r in rows.tolist()] == sorted(irreducible_ways(space, outcomes).values())[:n]


@given(scored())
def test_scoring_the_undos_that_ways_asks_for_settles_them(problem):
    space, outcomes = problem
    core = space.build()
    farthest_first = sorted(outcomes, key=changed, reverse=True)
    archive = archive_of(core, {rows: outcomes[rows] for rows in farthest_first[:1]})
    for _ in range(2 + len(outcomes)):
        rows, settled, pending = archive.ways(core, 100, 100, False)
        known = np.array([outcomes[tuple(r)] for r in pending.tolist()], float)
        archive.score(core, pending, known, known)

    assert settled.all()
    assert len(pending) == 0
    assert all(_irreducible(tuple(r), outcomes) for r in rows.tolist())


def _irreducible(rows, outcomes) -> bool:
    undone = [(*rows[:g], 0, *rows[g + 1 :]) for g in range(len(rows)) if rows[g]]
    return not any(outcomes.get(u, 0.0) > 0.5 for u in undone)


def minimal_ways(space: Space, outcomes: dict[tuple[int, ...], float]) -> list[tuple[int, ...]]:
    """In order; one that contains a nearer one stays only if it halves every change the two share."""
    stayed: list[tuple[int, ...]] = []
    good = [rows for rows, outcome in outcomes.items() if outcome > 0.5]
    for rows in sorted(good, key=lambda r: (space.distance(r), sum(changed(r)), r)):
        if not any(_leaves_out(space, nearer, rows) for nearer in stayed):
            stayed.append(rows)
    return stayed


def _leaves_out(space: Space, nearer: tuple[int, ...], rows: tuple[int, ...]) -> bool:
    shared = [g for g, row in enumerate(nearer) if row]
    sizes = [(space.tables[g].additive[rows[g]], space.tables[g].additive[nearer[g]]) for g in shared]
    return all(rows[g] for g in shared) and not all(whole > 0 and 2 * size <= whole for size, whole in sizes)


@given(scored(), st.integers(1, 9))
def test_minimal_ways_come_in_order_and_none_contains_a_nearer_one(problem, n):
    space, outcomes = problem
    core = space.build()
    rows, settled, _ = archive_of(core, outcomes).ways(core, n, n, True)

    assert [tuple(r) for r in rows.tolist()] == minimal_ways(space, outcomes)[:n]
    assert settled.all()


@given(scored())
def test_scoring_the_parts_that_minimal_ways_ask_for_settles_them(problem):
    space, outcomes = problem
    core = space.build()
    farthest_first = sorted(outcomes, key=changed, reverse=True)
    archive = archive_of(core, {rows: outcomes[rows] for rows in farthest_first[:1]})
    for _ in range(2 + len(outcomes)):
        rows, settled, pending = archive.ways(core, 100, 100, True)
        known = np.array([outcomes[tuple(r)] for r in pending.tolist()], float)
        archive.score(core, pending, known, known)

    assert settled.all()
    assert len(pending) == 0
    assert not any(outcomes.get(part, 0.0) > 0.5 for r in rows.tolist() for part in _parts(tuple(r)))


def _parts(rows: tuple[int, ...]) -> list[tuple[int, ...]]:
    kept = itertools.product(*((0, row) if row else (0,) for row in rows))
    return [part for part in kept if any(part) and part != rows]


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.25, 3.0]), st.sampled_from([*OUTCOMES, np.nan])), max_size=12),
    st.integers(1, 9),
)
def test_rank_puts_counterfactuals_first_then_orders_by_score(pairs, q):
    distance, outcome = (np.array([p[i] for p in pairs], float) for i in range(2))

    def key(i):
        good = outcome[i] > 0.5
        return not good, distance[i] if good else distance[i] + 1 + (1 - outcome[i]), i

    expected = sorted((i for i in range(len(pairs)) if not np.isnan(outcome[i])), key=key)[:q]

    assert _core.rank(distance, outcome, q).tolist() == expected


def test_rank_needs_one_outcome_per_distance():
    with pytest.raises(ValueError, match="one outcome per distance"):
        _core.rank(np.zeros(2), np.zeros(3), 1)


@given(scored(), st.integers(1, 9))
def test_fittest_is_the_rank_of_everything_scored(problem, q):
    space, outcomes = problem
    core = space.build()
    candidates = list(outcomes)
    best = _core.rank(core.distance(array(candidates, core.width)), np.array(list(outcomes.values())), q)

    assert archive_of(core, outcomes).fittest(core, q).tolist() == [list(candidates[i]) for i in best]
