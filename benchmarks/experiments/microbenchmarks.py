"""What Figure 6 and Table 2 share: Allstate and Yelp (synthetic), give_me_some_credit, Credit and Adult, and their
models.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache
from typing import Any

from benchmarks import models, synthetic_tables
from benchmarks.datasets import Dataset
from benchmarks.experiments.problems import Problem, datasets, problem, rejected

TRAINED = 10_000  # rows that the models of the synthetic tables are fitted on
NAMES = {
    "allstate/rf": "Allstate (synthetic), forest",
    "yelp/rf": "Yelp (synthetic), forest",
    "yelp/small": "Yelp (synthetic), small network",
    "yelp/large": "Yelp (synthetic), large network",
    "give_me_some_credit/rf": "Give me some credit, forest",
    "credit/rf": "Credit, forest",
    "adult_mace/rf": "Adult, forest",
}
# The paper's two networks; few epochs, because the labels of these tables are made up.
NETWORKS = {"small": (100,), "large": (100, 100)}


@cache
def cell(name: str, rows: int) -> Problem:
    """One table, its first ``rows`` rows if it is synthetic, and one of the paper's models."""
    dataset, model = name.split("/")
    if dataset not in synthetic_tables.NAMES:
        return problem(dataset, model)
    table = _table(dataset, rows)
    first = replace(table, frame=table.frame.iloc[:TRAINED], label=table.label.iloc[:TRAINED])
    pipeline = _fitted(first, model)
    return Problem(name, table.frame, table.kinds, pipeline, table.program, rejected(first.frame, pipeline))


def columns(asked: Problem) -> int:
    """How many columns the model sees after one-hot encoding."""
    return int(asked.pipeline[:-1].transform(asked.frame.iloc[:1]).shape[1])


@cache
def _table(dataset: str, rows: int) -> Dataset:
    return synthetic_tables.load(dataset, rows)


def _fitted(data: datasets.Dataset, model: str) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Stochastic Optimizer")
        if model in NETWORKS:
            return models.fit(data, "mlp", hidden_layer_sizes=NETWORKS[model], max_iter=5)
        return models.fit(data, model, scaled=False)
