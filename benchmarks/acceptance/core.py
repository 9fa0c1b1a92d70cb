"""The core's acceptance on Credit and Adult: a decision tree as a black box, complete programs, k = 5.

    python -m benchmarks.acceptance.core [--rows 100] [--method genetic] [--json FILE]

Every answer is judged by ``explainer.check``, by the second checker of the tests and by the model; its distance is
compared with the exact optimum. Counts and seconds come from a wrapper around the pipeline alone.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import pandas as pd

import geco
from benchmarks import protocol
from benchmarks.methods import PAPER
from benchmarks.models import Counted
from tests.oracles.exact_tree import ExactTree
from tests.oracles.rules import type_faults, violations

OWN_MILLISECONDS = 3.0


def run(dataset: str, rows: int, method: Any = "genetic", k: int = 5) -> dict[str, Any]:
    """Figures of one data set; means are over its rows."""
    cell = protocol.cell(dataset, "dt")
    model = Counted(cell.pipeline)
    database, program = geco.Database.from_frame(cell.frame), geco.parse_plaf(cell.program)
    explainer = geco.Explainer(model, database, program, params=PAPER, method=method)
    exact = ExactTree(cell.frame, cell.program, cell.pipeline)
    explainer.explain(cell.x(cell.rows[-1]), k=k)
    records = [_one(explainer, model, cell, exact, row, k) for row in cell.rows[:rows]]
    table = pd.DataFrame(records)
    found = table[table.found]
    return {
        "dataset": dataset,
        "rows": len(table),
        "found %": 100 * table.found.mean(),
        "answers": int(table.answers.sum()),
        "violations by explainer.check": int(table.by_check.sum()),
        "violations by the second checker": int(table.by_oracle.sum()),
        "confirmed by the model %": 100 * table.confirmed.sum() / max(1, table.answers.sum()),
        "changed features of the best": found.changed.mean(),
        "distance x1e3": 1e3 * found.distance.mean(),
        "optimum x1e3": 1e3 * found.optimum.mean(),
        "ratio to the optimum": found.distance.mean() / found.optimum.mean(),
        "optimum reached %": 100 * (found.distance <= found.optimum + 1e-12).mean(),
        "model rows": table.model_rows.mean(),
        "model calls": table.model_calls.mean(),
        "generations": table.generations.mean(),
        "total ms": 1e3 * table.seconds.mean(),
        "inside the model ms": 1e3 * table.model_seconds.mean(),
        "(total - 3 ms) / model": (1e3 * table.seconds.mean() - OWN_MILLISECONDS) / (1e3 * table.model_seconds.mean()),
        "records": records,
    }


def _one(explainer: Any, model: Counted, cell: protocol.Cell, exact: ExactTree, row: int, k: int) -> dict[str, Any]:
    x = cell.x(row)
    model.reset()
    start = time.perf_counter()
    explanation = explainer.explain(x, k=k, seed=0)
    seconds = time.perf_counter() - start
    used = model.used()
    answers = explanation.counterfactuals
    good = cell.pipeline.predict_proba(cell.as_frame([cf.values for cf in answers]))[:, 1] > 0.5 if answers else []
    optimum = exact.distance(x)
    return used | {
        "row": row,
        "found": explanation.status == "found",
        "answers": len(answers),
        "by_check": sum(bool(explainer.check(x, cf.values)) for cf in answers),
        "by_oracle": sum(
            bool(violations(cell.program, x, cf.values, cell.frame) + type_faults(cf.values, cell.frame))
            for cf in answers
        ),
        "confirmed": int(sum(good)),
        "changed": len(answers[0].changes) if answers else None,
        "distance": answers[0].distance if answers else None,
        "optimum": optimum,
        "generations": explanation.trace.generations,
        "seconds": seconds,
    }


def _short(figure: Any) -> str:
    return f"{figure:.4g}" if isinstance(figure, float) else str(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--method", default="genetic")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    figures = [run(dataset, args.rows, args.method) for dataset in ("credit", "adult")]
    width = max(len(name) for name in figures[0])
    for name in figures[0]:
        if name != "records":
            print(f"{name:{width}}", *(f"{_short(f[name]):>12}" for f in figures))
    if args.json:
        args.json.write_text(json.dumps(figures, default=float))


if __name__ == "__main__":
    main()
