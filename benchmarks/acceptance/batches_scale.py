"""Batches that are large: workers, Ray beside the local engine, and growth with the number of rows, to a million.

    python -m benchmarks.acceptance.batches_scale workers [--rows 20000]
    python -m benchmarks.acceptance.batches_scale ray [--rows 50000] [--cells credit/xgb]
    python -m benchmarks.acceptance.batches_scale growth [--rows 1000 10000 100000 1000000] [--workers 1 2]

Rates are without start-up: from the moment the first parts are whole to the last, by the times of the files. Memory is
the largest sum over driver and workers, sampled every few seconds. ``cpu ms`` is processor time per row of driver and
workers together: unlike a rate it means the same on a busy machine.
``growth`` adds to what was measured before, so that a long line of it can be run alone, and says what a row costs that
is explained alone.
``ray``: two nodes on this machine, first undisturbed, then one of them killed half-way; same bytes both times.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pandas as pd

import geco
from benchmarks.acceptance.batches import children, command, contents, prepared
from benchmarks.datasets import REPOSITORY
from benchmarks.report import DOCS, RESULTS, save, show

SAMPLED = 2.0  # seconds
PART = 2000


def measured(place: Path, out: Path, rows: int, workers: int) -> dict[str, Any]:
    """One batch of the local engine, watched."""
    asked = ["--workers", str(workers), "--threads", "1", "--part-rows", str(part_rows(rows))]
    memory: list[float] = []
    started = time.perf_counter()
    running = subprocess.Popen(command(place, out, *asked), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    watch = threading.Thread(target=_watch, args=(running, memory))
    watch.start()
    _, _, used = os.wait4(running.pid, 0)
    seconds = time.perf_counter() - started
    running.returncode = 0
    watch.join()
    quarter = max(1, len(memory) // 4)
    return {
        "rows": rows,
        "workers": workers,
        "seconds": seconds,
        "rows /s": rate(out, workers),
        "cpu ms": 1e3 * (used.ru_utime + used.ru_stime) / rows,
        "MB early": max(memory[quarter : 2 * quarter] or memory or [0.0]),
        "MB late": max(memory[-quarter:] or [0.0]),
        "output MB": sum(f.stat().st_size for f in out.rglob("*") if f.is_file()) / 1e6,
        "complete": (out / "_SUCCESS").exists(),
    }


def part_rows(rows: int) -> int:
    """Twenty parts at least."""
    return min(PART, max(50, rows // 20))


def rate(out: Path, workers: int) -> float:
    """Rows a second after the first part of each worker."""
    parts = sorted((file.stat().st_mtime, file.name) for file in (out / "rows").iterdir())
    late = parts[workers:]
    rows = {done["part"]: done["rows"] for done in json.loads((out / "manifest.json").read_text())["parts"]}
    counted = sum(rows[int(name[5:11])] for _, name in late)
    return counted / (late[-1][0] - parts[workers - 1][0]) if late else 0.0


def _watch(running: subprocess.Popen[Any], memory: list[float]) -> None:
    while Path(f"/proc/{running.pid}/status").exists() and running.returncode is None:
        processes = [running.pid, *children(running.pid)]
        memory.append(sum(map(_megabytes, processes)))
        time.sleep(SAMPLED)


def _megabytes(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1e3 for line in lines if line.startswith("VmRSS")), 0.0)


def workers(rows: int, folder: Path) -> list[dict[str, Any]]:
    lines = []
    for cell in ("credit/dt", "credit/xgb"):
        place = prepared(cell, rows, folder)
        for number in (1, 2):
            lines.append({"cell": cell, **measured(place, folder / f"{place.name}_{number}", rows, number)})
            print(lines[-1], flush=True)
        lines[-1]["times"] = lines[-1]["rows /s"] / lines[-2]["rows /s"]
        lines[-1]["same bytes"] = contents(folder / f"{place.name}_1") == contents(folder / f"{place.name}_2")
    return lines


def growth(sizes: list[int], workers: list[int], folder: Path) -> list[dict[str, Any]]:
    """What was measured before, and these sizes with so many workers each."""
    saved = RESULTS / "batches_growth.json"
    lines = json.loads(saved.read_text()) if saved.exists() else []
    known = {(line["rows"], line["workers"]): line for line in lines}
    for rows in sizes:
        place = prepared("credit/dt", rows, folder)
        for number in workers:
            line = measured(place, folder / "out", rows, number)
            known[rows, number] = {**line, "explain cpu ms": _alone(place)}
            print(known[rows, number], flush=True)
            shutil.rmtree(folder / "out")
        shutil.rmtree(place)
    return [known[each] for each in sorted(known)]


def _alone(place: Path) -> float:
    """What one of the first thousand rows costs when each is explained alone."""
    sample = pd.read_parquet(place / "in.parquet").head(1000).drop(columns="customer").to_dict("records")
    asked = geco.Explainer.load(place / "e.geco", pickle.loads((place / "model.pkl").read_bytes()))
    asked.explain(sample[0])
    start = time.process_time()
    for x in sample:
        asked.explain(x)
    return 1e3 * (time.process_time() - start) / len(sample)


def draw(lines: list[dict[str, Any]]) -> None:
    """The figure of docs/batch.md."""
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(8, 3), layout="constrained")
    for number in sorted({line["workers"] for line in lines}):
        own = [line for line in lines if line["workers"] == number]
        sizes = [line["rows"] for line in own]
        left.loglog(sizes, [line["seconds"] for line in own], "o-", label=f"workers: {number}")
        right.semilogx(sizes, [line["MB late"] for line in own], "o-", label=f"workers: {number}")
    left.set(xlabel="rows", ylabel="seconds, start-up included")
    right.set(xlabel="rows", ylabel="MB, driver and workers", ylim=(0, None))
    left.legend(frameon=False)
    figure.savefig(DOCS / "figures" / "batch_growth.svg", metadata={"Date": None})
    figure.savefig(DOCS / "figures" / "batch_growth.png", dpi=120)


def on_ray(cell: str, rows: int, folder: Path) -> list[dict[str, Any]]:
    """In a process of its own, which is a cluster of two nodes."""
    place = prepared(cell, rows, folder)
    local = measured(place, folder / "local", rows, 2)
    code = [sys.executable, "-m", "benchmarks.acceptance.batches_ray", str(place), str(folder), str(part_rows(rows))]
    subprocess.run(code, check=True, cwd=REPOSITORY)
    lines = [{"engine": "local", **local, "same bytes": None}]
    for name in ("ray", "ray_killed"):
        same = contents(folder / name) == contents(folder / "local")
        lines.append({"engine": name, "rows": rows, "rows /s": rate(folder / name, 2), "same bytes": same})
    lines[1]["slower %"] = 100 * (local["rows /s"] / lines[1]["rows /s"] - 1)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["workers", "ray", "growth"])
    parser.add_argument("--rows", type=int, nargs="+")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="of growth")
    parser.add_argument("--cell", default="credit/xgb")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        match args.what:
            case "workers":
                lines = workers((args.rows or [20_000])[0], folder)
            case "ray":
                lines = on_ray(args.cell, (args.rows or [50_000])[0], folder)
            case _:
                lines = growth(args.rows or [1000, 10_000, 100_000, 1_000_000], args.workers, folder)
                draw(lines)
    save(f"batches_{args.what}", lines)
    show(f"Batches: {args.what}", lines)


if __name__ == "__main__":
    main()
