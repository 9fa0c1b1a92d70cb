"""Algorithms 1 to 3 as the paper prints them, over plain dicts: slow, and short enough to check by eye.

A candidate is a pair (x', Δ') of a full dict and a frozenset of group numbers. ``DG[G]`` maps each row of the sample
space to its count in D. ``action_cascade`` follows design section 3: group by group in topological order, all
consequents that fire for a group at once, None when no row satisfies them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

import pandas as pd

from geco.plaf.syntax import Program, Rule, refs_of

from .distance import Distance
from .rules import Values, as_program, groups_of, holds, newly_missing, orders_of, row_of

Row = tuple[Any, ...]
Candidate = tuple[dict[str, Any], frozenset[int]]
Predict = Callable[[dict[str, Any]], float]


@dataclass(frozen=True)
class Space:
    """C_x and DG for one x: Γ, the sample space of every group, the rules across groups by the group they define."""

    x: dict[str, Any]
    groups: list[tuple[str, ...]]
    DG: list[dict[Row, int]]
    rules: tuple[Rule, ...]
    defined_by: dict[int, list[Rule]]
    topological: list[int]
    orders: dict[str, tuple[str, ...]]


def feasible_space(frame: pd.DataFrame, program: str | Program, x: Values) -> Space:
    """Sec. 4.2: DG_i = σ(Π_{G_i}(D)) by the rules that read group i alone."""
    program = as_program(program)
    groups, orders = groups_of(program, frame.columns), orders_of(program)
    DG = []
    for i, group in enumerate(groups):
        local = [rule for rule in program.rules if _reads(rule, groups) == {i}]
        space: dict[Row, int] = {}
        for record in frame[list(group)].astype(object).to_dict("records"):
            row = row_of(record, group)
            x_cf = dict(zip(group, row, strict=True))
            if row == row_of(x, group) or any(newly_missing(f, x, x_cf, program) for f in group):
                continue
            if all(holds(rule, x, x_cf, orders) for rule in local):
                space[row] = space.get(row, 0) + 1
        DG.append(space)
    defined_by: dict[int, list[Rule]] = {i: [] for i in range(len(groups))}
    for rule in program.rules:
        for i, group in enumerate(groups):
            if rule.defines in group or _reads(rule, groups) == {i}:
                defined_by[i].append(rule)
    return Space(dict(x), groups, DG, program.rules, defined_by, _topological(defined_by, groups), orders)


def action_cascade(candidate: Candidate, space: Space, rng: Random) -> Candidate | None:
    """Re-draw each violated group once, in topological order; None if some group has no row left or a filter fails."""
    x_new = dict(candidate[0])
    for i in space.topological:
        if all(holds(rule, space.x, x_new, space.orders) for rule in space.defined_by[i]):
            continue
        rows = satisfying_rows(x_new, i, space)
        if not rows:
            return None
        row = rng.choices(list(rows), weights=list(rows.values()))[0]
        x_new |= dict(zip(space.groups[i], row, strict=True))
    return _finished(x_new, space)


def every_cascade(candidate: Candidate, space: Space) -> list[Candidate]:
    """All that action_cascade could return, whatever it draws."""
    open_ends = [dict(candidate[0])]
    for i in space.topological:
        following = []
        for x_new in open_ends:
            if all(holds(rule, space.x, x_new, space.orders) for rule in space.defined_by[i]):
                following.append(x_new)
            else:
                rows = satisfying_rows(x_new, i, space)
                following += [x_new | dict(zip(space.groups[i], row, strict=True)) for row in rows]
        open_ends = following
    return [made for x_new in open_ends if (made := _finished(x_new, space)) is not None]


def satisfying_rows(x_new: Values, i: int, space: Space) -> dict[Row, int]:
    """The rows of DG[i] that satisfy every rule defining group i; x's own row only if there is no other."""
    rows = {row: count for row, count in space.DG[i].items() if _fits(row, x_new, i, space)}
    own = row_of(space.x, space.groups[i])
    return rows or ({own: 1} if _fits(own, x_new, i, space) else {})


def _fits(row: Row, x_new: Values, i: int, space: Space) -> bool:
    tried = {**x_new, **dict(zip(space.groups[i], row, strict=True))}
    return all(holds(rule, space.x, tried, space.orders) for rule in space.defined_by[i])


def _finished(x_new: dict[str, Any], space: Space) -> Candidate | None:
    if not all(holds(rule, space.x, x_new, space.orders) for rule in space.rules):
        return None
    return x_new, frozenset(i for i, g in enumerate(space.groups) if row_of(x_new, g) != row_of(space.x, g))


def mutate(population: Sequence[Candidate], space: Space, m: int, rng: Random) -> list[Candidate]:
    """Algorithm 2."""
    cand = []
    for x_star, delta_star in population:
        for i, group in enumerate(space.groups):
            if i in delta_star:
                continue
            for row in sample(space.DG[i], m, rng):
                x_new = x_star | dict(zip(group, row, strict=True))
                made = action_cascade((x_new, delta_star | {i}), space, rng)
                if made is not None:
                    cand.append(made)
    return cand


def crossover(population: Sequence[Candidate], space: Space, rng: Random) -> list[Candidate]:
    """Algorithm 3; the population is sorted by score, so the first candidate with a Δ is the best one."""
    best: dict[frozenset[int], dict[str, Any]] = {}
    for x_star, delta in population:
        best.setdefault(delta, x_star)
    cand = []
    for (delta_i, x_i), (delta_j, x_j) in combinations(best.items(), 2):
        x_new = dict(x_i)
        for g in delta_i | delta_j:
            source = x_i if g not in delta_j else x_j if g not in delta_i else rng.choice([x_i, x_j])
            x_new |= {f: source[f] for f in space.groups[g]}
        made = action_cascade((x_new, delta_i | delta_j), space, rng)
        if made is not None:
            cand.append(made)
    return cand


def score(distance: float, outcome: float) -> float:
    """Eq. 11."""
    return distance if outcome > 0.5 else (distance + 1) + (1 - outcome)


def select_fittest(
    population: Sequence[Candidate], M: Predict, distance: Distance, x: Values, q: int
) -> list[Candidate]:
    """The q candidates with the smallest score, smallest first; equal scores keep their order."""
    return sorted(population, key=lambda c: score(distance(x, c[0]), M(c[0])))[:q]


def explain(
    space: Space,
    M: Predict,
    distance: Distance,
    rng: Random,
    k: int = 5,
    q: int = 100,
    m_init: int = 20,
    m_mut: int = 5,
    most: int = 100,
) -> list[Candidate]:
    """Algorithm 1. It also stops when CAND is empty, and after ``most`` generations; a candidate is tried only once."""
    start: Candidate = (space.x, frozenset())
    population = select_fittest(unseen(mutate([start], space, m_init, rng), []), M, distance, space.x, q)
    seen = list(population)
    for _ in range(most):
        cand = unseen(crossover(population, space, rng) + mutate(population, space, m_mut, rng), seen)
        seen += cand
        population = select_fittest([*population, *cand], M, distance, space.x, q)
        top_k = population[:k]
        stable = all(M(c[0]) > 0.5 for c in top_k) and not any(c in cand for c in top_k)
        if stable or not cand:
            break
    return [c for c in population[:k] if M(c[0]) > 0.5]


def sample(rows: dict[Row, int], m: int, rng: Random) -> list[Row]:
    """m rows without replacement, each drawn with a weight that is its count in D."""
    left, drawn = dict(rows), []
    while left and len(drawn) < m:
        row = rng.choices(list(left), weights=list(left.values()))[0]
        drawn.append(row)
        del left[row]
    return drawn


def unseen(candidates: Sequence[Candidate], seen: Sequence[Candidate]) -> list[Candidate]:
    """CAND means never seen before; otherwise a re-proposed winner keeps the loop alive."""
    known = {tuple(c[0].values()) for c in seen}
    fresh = []
    for candidate in candidates:
        key = tuple(candidate[0].values())
        if key not in known:
            known.add(key)
            fresh.append(candidate)
    return fresh


def _reads(rule: Rule, groups: Sequence[Sequence[str]]) -> set[int]:
    read = {r.feature for p in (*rule.antecedents, rule.consequent) for r in refs_of(p) if r.owner == "x_cf"}
    return {i for i, g in enumerate(groups) if read & set(g)}


def _topological(defined_by: dict[int, list[Rule]], groups: Sequence[Sequence[str]]) -> list[int]:
    """Groups in an order in which every rule reads only groups before the one it defines."""
    before = {i: set().union(*(_reads(rule, groups) for rule in rules)) - {i} for i, rules in defined_by.items()}
    order: list[int] = []
    while len(order) < len(groups):
        order.append(next(i for i in range(len(groups)) if i not in order and before[i] <= set(order)))
    return order
