"""Two checkouts side by side: what each takes for the same questions, in turns, in processor time.

    python -m benchmarks.acceptance.pairs --before CHECKOUT [--after CHECKOUT] [--what explain1 explain5 own5 many1 ...]
        [--cells credit/dt ...] [--pairs 20] [--rows 30] [--options-before '{"prove": false}'] [--options-after ...]
        [--asking-before ...] [--asking-after '{"ranges": false}']

Both checkouts must be built (``src/geco`` with its native core). Each has a process of its own which loads the cell
once and then answers turn by turn, so that a busy machine hurts both alike. ``explainK``: one instance after the other
with k = K by the compiled model, on average; ``medianK``: the median of them. ``ownK``: the same with the pipeline as a
black box, without the time in the model.
``manyT``: ``explain_many`` on T threads (clock time for more than one). Options are those of ``Explainer``; "params"
is a mapping. What is said with asking goes to every ``explain``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from benchmarks.protocol import CELLS, REPOSITORY

BLACK_BOXES = ("credit/rf", "adult/rf", "credit/dt")


class Watched:
    """The pipeline as a black box, and the time spent in it."""

    def __init__(self, pipeline: Any) -> None:
        self.pipeline, self.seconds = pipeline, 0.0

    def __call__(self, frame: Any) -> Any:
        start = time.process_time()
        answer = self.pipeline.predict_proba(frame)[:, 1]
        self.seconds += time.process_time() - start
        return answer


def answer(name: str, rows: int, options: dict[str, Any], asking: dict[str, Any]) -> None:
    """The process of one checkout: a line in says what to do, a line out how many milliseconds a row took."""
    import geco
    from benchmarks import protocol

    cell = protocol.cell(*name.split("/"))
    if params := options.pop("params", None):
        options["params"] = geco.Params(**params)
    database, program = geco.Database.from_frame(cell.frame), geco.parse_plaf(cell.program)
    compiled = geco.Explainer(cell.pipeline, database, program, **options)
    watched = Watched(cell.pipeline)
    black_box = geco.Explainer(watched, database, program, **options)
    instances = [cell.x(row) for row in cell.rows[:rows]]
    frame = cell.frame.iloc[[row for row in cell.rows for _ in range(5)]]

    def each(k: int) -> list[float]:
        return [timed(lambda x=x: compiled.explain(x, k=k, **asking)) for x in instances]

    def explain(k: int) -> float:
        return float(np.mean(each(k)))

    def median(k: int) -> float:
        return float(np.median(each(k)))

    def own(k: int) -> float:
        watched.seconds = 0.0
        total = sum(timed(lambda x=x: black_box.explain(x, k=k, **asking)) for x in instances)
        return (total - 1e3 * watched.seconds) / len(instances)

    def many(threads: int) -> float:
        clock = time.process_time if threads == 1 else time.perf_counter
        return timed(lambda: compiled.explain_many(frame, threads=threads), clock) / len(frame)

    kinds: dict[str, Callable[[int], float]] = {"explain": explain, "median": median, "own": own, "many": many}
    for line in sys.stdin:
        kind, number = line.strip()[:-1], int(line.strip()[-1])
        print(kinds[kind](number), flush=True)


def timed(call: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> float:
    start = clock()
    call()
    return 1e3 * (clock() - start)


class Checkout:
    """One side: its process."""

    def __init__(self, folder: Path, cell: str, rows: int, options: str, asking: str) -> None:
        path = os.pathsep.join([str(folder / "src"), str(REPOSITORY)])
        arguments = ["--answer", cell, "--rows", str(rows), "--options-after", options, "--asking-after", asking]
        self.process = subprocess.Popen(
            [sys.executable, __file__, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": path},
        )

    def ask(self, what: str) -> float:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def end(self) -> None:
        self.process.communicate()


def compared(cell: str, args: argparse.Namespace) -> list[dict[str, Any]]:
    before = Checkout(args.before, cell, args.rows, args.options_before, args.asking_before)
    after = Checkout(args.after, cell, args.rows, args.options_after, args.asking_after)
    lines = []
    for what in args.what:
        if what.startswith("own") and cell not in BLACK_BOXES:
            continue
        before.ask(what), after.ask(what)  # the first turn makes what later ones keep
        turns = np.array([(before.ask(what), after.ask(what)) for _ in range(args.pairs)])
        ratios = turns[:, 1] / turns[:, 0]
        lines.append(
            {
                "cell": cell,
                "what": what,
                "before ms": float(np.median(turns[:, 0])),
                "after ms": float(np.median(turns[:, 1])),
                "ratio": float(np.median(ratios)),
                "quartiles": f"{np.quantile(ratios, 0.25):.3f} to {np.quantile(ratios, 0.75):.3f}",
            }
        )
        print(lines[-1], file=sys.stderr, flush=True)
    before.end(), after.end()
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--after", type=Path, default=REPOSITORY)
    parser.add_argument("--what", nargs="+", default=["explain1", "explain5", "own1", "own5", "many1", "many2"])
    parser.add_argument("--cells", nargs="+", default=CELLS, choices=CELLS, metavar="DATASET/MODEL")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--rows", type=int, default=30)
    parser.add_argument("--options-before", default="{}")
    parser.add_argument("--options-after", default="{}")
    parser.add_argument("--asking-before", default="{}")
    parser.add_argument("--asking-after", default="{}")
    parser.add_argument("--answer", metavar="CELL", help="be the process of one checkout")
    args = parser.parse_args()
    if args.answer:
        answer(args.answer, args.rows, json.loads(args.options_after), json.loads(args.asking_after))
        return
    from benchmarks.report import save, show

    lines = [line for cell in args.cells for line in compared(cell, args)]
    show("after / before", lines)
    save("pairs", lines)


if __name__ == "__main__":
    main()
