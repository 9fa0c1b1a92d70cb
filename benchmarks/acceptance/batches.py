"""Batches that are interrupted: killed at random moments, out of room, in a folder that cannot be written.

    python -m benchmarks.acceptance.batches kill [--cells credit/dt credit/xgb] [--rows 50000] [--kills 10]
    python -m benchmarks.acceptance.batches full [--rows 2000]

Rows that the model refuses, drawn with replacement and keyed; k = 5, complete programs, two workers of one thread.
``kill``: SIGKILL for the driver, for a worker, and for the driver while a file is being written, in turn, at random
moments; then the same command with --resume. The result must be, byte for byte, that of a run nobody disturbed.
``full``: on a file system of a few megabytes (needs root), then given room; and in a folder of somebody else's.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pyarrow.dataset as ds
from pyarrow import compute

from benchmarks import protocol
from benchmarks.acceptance.compiled import explainer
from benchmarks.report import save, show

CELLS = ["credit/dt", "credit/xgb"]


def prepared(name: str, rows: int, folder: Path) -> Path:
    """A folder with a saved explainer, its model and the rows to explain."""
    place = folder / f"{name.replace('/', '_')}_{rows}"
    if (place / "in.parquet").exists():
        return place
    place.mkdir(parents=True)
    cell = protocol.cell(*name.split("/"))
    explainer(cell, cell.program).save(place / "e.geco")
    (place / "model.pkl").write_bytes(pickle.dumps(cell.pipeline))
    refused = cell.frame[cell.pipeline.predict_proba(cell.frame)[:, 1] <= 0.5]
    drawn = refused.iloc[np.random.default_rng(23).integers(len(refused), size=rows)].reset_index(drop=True)
    drawn.insert(0, "customer", np.arange(rows) + 10**6)
    drawn.to_parquet(place / "in.parquet", index=False)
    return place


def command(place: Path, out: Path, *more: str) -> list[str]:
    """The command a user would give."""
    asked = [
        "--saved",
        place / "e.geco",
        "--model",
        place / "model.pkl",
        "--trust-pickle",
        "--in",
        place / "in.parquet",
    ]
    return [sys.executable, "-m", "geco", "batch", *map(str, asked), "--out", str(out), "--key", "customer", *more]


def run(place: Path, out: Path, *more: str) -> float:
    """Seconds of a whole run."""
    start = time.perf_counter()
    subprocess.run(command(place, out, *more), check=True, capture_output=True)
    return time.perf_counter() - start


def contents(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


def children(pid: int) -> list[int]:
    """The worker processes: children that run our code, not Python's tracker of resources."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    found = [int(child) for child in listed.read_text().split()] if listed.exists() else []
    return [child for child in found if b"spawn_main" in _command_line(child)]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def kill_driver(running: subprocess.Popen[Any], out: Path) -> bool:
    running.kill()
    return True


def kill_worker(running: subprocess.Popen[Any], out: Path) -> bool:
    workers = children(running.pid)
    if workers:
        os.kill(random.choice(workers), signal.SIGKILL)
    return bool(workers)


def kill_in_a_write(running: subprocess.Popen[Any], out: Path) -> bool:
    """As soon as a file of another name is there."""
    while running.poll() is None:
        if any(name.startswith(".part") for folder in ("rows", "answers") for name in os.listdir(out / folder)):
            running.kill()
            return True
    return False


KILLS: list[Callable[[subprocess.Popen[Any], Path], bool]] = [kill_driver, kill_worker, kill_in_a_write]


def killed(place: Path, out: Path, kills: int, seconds: float, how: Sequence[str]) -> dict[str, int]:
    """Disturb a batch so many times, and let it end."""

    def started() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command(place, out, *how, "--resume"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    counts = {kill.__name__: 0 for kill in KILLS}
    running = started()
    for number in range(kills):
        kill = KILLS[number % len(KILLS)]
        began = sum(1 for _ in (out / "rows").glob("part*")) if out.exists() else 0
        while running.poll() is None and (not out.exists() or len(os.listdir(out / "rows")) <= began):
            time.sleep(0.05)  # until it is at work
        time.sleep(random.uniform(0, seconds / kills))
        if running.poll() is None and kill(running, out):
            counts[kill.__name__] += 1
        if kill is not kill_worker:
            running.wait()
            running = started()
    running.wait()
    return counts


def kill(names: list[str], rows: int, kills: int, folder: Path) -> list[dict[str, Any]]:
    lines = []
    for name in names:
        place = prepared(name, rows, folder)
        whole, out = folder / f"whole_{place.name}", folder / f"killed_{place.name}"
        how = ("--workers", "2", "--threads", "1", "--part-rows", str(max(50, rows // 25)))
        seconds = run(place, whole, *how)
        counts = killed(place, out, kills, 0.7 * seconds, how)
        keys = ds.dataset(out / "rows").to_table(columns=["key"]).column("key")
        lines.append(
            {
                "cell": name,
                "rows": rows,
                "undisturbed s": seconds,
                "killed": sum(counts.values()),
                **counts,
                "complete": (out / "_SUCCESS").exists(),
                "each row once": len(keys) == rows == len(compute.unique(keys)),
                "same bytes": contents(out) == contents(whole),
                "MB": sum(map(len, contents(out).values())) / 1e6,
            }
        )
        print(lines[-1], flush=True)
    return lines


def full(rows: int, folder: Path) -> list[dict[str, Any]]:
    """Too little room, an error that says so, more room, the same bytes."""
    place = prepared("credit/dt", rows, folder)
    more = ("--workers", "2", "--threads", "1", "--part-rows", "200", "--resume")
    run(place, folder / "roomy", *more)
    small = folder / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)], check=True)
    try:
        first = subprocess.run(command(place, small / "out", *more), capture_output=True, text=True)
        subprocess.run(["mount", "-o", "remount,size=100m", str(small)], check=True)
        second = subprocess.run(command(place, small / "out", *more), capture_output=True, text=True)
        same = contents(small / "out") == contents(folder / "roomy")
    finally:
        subprocess.run(["umount", str(small)], check=True)
    closed = subprocess.run(command(place, Path("/proc/answers"), *more), capture_output=True, text=True)
    said = [text.stderr.strip().splitlines()[-1] for text in (first, closed)]
    return [
        {
            "what": "disk full",
            "exit codes": f"{first.returncode}, then {second.returncode}",
            "same bytes": same,
            "said": said[0],
        },
        {"what": "closed folder", "exit codes": f"{closed.returncode}", "same bytes": None, "said": said[1]},
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["kill", "full"])
    parser.add_argument("--cells", nargs="+", default=CELLS, metavar="DATASET/MODEL")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    random.seed(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        if args.what == "kill":
            lines = kill(args.cells, args.rows or 50_000, args.kills, Path(folder))
        else:
            lines = full(args.rows or 2000, Path(folder))
            print(json.dumps(lines, indent=1))
    save(f"batches_{args.what}", lines)
    show(f"Batches: {args.what}", lines)


if __name__ == "__main__":
    main()
