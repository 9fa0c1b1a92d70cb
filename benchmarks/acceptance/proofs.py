"""Proofs: how many rows are proved nearest by quick proofs and by seconds, and what that costs.

    python -m benchmarks.acceptance.proofs share [--cells credit/dt ...] [--rows 50] [--seconds 0.1 1 5] [--seed 1]
    python -m benchmarks.acceptance.proofs ways [--cells credit/xgb ...] [--rows 50] [--seed 1]
    python -m benchmarks.acceptance.proofs same [--cells credit/xgb ...] [--rows 50] [--seed 1]
    python -m benchmarks.acceptance.proofs time [--cells credit/dt ...] [--rows 50] [--seed 1]

Own models (dt; xgb, lgbm and hgb of 200 trees; rf of 500 × depth 10), complete programs, k = 5, refused rows drawn by
seed. ``share``: per cent of rows whose first answer is proved, and whose answers all are, by quick proofs and, of the
nearest alone (k = 1), in so many seconds; ``nearer`` counts rows where a quick proof found something nearer. A figure
shows how long the proofs took, by kind of model. ``ways``: per cent of rows all of whose five ways, or as many as were
found, are proved in a second and in five, and how long that takes. ``same``: rows whose explanation with quick proofs
is the same alone as beside four busy processes, in batches on one and two threads, and saved and loaded; clocks aside.
``time``: CPU time of an explanation with and without quick proofs, in predictions of the user's pipeline on one row,
asked in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

import geco
from benchmarks import datasets, models
from benchmarks.report import DOCS, save, show

CELLS = [
    f"{data}/{model}"
    for data in ("credit", "adult", "german", "compas", "give_me_some_credit")
    for model in ("dt", "xgb", "lgbm", "hgb", "rf")
]
MODELS = {
    "dt": "one tree", "xgb": "200 boosted trees (XGBoost)", "lgbm": "200 (LightGBM)", "hgb": "200 (scikit-learn)",
    "rf": "500 random trees",
}  # fmt: skip
TIE = 1e-12


def refused(name: str, rows: int, seed: int) -> tuple[Any, geco.Explainer, list[dict[str, Any]]]:
    """The pipeline, its explainer and so many refused rows."""
    data = datasets.load(name.split("/")[0])
    pipeline = models.fit(data, name.split("/")[1])
    rejected = np.flatnonzero(pipeline.predict_proba(data.frame)[:, 1] <= 0.5)
    chosen = np.random.default_rng(seed).permutation(rejected)[:rows]
    explainer = geco.Explainer(pipeline, data.database(), geco.parse_plaf(data.program))
    return pipeline, explainer, [data.frame.iloc[[row]] for row in chosen.tolist()]


def share(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Per cell: the share proved."""
    for name in args.cells:
        _, explainer, rows = refused(name, args.rows, args.seed)
        line: dict[str, Any] = {"cell": name, "rows": len(rows)}
        quick = [explainer.explain(x) for x in rows]
        line["quick %"] = 100 * float(np.mean([bool(e.proven) for e in quick]))
        line["all ways %"] = 100 * float(np.mean([bool(e.proven) and _all_ways(e) for e in quick]))
        plain = [explainer.explain(x, prove=False) for x in rows]
        line["nearer"] = sum(_distance(a) < _distance(b) - TIE for a, b in zip(quick, plain, strict=True))
        left, line["proof s"] = rows, []
        for seconds in sorted(args.seconds):  # what is proved in fewer is proved in more
            tried = [(x, explainer.explain(x, k=1, prove=seconds)) for x in left]
            line["proof s"] += [e.trace.seconds.get("prove", 0.0) for _, e in tried if e.proven]
            left = [x for x, e in tried if not e.proven]
            line[f"{seconds:g} s %"] = 100 * (1 - len(left) / len(rows))
        yield line


def ways(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Per cell: the share of rows all of whose ways are proved."""
    for name in args.cells:
        _, explainer, rows = refused(name, args.rows, args.seed)
        explained = [explainer.explain(x, k=5, prove=5.0) for x in rows]
        taken = [e.trace.seconds.get("prove", 0.0) if _all_ways(e) else np.inf for e in explained]
        yield {
            "cell": name, "rows": len(rows), "ways": float(np.mean([len(e.counterfactuals) for e in explained])),
            "proved": float(np.mean([e.proven_ways or 0 for e in explained])),
            "1 s %": 100 * float(np.mean(np.array(taken) <= 1)), "5 s %": 100 * float(np.mean(np.isfinite(taken))),
            "median s": float(np.median(taken)),
        }  # fmt: skip


def _all_ways(explanation: geco.Explanation) -> bool:
    return explanation.proven_ways == len(explanation.counterfactuals)


def _distance(explanation: geco.Explanation) -> float:
    found = explanation.counterfactuals
    return (found[0].unrounded or found[0]).distance if found else np.inf


def same(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Per cell: how many rows have the same explanation in all circumstances."""
    for name in args.cells:
        pipeline, explainer, rows = refused(name, args.rows, args.seed)
        frame = pd.concat(rows)
        alone = [_told(explainer.explain(x)) for x in rows]
        line: dict[str, Any] = {"cell": name, "rows": len(rows)}
        with four_busy(), tempfile.TemporaryDirectory() as folder:
            explainer.save(Path(folder) / "saved.geco")
            loaded = geco.Explainer.load(Path(folder) / "saved.geco", pipeline)
            others = {
                "under load": [explainer.explain(x) for x in rows],
                "one thread": explainer.explain_many(frame, threads=1),
                "two threads": explainer.explain_many(frame, threads=2),
                "loaded": [loaded.explain(x) for x in rows],
                "loaded, two threads": loaded.explain_many(frame, threads=2),
            }
        yield line | {
            what: sum(a == _told(b) for a, b in zip(alone, made, strict=True)) for what, made in others.items()
        }


@contextmanager
def four_busy() -> Iterator[None]:
    """Four processes that do nothing but count."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()


def _told(explanation: geco.Explanation) -> str:
    told = explanation.to_dict()
    return json.dumps({name: value for name, value in told.items() if name not in ("seconds", "trace", "made")})


def times(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Per cell: CPU time in predictions."""
    for name in args.cells:
        pipeline, explainer, rows = refused(name, args.rows, args.seed)
        taken: dict[str, list[float]] = {"predict": [], "without": [], "quick": []}
        for x in rows:
            _clock(taken["predict"], pipeline.predict_proba, x)
            _clock(taken["without"], partial(explainer.explain, prove=False), x)
            _clock(taken["quick"], explainer.explain, x)
        predict, without, quick = (float(np.median(each)) for each in taken.values())
        yield {
            "cell": name, "rows": len(rows), "predict ms": predict, "without": without / predict,
            "quick": quick / predict, "more": (quick - without) / predict,
            "p95": float(np.percentile(taken["quick"], 95)) / predict,
        }  # fmt: skip


def _clock(taken: list[float], call: Callable[[Any], Any], x: Any) -> None:
    start = time.process_time()
    call(x)
    taken.append(1e3 * (time.process_time() - start))


def draw(lines: list[dict[str, Any]]) -> None:
    """The figure of docs/exact.md: the share of rows proved by the time that took, per kind of model."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3), layout="constrained")
    for kind in dict.fromkeys(line["cell"].split("/")[1] for line in lines):
        own = [line for line in lines if line["cell"].endswith(f"/{kind}")]
        seconds = np.sort(np.concatenate([line["proof s"] for line in own]))
        share = 100 * np.arange(1, len(seconds) + 1) / sum(line["rows"] for line in own)
        axes.step(np.maximum(seconds, 1e-5), share, where="post", label=MODELS[kind])
    axes.set(xscale="log", xlabel="seconds of the proof", ylabel="rows proved nearest, %", ylim=(0, 102))
    axes.legend(frameon=False)
    figure.savefig(DOCS / "figures" / "proofs_share.svg", metadata={"Date": None})
    figure.savefig(DOCS / "figures" / "proofs_share.png", dpi=120)


LINES = {"share": share, "ways": ways, "same": same, "time": times}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("line", choices=LINES)
    parser.add_argument("--cells", nargs="+", default=CELLS, choices=CELLS, metavar="DATA/MODEL")
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--seconds", type=float, nargs="*", default=[0.1, 1.0, 5.0])
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    lines = []
    for line in LINES[args.line](args):
        lines.append(line)
        print(line, flush=True)
    told = [{name: figure for name, figure in line.items() if name != "proof s"} for line in lines]
    if args.line == "share":
        draw(lines)
    save(f"proofs_{args.line}", told, lines if args.line == "share" else None)
    show(f"proofs: {args.line}", told)


if __name__ == "__main__":
    main()
