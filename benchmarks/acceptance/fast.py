"""One explanation in units of one prediction, and batches, on every table: ratios in one run, time of the processor.

    python -m benchmarks.acceptance.fast time [--rows 100] [--cells german/xgb ...]
    python -m benchmarks.acceptance.fast unseen [--rows 100]
    python -m benchmarks.acceptance.fast batches [--rows 500]

``time``: k = 5, complete programs, every answer confirmed, against the user's pipeline on one row, asked in turn;
without proofs and with quick ones. Time is that of the processor: what else runs on the machine is no cost of ours.
``unseen``: the same without proofs of x with values that D lacks: each number moved towards the next of its column.
``batches``: ``explain_many`` on one thread and on two, in turn, by the clock: for an idle machine.
What is measured of all cells goes into results/ and into docs/compiled.md and docs/batch.md.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

import geco
from benchmarks import datasets, synthetic_tables
from benchmarks.methods import PAPER
from benchmarks.models import fit
from benchmarks.report import save, show, write_table

MODELS = ("dt", "rf", "xgb", "lgbm", "hgb", "mlp")
TABLES = ("credit", "adult_mace", "compas", "german", "give_me_some_credit", "credit_raw")
CELLS = [*(f"{table}/{model}" for table in TABLES for model in MODELS), "yelp/xgb", "allstate/xgb"]
SYNTHETIC_ROWS = 100_000
TURNS = 2  # of a batch on one thread and on two
NAMES = {
    "credit": "Credit",
    "adult_mace": "Adult",
    "compas": "Compas",
    "german": "German",
    "give_me_some_credit": "Give Me Some Credit",
    "credit_raw": "Credit, raw columns",
    "yelp": "made up, shaped like Yelp",
    "allstate": "made up, shaped like Allstate",
}


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
        self.frame = dataset.frame
        frame = self.frame.sample(min(len(self.frame), 40 * rows), random_state=1)
        self.refused = frame[self._refuses(frame)].head(rows)

    def _refuses(self, frame: pd.DataFrame) -> Any:
        return self.pipeline.predict_proba(frame)[:, 1] <= 0.5

    def unseen(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The refused rows that stay refused with numbers that D lacks, as they are and moved."""
        columns = {name: beside(self.frame[name], self.refused[name]) for name in self.refused}
        moved = pd.DataFrame(columns, index=self.refused.index)
        kept = (moved != self.refused)[self.refused.notna()].any(axis=1) & self._refuses(moved)
        return self.refused[kept], moved[kept]


def instances(rows: pd.DataFrame) -> list[tuple[dict[str, Any], pd.DataFrame]]:
    """Each as a dict and as a frame of one row."""
    return [({name: rows[name].iloc[i] for name in rows}, rows.iloc[[i]]) for i in range(len(rows))]


def beside(column: pd.Series[Any], values: pd.Series[Any]) -> pd.Series[Any]:
    """Each number of D moved a third of the way to the next one, where another of its kind lies between.

    Not to the middle: there trees have their thresholds, and a row on a threshold is a harder one.
    """
    if column.dtype.kind not in "iuf":
        return values
    known = np.unique(column.dropna().to_numpy())
    third = (np.diff(known) / 3).astype(known.dtype)
    if column.dtype.kind != "f":
        third = np.where(np.diff(known) > 1, np.maximum(third, 1), 0).astype(known.dtype)
    at = np.searchsorted(known, values.to_numpy()).clip(0, len(known) - 1)
    none = np.zeros(1, known.dtype)  # above the last, and below the first
    up, down = np.concatenate([third, none]), np.concatenate([none, third])
    return values.mask(values.notna(), values + np.where(up[at] != 0, up[at], -down[at]).astype(known.dtype))


def timed(call: Callable[..., Any], *arguments: Any) -> float:
    start = time.process_time()
    call(*arguments)
    return 1e3 * (time.process_time() - start)


def times(name: str, rows: int) -> dict[str, Any]:
    """Median and 95th percentile in units of one prediction."""
    cell = Cell(name, rows)
    taken = []
    for x, frame in instances(cell.refused):
        calls = (cell.pipeline.predict_proba, frame), (cell.explainer.explain, x), (cell.proving.explain, x)
        taken.append([timed(*call) for call in calls])
    record = in_units(name, taken)
    return record | {"with quick proofs": float(np.median(taken, axis=0)[2]) / record["predict ms"]}


def in_units(name: str, taken: Sequence[Sequence[float]]) -> dict[str, Any]:
    """What an explanation costs; ``taken`` begins with the milliseconds of a prediction and of an explanation."""
    times = np.array(taken)
    one, explain = np.median(times[:, :2], axis=0).tolist()
    return {
        "cell": name,
        "rows": len(taken),
        "predict ms": one,
        "explain ms": explain,
        "predictions": explain / one,
        "p95": float(np.percentile(times[:, 1], 95)) / one,
    }


def unseen(name: str, rows: int) -> dict[str, Any]:
    """An x with values that D lacks, in units of one prediction and of what an x of D costs."""
    cell = Cell(name, rows)
    known, moved = map(instances, cell.unseen())
    if not moved:
        return {"cell": name, "rows": 0}  # D has every value
    for x, _ in (*known[:3], *moved[:3]):
        cell.explainer.explain(x)
    taken = []
    for (x, frame), (other, _) in zip(known, moved, strict=True):
        calls = (cell.pipeline.predict_proba, frame), (cell.explainer.explain, other), (cell.explainer.explain, x)
        taken.append([timed(*call) for call in calls])
    record = in_units(name, taken)
    return record | {"times an x of D": record["explain ms"] / float(np.median(taken, axis=0)[2])}


def batches(name: str, rows: int) -> dict[str, Any]:
    """Explanations a second on one thread and on two, by the clock; on one also by the processor. The best of turns."""
    cell = Cell(name, rows)
    frame = cell.refused.iloc[np.arange(rows) % len(cell.refused)]
    cell.explainer.explain_many(frame.head(20))
    seconds: dict[int, list[float]] = {1: [], 2: []}
    taken = []
    for _ in range(TURNS):
        for threads, turns in seconds.items():
            started, processor = time.perf_counter(), time.process_time()
            cell.explainer.explain_many(frame, threads=threads)
            turns.append(time.perf_counter() - started)
            if threads == 1:
                taken.append(time.process_time() - processor)
    one, two = (min(turns) for turns in seconds.values())
    return {
        "cell": name,
        "rows": rows,
        "a core": rows / min(taken),
        "one thread": rows / one,
        "two threads": rows / two,
        "times": one / two,
    }


def in_predictions(record: dict[str, Any]) -> str:
    return f"{record['predictions']:.2f} ({record['p95']:.1f}) {record['with quick proofs']:.2f}"


def of_unseen(record: dict[str, Any]) -> str:
    if not record["rows"]:
        return "none"
    return f"{record['predictions']:.2f} ({record['p95']:.1f}) ×{record['times an x of D']:.2f}"


def each_second(record: dict[str, Any]) -> str:
    return f"{record['one thread']:,.0f} ▶ {record['two threads']:,.0f} ({record['times']:.2f})"


# How a line is measured, how it is told and on which page.
LINES: dict[str, tuple[Callable[[str, int], dict[str, Any]], Callable[[dict[str, Any]], str], str]] = {
    "time": (times, in_predictions, "compiled"),
    "unseen": (unseen, of_unseen, "compiled"),
    "batches": (batches, each_second, "batch"),
}


def by_table(records: Sequence[dict[str, Any]], words: Callable[[dict[str, Any]], str]) -> list[dict[str, Any]]:
    """A line per data set, a column per model."""
    said = {record["cell"]: words(record) for record in records}
    names = dict.fromkeys(cell.split("/")[0] for cell in said)
    return [{"": NAMES[name], **{model: said.get(f"{name}/{model}", "") for model in MODELS}} for name in names]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("line", choices=LINES)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--cells", nargs="+", default=CELLS, choices=CELLS, metavar="DATASET/MODEL")
    args = parser.parse_args()
    measure, words, page = LINES[args.line]
    records = []
    for name in args.cells:
        records.append(measure(name, args.rows))
        print(records[-1], flush=True)
    show(f"fast on every table: {args.line}", records)
    if args.cells == CELLS:
        save(f"fast_{args.line}", records)
        write_table(page, f"fast {args.line}", by_table(records, words))


if __name__ == "__main__":
    main()
