"""The service's acceptance on the loopback: load, workers killed, identity of the answers, limits asked again.

    python -m benchmarks.acceptance.service load [--cells demo credit/xgb] [--clients 1 8 64] [--seconds 60]
    python -m benchmarks.acceptance.service workers [--cells credit/rf]     one worker against two
    python -m benchmarks.acceptance.service kill [--kills 10]               SIGKILL under load
    python -m benchmarks.acceptance.service same [--requests 500]           answers are those of explain, 16 clients
    python -m benchmarks.acceptance.service limits                          fixed and rules: 95th percentile

The service runs as users run it, ``geco serve`` with the model; the bare model is ``/v1/predict`` of one row on it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import joblib
import numpy as np

import geco
import geco.demo
from benchmarks import protocol
from benchmarks.acceptance.compiled import explainer as explainer_of
from benchmarks.acceptance.load import Load, ask_all
from benchmarks.report import save, show

TOKEN = "staff-token-of-the-benchmark"
DEADLINE = 10.0
ROWS = 100


@dataclass
class Deployed:
    """An explainer, its files and the instances to ask about."""

    name: str
    explainer: geco.Explainer
    saved: Path
    model: Path
    xs: list[dict[str, Any]]

    def bodies(self, **words: Any) -> list[bytes]:
        return [json.dumps({"x": x, **words}).encode() for x in self.xs]


def deployed(name: str, folder: Path) -> Deployed:
    if name == "demo":
        frame, model, database, program = geco.demo.load()
        made = geco.Explainer(model, database, program, target="good")
        rows = frame.drop(columns=geco.demo.LABEL).head(ROWS)
    else:
        cell = protocol.cell(*name.split("/"))
        made, model = explainer_of(cell, cell.program), cell.pipeline
        rows = cell.frame.iloc[list(cell.rows[:ROWS])]
    stem = name.replace("/", "_")
    made.save(folder / f"{stem}.geco")
    joblib.dump(model, folder / f"{stem}.joblib")
    xs = json.loads(rows.to_json(orient="records", double_precision=15))
    return Deployed(name, made, folder / f"{stem}.geco", folder / f"{stem}.joblib", xs)


@contextmanager
def serving(what: Deployed, workers: int = 1) -> Iterator[int]:
    """``geco serve`` on a free port; what it logs is thrown away."""
    command = [sys.executable, "-m", "geco", "serve", str(what.saved), "--model", str(what.model), "--trust-pickle"]
    command += ["--port", "0", "--workers", str(workers), "--log", "error"]
    environment = {**os.environ, "GECO_TOKENS": f"staff {TOKEN}"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(r"serving on http://127.0.0.1:(\d+)", line):
                time.sleep(1.0)
                yield int(found[1])
                return
        raise RuntimeError("the service did not start")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def in_process(what: Deployed, words: dict[str, Any], seconds: float = 5.0) -> float:
    """Median milliseconds of explain and to_json, where the explainer is loaded as a worker loads it."""
    loaded = geco.Explainer.load(what.saved, joblib.load(what.model))
    taken: list[float] = []
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        x = what.xs[len(taken) % len(what.xs)]
        started = time.perf_counter()
        loaded.explain(x, deadline=DEADLINE, **words).to_json()
        taken.append(1e3 * (time.perf_counter() - started))
    return float(np.median(taken))


def load(cells: Sequence[str], clients: Sequence[int], seconds: float, folder: Path) -> list[dict[str, Any]]:
    """Explanations and bare predictions by number of clients."""
    lines = []
    for name in cells:
        what = deployed(name, folder)
        alone = in_process(what, {"k": 5})
        rows = [json.dumps({"rows": [x]}).encode() for x in what.xs]
        with serving(what) as port:
            for number in clients:
                asked = asyncio.run(ask_all(port, TOKEN, "/v1/explain", what.bodies(k=5), number, seconds))
                bare = asyncio.run(ask_all(port, TOKEN, "/v1/predict", rows, number, min(seconds, 10)))
                lines.append(
                    {
                        "cell": name,
                        "clients": number,
                        "explain p50 ms": alone,
                        **asked.figures(),
                        "predict p50 ms": bare.figures()["p50 ms"],
                        "predict p99 ms": bare.figures()["p99 ms"],
                    }
                )
                print(lines[-1], flush=True)
    return lines


def workers(cells: Sequence[str], seconds: float, folder: Path) -> list[dict[str, Any]]:
    """Answers per second of one worker and of two, 8 clients."""
    lines = []
    for name in cells:
        what = deployed(name, folder)
        for number in (1, 2):
            with serving(what, number) as port:
                asked = asyncio.run(ask_all(port, TOKEN, "/v1/explain", what.bodies(k=5), 8, seconds))
            lines.append({"cell": name, "workers": number, **asked.figures()})
            print(lines[-1], flush=True)
    return lines


def kill(cells: Sequence[str], kills: int, folder: Path) -> list[dict[str, Any]]:
    """A worker of two killed again and again, 8 clients; the longest time without any answer."""
    lines = []
    for name in cells:
        what = deployed(name, folder)
        expected = [_plain(what.explainer.explain(x, k=5, deadline=DEADLINE).to_dict()) for x in what.xs]
        with serving(what, 2) as port:
            asked, pids = asyncio.run(_killing(port, what, expected, kills))
        pauses = np.diff(sorted(asked.answered_at))
        lines.append({"cell": name, "killed": pids, **asked.figures(), "longest pause s": float(pauses.max())})
        print(lines[-1], flush=True)
    return lines


async def _killing(port: int, what: Deployed, expected: Sequence[Any], kills: int) -> tuple[Load, int]:
    def right(place: int, body: bytes) -> bool:
        return bool(_plain(json.loads(body)) == expected[place])

    asking = asyncio.ensure_future(ask_all(port, TOKEN, "/v1/explain", what.bodies(k=5), 8, 6.0 * kills + 3, right))
    done = 0
    for _ in range(kills):
        await asyncio.sleep(6.0)
        if found := worker_pids(port):
            os.kill(found[0], signal.SIGKILL)
            done += 1
    return await asking, done


def worker_pids(port: int) -> list[int]:
    """Processes of workers whose front process we started, busiest first."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            front = (Path("/proc") / fields[1] / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if b"geco.service.worker" in command and int(front[1]) == os.getpid():
            found.append((int(fields[11]) + int(fields[12]), int(folder.name)))
    return [pid for _, pid in sorted(found, reverse=True)]


def same(cells: Sequence[str], requests: int, folder: Path) -> list[dict[str, Any]]:
    """Bytes over HTTP and of explain, clocks taken out of both, 16 clients at once."""
    lines = []
    for name in cells:
        what = deployed(name, folder)
        loaded = geco.Explainer.load(what.saved, joblib.load(what.model))
        seeds = range((requests + len(what.xs) - 1) // len(what.xs))
        asked = [{"x": x, "k": 3, "seed": seed} for seed in seeds for x in what.xs][:requests]
        with serving(what, 2) as port:
            answers = asyncio.run(_each_once(port, [json.dumps(each).encode() for each in asked]))
        expected = [loaded.explain(**each, deadline=DEADLINE).to_json().encode() for each in asked]
        equal = sum(_clockless(a) == _clockless(b) for a, b in zip(answers, expected, strict=True))
        lines.append({"cell": name, "requests": len(asked), "identical": equal})
        print(lines[-1], flush=True)
    return lines


async def _each_once(port: int, bodies: Sequence[bytes]) -> list[bytes]:
    from benchmarks.acceptance.load import request

    waiting = list(enumerate(bodies))[::-1]
    answers: dict[int, bytes] = {}

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while waiting:
            number, body = waiting.pop()
            status, _, answers[number] = await request(reader, writer, TOKEN, "/v1/explain", body)
            assert status == 200, answers[number]
        writer.close()

    await asyncio.gather(*(client() for _ in range(16)))
    return [answers[number] for number in range(len(bodies))]


CLOCKS = re.compile(rb'"(?:seconds|model_seconds)": (?:\{[^}]*\}|[0-9.e+-]+)|"at": "[^"]*"')


def _clockless(body: bytes) -> bytes:
    """The same bytes, with every clock set to nothing."""
    return CLOCKS.sub(b"", body)


def _plain(explanation: dict[str, Any]) -> Any:
    return explanation["status"], explanation["counterfactuals"]


def limits(cells: Sequence[str], seconds: float, folder: Path) -> list[dict[str, Any]]:
    """Asked again with a limit that nobody asked with before: the service has nothing of it at hand."""
    lines = []
    for name in cells:
        what = deployed(name, folder)
        rng = np.random.default_rng(0)
        names = list(what.explainer.domain.names)
        numbers = [f.name for f in what.explainer.domain.schema if f.type in ("integer", "number")]
        fixed = [{"x": x, "fixed": [str(n) for n in rng.choice(names, 2, replace=False)]} for x in what.xs]
        ruled = []
        for x in what.xs:
            feature = str(rng.choice(numbers))
            ruled.append(
                {"x": x, "rules": f'PLAF x_cf."{feature}" <= {float(x[feature] or 0) + float(rng.integers(9))}'}
            )
        with serving(what) as port:
            for kind, asked in (("fixed", fixed), ("rules", ruled)):
                bodies = [json.dumps(each).encode() for each in asked]
                found = asyncio.run(ask_all(port, TOKEN, "/v1/explain", bodies, 1, seconds))
                lines.append({"cell": name, "limit": kind, **found.figures()})
                print(lines[-1], flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["load", "workers", "kill", "same", "limits"])
    parser.add_argument("--cells", nargs="+", metavar="DATASET/MODEL")
    parser.add_argument("--clients", nargs="+", type=int, default=[1, 8, 64])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--requests", type=int, default=500)
    args = parser.parse_args()
    usual = {
        "load": ["demo", "credit/xgb"],
        "workers": ["credit/rf"],
        "kill": ["demo"],
        "same": ["demo"],
    }
    cells = args.cells or usual.get(args.what, ["credit/xgb", "credit/rf"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        records = {
            "load": lambda: load(cells, args.clients, args.seconds, folder),
            "workers": lambda: workers(cells, args.seconds, folder),
            "kill": lambda: kill(cells, args.kills, folder),
            "same": lambda: same(cells, args.requests, folder),
            "limits": lambda: limits(cells, args.seconds, folder),
        }[args.what]()
    save(f"service_{args.what}", records)
    show(f"the service: {args.what}", records)


if __name__ == "__main__":
    main()
