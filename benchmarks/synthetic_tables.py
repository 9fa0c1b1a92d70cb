"""Synthetic tables in the shape of Allstate and Yelp, any number of rows, streamed to Parquet.

    python -m benchmarks.synthetic_tables allstate|yelp ROWS FILE.parquet

The real tables are not available. From ``allstate_schema.json`` and ``yelp_schema.json`` come names, types, domain
sizes and quantiles. Features are drawn independently: numbers by their quantiles or, with a domain size alone, from
that many values of a normal distribution; categories by Zipf's law. The label (1 is good) is a random additive score
of the features with a few products, plus noise, cut at its middle. Batches are seeded one by one, so any prefix is
the same for any number of rows.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.datasets import DATA, Dataset

NAMES = ("allstate", "yelp")
LABEL = "good"
BATCH = 50_000
# What the schemas leave open.
WHOLE = {"review_year": (2004, 2018), "review_month": (1, 13), "review_day": (1, 32), "attribute_count": (0, 60)}
DECIMALS = {"latitude": 3, "longitude": 3, "average_stars": 2}


def batches(name: str, rows: int, seed: int = 0) -> Iterator[pd.DataFrame]:
    """The table in pieces of at most BATCH rows, the label last."""
    features = _schema(name)["features"]
    weights = np.random.default_rng([seed, 0]).normal(size=(2, len(features)))
    for number, start in enumerate(range(0, rows, BATCH)):
        rng = np.random.default_rng([seed, 1 + number])
        ranks = rng.random((BATCH, len(features)))
        table = pd.DataFrame({f["name"]: _values(f, ranks[:, i]) for i, f in enumerate(features)})
        table[LABEL] = _label(ranks, weights, rng)
        yield table.iloc[: min(BATCH, rows - start)]


def write(name: str, rows: int, path: Path, seed: int = 0) -> None:
    """Stream the table to a Parquet file; no more than one batch is in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pieces = (pa.Table.from_pandas(piece, preserve_index=False) for piece in batches(name, rows, seed))
    first = next(pieces)
    with pq.ParquetWriter(path, first.schema) as file:
        file.write_table(first)
        for piece in pieces:
            file.write_table(piece)


def load(name: str, rows: int, seed: int = 0) -> Dataset:
    """The table in memory, as the other data sets are."""
    table = pd.concat(batches(name, rows, seed), ignore_index=True)
    kinds = {f["name"]: "categorical" for f in _schema(name)["features"] if f["type"] == "categorical"}
    return Dataset(f"synthetic {name}", table.drop(columns=LABEL), table[LABEL], kinds, program(name))


def program(name: str) -> str:
    """The rules that GeCo.jl has for this table; one-hot columns are one categorical here, so they need no group."""
    rules = _schema(name).get("plaf", [])
    return "\n".join(rule for rule in rules if rule.startswith("PLAF"))


def _schema(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((DATA / f"{name}_schema.json").read_text())
    return schema


def _values(feature: dict[str, Any], ranks: np.ndarray) -> np.ndarray:
    """What stands at these ranks (0 to 1) of the feature's distribution."""
    name, size = feature["name"], feature.get("domain_size")
    if feature["type"] == "categorical":
        shares = np.cumsum(1 / np.arange(1, size + 1))
        codes = np.searchsorted(shares / shares[-1], ranks)
        return np.array([f"{name}_{code:03d}" for code in range(size)], dtype=object)[codes]
    if name in WHOLE:
        low, high = WHOLE[name]
        return np.floor(low + ranks * (high - low)).astype(np.int64)
    if "quantiles" in feature:
        return _between(name, np.array(feature["quantiles"], float), ranks)
    if size <= 32:
        return np.floor(ranks * size).astype(np.int64)
    grid = np.linspace(-3, 3, size).round(4)
    normal = np.sqrt(2) * _inverse_erf(2 * ranks - 1)
    return grid[np.clip(np.searchsorted(grid, normal), 0, size - 1)]


def _between(name: str, quantiles: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Counts and stars keep to whole and half steps, as in the original."""
    drawn = np.interp(ranks, np.linspace(0, 1, len(quantiles)), quantiles)
    if name in DECIMALS:
        return drawn.round(DECIMALS[name])
    if name == "business_stars":
        return (2 * drawn).round() / 2
    return drawn.round().astype(np.int64)


def _inverse_erf(x: np.ndarray) -> np.ndarray:
    """Winitzki's formula: three digits are enough for a look-alike."""
    a, tail = 0.147, np.log1p(-(np.clip(x, -1 + 1e-12, 1 - 1e-12) ** 2))
    middle = 2 / (np.pi * a) + tail / 2
    return np.sign(x) * np.sqrt(np.sqrt(middle**2 - tail / a) - middle)


def _label(ranks: np.ndarray, weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    centred = ranks - 0.5
    pairs = centred[:, :-1:2] * centred[:, 1::2]
    score = centred @ weights[0] + 2 * pairs @ weights[1, : pairs.shape[1]]
    return (score + rng.normal(scale=0.2, size=len(score)) > 0).astype(np.int64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("rows", type=int)
    parser.add_argument("file", type=Path)
    args = parser.parse_args()
    write(args.name, args.rows, args.file)


if __name__ == "__main__":
    main()
