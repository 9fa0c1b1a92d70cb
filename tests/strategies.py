"""Random small problems: a database, a PLAF program, an instance x and a model.

``random_problem(seed)`` is the generator; ``problems()`` hands it to hypothesis; ``random_instances`` draws more x for
one problem. Problems are small enough for brute force (3 to 6 groups of 3 to 12 rows) and hard enough to be worth
solving: many need two or more changes. ``random_problem(seed, hostile=True)`` has most columns at the edges of their
types (generators/odd.py), weights and costs of 0, and in part a fitted tree or forest that geco compiles.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from generators.edges import as_columns_have_it, fitted_on_ranks, hostile_params
from generators.models import random_model
from generators.odd import handed_over, odd_unseen
from generators.programs import random_program
from generators.tables import Column, Table, random_tables

MAX_COMBINATIONS = 60_000
HOSTILE_COMBINATIONS = 6_000
ODD = 0.65  # of the columns of a hostile problem
FITTED = 0.45  # of its models


@dataclass(frozen=True)
class Problem:
    """One question: what must change in x so that the model says good, under the program?"""

    seed: int
    frame: pd.DataFrame
    program: str
    x: dict[str, Any]
    model: Any
    kinds: dict[str, Any]
    params: dict[str, Any]
    tags: frozenset[str] = field(default_factory=frozenset)
    hostile: bool = False

    @property
    def compiled(self) -> bool:
        return "fitted" in self.tags

    @property
    def own(self) -> dict[str, Any]:
        """x as the columns of D hold it."""
        return as_columns_have_it(self.x, self.frame) if self.hostile else self.x

    def outcome(self, frame: pd.DataFrame) -> np.ndarray:
        """M, asked as it is: good above 0.5."""
        said = self.model.predict_proba(frame)[:, 1] if self.compiled else self.model(frame)
        return np.asarray(said, float).ravel()


def random_problem(seed: int, hostile: bool = False) -> Problem:
    """The problem of this seed; the same on every machine and in every process."""
    rng, tables = _begun(seed, hostile)
    frame = _frame(tables, rng)
    x, tags = _instance(tables, rng)
    own = as_columns_have_it(x, frame) if hostile else x
    model, model_tags = random_model(frame, tables, own, rng)
    program, program_tags = random_program(tables, own, rng)
    for table in tables:
        tags |= {table.kind, *(c.odd for c in table.columns if c.odd)}
    tags |= model_tags | program_tags
    kinds = {c.name: "categorical" for t in tables for c in t.columns if c.categorical_code}
    params = hostile_params(tables, rng) if hostile else _params(rng)
    if hostile and rng.random() < FITTED:
        model, tags = fitted_on_ranks(model, frame, rng), tags | {"fitted"}
    return Problem(seed, frame, program, x, model, kinds, params, frozenset(tags), hostile)


def random_instances(problem: Problem, n: int) -> list[dict[str, Any]]:
    """The problem's own x, then others drawn from its tables: n different ones, fewer only if too few exist."""
    _, tables = _begun(problem.seed, problem.hostile)
    rng = np.random.default_rng([20262, problem.seed])
    found = [problem.x]
    for _ in range(50 * n):
        if len(found) >= n:
            break
        x, _ = _instance(tables, rng)
        if x not in found:
            found.append(x)
    return found


def problems() -> st.SearchStrategy[Problem]:
    """Problems for hypothesis; a failing one is named by its seed."""
    return seeds().map(random_problem)


def seeds() -> st.SearchStrategy[int]:
    return st.integers(0, 2**31 - 1)


def _begun(seed: int, hostile: bool) -> tuple[np.random.Generator, list[Table]]:
    """The first draws of a problem; hostile ones have a stream of their own."""
    rng = np.random.default_rng([20264 if hostile else 20261, seed])
    tables = random_tables(rng, HOSTILE_COMBINATIONS, ODD) if hostile else random_tables(rng, MAX_COMBINATIONS)
    return rng, tables


def _frame(tables: list[Table], rng: np.random.Generator) -> pd.DataFrame:
    """D: every row of every table at least once, the rest weighted; columns of one group need not be neighbours."""
    rows = int(rng.integers(20, 201))
    columns: dict[str, pd.Series] = {}
    for table in tables:
        weights = rng.dirichlet(np.full(len(table.rows), 0.8))
        drawn = np.concatenate(
            [np.arange(len(table.rows)), rng.choice(len(table.rows), rows - len(table.rows), p=weights)]
        )
        rng.shuffle(drawn)
        for position, column in enumerate(table.columns):
            columns[column.name] = column.series([table.rows[i][position] for i in drawn])
    names = list(columns)
    rng.shuffle(names)
    return pd.DataFrame({n: columns[n] for n in names})


def _instance(tables: list[Table], rng: np.random.Generator) -> tuple[dict[str, Any], set[str]]:
    """x: mostly rows of D, sometimes a combination or a value D never had."""
    x: dict[str, Any] = {}
    tags: set[str] = set()
    for table in tables:
        row = list(table.rows[rng.integers(len(table.rows))])
        if table.kind == "joint" and rng.random() < 0.15:
            row = [table.rows[rng.integers(len(table.rows))][i] for i in range(len(row))]
        x |= {c.name: v for c, v in zip(table.columns, row, strict=True)}
        for column in table.columns:
            if table.kind != "onehot" and rng.random() < (0.1 if column.odd else 0.03):
                seen = table.values(column) if column.odd else []
                if seen or not column.odd:  # a column may have nothing but missing values
                    x[column.name] = odd_unseen(column.odd, seen, rng) if column.odd else _unseen(column, rng)
                    tags.add("unseen")
            if column.odd:
                x[column.name] = handed_over(column.odd, x[column.name], rng)
            if x[column.name] is None:
                tags.add("x_missing")
    return x, tags


def _unseen(column: Column, rng: np.random.Generator) -> Any:
    if column.type == "integer":
        return int(rng.integers(0, 40))
    if column.type == "number":
        return float(rng.integers(0, 400)) / 10
    if column.type == "text" and column.dtype is not None:
        return "never seen"
    return None


def _params(rng: np.random.Generator) -> dict[str, float]:
    if rng.random() < 0.7:
        return {"alpha": 0.0, "beta": 1.0, "gamma": 0.0}
    alpha, beta, gamma = [(0.5, 0.5, 0.0), (0.2, 0.3, 0.5), (0.0, 0.5, 0.5), (0.25, 0.75, 0.0)][rng.integers(4)]
    return {"alpha": alpha, "beta": beta, "gamma": gamma}
