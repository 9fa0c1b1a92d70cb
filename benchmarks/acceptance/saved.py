"""Saved explainers on the eight cells of the peers' protocol, one thread: size, time to load, identity of the answers.

    python -m benchmarks.acceptance.saved [--rows 100] [--cells credit/dt ...]

Each cell is saved once (complete program, k = 5) and loaded with its model and without; every row is explained by both
and by the explainers they were saved from, with and without ``verify``. "building" is what loading saves.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import geco
from benchmarks import protocol
from benchmarks.acceptance.compiled import explainer, timed
from benchmarks.protocol import CELLS
from benchmarks.report import save, show

LOADS = 15


def measure(name: str, rows: int, folder: Path) -> dict[str, Any]:
    cell = protocol.cell(*name.split("/"))
    file = folder / f"{cell.dataset}_{cell.model}.geco"
    building, confirmed = timed(explainer, cell, cell.program)
    unconfirmed = explainer(cell, cell.program, verify=False)
    saving, _ = timed(confirmed.save, file)
    started = time.process_time()
    alone = [timed(geco.Explainer.load, file) for _ in range(LOADS)]
    busy = time.process_time() - started
    around = [timed(geco.Explainer.load, file, cell.pipeline) for _ in range(LOADS)]
    xs = [cell.x(row) for row in cell.rows[:rows]]
    same = _same(confirmed, around[-1][1], xs) + _same(unconfirmed, alone[-1][1], xs)
    return {
        "cell": name,
        "file kB": file.stat().st_size / 1e3,
        "building ms": building,
        "saving ms": saving,
        "loading ms": float(np.median([ms for ms, _ in alone])),
        "of it CPU ms": 1e3 * busy / LOADS,
        "with its model ms": float(np.median([ms for ms, _ in around])),
        "explanations": 2 * len(xs),
        "identical": same,
    }


def _same(one: geco.Explainer, other: geco.Explainer, xs: Sequence[dict[str, Any]]) -> int:
    """How many explanations are equal in every field but the seconds, the counts of the trace included."""
    return sum(_plain(one.explain(x)) == _plain(other.explain(x)) for x in xs)


def _plain(explanation: geco.Explanation) -> dict[str, Any]:
    everything = explanation.to_dict()
    for timing in ("seconds", "model_seconds"):
        everything["trace"].pop(timing)
    everything.pop("seconds"), everything["made"].pop("at")
    return everything


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--cells", nargs="+", default=CELLS, choices=CELLS, metavar="DATASET/MODEL")
    args = parser.parse_args()
    records = []
    with tempfile.TemporaryDirectory() as folder:
        for name in args.cells:
            records.append(measure(name, args.rows, Path(folder)))
            print(records[-1], flush=True)
    save("saved", records)
    show("saved explainers", records)


if __name__ == "__main__":
    main()
