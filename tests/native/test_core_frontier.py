"""Frontier.ask: rounds never repeat a candidate, keep to the rules and the bound, and end at the optimum."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spaces import Rows, Space, Table, random_space, seeds

from geco import _core

ROUNDS = 200


@dataclass
class Run:
    """Everything one search asked about, round by round."""

    rounds: list[list[Rows]] = field(default_factory=list)
    line_rows: list[tuple[Rows, float]] = field(default_factory=list)  # candidate of a line, and the bound it was under
    complete: bool = False
    archive: _core.Archive | None = None


def run(space: Space, outcomes: dict[Rows, float], k: int, rows_per_line: int) -> Run:
    _, begin = space.build().any_allowed(False, 100_000)
    core = space.build(tuple(begin.tolist()))
    archive, swept = _core.Archive(core), not rows_per_line
    settings = _core.FrontierSettings.of(
        k, 1, core.width, None if swept else 1, swept, parents=4, rows_per_line=rows_per_line, first_rows=rows_per_line,
        combinations=0, max_rounds=10 * ROUNDS, patience=10 * ROUNDS,
    ).but(stalled=10 * ROUNDS)  # fmt: skip
    claims = _core.Claims(core, archive)
    expansion = (_core.Swept if swept else _core.Thinned)(claims, settings)
    frontier = _core.Frontier(claims, expansion, [settings], x_obeys=not any(core.start), possible=True)
    out = Run(archive=archive)
    start = tuple(core.start)
    for _ in range(ROUNDS):
        points, parents, groups, offsets, rows = frontier.ask()
        asked = [tuple(p) for p in points.tolist()]
        for line, (parent, g) in enumerate(zip(parents.tolist(), groups.tolist(), strict=True)):
            for row in rows[offsets[line] : offsets[line + 1]].tolist():
                candidate = (*parent[:g], row, *parent[g + 1 :])
                out.line_rows.append((candidate, frontier.bound))
                asked.append(candidate)
        said = np.array([outcomes[rows] for rows in asked], float)
        points, lines = said[: len(points)], said[len(points) :]
        frontier.tell(outcomes[start], outcomes[start], points, points, lines, lines)
        out.rounds.append(asked)
        if frontier.converged:
            out.complete = True
            break
    return out


def problems(rules: bool = True) -> st.SearchStrategy[tuple[Space, dict[Rows, float]]]:
    return seeds().map(lambda seed: _problem(seed, rules)).filter(bool)


def _problem(seed: int, rules: bool) -> tuple[Space, dict[Rows, float]] | None:
    """A space with an allowed start, and an outcome for every candidate: a clipped sum of effects, or its label."""
    space, rng = random_space(seed, rules, None if rules else True), random.Random(seed)
    if not any(space.obeys(rows) for rows in space.candidates()):
        return None
    effects = [[0.0, *rng.choices([-0.2, 0.0, 0.1, 0.3, 0.6], k=len(table.allowed) - 1)] for table in space.tables]
    labels = rng.random() < 0.5
    outcomes = {}
    for rows in space.candidates():
        total = sum(effect[row] for effect, row in zip(effects, rows, strict=True))
        outcomes[rows] = float(total > 0.5) if labels else min(1.0, max(0.0, total))
    return space, outcomes


K = st.integers(1, 3)
ROWS_PER_LINE = st.integers(0, 2)  # 0: whole lines
THINNED = st.integers(1, 2)


@given(problems(), K, THINNED)
def test_no_candidate_is_asked_about_twice(problem, k, rows_per_line):
    asked = [rows for round in run(*problem, k, rows_per_line).rounds for rows in round]

    assert len(asked) == len(set(asked))


@given(problems(), K, THINNED)
def test_every_candidate_asked_about_obeys_every_rule(problem, k, rows_per_line):
    space, outcomes = problem
    asked = [rows for round in run(space, outcomes, k, rows_per_line).rounds for rows in round]

    assert [rows for rows in asked if not space.obeys(rows)] == []


@given(problems(), K, THINNED)
def test_rows_of_a_line_are_nearer_than_the_limit(problem, k, rows_per_line):
    space, outcomes = problem
    farther = [
        rows for rows, bound in run(space, outcomes, k, rows_per_line).line_rows if space.distance(rows) >= bound
    ]

    assert farther == []


@given(problems(), K)
def test_what_is_kept_of_whole_lines_obeys_every_rule(problem, k):
    space, outcomes = problem
    core = space.build()
    kept = run(space, outcomes, k, 0).archive.fittest(core, 10**6)

    assert [rows for rows in kept.tolist() if not space.obeys(tuple(rows)) and tuple(rows) != tuple(core.start)] == []


@given(problems(), K, ROWS_PER_LINE)
def test_the_search_ends_by_itself(problem, k, rows_per_line):
    assert run(*problem, k, rows_per_line).complete


@given(problems(rules=False), ROWS_PER_LINE)
def test_without_rules_it_ends_at_the_optimum(problem, rows_per_line):
    space, outcomes = problem
    archive = run(space, outcomes, 1, rows_per_line).archive
    best = archive.nearest(space.build(), 1).tolist()
    good = [space.distance(rows) for rows in outcomes if outcomes[rows] > 0.5 and space.obeys(rows)]

    assert [space.distance(tuple(rows)) for rows in best] == sorted(good)[:1]


@pytest.mark.parametrize("rows_per_line", [0, 2])
def test_effects_seen_one_by_one_are_put_together_in_the_next_round(rows_per_line):
    tables = [Table([True, True], [1.0, 1.0], [0.0, 0.25], [0.0, 0.0], [0.0, 1.0]) for _ in range(3)]
    space = Space(tables, [], [0, 1, 2])
    outcomes = {rows: 1 / (1 + math.exp(1 - 0.4 * sum(rows))) for rows in space.candidates()}  # it takes all three

    first, second, *_ = run(space, outcomes, 1, rows_per_line).rounds

    assert (1, 1, 1) not in first
    assert (1, 1, 1) in second


@given(problems(), K)
def test_same_settings_same_rounds(problem, k):
    assert run(*problem, k, 1).rounds == run(*problem, k, 1).rounds
