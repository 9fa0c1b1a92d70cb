"""Brute force: every combination of group rows, its rules, its distance and its outcome.

In: a problem of a few groups with a few rows each. Out: the nearest allowed counterfactual, and what exists at all.
A rule is judged once per combination of the groups it reads (by the plain checker); the rest is broadcasting, one
axis a group.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from geco.plaf.syntax import Program, Rule, refs_of

from .distance import Distance
from .exact import FARTHEST, plain, rounded
from .rules import Values, as_program, groups_of, holds, newly_missing, orders_of, row_of, rows_of

Predict = Callable[[pd.DataFrame], Any]


@dataclass(frozen=True)
class Solution:
    """All there is to know about one small problem."""

    x_allowed: bool
    x_good: bool
    allowed: int
    """Allowed candidates other than x."""
    good: int
    """How many of them are good."""
    distance: float | None
    """Of the nearest good one."""
    nearest: dict[str, Any] | None
    changes: int | None
    """The least number of changed groups of any good one."""

    @property
    def infeasible(self) -> bool:
        return self.allowed == 0


def solve(frame: pd.DataFrame, program: str | Program, x: Values, model: Predict, distance: Distance) -> Solution:
    """Score every allowed combination of x's own row or a row of D, group by group."""
    program = as_program(program)
    groups = groups_of(program, frame.columns)
    options = [options_of(frame, g, x, program) for g in groups]
    mask = allowed_mask(program, groups, options, x)
    dist = _distances(distance, groups, options, x)
    changed = _spread_out(np.add, [np.array([i > 0 for i in range(len(o))], float) for o in options])

    chosen = np.argwhere(mask)
    dist, changed = dist[mask], changed[mask]
    outcome = model(materialize(frame, groups, options, chosen)) if len(chosen) else []
    good, moved = np.asarray(outcome, float).ravel() > 0.5, chosen.any(axis=1)
    wanted = np.flatnonzero(good & moved)
    x_good = bool(np.asarray(model(as_frame([dict(x)], frame)), float).ravel()[0] > 0.5)
    best = wanted[np.argmin(dist[wanted])] if len(wanted) else None
    return Solution(
        x_allowed=bool(mask[(0,) * len(groups)]),
        x_good=x_good,
        allowed=int(moved.sum()),
        good=len(wanted),
        distance=None if best is None else float(dist[best]),
        nearest=None if best is None else candidate(groups, options, chosen[best]),
        changes=None if best is None else int(changed[wanted].min()),
    )


def ways(frame: pd.DataFrame, program: str | Program, x: Values, model: Predict, distance: Distance) -> list[float]:
    """Distances of all different ways, nearest first: per set of changed groups the nearest irreducible answer."""
    program = as_program(program)
    groups = groups_of(program, frame.columns)
    options = [options_of(frame, g, x, program) for g in groups]
    good = allowed_mask(program, groups, options, x)
    chosen = np.argwhere(good)
    if len(chosen):
        good[good] = np.asarray(model(materialize(frame, groups, options, chosen)), float).ravel() > 0.5
    needed = good.copy()
    for axis in range(len(groups)):  # an answer that is good without this change is reducible
        changed = np.moveaxis(needed, axis, 0)[1:]
        changed &= ~np.moveaxis(good, axis, 0)[:1]
    nearest: dict[tuple[bool, ...], float] = {}
    dist = _distances(distance, groups, options, x)
    for rows in np.argwhere(needed):
        delta = tuple(rows > 0)
        nearest[delta] = min(nearest.get(delta, np.inf), float(dist[tuple(rows)]))
    return sorted(d for delta, d in nearest.items() if any(delta))


def options_of(frame: pd.DataFrame, group: Sequence[str], x: Values, program: Program) -> list[tuple[Any, ...]]:
    """x's own row first, then every other row of Π_G(D) that makes nothing newly missing."""
    own = row_of(x, group)
    others = [row for row in rows_of(frame, group) if row != own]
    others = [
        r for r in others if not any(newly_missing(f, x, dict(zip(group, r, strict=True)), program) for f in group)
    ]
    return [own, *sorted(others, key=repr)]


def allowed_mask(
    program: Program, groups: Sequence[Sequence[str]], options: Sequence[Sequence[tuple[Any, ...]]], x: Values
) -> np.ndarray:
    """Which combinations obey every rule; one axis a group."""
    mask = np.ones([len(o) for o in options], bool)
    for rule in program.rules:
        mask &= _rule_mask(rule, program, groups, options, x)
    return mask


def candidate(
    groups: Sequence[Sequence[str]], options: Sequence[Sequence[tuple[Any, ...]]], rows: Any
) -> dict[str, Any]:
    return {f: v for g, o, r in zip(groups, options, rows, strict=True) for f, v in zip(g, o[r], strict=True)}


def materialize(
    frame: pd.DataFrame, groups: Sequence[Sequence[str]], options: Sequence[Sequence[tuple[Any, ...]]], rows: np.ndarray
) -> pd.DataFrame:
    """The chosen combinations as a frame with D's columns and dtypes."""
    columns = {}
    for axis, (group, table) in enumerate(zip(groups, options, strict=True)):
        for position, feature in enumerate(group):
            values = as_series([row[position] for row in table], frame[feature].dtype)
            columns[feature] = values.take(rows[:, axis]).reset_index(drop=True)
    return pd.DataFrame(columns)[list(frame.columns)]


def as_frame(rows: Sequence[Mapping[str, Any]], frame: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({f: as_series([plain(r[f]) for r in rows], frame[f].dtype) for f in frame.columns})


def as_series(values: Sequence[Any], dtype: Any) -> pd.Series:
    """Values in the user's dtype; a dtype that cannot hold them (an unseen category, a new None) becomes object."""
    if isinstance(dtype, pd.CategoricalDtype):
        unseen = [v for v in values if v is not None and v not in dtype.categories]
        return pd.Series(values, dtype=object if unseen else dtype)
    if dtype == np.dtype(bool) and None in values:  # pandas would read None as False
        return pd.Series(values, dtype=object)
    try:
        return pd.Series(values, dtype=dtype)
    except (TypeError, ValueError):
        return pd.Series(values, dtype=object)


def _rule_mask(
    rule: Rule,
    program: Program,
    groups: Sequence[Sequence[str]],
    options: Sequence[Sequence[tuple[Any, ...]]],
    x: Values,
) -> np.ndarray:
    read = {r.feature for p in (*rule.antecedents, rule.consequent) for r in refs_of(p) if r.owner == "x_cf"}
    axes = [i for i, g in enumerate(groups) if read & set(g)]
    orders = orders_of(program)
    shape = [len(options[i]) if i in axes else 1 for i in range(len(groups))]
    truths = []
    for rows in product(*(options[i] for i in axes)):
        x_cf = {f: v for i, row in zip(axes, rows, strict=True) for f, v in zip(groups[i], row, strict=True)}
        truths.append(holds(rule, x, x_cf, orders))
    return np.array(truths, bool).reshape(shape)


def _distances(
    distance: Distance, groups: Sequence[Sequence[str]], options: Sequence[Sequence[tuple[Any, ...]]], x: Values
) -> np.ndarray:
    """Of every combination; one axis a group. Each group's terms are exact, their sum is not."""
    added, largest = [], []
    for group, table in zip(groups, options, strict=True):
        terms = [distance.terms(x, {**x, **dict(zip(group, row, strict=True))}, group) for row in table]
        added.append(np.array([rounded(term) for term, _ in terms]))
        largest.append(np.array([rounded(term) for _, term in terms]))
    return np.minimum(_spread_out(np.add, added) + _spread_out(np.maximum, largest), FARTHEST)


def _spread_out(combine: np.ufunc, tables: Sequence[np.ndarray]) -> np.ndarray:
    """Add the terms of all groups, or take the largest, over all axes."""
    total = np.zeros([len(t) for t in tables])
    for axis, table in enumerate(tables):
        shape = [1] * len(tables)
        shape[axis] = len(table)
        total = combine(total, table.reshape(shape))
    return total
