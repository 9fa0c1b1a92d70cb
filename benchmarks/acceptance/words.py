"""What words at question time cost, on the cells of the peers' protocol and on a table with a million distinct values.

    python -m benchmarks.acceptance.words [--rows 40] [--cells credit/dt ...]

The same x is asked without words, with words never heard before, and with these words again; medians in milliseconds.
At most 1.2 times as long as without, median over the cells. ``made`` is what it takes to make the parts ready.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingClassifier

import geco
from benchmarks import protocol
from benchmarks.acceptance.compiled import explainer, timed
from benchmarks.protocol import CELLS
from benchmarks.report import save, show
from geco.words import Words

LARGE = 1_000_000


def measured(asked: geco.Explainer, xs: list[dict[str, Any]]) -> dict[str, float]:
    """Medians over these x; every x has words of its own."""
    taken: dict[str, list[float]] = {"without": [], "new": [], "again": [], "made": []}
    numeric = [f.name for f in asked.domain.schema if f.kind == "continuous"]
    for number, x in enumerate(xs):
        f, other = numeric[number % len(numeric)], numeric[(number + 1) % len(numeric)]
        rules = f'PLAF x_cf."{f}" <= x."{f}" + {number + 1}.5'
        words: dict[str, Any] = {"fixed": [other], "rules": rules, "margin": 0.01 + number / 1e6}
        taken["without"].append(timed(asked.explain, x)[0])
        taken["new"].append(timed(lambda x=x, words=words: asked.explain(x, **words))[0])
        taken["again"].append(timed(lambda x=x, words=words: asked.explain(x, **words))[0])
        made = Words.of({**words, "margin": 0.02})  # type: ignore[typeddict-item]
        taken["made"].append(timed(asked._parts.asked_with, made)[0])
    line = {name: float(np.median(times)) for name, times in taken.items()}
    return {**line, "new ratio": line["new"] / line["without"], "again ratio": line["again"] / line["without"]}


def large() -> dict[str, float]:
    """A table whose every column has a million distinct values; each group keeps 200,000 of them."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.normal(size=LARGE) for name in "abc"})
    few = frame.head(5_000)
    model = GradientBoostingClassifier(n_estimators=30).fit(few, few.a + few.b * few.c > 0.5)
    asked = geco.Explainer(model, geco.Database.from_frame(frame))
    xs = [dict(row) for _, row in few[~model.predict(few)].head(20).iterrows()]
    return measured(asked, xs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--cells", nargs="*", default=CELLS)
    args = parser.parse_args()
    lines: list[dict[str, Any]] = []
    for name in args.cells:
        cell = protocol.cell(*name.split("/"))
        xs = [cell.x(row) for row in cell.rows[: args.rows]]
        lines.append({"cell": name, **measured(explainer(cell, cell.program), xs)})
        print(lines[-1], flush=True)
    lines.append({"cell": "a million distinct values", **large()})
    for ratio in ("new ratio", "again ratio"):
        print(ratio, "median over the cells:", round(float(np.median([line[ratio] for line in lines[:-1]])), 3))
    show("Words at question time", lines)
    save("words", lines)


if __name__ == "__main__":
    main()
