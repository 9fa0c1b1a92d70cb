"""The exact search: how many rows are proved within the deadline, and the gap of the rest.

    python -m benchmarks.acceptance.exact tree [--rows 100]
    python -m benchmarks.acceptance.exact forest [--rows 50] [--trees 10 20 50] [--depths 4 6] [--seconds 10]

``tree``: the decision trees of the peers' protocol, rules without implications against their stored optimum, and the
complete programs. ``forest``: random forests of several sizes, complete program, k = 1, rows drawn among those that the
forest rejects; ``frontier farther`` counts the proved rows where the default search had not found the optimum. One JSON
line per instance goes to results/raw/exact_<line>.jsonl.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import geco
from benchmarks import datasets, models, protocol
from benchmarks.methods import PAPER
from benchmarks.report import RESULTS, save, show

TIE = 1e-12


def explained(asked: geco.Explainer, x: dict[str, Any], seconds: float | None = None) -> dict[str, Any]:
    """One instance: was it proved, how near, how long."""
    start = time.perf_counter()
    explanation = asked.explain(x, k=1, deadline=seconds)
    found = explanation.counterfactuals
    return {
        "proven": explanation.proven,
        "distance": found[0].distance if found else None,
        "gap": explanation.gap,
        "seconds": time.perf_counter() - start,
        "stopped_by": explanation.stopped_by,
        "values": found[0].to_dict()["values"] if found else None,
    }


def tree(args: argparse.Namespace) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Every row of the peers' decision trees."""
    for dataset in ("credit", "adult"):
        cell, stored = protocol.cell(dataset, "dt"), protocol.results(dataset, "dt", "exact_dt")
        for name, program in (("no implications", cell.without_implications), ("complete", cell.program)):
            database = geco.Database.from_frame(cell.frame)
            asked = geco.Explainer(cell.pipeline, database, geco.parse_plaf(program), params=PAPER, method="exact")
            records = [{"row": row} | explained(asked, cell.x(row)) for row in cell.rows[: args.rows]]
            line = {"cell": f"{dataset}/dt", "program": name} | _summary(records)
            if name == "no implications":
                same = [abs(_judged(cell, r) - stored[r["row"]]["dist"]) < TIE for r in records]
                line["as stored %"] = 100 * float(np.mean(same))
            yield line, records


def forest(args: argparse.Namespace) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Random forests by size."""
    data = datasets.load(args.dataset)
    database, program = data.database(), geco.parse_plaf(data.program)
    for trees in args.trees:
        for depth in args.depths:
            pipeline = models.fit(data, "rf", n_estimators=trees, max_depth=depth)
            rejected = np.flatnonzero(pipeline.predict_proba(data.frame)[:, 1] <= 0.5)
            rows = np.random.default_rng(0).permutation(rejected)[: args.rows]
            exact = geco.Explainer(pipeline, database, program, params=PAPER, method="exact")
            frontier = geco.Explainer(pipeline, database, program, params=PAPER)
            records = []
            for row in rows.tolist():
                x = data.frame.iloc[row].to_dict()
                near = explained(frontier, x)["distance"]
                record = explained(exact, x, args.seconds)
                records.append({"row": row, "trees": trees, "depth": depth, "frontier": near} | record)
            farther = [r["proven"] and (r["frontier"] or np.inf) > (r["distance"] or 0) + TIE for r in records]
            line = {"data": args.dataset, "trees": trees, "depth": depth} | _summary(records)
            yield line | {"frontier farther": int(np.sum(farther))}, records


def _judged(cell: protocol.Cell, record: dict[str, Any]) -> float:
    """The distance by the protocol's own judge."""
    return float(cell.judge(record["row"], [record["values"]] if record["values"] else []).get("dist", 1.0))


def _summary(records: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = [r["seconds"] for r in records]
    open_gaps = [r["gap"] / r["distance"] for r in records if not r["proven"] and r["distance"]]
    return {
        "rows": len(records),
        "proven": sum(bool(r["proven"]) for r in records),
        "median s": float(np.median(seconds)),
        "longest s": float(np.max(seconds)),
        "gap of the rest %": 100 * float(np.mean(open_gaps)) if open_gaps else None,
    }


LINES = {"tree": tree, "forest": forest}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("line", choices=LINES)
    parser.add_argument("--rows", type=int, default=None)
    parser.add_argument("--dataset", default="credit")
    parser.add_argument("--trees", type=int, nargs="+", default=[10, 20, 50, 100])
    parser.add_argument("--depths", type=int, nargs="+", default=[4, 6])
    parser.add_argument("--seconds", type=float, default=10.0)
    args = parser.parse_args()
    args.rows = args.rows or {"tree": 100, "forest": 50}[args.line]
    (RESULTS / "raw").mkdir(parents=True, exist_ok=True)
    lines = []
    with (RESULTS / "raw" / f"exact_{args.line}.jsonl").open("w", encoding="utf-8") as raw:
        for line, records in LINES[args.line](args):
            raw.writelines(json.dumps(record, default=float) + "\n" for record in records)
            lines.append(line)
            print(line, flush=True)
    save(f"exact_{args.line}", lines)
    show(f"exact: {args.line}", lines)


if __name__ == "__main__":
    main()
