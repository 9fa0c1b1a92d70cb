"""Random models: trees, linear scores and conjunctions, on a frame with the user's columns.

Each is a callable; a third return labels 0 and 1 only. x is bad for nearly all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from generators.odd import told_apart
from generators.tables import Column, Table


@dataclass(frozen=True)
class Test:
    """One question about one column; a missing value answers no."""

    __test__ = False
    column: Column
    threshold: float
    words: frozenset[Any]
    flip: bool

    def __call__(self, frame: pd.DataFrame) -> np.ndarray:
        values = frame[self.column.name]
        if self.words:
            return values.isin(list(self.words)).to_numpy(bool) ^ self.flip
        with np.errstate(invalid="ignore"):
            above = numbers(values) > self.threshold
        return (above ^ self.flip) & ~values.isna().to_numpy(bool)


@dataclass(frozen=True)
class Exactly:
    """A question that tells the closest values of a column apart: by their keys, never by float64."""

    column: Column
    threshold: Any
    words: frozenset[Any]
    flip: bool

    def __call__(self, frame: pd.DataFrame) -> np.ndarray:
        return np.array([not pd.isna(v) and self._says(told_apart(v)) for v in frame[self.column.name].astype(object)])

    def _says(self, key: Any) -> bool:
        return bool((key in self.words if self.words else key > self.threshold) ^ self.flip)


@dataclass(frozen=True)
class Tree:
    """A full binary tree of tests with a probability in each leaf."""

    tests: tuple[Test | Exactly, ...]
    leaves: np.ndarray

    def __call__(self, frame: pd.DataFrame) -> np.ndarray:
        node = np.zeros(len(frame), int)
        answers = np.stack([t(frame) for t in self.tests])
        while node[0] < len(self.tests):
            node = 2 * node + 1 + answers[node, np.arange(len(frame))]
        return self.leaves[node - len(self.tests)]


@dataclass(frozen=True)
class Linear:
    """A logistic score of tests and scaled numbers."""

    weights: tuple[tuple[Column, float, float, dict[Any, float]], ...]
    bias: float

    def __call__(self, frame: pd.DataFrame) -> np.ndarray:
        return 1 / (1 + np.exp(-(self.score(frame) - self.bias)))

    def score(self, frame: pd.DataFrame) -> np.ndarray:
        total = np.zeros(len(frame))
        for column, weight, scale, words in self.weights:
            if words:
                keys = (told_apart(v) if column.odd else v for v in frame[column.name].astype(object))
                total += np.array([words.get(key, 0.0) for key in keys], float)
            else:
                total += weight * np.nan_to_num(numbers(frame[column.name])) / scale
        return total


@dataclass(frozen=True)
class Conjunction:
    """Good only if every test says yes; ``gradual`` tells how many did, otherwise there is nothing to climb."""

    tests: tuple[Test | Exactly, ...]
    gradual: bool

    def __call__(self, frame: pd.DataFrame) -> np.ndarray:
        share = np.mean([t(frame) for t in self.tests], axis=0)
        return np.where(share == 1, 0.9, 0.45 * share if self.gradual else 0.1)


@dataclass(frozen=True)
class Labels:
    """Any model seen through its labels."""

    model: Any

    def __call__(self, frame: pd.DataFrame) -> np.ndarray:
        return (self.model(frame) > 0.5).astype(int)


@dataclass(frozen=True)
class Reversed:
    """The opposite of a model; with it x is already good."""

    model: Any

    def __call__(self, frame: pd.DataFrame) -> np.ndarray:
        return 1 - self.model(frame)


def random_model(
    frame: pd.DataFrame, tables: list[Table], x: dict[str, Any], rng: np.random.Generator
) -> tuple[Any, set[str]]:
    """A model and its tags; x comes out bad except by chance."""
    make, tag = [(_tree, "tree"), (_linear, "linear"), (_conjunction, "conjunction")][
        rng.choice(3, p=[0.3, 0.35, 0.35])
    ]
    row = pd.DataFrame({c: pd.Series([x[c]], dtype=object) for c in frame.columns})
    model = make(frame, tables, row, rng)
    if rng.random() < 0.03:
        return Reversed(model), {tag}
    for _ in range(8):
        if model(row)[0] <= 0.5:
            break
        model = make(frame, tables, row, rng)
    if rng.random() < 1 / 3:
        return Labels(model), {tag, "labels"}
    return model, {tag}


def numbers(values: pd.Series) -> np.ndarray:
    return pd.to_numeric(values, errors="coerce").to_numpy(float, na_value=np.nan)


def _tree(frame: pd.DataFrame, tables: list[Table], row: pd.DataFrame, rng: np.random.Generator) -> Tree:
    depth = int(rng.integers(2, 5))
    tests = tuple(_test(tables[rng.integers(len(tables))], rng) for _ in range(2**depth - 1))
    return Tree(tests, np.round(rng.beta(0.7, 1.4, 2**depth), 3))


def _linear(frame: pd.DataFrame, tables: list[Table], row: pd.DataFrame, rng: np.random.Generator) -> Linear:
    weights = []
    for table in tables:
        for column in table.columns:
            if column.odd:
                words = {told_apart(v): float(rng.normal()) for v in table.values(column)}
            else:
                words = {} if column.numeric else {v: float(rng.normal()) for v in table.values(column)}
            scale = 1.0 if words else float(max(1.0, np.ptp(table.values(column) or [0])))
            weights.append((column, float(rng.normal()), scale, words))
    bare = Linear(tuple(weights), 0.0)
    quantile = float(np.quantile(bare.score(frame), rng.uniform(0.55, 0.97)))
    return Linear(bare.weights, max(quantile, float(bare.score(row)[0]) + 0.01))


def _conjunction(frame: pd.DataFrame, tables: list[Table], row: pd.DataFrame, rng: np.random.Generator) -> Conjunction:
    """One test for each of two to four groups, most of which x fails."""
    chosen = rng.permutation(len(tables))[: int(rng.integers(2, min(5, len(tables) + 1)))]
    tests = []
    for i, group in enumerate(chosen):
        test = _test(tables[group], rng)
        for _ in range(10):
            if i < 2 and test(row)[0]:
                test = _test(tables[group], rng)
        tests.append(test)
    return Conjunction(tuple(tests), bool(rng.random() < 0.5))


def _test(table: Table, rng: np.random.Generator) -> Test | Exactly:
    column = table.columns[rng.integers(len(table.columns))]
    values = table.values(column)
    if column.odd and values:
        key, some = told_apart(values[int(rng.integers(len(values)))]), rng.permutation(len(values))[: len(values) // 3]
        words = frozenset(told_apart(values[j]) for j in some) if rng.random() < 0.4 else frozenset()
        return Exactly(column, key, words, bool(rng.random() < 0.4))
    if column.numeric and not column.categorical_code and values:
        middle = values[int(rng.integers(len(values)))]
        return Test(column, float(middle) - 0.05 * float(rng.random() < 0.5), frozenset(), bool(rng.random() < 0.4))
    count = int(rng.integers(1, max(2, len(values) // 2 + 1)))
    words = frozenset(values[j] for j in rng.permutation(len(values))[:count])
    return Test(column, 0.0, words, False)
