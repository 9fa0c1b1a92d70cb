"""Ranges and sentences held against the user's own model and the rules.

python -m benchmarks.acceptance.words ranges     # values drawn inside ranges, and the next beyond each end
python -m benchmarks.acceptance.words sentences  # sentences read back into values by an independent reader
python -m benchmarks.acceptance.words both       # the two, of the same explanations
python -m benchmarks.acceptance.words time       # with and without ranges and rounding, interleaved
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import geco
from benchmarks import protocol
from benchmarks.acceptance.spoken import read_back
from benchmarks.acceptance.tables import MODELS, Cell, cells
from benchmarks.datasets import names
from benchmarks.report import save, show

Explained = Sequence[tuple[dict[str, Any], geco.Explanation]]


def explained(cell: Cell, rows: int, seed: int) -> Iterator[tuple[dict[str, Any], geco.Explanation]]:
    """Refused rows and their explanations."""
    for x in cell.refused(rows, seed):
        explanation = cell.explainer.explain(x)
        if explanation.counterfactuals:
            yield x, explanation


def ranges(cell: Cell, explanations: Explained) -> Counter[str]:
    """Draws values inside ranges; each must hold, and the next row beyond an end must not."""
    rng = np.random.default_rng(0)
    asked: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
    for x, explanation in explanations:
        for cf in explanation.counterfactuals:
            for feature in (f for f in cf.ranges if f in x):
                around = cell.around(x, cf, feature, rng)
                for what, values in around._asdict().items():
                    asked += [(what, x, {**cf.values, feature: value}) for value in values]
    counts: Counter[str] = Counter()
    for (what, x, values), holds in zip(asked, cell.hold([(x, v) for _, x, v in asked]), strict=True):
        counts[f"{what} {'hold' if holds else 'fail'}"] += 1
        if holds == (what == "beyond") and (cell.compiled or what == "ends"):
            print("   ", cell.name, what, {f: (x[f], values[f]) for f in x if x[f] != values[f]})
    return counts


def sentences(cell: Cell, explanations: Explained) -> Counter[str]:
    """Reads every sentence back and asks model and rules about it."""
    counts: Counter[str] = Counter()
    said: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
    for x, explanation in explanations:
        counts["explanations"] += 1
        for cf in explanation.counterfactuals:
            text = explanation.sentence(cf)
            said.append((text, x, {**x, **read_back(text, x, cell.domain, explanation.wording)}))
    for (text, x, values), holds in zip(said, cell.hold([(x, v) for _, x, v in said]), strict=True):
        counts["flip" if holds else "do not"] += 1
        if not holds:
            print("   ", cell.name, text, {f: (x[f], values[f]) for f in x if x[f] != values[f]})
    return counts


def held(checks: Sequence[Callable[[Cell, Explained], Counter[str]]], args: argparse.Namespace) -> list[dict[str, Any]]:
    """One of the two, or both, cell by cell, and all together."""
    lines: list[dict[str, Any]] = []
    total: Counter[str] = Counter()
    for cell in cells(args.models, args.black_boxes, args.data):
        answers = list(explained(cell, args.rows, args.seed))
        counts = sum((check(cell, answers) for check in checks), Counter[str]())
        total += counts
        lines.append({"cell": cell.name, **counts})
        print(lines[-1], flush=True)
    lines.append({"cell": "all", **total})
    return [{name: line.get(name, 0) for name in ("cell", *total)} for line in lines]


def timing(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Processor time of explain (k = 5, compiled), with all and without ranges and rounding, turn by turn."""
    lines = []
    for name in protocol.CELLS:
        cell = protocol.cell(*name.split("/"))
        database, program = geco.Database.from_frame(cell.frame), geco.parse_plaf(cell.program)
        full = geco.Explainer(cell.pipeline, database, program)
        plain = geco.Explainer(cell.pipeline, database, program, params=geco.Params(round=False))
        seconds: dict[str, list[float]] = {"with": [], "without": []}
        for turn, row in enumerate([*cell.rows[: args.rows]] * 2):
            for which in ("with", "without") if turn % 2 else ("without", "with"):
                started = time.process_time()
                full.explain(cell.x(row), 5) if which == "with" else plain.explain(cell.x(row), 5, ranges=False)
                seconds[which].append(time.process_time() - started)
        medians = {which: statistics.median(each) * 1e3 for which, each in seconds.items()}
        pairs = zip(seconds["with"], seconds["without"], strict=True)
        lines.append(
            {
                "cell": name,
                "with ms": medians["with"],
                "without ms": medians["without"],
                "times": medians["with"] / medians["without"],
                "median of pairs": statistics.median(a / b for a, b in pairs),
            }
        )
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("ranges", "sentences", "both", "time"))
    parser.add_argument("--rows", type=int, default=40, help="explained per cell")
    parser.add_argument("--models", nargs="+", default=list(MODELS), choices=MODELS)
    parser.add_argument("--data", nargs="+", default=names(ruled=False))
    parser.add_argument("--seed", type=int, default=1, help="which rows")
    parser.add_argument("--no-black-boxes", dest="black_boxes", action="store_false")
    args = parser.parse_args()
    checks = {"ranges": [ranges], "sentences": [sentences], "both": [ranges, sentences]}
    records = timing(args) if args.what == "time" else held(checks[args.what], args)
    save(f"told_{args.what}", records)
    show(f"words: {args.what}", records)


if __name__ == "__main__":
    main()
