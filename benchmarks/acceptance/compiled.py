"""The compiled models' acceptance on the eight cells of the peers' protocol, one thread.

    python -m benchmarks.acceptance.compiled distance [--rows 100] [--cells credit/dt ...]
    python -m benchmarks.acceptance.compiled time
    python -m benchmarks.acceptance.compiled forest

``distance``: k = 1, rules without implications, row by row against the exact optimum or the best of two groups.
``time``: k = 5, complete programs, against the user's pipeline on one row, asked in turn in the same run.
``forest``: against the genetic search on the same forest as a black box. All with the default settings.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import geco
from benchmarks import protocol
from benchmarks.methods import PAPER
from benchmarks.protocol import CELLS
from benchmarks.report import save, show

TIE = 1e-12


def explainer(cell: protocol.Cell, program: str, **options: Any) -> geco.Explainer:
    return geco.Explainer(
        cell.pipeline, geco.Database.from_frame(cell.frame), geco.parse_plaf(program), params=PAPER, **options
    )


def timed(call: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    answer = call(*arguments)
    return 1e3 * (time.perf_counter() - start), answer


def distance(names: list[str], rows: int) -> list[dict[str, Any]]:
    """How close, and on how many rows farther than the reference."""
    lines = []
    for name in names:
        cell = protocol.cell(*name.split("/"))
        asked = explainer(cell, cell.without_implications)
        reference = protocol.results(*name.split("/"), "exact_dt" if name.endswith("dt") else "ref_two_groups")
        answers = {row: asked.explain(cell.x(row), k=1).counterfactuals for row in cell.rows[:rows]}
        verdicts = {row: cell.judge(row, [cf.values for cf in found]) for row, found in answers.items()}
        solved = [row for row in answers if reference.get(row, {}).get("success")]
        farther = [row for row in solved if verdicts[row].get("dist", 1.0) > reference[row]["dist"] + TIE]
        valid = [v["success"] and not v["violated"] and v["pair_ok"] for v in verdicts.values()]
        lines.append(
            {
                "cell": name,
                "rows": len(answers),
                "found %": 100 * float(np.mean([bool(found) for found in answers.values()])),
                "valid %": 100 * float(np.mean(valid)),
                "distance": 1e3 * float(np.mean([v.get("dist", 1.0) for v in verdicts.values()])),
                "on its rows": 1e3 * float(np.mean([verdicts[row].get("dist", 1.0) for row in solved])),
                "reference": 1e3 * float(np.mean([reference[row]["dist"] for row in solved])),
                "farther %": 100 * len(farther) / len(solved),
            }
        )
        print(lines[-1], flush=True)
    return lines


def times(names: list[str], rows: int) -> list[dict[str, Any]]:
    """Median and 95th percentile in units of one prediction of the user's pipeline."""
    lines = []
    for name in names:
        cell = protocol.cell(*name.split("/"))
        with_verify, without = explainer(cell, cell.program), explainer(cell, cell.program, verify=False)
        taken: dict[str, list[float]] = {"predict": [], "verify": [], "no verify": []}
        for row in cell.rows[:rows]:
            x, frame = cell.x(row), cell.frame.iloc[[row]]
            taken["predict"].append(timed(cell.pipeline.predict_proba, frame)[0])
            taken["verify"].append(timed(with_verify.explain, x)[0])
            taken["no verify"].append(timed(without.explain, x)[0])
        predict = float(np.median(taken["predict"]))
        line: dict[str, Any] = {"cell": name, "rows": len(taken["predict"]), "predict ms": predict}
        for kind, most in (("verify", 2), ("no verify", 1)):
            line[f"{kind} ms"] = float(np.median(taken[kind]))
            line[f"{kind} ratio"] = line[f"{kind} ms"] / predict
            line[f"{kind} p95"] = float(np.percentile(taken[kind], 95)) / predict
            line[f"at most {most}"] = "yes" if line[f"{kind} ratio"] <= most else "no"
        lines.append(line)
        print(lines[-1], flush=True)
    return lines


def forest(names: list[str], rows: int) -> list[dict[str, Any]]:
    """The sweep against the genetic search on the same forest as a black box, k = 1 and 5."""
    lines = []
    for name in (n for n in names if n.endswith("/rf")):
        cell = protocol.cell(*name.split("/"))
        ours, bare = explainer(cell, cell.program), explainer(cell, cell.program, verify=False)
        paper = explainer(cell, cell.program, method="genetic")
        for k in (1, 5):
            records: list[tuple[float, ...]] = []
            for row in cell.rows[:rows]:
                x = cell.x(row)
                (end_to_end, a), (search, _), (theirs, b) = (timed(e.explain, x, k) for e in (ours, bare, paper))
                records.append((search, end_to_end, theirs, _distance(a), _distance(b), b.trace.model_calls))
            search, end_to_end, theirs, near, far, calls = np.mean(records, axis=0)
            lines.append(
                {
                    "cell": name, "k": k, "rows": len(records), "search ms": search, "end to end ms": end_to_end,
                    "genetic ms": theirs, "its calls": calls, "search faster": theirs / search,
                    "end to end faster": theirs / end_to_end, "distance": 1e3 * near, "genetic": 1e3 * far,
                }
            )  # fmt: skip
            print(lines[-1], flush=True)
    return lines


def _distance(explanation: geco.Explanation) -> float:
    return explanation.counterfactuals[0].distance if explanation.counterfactuals else 1.0


LINES = {"distance": distance, "time": times, "forest": forest}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("line", choices=LINES)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--cells", nargs="+", default=CELLS, choices=CELLS, metavar="DATASET/MODEL")
    args = parser.parse_args()
    records = LINES[args.line](args.cells, args.rows)
    save(f"compiled_{args.line}", records)
    show(f"compiled models: {args.line}", records)


if __name__ == "__main__":
    main()
