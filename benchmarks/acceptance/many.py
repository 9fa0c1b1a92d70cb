"""explain_many over compiled models: explanations per second on one and on two threads.

    python -m benchmarks.acceptance.many [--rows 5000] [--alone 200] [--seconds 60] [--cells credit/dt ...]

Rows that the model refuses, k = 5, complete programs, verify on; the batches on one and on two threads take turns until
``--seconds`` have passed, and all turns count. The answers of ``--alone`` rows are compared with those of ``explain``.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

import geco
from benchmarks import protocol
from benchmarks.acceptance.compiled import explainer
from benchmarks.protocol import CELLS
from benchmarks.report import save, show


def refused(cell: protocol.Cell, rows: int) -> pd.DataFrame:
    """The first rows of D that the model refuses; from the top again if there are too few."""
    bad = cell.frame[cell.pipeline.predict_proba(cell.frame)[:, 1] <= 0.5]
    return bad.iloc[np.arange(rows) % len(bad)]


def answers(explanation: geco.Explanation) -> list[tuple[Any, ...]]:
    """What was found, without the model's number, which scikit-learn's products round otherwise in larger calls."""
    return [(tuple(cf.values.items()), cf.distance) for cf in explanation.counterfactuals]


def measured(name: str, rows: int, alone: int, at_least: float) -> dict[str, Any]:
    cell = protocol.cell(*name.split("/"))
    asked, frame = explainer(cell, cell.program), refused(cell, rows)
    asked.explain_many(frame.head(50))
    seconds = {1: 0.0, 2: 0.0}
    made: dict[int, geco.Explanations] = {}
    turns = 0
    while sum(seconds.values()) < at_least or not made:
        turns += 1
        for threads in seconds:
            start = time.perf_counter()
            made[threads] = asked.explain_many(frame, threads=threads)
            seconds[threads] += time.perf_counter() - start
    one, two = seconds[1] / turns, seconds[2] / turns
    singly = [answers(asked.explain(x)) for x in frame.head(alone).to_dict("records")]
    return {
        "cell": name,
        "rows": rows,
        "turns": turns,
        "one thread /s": rows / one,
        "two threads /s": rows / two,
        "ratio": one / two,
        "threads agree": all(answers(a) == answers(b) for a, b in zip(made[1], made[2], strict=True)),
        "as one by one": f"{sum(s == answers(e) for s, e in zip(singly, made[2], strict=False))} of {len(singly)}",
        "found %": 100 * float(np.mean([e.status == "found" for e in made[2]])),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--alone", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--cells", nargs="+", default=CELLS, choices=CELLS, metavar="DATASET/MODEL")
    args = parser.parse_args()
    lines = []
    for name in args.cells:
        lines.append(measured(name, args.rows, args.alone, args.seconds))
        print(lines[-1], flush=True)
    save("many", lines)
    show("explain_many on one and two threads", lines)


if __name__ == "__main__":
    main()
