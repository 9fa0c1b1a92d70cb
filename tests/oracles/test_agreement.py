"""The kernels against the paper's text: what they draw is among what Algorithms 1 to 3 could draw."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from geco import _core
from geco.data.domain import Domain
from geco.plaf.checker import check_program
from geco.population.delta import Delta
from geco.population.listing import Listing
from geco.search.crossover import crossover
from geco.search.mutate import mutate
from geco.search.select import Population, score, select_fittest
from geco.space.deployment import Deployment
from geco.space.distance import Distance
from geco.space.feasible import FeasibleSpace, feasible_space
from geco.space.ground import ground
from oracles import paper
from oracles.distance import Distance as PlainDistance
from oracles.rules import row_of
from strategies import Problem, random_problem

SEEDS = range(40)
Key = tuple[Any, ...]


@cache
def both(seed: int) -> tuple[Problem, FeasibleSpace, paper.Space]:
    """One problem, ready for the kernels and for the paper's text."""
    problem = random_problem(seed)
    database = geco.Database.from_frame(problem.frame, kinds=problem.kinds)
    program = check_program(geco.parse_plaf(problem.program), database.schema)
    groups = program.groups
    domain = Domain.build(database, [g.features for g in groups], program.schema, [g.onehot for g in groups])
    distance = Distance(domain, geco.Params(**problem.params))
    deployment = Deployment(domain, program, distance, frozenset(problem.frame.columns))
    space = feasible_space(deployment, ground(problem.x, program.rules), problem.x)
    return problem, space, paper.feasible_space(problem.frame, problem.program, problem.x)


def keys(candidates: Any, space: FeasibleSpace, like: paper.Space) -> list[Key]:
    return [key(space.values(rows), like) for rows in candidates.rows()]


def key(values: dict[str, Any], space: paper.Space) -> Key:
    return tuple(row_of(values, g) for g in space.groups)


def start(space: FeasibleSpace, form: Any = Delta) -> Any:
    """The population of x alone, or of action_cascade(x) where x breaks a rule."""
    return form.from_rows(space.core, np.array([space.core.start], np.int32))


def drawn(space: FeasibleSpace, m: int, seed: int = 0, form: Any = Delta) -> Any:
    return mutate(start(space, form), space.core, m, seed, 0, _core.CascadeCounts(space.core))


def could_mutate(parent: dict[str, Any], unchanged: set[int], space: paper.Space) -> set[Key]:
    """Every candidate Algorithm 2 could make of this parent by changing one of these groups."""
    made = set()
    for i in unchanged:
        for row in space.DG[i]:
            x_new = parent | dict(zip(space.groups[i], row, strict=True))
            made |= {key(values, space) for values, _ in paper.every_cascade((x_new, frozenset()), space)}
    return made


@pytest.mark.parametrize("seed", SEEDS)
def test_the_sample_space_of_every_group_is_that_of_the_paper(seed):
    _, space, literal = both(seed)
    for g, table in enumerate(space.domain.tables):
        mine = literal.groups.index(next(h for h in literal.groups if set(h) == set(table.features)))
        rows = {
            row_of({f: table.values[f][r] for f in table.features}, literal.groups[mine]) for r in space.core.choices(g)
        }

        assert rows == set(literal.DG[mine])


@pytest.mark.parametrize("seed", SEEDS)
def test_mutate_makes_only_what_algorithm_2_could_make(seed):
    _, space, literal = both(seed)
    parent = space.values(np.array(space.core.start, np.int32))
    made = keys(drawn(space, 5, seed), space, literal)

    assert set(made) <= could_mutate(parent, set(range(len(literal.groups))), literal)


@pytest.mark.parametrize("seed", SEEDS)
def test_mutate_with_a_large_m_tries_every_row_that_needs_no_cascade(seed):
    _, space, literal = both(seed)
    if list(space.core.start) != [0] * space.core.width:
        return
    made = set(keys(drawn(space, 10_000, seed), space, literal))
    for i, group in enumerate(literal.groups):
        for row in literal.DG[i]:
            x_new = literal.x | dict(zip(group, row, strict=True))
            if paper.every_cascade((x_new, frozenset()), literal) == [(x_new, frozenset({i}))]:
                assert key(x_new, literal) in made


@pytest.mark.parametrize("seed", SEEDS)
def test_crossover_takes_every_group_from_a_parent_or_from_the_cascade(seed):
    _, space, literal = both(seed)
    counts = _core.CascadeCounts(space.core)
    population = drawn(space, 3, seed)
    best = [space.values(rows) for rows in population.take(population.best_per_delta()).rows()]
    could = set()
    for i, x_i in enumerate(best):
        for x_j in best[i + 1 :]:
            could |= _combinations(x_i, x_j, space.values(np.array(space.core.start, np.int32)), literal)

    assert set(keys(crossover(population, space.core, seed, 1, counts), space, literal)) <= could


def _combinations(x_i: dict[str, Any], x_j: dict[str, Any], origin: dict[str, Any], space: paper.Space) -> set[Key]:
    children = [dict(origin)]
    for group in space.groups:
        rows = {row_of(parent, group) for parent in (x_i, x_j)} - {row_of(origin, group)} or {row_of(origin, group)}
        children = [child | dict(zip(group, row, strict=True)) for child in children for row in rows]
    return {key(values, space) for child in children for values, _ in paper.every_cascade((child, frozenset()), space)}


@pytest.mark.parametrize("seed", SEEDS)
def test_select_fittest_ranks_as_the_paper_does(seed):
    problem, space, _ = both(seed)
    distance = PlainDistance(problem.frame, problem.program, problem.kinds, **problem.params)
    candidates = drawn(space, 4, seed)
    values = [space.values(rows) for rows in candidates.rows()]
    outcome = np.random.default_rng(seed).random(len(values)).round(1)
    points, nobody = candidates.rows(), Population.nobody(candidates.take(np.zeros(0, np.int64)))
    chosen = select_fittest(nobody, space.core, points, space.core.distance(points), outcome, 10)
    scores = sorted(paper.score(distance(problem.x, v), float(o)) for v, o in zip(values, outcome, strict=True))[:10]

    assert score(chosen.distance, chosen.outcome).tolist() == pytest.approx(scores)


@pytest.mark.parametrize("seed", SEEDS)
def test_both_representations_draw_the_same_candidates(seed):
    _, space, literal = both(seed)

    assert keys(drawn(space, 4, seed, Delta), space, literal) == keys(drawn(space, 4, seed, Listing), space, literal)


def test_rows_are_drawn_as_often_as_their_weight_says():
    """First draws of one group, over many seeds, against the counts in D (χ² with 3 degrees of freedom)."""
    counts = np.array([40, 30, 20, 10])
    frame = pd.DataFrame({"a": np.repeat([1, 2, 3, 4], counts)})
    database = geco.Database.from_frame(frame)
    program = check_program(geco.parse_plaf(""), database.schema)
    domain = Domain.build(database, [("a",)], program.schema, [None])
    deployment = Deployment(domain, program, Distance(domain, geco.Params()), frozenset("a"))
    space = feasible_space(deployment, ground({"a": 9}, ()), {"a": 9})
    first = [space.values(drawn(space, 1, seed).rows()[0])["a"] for seed in range(4000)]
    seen = np.bincount(first, minlength=5)[1:]
    expected = 4000 * counts / counts.sum()

    assert ((seen - expected) ** 2 / expected).sum() < 16.3
