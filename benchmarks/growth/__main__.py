"""How the cost of one explanation of a compiled model grows, and where its time goes; one thread.

    python -m benchmarks.growth [--quick] [--axes trees k ...]
    python -m benchmarks.growth profile [--rows 12] [--cells credit/dt ...]
    python -m benchmarks.growth draw                    # again from results/growth.json

Growth: ``explain`` without the confirmation, beside one ``predict_proba`` of the same model on one row; medians over
instances. Time is that of the processor, the least of a few repeats: what else runs on the machine is no cost of ours.
``profile``: mean milliseconds of each part on the eight cells of the peers' protocol, complete programs, k = 5.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import geco
from benchmarks import protocol
from benchmarks.growth import problems
from benchmarks.growth.page import draw, in_short
from benchmarks.methods import PAPER
from benchmarks.protocol import CELLS
from benchmarks.report import RESULTS, save, show, write_table

REPEATS = 5
PARTS = ("prepare", "expand", "sweep", "select", "conclude", "materialize", "model")


def measured(settings: Sequence[problems.Problem]) -> list[dict[str, Any]]:
    """A line per setting, medians over its instances; asked in turn, so that other work on the machine meets all."""
    explanations = [[p.explainer.explain(x, k=p.k) for x in p.records()] for p in settings]
    rounds = [[milliseconds(problem) for problem in settings] for _ in range(REPEATS)]
    lines = []
    for problem, answers, taken in zip(settings, explanations, zip(*rounds, strict=True), strict=True):
        explain, prepare, predict = np.min(taken, axis=0).T
        lines.append(
            {
                "size": problem.size,
                "rows": len(answers),
                "explain ms": float(np.median(explain)),
                "p90 ms": float(np.percentile(explain, 90)),
                "prepare ms": float(np.median(prepare)),
                "predict ms": float(np.median(predict)),
                "ratio": float(np.median(explain) / np.median(predict)),
                "rounds": float(np.mean([e.trace.generations for e in answers])),
                "answers": float(np.mean([len(e.counterfactuals) for e in answers])),
                "domain rows": sum(table.rows for table in problem.explainer.domain.tables),
            }
        )
    return lines


def milliseconds(problem: problems.Problem) -> list[tuple[float, float, float]]:
    """Processor time per instance: an explanation, the part of it before the search began, a prediction."""
    taken = []
    for i, x in enumerate(problem.records()):
        alone = problem.instances.iloc[[i]]
        start = time.process_time()
        problem.explainer.explain(x, k=problem.k)
        ended = time.process_time()
        problem.model.predict_proba(alone)
        predicted = time.process_time()
        taken.append((1e3 * (ended - start), 1e3 * (problem.watched.begun - start), 1e3 * (predicted - ended)))
    return taken


AXES: dict[str, Callable[..., Iterator[problems.Problem]]] = {
    "trees": problems.trees,
    "one-hot features": problems.one_hot_features,
    "domain size": problems.domain_size,
    "k": problems.k,
    "rows of D": problems.rows_of_d,
    "rules across groups": problems.rules_across_groups,
}


def growth(axes: list[str], quick: bool) -> dict[str, list[dict[str, Any]]]:
    lines: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for axis in axes:
            more = {"folder": Path(folder)} if axis == "rows of D" else {}
            lines[axis] = measured(list(AXES[axis](quick, **more)))
            show(f"time of one explanation against {axis}", lines[axis])
    return lines


def exponents(lines: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """How much more time for how much more of each: 1 is linear, 0 is flat. None at all is no size to compare with."""
    table = []
    for axis, all_settings in lines.items():
        settings = [line for line in all_settings if line["size"] > 0]
        first, last = settings[0], settings[-1]
        grown, longer = last["size"] / first["size"], last["explain ms"] / first["explain ms"]
        steepest = max(
            np.log(b["explain ms"] / a["explain ms"]) / np.log(b["size"] / a["size"]) for a, b in pairwise(settings)
        )
        table.append(
            {
                "axis": axis, "times more": grown, "times longer": longer,
                "exponent": float(np.log(longer) / np.log(grown)), "steepest step": float(steepest),
            }
        )  # fmt: skip
    return table


def parts(explainer: geco.Explainer, watched: problems.Watched, x: dict[str, Any]) -> dict[str, float]:
    """Milliseconds of the quickest of a few explanations of x, by part; they add up to the total."""
    quickest: dict[str, float] = {"total": np.inf}
    for _ in range(REPEATS):
        start = time.perf_counter()
        explanation = explainer.explain(x)
        total = time.perf_counter() - start
        if 1e3 * total < quickest["total"]:
            seconds = {"prepare": watched.begun - start, **explanation.trace.seconds}
            # What is left: choosing and wording the answers, and the loop between the laps.
            seconds["conclude"] = total - sum(seconds.values())
            quickest = {part: 1e3 * seconds.get(part, 0.0) for part in PARTS}
            quickest |= {"total": 1e3 * total, "rounds": float(explanation.trace.generations)}
    return quickest


def profile(names: list[str], rows: int) -> list[dict[str, Any]]:
    lines = []
    for name in names:
        cell = protocol.cell(*name.split("/"))
        watched = problems.Watched(geco.Frontier(), time.perf_counter)
        database, program = geco.Database.from_frame(cell.frame), geco.parse_plaf(cell.program)
        explainer = geco.Explainer(cell.pipeline, database, program, params=PAPER, method=watched)
        records = [parts(explainer, watched, cell.x(row)) for row in cell.rows[:rows]]
        means = {part: float(np.mean([record[part] for record in records])) for part in records[0]}
        lines.append({"cell": name, "rows": len(records), **means})
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("growth", "profile", "draw"), default="growth")
    parser.add_argument("--quick", action="store_true", help="only the small sizes; nothing is saved or drawn")
    parser.add_argument("--axes", nargs="+", default=list(AXES), choices=AXES, metavar="AXIS")
    parser.add_argument("--rows", type=int, default=problems.ASKED, help="instances a cell of the profile")
    parser.add_argument("--cells", nargs="+", default=CELLS, choices=CELLS, metavar="DATASET/MODEL")
    args = parser.parse_args()
    if args.what == "profile":
        records = profile(args.cells, args.rows)
        save("profile_compiled", records)
        show("milliseconds of one explanation by part, k = 5, confirmed", records)
        lines = [{n: f"{v:.1f}" if isinstance(v, float) else v for n, v in r.items()} for r in records]
        write_table("compiled", "profile", lines)
        return
    stored = RESULTS / "growth.json"
    known = json.loads(stored.read_text(encoding="utf-8")) if stored.exists() and not args.quick else {}
    lines = known if args.what == "draw" else {**known, **growth(args.axes, args.quick)}
    show("growth", exponents(lines))
    if not args.quick:
        save("growth", lines)
        draw(lines)
        write_table("compiled", "growth", in_short(lines, exponents(lines)))


if __name__ == "__main__":
    main()
