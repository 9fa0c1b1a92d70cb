"""D of 10 million rows and more from Parquet: seconds and memory to build, explanations as fast as on 100,000 rows.

    python -m benchmarks.acceptance.large_table [--table credit|continuous|yelp] [--rows N] [--folder DIR]

``credit`` is Credit resampled, its amounts moved by a few tens of dollars, with an account number that is excluded;
``continuous`` adds a column with a value of its own in nearly every row, whose domain is cut. ``yelp`` has the shape of
the paper's largest table, 22.4 million rows of 34 columns (synthetic_tables.py). Tables are written in pieces. Each
figure comes from a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import geco
from benchmarks import datasets, synthetic_tables
from benchmarks.methods import PAPER
from benchmarks.models import fit
from benchmarks.report import RESULTS, save, show

PIECE = 250_000
SMALL = 100_000
EXPLAINED = 100
REPEATS = 3
ACCOUNT, CONTINUOUS, SCORE = "AccountNumber", "DailyBalance", "Good"
AT_MOST_SECONDS, AT_MOST_GIGABYTES, AT_MOST_SLOWER = 60, 2, 1.10
ROWS = {"credit": 10_000_000, "continuous": 10_000_000, "yelp": 22_400_000}


def write_table(path: Path, rows: int, table: str) -> None:
    """Stream the made-up table to a Parquet file; the first rows are the same for any number of rows."""
    if table == "yelp":
        synthetic_tables.write("yelp", rows, path)
    else:
        write_credit(path, rows, continuous=table == "continuous")


def write_credit(path: Path, rows: int, continuous: bool) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    credit = datasets.load("credit")
    source = credit.frame.assign(**{SCORE: credit.label})
    amounts = [name for name in source if "Amount" in name]
    writer = None
    for first in range(0, rows, PIECE):
        rng = np.random.default_rng([2026, first])
        piece = source.iloc[rng.integers(len(source), size=min(PIECE, rows - first))].reset_index(drop=True)
        for name in amounts:
            moved = piece[name] + 10 * rng.integers(-5, 6, len(piece)) * (piece[name] > 0)
            piece[name] = moved.clip(lower=0)
        piece[ACCOUNT] = np.arange(first, first + len(piece)) * 7919 + 10**9
        if continuous:
            piece[CONTINUOUS] = np.round(rng.lognormal(7, 1, len(piece)), 4)
        table = pa.Table.from_pandas(piece, preserve_index=False)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def sample_of(path: Path, table: str) -> datasets.Dataset:
    """What the model is fitted on: the first rows, and the rules of the table."""
    if table == "yelp":
        return synthetic_tables.load("yelp", SMALL)
    sample = pd.read_parquet(path.with_name("model.parquet"))
    program = datasets.load("credit").program
    return datasets.Dataset("large", sample.drop(columns=[SCORE, ACCOUNT]), sample[SCORE], {}, program)


def measure(path: Path, table: str) -> dict[str, float]:
    """Build an explainer on this file and explain some of its refused applicants; in this process."""
    sample = sample_of(path, table)
    frame, model = sample.frame, fit(sample, "dt")
    refused = frame[model.predict(frame) == 0].head(EXPLAINED).to_dict("records")
    before = _peak_gigabytes()
    start = time.perf_counter()
    excluded = [synthetic_tables.LABEL] if table == "yelp" else [SCORE, ACCOUNT]
    database = geco.Database.from_file(path, exclude=excluded)
    explainer = geco.Explainer(model, database, geco.parse_plaf(sample.program), params=PAPER, method="frontier")
    build = time.perf_counter() - start
    peak = _peak_gigabytes()
    explainer.explain(refused[0])
    # Processor time: one thread works, and what else runs on the machine is no cost of ours.
    start = time.process_time()
    explanations = [explainer.explain(x) for x in refused]
    seconds = time.process_time() - start
    return {
        "build s": build,
        "peak GB": peak,
        "before building GB": before,
        "explanation ms": 1e3 * seconds / len(refused),
        "model rows": float(np.mean([e.trace.model_rows for e in explanations])),
        "domain rows": sum(table.rows for table in explainer.domain.tables),
    }


def _peak_gigabytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**30 if sys.platform == "darwin" else peak / 2**20


def apart(path: Path, table: str) -> dict[str, Any]:
    """``measure`` in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.acceptance.large_table", "--table", table, "--measure", str(path)]
    out = subprocess.run(command, cwd=RESULTS.parent, check=True, stdout=subprocess.PIPE, text=True).stdout
    figures: dict[str, Any] = json.loads(out.splitlines()[-1])
    return figures


def compare(folder: Path, rows: int, table: str) -> None:
    start = time.perf_counter()
    write_table(folder / "large.parquet", rows, table)
    for name in ("small", "model"):
        write_table(folder / f"{name}.parquet", min(SMALL, rows), table)
    size = (folder / "large.parquet").stat().st_size / 2**20
    print(f"{rows:,} rows, {size:,.0f} MB of Parquet, written in {time.perf_counter() - start:.0f} s", flush=True)
    runs: dict[str, list[dict[str, Any]]] = {"small": [], "large": []}
    for _ in range(REPEATS):  # in turn, so that other work on the machine meets both
        for name in runs:
            runs[name].append(apart(folder / f"{name}.parquet", table))
    lines = [{"table": name, **{f: min(run[f] for run in runs[name]) for f in runs[name][0]}} for name in runs]
    slower = lines[1]["explanation ms"] / lines[0]["explanation ms"]
    lines[0] |= {"slower": None, "ok": None}
    lines[1] |= {
        "slower": slower,
        "ok": lines[1]["build s"] < AT_MOST_SECONDS
        and lines[1]["peak GB"] < AT_MOST_GIGABYTES
        and slower <= AT_MOST_SLOWER,
    }
    show(f"{rows:,} rows beside {SMALL:,}, best of {REPEATS} runs", lines)
    name = "large_table" if table == "credit" else f"large_table_{table}"
    save(name, {"rows": rows, "MB": size, "figures": lines})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", choices=sorted(ROWS), default="credit")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--folder", type=Path, help="where the tables are made; a temporary folder if not given")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    rows = args.rows or ROWS[args.table]
    if args.measure:
        print(json.dumps(measure(args.measure, args.table)))
    elif args.folder:
        args.folder.mkdir(parents=True, exist_ok=True)
        compare(args.folder, rows, args.table)
    else:
        with tempfile.TemporaryDirectory() as folder:
            compare(Path(folder), rows, args.table)


if __name__ == "__main__":
    main()
