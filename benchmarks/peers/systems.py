"""The systems of Sec. 6 beside geco's own searches, on the rows of the peers' protocol, one thread.

    python -m benchmarks.peers.systems [--cells credit/dt ...] [--rows 100] [--systems wit certifai ...] [--black-box]

k = 1, rules without implications; every answer is judged by the protocol, never by the system's own word.
``--black-box`` leaves the models uncompiled, so that model rows are what a system costs whoever pays per prediction.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import geco
from benchmarks import protocol
from benchmarks.methods import METHODS, PAPER
from benchmarks.protocol import CELLS
from benchmarks.report import save, show

SYSTEMS = ("frontier", "genetic", "wit", "certifai", "simcf", "mace_active", "mace_continuous")
SLOW = {"mace_active": 30, "mace_continuous": 30}  # rows at most


def measure(cell: protocol.Cell, system: str, rows: int, compile: bool) -> dict[str, Any]:
    """One line of the table."""
    explainer = geco.Explainer(
        cell.pipeline,
        geco.Database.from_frame(cell.frame),
        geco.parse_plaf(cell.without_implications),
        params=PAPER,
        method=METHODS.get(system, "frontier"),
        compile=compile,
    )
    records = [_record(cell, system, explainer, row) for row in cell.rows[: min(rows, SLOW.get(system, rows))]]
    flips = [r for r in records if r["success"]]
    valid = [r for r in flips if not r["violated"] and r["pair_ok"]]
    return {
        "cell": cell.name,
        "system": system,
        "rows": len(records),
        "found %": 100 * len(flips) / len(records),
        "valid %": 100 * len(valid) / len(records),
        "off D %": 100 * float(np.mean([not r["in_domain"] for r in flips])) if flips else 0.0,
        "distance": 1e3 * float(np.mean([r["dist"] for r in flips])),
        "changed": float(np.mean([r["changed"] for r in flips])),
        "model rows": float(np.mean([r["model_rows"] for r in records])),
        "ms": float(np.mean([r["ms"] for r in records])),
        "median ms": float(np.median([r["ms"] for r in records])),
    }


def _record(cell: protocol.Cell, system: str, explainer: geco.Explainer, row: int) -> dict[str, Any]:
    x = cell.x(row)
    start = time.perf_counter()
    if system == "mace_continuous":
        explanation = geco.Mace(domain="continuous").explain(explainer, x, deadline=60)
    else:
        explanation = explainer.explain(x, k=1, seed=row, deadline=60, ranges=False)
    ms = 1e3 * (time.perf_counter() - start)
    verdict = cell.judge(row, [cf.values for cf in explanation.counterfactuals])
    return {**verdict, "ms": ms, "model_rows": explanation.trace.model_rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", nargs="+", default=["credit/dt", "adult/dt"], choices=CELLS, metavar="DATASET/MODEL")
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--systems", nargs="+", default=SYSTEMS, choices=SYSTEMS, metavar="SYSTEM")
    parser.add_argument("--black-box", action="store_true")
    args = parser.parse_args()
    lines = []
    for name in args.cells:
        for system in args.systems:
            lines.append(measure(protocol.cell(*name.split("/")), system, args.rows, not args.black_box))
            print(lines[-1], flush=True)
    save("systems_black_box" if args.black_box else "systems", lines)
    show("the systems of Sec. 6", lines)


if __name__ == "__main__":
    main()
