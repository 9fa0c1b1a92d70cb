"""The frontier search's acceptance on the eight cells of the peers' protocol, the model always a black box.

    python -m benchmarks.acceptance.frontier distance [--k 1 5] [--rows 100] [--cells credit/dt ...]
    python -m benchmarks.acceptance.frontier labels
    python -m benchmarks.acceptance.frontier rules

``distance``: rules without implications, against the figures of the design and the peers' references. ``labels``: the
same with models that return labels only, genetic beside frontier. ``rules``: the complete programs with k = 5; rules,
irreducibility and difference are judged here and not by the search. Everything that reaches the user's object counts,
x and the confirmation included. The other figures: frontier_curve.py, own_time.py, large_table.py.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import pandas as pd

import geco
from benchmarks import protocol
from benchmarks.methods import METHODS, PAPER
from benchmarks.models import Counted, CountedLabels, Counter
from benchmarks.protocol import CELLS
from benchmarks.report import save, show
from tests.oracles.rules import as_program, groups_of, row_of, type_faults, violations

# The design's figures: mean distance x1e3, model rows, and how many rows of the list they are over.
EXPECTED = {
    "credit/dt": (0.121, 1000, 100), "credit/rf": (1.86, 3027, 60), "credit/mlp": (3.54, 3113, 100),
    "credit/xgb": (0.124, 1000, 100), "adult/dt": (4.26, 1000, 100), "adult/rf": (9.98, 1278, 60),
    "adult/mlp": (8.99, 1355, 100), "adult/xgb": (3.15, 1000, 100),
}  # fmt: skip
# Labels only, all over the first 60 rows; the design has no figure for the forests.
EXPECTED_LABELS = {
    "credit/dt": 0.111, "credit/xgb": 0.190, "credit/mlp": 5.4,
    "adult/dt": 4.110, "adult/xgb": 2.998, "adult/mlp": 8.63,
}  # fmt: skip
LABEL_ROWS = 60
MOST_CALLS = 15


def explain_rows(
    cell: protocol.Cell, model: Counter, program: str, method: Any, k: int, rows: int, **limits: Any
) -> list[dict[str, Any]]:
    """One record per row: the answers, what they cost, and what the protocol's own judge says of the best."""
    database = geco.Database.from_frame(cell.frame)
    explainer = geco.Explainer(model, database, geco.parse_plaf(program), params=PAPER, method=method)
    return [_explain(explainer, cell, model, row, k, limits) for row in cell.rows[:rows]]


def _explain(
    explainer: geco.Explainer, cell: protocol.Cell, model: Counter, row: int, k: int, limits: dict[str, Any]
) -> dict[str, Any]:
    x = cell.x(row)
    model.reset()
    start = time.perf_counter()
    explanation = explainer.explain(x, k=k, **limits)
    record = model.used() | {"row": row, "seconds": time.perf_counter() - start}
    answers = [cf.values for cf in explanation.counterfactuals]
    verdict = cell.judge(row, answers)
    return record | {
        "found": bool(verdict["success"]),
        "valid": bool(verdict["success"] and not verdict["violated"] and verdict["pair_ok"] and verdict["in_domain"]),
        "distance": verdict.get("dist") if verdict["success"] else None,
        "answers": answers,
        "by_check": sum(bool(explainer.check(x, values)) for values in answers),
        "laps": dict(explanation.trace.seconds),
    }


def distance(args: argparse.Namespace) -> None:
    """Line 1: mean distance and model rows against the design's table, at each k."""
    for k in args.k:
        lines, records = [], {}
        for name in args.cells:
            cell = protocol.cell(*name.split("/"))
            records[name] = explain_rows(
                cell, Counted(cell.pipeline), cell.without_implications, "frontier", k, args.rows
            )
            lines.append(_distance_line(cell, pd.DataFrame(records[name])))
        show(f"frontier, k = {k}, distances x1e3", lines)
        save(f"frontier_distance_k{k}", lines, records)


def _distance_line(cell: protocol.Cell, table: pd.DataFrame) -> dict[str, Any]:
    figure, limit, over = EXPECTED[cell.name]
    compared, rows = 1e3 * table.distance[:over].mean(), table.model_rows[:over].mean()
    optimum = _against(cell, table, "exact_dt") if cell.model == "dt" else {}
    ours, best = optimum.get("ours"), optimum.get("reference")
    line = {
        "cell": cell.name,
        "rows": len(table),
        "found %": 100 * table.found.mean(),
        "valid %": 100 * table.valid.mean(),
        "distance": 1e3 * table.distance.mean(),
        f"first {LABEL_ROWS}": 1e3 * table.distance[:LABEL_ROWS].mean(),
        "design": figure,
        "model rows": table.model_rows.mean(),
        "on the design's": rows,
        "at most": limit,
        "calls": table.model_calls.mean(),
        "most calls": int(table.model_calls.max()),
        "ms": 1e3 * table.seconds.mean(),
    }
    reference = _against(cell, table, "exact_dt" if cell.model == "dt" else "ref_two_groups")
    line |= {f"{name} on its rows" if name != "farther" else name: value for name, value in reference.items()}
    # The design prints three digits.
    near = compared <= figure * 1.005 and (ours is None or ours <= 1.02 * best)
    line["ok"] = bool(table.valid.all() and near and rows <= limit and table.model_calls.max() <= MOST_CALLS)
    return line


def _against(cell: protocol.Cell, table: pd.DataFrame, peer: str) -> dict[str, Any]:
    """Row by row on the rows the reference solved: both means, and how often we are farther."""
    stored = {row: r["dist"] for row, r in protocol.results(cell.dataset, cell.model, peer).items() if r["success"]}
    both = table[table.row.isin(stored) & table.found]
    reference = both.row.map(stored)
    farther = int((both.distance > reference * (1 + 1e-4) + 1e-12).sum())
    return {"ours": 1e3 * both.distance.mean(), "reference": 1e3 * reference.mean(), "farther": farther}


def labels(args: argparse.Namespace) -> None:
    """Line 3: models that return labels only, with both searches."""
    lines, records = [], {}
    for name in args.cells:
        cell = protocol.cell(*name.split("/"))
        line: dict[str, Any] = {"cell": name, "rows": min(args.rows, LABEL_ROWS), "design": EXPECTED_LABELS.get(name)}
        for method in ("frontier", "genetic"):
            model = CountedLabels(cell.pipeline)
            rows = explain_rows(cell, model, cell.without_implications, METHODS[method], 1, line["rows"])
            records[f"{name} {method}"] = rows
            table = pd.DataFrame(rows)
            line |= {
                f"{method} found %": 100 * table.found.mean(),
                f"{method} valid %": 100 * table.valid.mean(),
                f"{method} distance": 1e3 * table.distance.astype(float).mean(),
                f"{method} model rows": table.model_rows.mean(),
            }
        near = line["design"] is None or line["frontier distance"] <= line["design"] * 1.005
        line["ok"] = bool(near and line["frontier valid %"] == 100)
        lines.append(line)
    show("labels only, k = 1, distances x1e3", lines)
    save("frontier_labels", lines, records)


def rules(args: argparse.Namespace) -> None:
    """Line 4: complete programs, k = 5; every answer judged by the tests' own checker."""
    lines, records = [], {}
    for name in args.cells:
        cell = protocol.cell(*name.split("/"))
        rows = explain_rows(cell, Counted(cell.pipeline), cell.program, "frontier", 5, args.rows)
        records[name] = rows
        faults = [_faults(cell, record) for record in rows]
        total = {key: sum(f[key] for f in faults) for key in faults[0]}
        lines.append(
            {
                "cell": name,
                "rows": len(rows),
                "found %": 100 * np.mean([r["found"] for r in rows]),
                "answers": sum(len(r["answers"]) for r in rows),
                "broken by check": sum(r["by_check"] for r in rows),
                **total,
                "distance": 1e3 * np.mean([r["distance"] for r in rows if r["found"]]),
                "model rows": np.mean([r["model_rows"] for r in rows]),
                "ok": not any(total.values()) and not any(r["by_check"] for r in rows),
            }
        )
    show("complete programs, k = 5, distances x1e3", lines)
    save("frontier_rules", lines, records)


def _faults(cell: protocol.Cell, record: dict[str, Any]) -> dict[str, int]:
    """What the tests' own checker and the pipeline hold against the answers for one row."""
    x, answers = cell.x(record["row"]), record["answers"]
    groups = groups_of(as_program(cell.program), cell.frame.columns)
    changed = [[g for g in groups if row_of(values, g) != row_of(x, g)] for values in answers]
    undone = [
        values | {f: x[f] for f in group}
        for values, moved in zip(answers, changed, strict=True)
        for group in moved
        if len(moved) > 1
    ]
    allowed = [values for values in undone if not violations(cell.program, x, values, cell.frame)]
    return {
        "broken by the oracle": sum(bool(violations(cell.program, x, a, cell.frame)) for a in answers),
        "wrong types": sum(bool(type_faults(a, cell.frame)) for a in answers),
        "not good": len(answers) - _good(cell, answers),
        "reducible": _good(cell, allowed),
        "alike": len(answers) - len({tuple(map(tuple, moved)) for moved in changed}),
    }


def _good(cell: protocol.Cell, answers: list[dict[str, Any]]) -> int:
    return int((cell.pipeline.predict_proba(cell.as_frame(answers))[:, 1] > 0.5).sum()) if answers else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("line", choices=["distance", "labels", "rules"])
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--k", type=int, nargs="+", default=[1, 5], help="for distance")
    parser.add_argument("--cells", nargs="+", default=CELLS, choices=CELLS, metavar="DATASET/MODEL")
    args = parser.parse_args()
    {"distance": distance, "labels": labels, "rules": rules}[args.line](args)


if __name__ == "__main__":
    main()
