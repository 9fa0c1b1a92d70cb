"""Proofs: how many rows are proved nearest by quick proofs and by seconds, and what that costs.

    python -m benchmarks.acceptance.proofs share [--cells credit/dt ...] [--rows 50] [--seconds 0.1 1 5] [--seed 1]
    python -m benchmarks.acceptance.proofs time [--cells credit/dt ...] [--rows 50] [--seed 1]

Own models (dt; xgb, lgbm and hgb of 200 trees; rf of 500 × depth 10), complete programs, k = 5, refused rows drawn by
seed. ``share``: per cent of rows whose first answer is proved, and whose answers all are, by quick proofs and, of the
nearest alone (k = 1), in so many seconds; ``nearer`` counts rows where a quick proof found something nearer.
``time``: CPU time of an explanation with and without quick proofs, in predictions of the user's pipeline on one row,
asked in turn.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import geco
from benchmarks import datasets, models
from benchmarks.report import save, show

CELLS = [
    f"{data}/{model}"
    for data in ("credit", "adult", "german", "compas", "give_me_some_credit")
    for model in ("dt", "xgb", "lgbm", "hgb", "rf")
]
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
        left = rows
        for seconds in sorted(args.seconds):  # what is proved in fewer is proved in more
            left = [x for x in left if not explainer.explain(x, k=1, prove=seconds).proven]
            line[f"{seconds:g} s %"] = 100 * (1 - len(left) / len(rows))
        yield line


def _all_ways(explanation: geco.Explanation) -> bool:
    return explanation.proven_ways == len(explanation.counterfactuals)


def _distance(explanation: geco.Explanation) -> float:
    found = explanation.counterfactuals
    return (found[0].unrounded or found[0]).distance if found else np.inf


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


LINES = {"share": share, "time": times}


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
    save(f"proofs_{args.line}", lines)
    show(f"proofs: {args.line}", lines)


if __name__ == "__main__":
    main()
