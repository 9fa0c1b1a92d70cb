"""The problems of growth.py: along each axis one thing grows and the rest stays as it is.

Trees, k and rows of D are asked on Credit with random forests of depth 8; features, domain size and rules across groups
on made-up tables with boosted trees. A Problem holds the explainer, the user's model and the refused instances that are
asked.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import geco
from benchmarks import datasets
from benchmarks.methods import PAPER

ASKED = 12
FITTED = 3_000
TREES = (10, 30, 100, 300, 1_000)
ONE_HOT = (10, 34, 102, 340, 764)
GROUPS = 34
VALUES = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
NUMBERS = 10
KS = (1, 2, 5, 10, 20)
RULES = (0, 1, 2, 5, 10, 20)
RULED_VALUES = 10_000  # of each feature that rules are about
ROWS = (10_000, 100_000, 1_000_000, 10_000_000)
FOREST = 100  # trees where it is not the trees that grow


class Watched:
    """A method that notes when the search begins: until then x is read, rules are grounded and DG is made."""

    def __init__(self, method: Any, clock: Callable[[], float]) -> None:
        self.method, self.clock, self.begun = method, clock, 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.method, name)

    def prepare(self, *deployment: Any) -> Watched:
        self.method = self.method.prepare(*deployment)
        return self

    def search(self, task: Any) -> Any:
        search = self.method.search(task)
        self.begun = self.clock()
        return search


@dataclass(frozen=True)
class Problem:
    """One setting of one axis; the explainer's method is a Watched."""

    size: int
    explainer: geco.Explainer
    model: Any
    instances: pd.DataFrame
    k: int = 5

    @property
    def watched(self) -> Any:
        return self.explainer.method

    def records(self) -> list[dict[str, Any]]:
        frame = self.instances
        return [{name: frame[name].iloc[i] for name in frame.columns} for i in range(len(frame))]


def trees(quick: bool) -> Iterator[Problem]:
    database, program = geco.Database.from_frame(_credit().frame), _program()
    for size in TREES[: 3 if quick else None]:
        model = _first_trees(size)
        yield Problem(size, _explainer(model, database, program), model, _refused_by_all(quick))


def k(quick: bool) -> Iterator[Problem]:
    model = _first_trees(FOREST)
    explainer = _explainer(model, geco.Database.from_frame(_credit().frame), _program())
    for size in KS[: 3 if quick else None]:
        yield Problem(size, explainer, model, _refused_by_all(quick), size)


def rows_of_d(quick: bool, folder: Path) -> Iterator[Problem]:
    model, credit = _first_trees(FOREST), _credit().frame
    for size in ROWS[: 2 if quick else None]:
        path = folder / f"{size}.parquet"
        _write_table(path, credit, size)
        yield Problem(size, _explainer(model, geco.Database.from_file(path), _program()), model, _refused_by_all(quick))


def one_hot_features(quick: bool) -> Iterator[Problem]:
    for size in ONE_HOT[: 3 if quick else None]:
        yield _one_hot(size)


def domain_size(quick: bool) -> Iterator[Problem]:
    for size in VALUES[: 3 if quick else None]:
        frame, model, refused = _numbers(size, VALUES[-1])
        yield Problem(size, _explainer(model, geco.Database.from_frame(frame), geco.Program()), model, refused)


def rules_across_groups(quick: bool) -> Iterator[Problem]:
    frame, model, refused = _numbers(RULED_VALUES, 10 * RULED_VALUES)
    database, rules = geco.Database.from_frame(frame), _rules()
    for size in RULES[: 3 if quick else None]:
        program = geco.parse_plaf("\n".join(rules[:size]))
        yield Problem(size, _explainer(model, database, program), model, refused)


def _rules() -> list[str]:
    """Who raises one feature may not lower another, or has to raise it too; in no circle."""
    pairs = [(i, j) for i in range(NUMBERS) for j in range(i + 1, NUMBERS)]
    drawn = np.random.default_rng(2026).permutation(len(pairs))[: RULES[-1]]
    return [
        f"PLAF IF x_cf.n{i} > x.n{i} THEN x_cf.n{j} >= x.n{j}{' + 0.01' if at % 2 else ''}"
        for at, (i, j) in enumerate(pairs[d] for d in drawn)
    ]


def _numbers(size: int, rows: int) -> tuple[pd.DataFrame, Any, pd.DataFrame]:
    """Numbers of so many values each; every one occurs equally often, so a column has exactly as many as it says."""
    rng = np.random.default_rng(2026)
    ranks = {f"n{i}": rng.permutation(np.arange(rows) % size) for i in range(NUMBERS)}
    frame = pd.DataFrame(ranks).astype("float64") / size
    return frame, *_boosted(frame, frame.sum(axis=1) + np.sin(9 * frame["n0"]))


def _one_hot(size: int) -> Problem:
    """At most 34 sets of columns of which one is 1, with as many categories each as ``size`` allows."""
    rng = np.random.default_rng(size)
    groups = min(GROUPS, size // 2)
    names, columns, program = [], [], []
    for g, categories in enumerate(len(part) for part in np.array_split(np.arange(size), groups)):
        own = [f"c{g}_{i}" for i in range(categories)]
        program.append(f"ONEHOT c{g}: {', '.join(own)}")
        names += own
        columns.append(np.eye(categories, dtype="int64")[rng.integers(categories, size=FITTED)])
    frame = pd.DataFrame(np.hstack(columns), columns=names)
    model, refused = _boosted(frame, frame @ rng.normal(size=size))
    return Problem(
        size,
        _explainer(model, geco.Database.from_frame(frame), geco.parse_plaf("\n".join(program))),
        model,
        refused,
    )


def _boosted(frame: pd.DataFrame, worth: pd.Series) -> tuple[Any, pd.DataFrame]:
    """A model that calls the better half good, and some of those it refuses."""
    from xgboost import XGBClassifier

    sample = frame.index[:FITTED]
    model = XGBClassifier(n_estimators=100, max_depth=5, n_jobs=1, random_state=0)
    model.fit(frame.loc[sample], (worth.loc[sample] > worth.loc[sample].median()).astype(int))
    return model, frame.loc[sample[model.predict(frame.loc[sample]) == 0][:ASKED]]


@cache
def _credit() -> datasets.Dataset:
    return datasets.load("credit")


@cache
def _program() -> geco.Program:
    return geco.parse_plaf(_credit().program)


@cache
def _forest() -> Any:
    from sklearn.ensemble import RandomForestClassifier

    sample = _credit().frame.sample(FITTED, random_state=0)
    forest = RandomForestClassifier(n_estimators=TREES[-1], max_depth=8, n_jobs=1, random_state=0)
    return forest.fit(sample, _credit().label.loc[sample.index])


@cache
def _first_trees(size: int) -> Any:
    """A smaller forest is the beginning of the large one, so that only the number of trees differs."""
    forest = copy.copy(_forest())
    forest.estimators_ = forest.estimators_[:size]
    return forest.set_params(n_estimators=size)


@cache
def _refused_by_all(quick: bool) -> pd.DataFrame:
    frame = _credit().frame.head(20 * ASKED)
    sizes = TREES[: 3 if quick else None]
    refused = np.all([_first_trees(size).predict(frame) == 0 for size in sizes], axis=0)
    return frame[refused].head(ASKED)


def _explainer(model: Any, database: geco.Database, program: geco.Program) -> geco.Explainer:
    explainer = geco.Explainer(
        model, database, program, params=PAPER, verify=False, method=Watched(geco.Frontier(), time.process_time)
    )
    assert explainer.compiled is not None, explainer.describe()
    return explainer


def _write_table(path: Path, source: pd.DataFrame, rows: int) -> None:
    """Rows of the source drawn by hash of their number; the first are the same for any number of rows."""
    import duckdb

    numbered = source.assign(number=np.arange(len(source)))
    with duckdb.connect() as connection:
        connection.register("source", numbered)
        connection.execute("SET threads = 1")
        connection.execute(
            f"COPY (SELECT source.* EXCLUDE number FROM range({rows}) AS drawn(row) "
            f"JOIN source ON source.number = hash(drawn.row) % {len(source)}) TO '{path}' (FORMAT parquet)"
        )
