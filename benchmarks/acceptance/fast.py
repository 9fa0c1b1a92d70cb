"""One explanation in units of one prediction, and batches, on every table: ratios in one run, time of the processor.

    python -m benchmarks.acceptance.fast time [--rows 100] [--cells german/xgb ...]
    python -m benchmarks.acceptance.fast batches [--rows 500]

``time``: k = 5, complete programs, every answer confirmed, against the user's pipeline on one row, asked in turn;
without proofs and with quick ones.
``batches``: ``explain_many`` on one thread: processor milliseconds an explanation, and how many of them are in the
threads of the core where there are two. What is left is Python's, one thread at a time, and bounds what a second one
can bring. All figures are of the processor, as other work on the machine is no cost of ours.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

import geco
from benchmarks import datasets, synthetic_tables
from benchmarks.methods import PAPER
from benchmarks.models import fit
from benchmarks.report import save, show
from geco.lockstep import lockstep

MODELS = ("dt", "rf", "xgb", "lgbm", "hgb", "mlp")
TABLES = ("credit", "adult_mace", "compas", "german", "give_me_some_credit", "credit_raw")
CELLS = [*(f"{table}/{model}" for table in TABLES for model in MODELS), "yelp/xgb", "allstate/xgb"]
SYNTHETIC_ROWS = 100_000


class Cell:
    """One data set and one model: the explainer, the user's pipeline and the rows that it refuses."""

    def __init__(self, name: str, rows: int) -> None:
        table, model = name.split("/")
        synthetic = table in synthetic_tables.NAMES
        dataset = synthetic_tables.load(table, SYNTHETIC_ROWS) if synthetic else datasets.load(table)
        self.pipeline = fit(dataset, model)
        program = geco.parse_plaf(dataset.program)
        database = dataset.database()
        self.explainer = geco.Explainer(self.pipeline, database, program, params=PAPER, target=1, prove=False)
        self.proving = geco.Explainer(self.pipeline, database, program, params=PAPER, target=1)
        frame = dataset.frame.sample(min(len(dataset.frame), 40 * rows), random_state=1)
        self.refused = frame[self.pipeline.predict_proba(frame)[:, 1] <= 0.5].head(rows)

    def instances(self) -> list[tuple[dict[str, Any], pd.DataFrame]]:
        """Each as a dict and as a frame of one row."""
        bad = self.refused
        return [({name: bad[name].iloc[i] for name in bad}, bad.iloc[[i]]) for i in range(len(bad))]


def timed(call: Callable[..., Any], *arguments: Any) -> float:
    start = time.process_time()
    call(*arguments)
    return 1e3 * (time.process_time() - start)


def times(name: str, rows: int) -> dict[str, Any]:
    """Median and 95th percentile in units of one prediction."""
    cell = Cell(name, rows)
    taken = []
    for x, frame in cell.instances():
        calls = (cell.pipeline.predict_proba, frame), (cell.explainer.explain, x), (cell.proving.explain, x)
        taken.append([timed(*call) for call in calls])
    predict, explain, proved = np.array(taken).T
    one = float(np.median(predict))
    return {
        "cell": name,
        "rows": len(taken),
        "predict ms": one,
        "explain ms": float(np.median(explain)),
        "predictions": float(np.median(explain)) / one,
        "p95": float(np.percentile(explain, 95)) / one,
        "with quick proofs": float(np.median(proved)) / one,
    }


def batches(name: str, rows: int) -> dict[str, Any]:
    """What an explanation of a batch costs, and how much of it a further thread can take over."""
    cell = Cell(name, rows)
    frame = cell.refused.iloc[np.arange(rows) % len(cell.refused)]
    cell.explainer.explain_many(frame.head(20))
    within = 0.0
    carry_out = lockstep.Rounds.carry_out

    def watched(rounds: Any) -> None:
        nonlocal within
        within += timed(carry_out, rounds)

    lockstep.Rounds.carry_out = watched  # type: ignore[method-assign]
    try:
        total = timed(partial(cell.explainer.explain_many, threads=1), frame)
    finally:
        lockstep.Rounds.carry_out = carry_out  # type: ignore[method-assign]
    return {
        "cell": name,
        "rows": rows,
        "ms each": total / rows,
        "each second": 1e3 * rows / total,
        "in the core ms": within / rows,
        "two threads at most": total / max(total - within, total / 2),
    }


LINES = {"time": times, "batches": batches}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("line", choices=LINES)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--cells", nargs="+", default=CELLS, choices=CELLS, metavar="DATASET/MODEL")
    args = parser.parse_args()
    records = []
    for name in args.cells:
        records.append(LINES[args.line](name, args.rows))
        print(records[-1], flush=True)
    save(f"fast_{args.line}", records)
    show(f"fast on every table: {args.line}", records)


if __name__ == "__main__":
    main()
