"""Answers that survive an update: two random forests, each fitted on one half of Credit.

    python -m benchmarks.acceptance.robust [--rows 100] [--k 5]

Of x that both forests refuse: how many answers of the first forest hold under the second, how many that were looked for
under both, and how much farther those are. The second forest plays the updated model.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

import geco
from benchmarks import protocol
from benchmarks.methods import PAPER
from benchmarks.report import save, show


def halves(cell: protocol.Cell, trees: int) -> list[Any]:
    """A pipeline fitted on each half of D, with the labels of the protocol."""
    data, _ = cell.judged_by
    first, second = train_test_split(np.arange(len(cell.frame)), test_size=0.5, random_state=0, stratify=data.y)
    models = []
    for seed, half in enumerate((first, second)):
        pipeline = clone(cell.pipeline)
        forest = RandomForestClassifier(trees, max_depth=10, random_state=seed, n_jobs=1)
        pipeline.steps[-1] = (pipeline.steps[-1][0], forest)
        models.append(pipeline.fit(cell.frame.iloc[half], data.y[half]))
    return models


def measured(cell: protocol.Cell, rows: int, k: int, trees: int) -> dict[str, Any]:
    first, second = halves(cell, trees)
    database, program = geco.Database.from_frame(cell.frame), geco.parse_plaf(cell.program)
    alone = geco.Explainer(first, database, program, params=PAPER)
    together = geco.Explainer([first, second], database, program, params=PAPER)
    refused = np.flatnonzero(np.all([m.predict_proba(cell.frame)[:, 1] <= 0.5 for m in (first, second)], axis=0))
    xs = cell.frame.iloc[refused[:rows]]
    single, joint = alone.explain_many(xs, k=k), together.explain_many(xs, k=k)
    under_second, joint_under_second = alone.recheck(single, second), together.recheck(joint, second)
    pairs = [
        (a.counterfactuals[0].distance, b.counterfactuals[0].distance)
        for a, b in zip(single, joint, strict=True)
        if a.counterfactuals and b.counterfactuals
    ]
    near, far = np.mean(pairs, axis=0)
    best = [each.holds for each in under_second if each.place == 1]
    return {
        "rows": len(xs),
        "k": k,
        "single found %": 100 * float(np.mean([e.status == "found" for e in single])),
        "joint found %": 100 * float(np.mean([e.status == "found" for e in joint])),
        "single hold %": 100 * under_second.holding / len(under_second),
        "nearest single hold %": 100 * float(np.mean(best)),
        "joint hold %": 100 * joint_under_second.holding / len(joint_under_second),
        "single distance": 1e3 * near,
        "joint distance": 1e3 * far,
        "price": far / near,
        "median price": float(np.median([b / a for a, b in pairs])),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--trees", type=int, default=200)
    args = parser.parse_args()
    lines = [measured(protocol.cell("credit", "rf"), args.rows, args.k, args.trees)]
    save("robust", lines)
    show("two forests on halves of Credit", lines)


if __name__ == "__main__":
    main()
