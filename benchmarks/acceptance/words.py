"""Ranges and sentences held against the user's own model and the rules.

python -m benchmarks.acceptance.words ranges     # values drawn inside ranges, and the next beyond each end
python -m benchmarks.acceptance.words sentences  # sentences read back into values by an independent reader
python -m benchmarks.acceptance.words time       # with and without ranges and rounding, interleaved
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

import geco
from benchmarks.acceptance.spoken import read_back
from benchmarks.acceptance.tables import Cell, cells

ROWS = 40  # explained per cell


def asked(cell: Cell, rows: int = ROWS, **settings: Any) -> Iterator[tuple[dict[str, Any], geco.Explanation]]:
    """Refused rows and their explanations."""
    for x in cell.refused(rows):
        explanation = cell.explainer.explain(x, **settings)
        if explanation.counterfactuals:
            yield x, explanation


def ranges() -> None:
    """Draws values inside ranges; each must hold, and the next row beyond an end must not."""
    rng = np.random.default_rng(0)
    counts: Counter[str] = Counter()
    for cell in cells():
        for x, explanation in asked(cell):
            for cf in explanation.counterfactuals:
                for feature, run in cf.ranges.items():
                    check_range(cell, x, cf, feature, run, rng, counts)
        print(cell.name, dict(counts), flush=True)


def check_range(
    cell: Cell, x: dict[str, Any], cf: Any, feature: str, run: Any, rng: np.random.Generator, counts: Counter[str]
) -> None:
    inside, beyond = cell.values_around(x, cf, feature, run, rng)
    kind = "compiled" if run.tried is None else "black box"
    for value in inside:
        counts[f"{kind} inside {'holds' if cell.holds(x, {**cf.values, feature: value}) else 'FAILS'}"] += 1
    if run.tried is None:
        for value in beyond:
            counts[f"{kind} beyond {'HOLDS' if cell.holds(x, {**cf.values, feature: value}) else 'fails'}"] += 1


def sentences() -> None:
    """Reads every sentence back and asks model and rules about it."""
    counts: Counter[str] = Counter()
    for cell in cells():
        for x, explanation in asked(cell):
            counts["explanations"] += 1
            for cf in explanation.counterfactuals:
                said = explanation.sentence(cf)
                values = {**x, **read_back(said, x, cell.domain, explanation.wording)}
                good = cell.holds(x, values)
                counts["sentences that flip the model" if good else "sentences that do NOT"] += 1
                if not good:
                    print(cell.name, said, {f: (x[f], cf.values[f]) for f in x if x[f] != cf.values[f]})
        print(cell.name, dict(counts), flush=True)


def timing() -> None:
    """Processor time of explain, with all and without ranges and rounding, turn by turn."""
    for cell in cells():
        plain = cell.again(params=geco.Params(round=False))
        seconds: dict[str, list[float]] = {"with": [], "without": []}
        for x in cell.refused(30) * 2:
            started = time.process_time()
            cell.explainer.explain(x)
            between = time.process_time()
            plain.explain(x, ranges=False)
            seconds["with"].append(between - started)
            seconds["without"].append(time.process_time() - between)
        medians = {name: statistics.median(each) * 1e3 for name, each in seconds.items()}
        times = medians["with"] / medians["without"]
        print(f"{cell.name}: {medians['with']:.2f} ms with, {medians['without']:.2f} ms without, {times:.2f} times")


if __name__ == "__main__":
    {"ranges": ranges, "sentences": sentences, "time": timing}[sys.argv[1]]()
