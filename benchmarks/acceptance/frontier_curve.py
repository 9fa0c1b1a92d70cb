"""Mean distance against model rows, genetic and frontier, on the eight cells of the peers' protocol.

    python -m benchmarks.acceptance.frontier_curve [--rows 25] [--forest-rows 5] [--seeds 4] [--cells credit/dt ...]
    python -m benchmarks.acceptance.frontier_curve --draw          # again from results/frontier_curve.json

``max_evals`` is swept; what is drawn are the rows that really reached the model. A row that has no answer yet counts
with distance 1, the largest there is. All is averaged over several seeds: at 50 or 100 rows much is luck, and with one
seed it is the same luck for every row. Writes docs/figures/frontier_curve.{svg,png} and the table in docs/frontier.md.
"""

from __future__ import annotations

import argparse
import json
import re
from typing import Any

import numpy as np

import geco
from benchmarks import protocol
from benchmarks.acceptance.frontier import explain_rows
from benchmarks.models import Counted
from benchmarks.protocol import CELLS
from benchmarks.report import DOCS, RESULTS, markdown, save, show

BUDGETS = [50, 100, 200, 400, 800, 1600, 3200, 6400, 12800]
# The budget alone ends the frontier; the genetic search keeps the paper's stopping rule.
METHODS: dict[str, Any] = {"frontier": geco.Frontier(max_rounds=1000, patience=1000), "genetic": geco.Genetic()}
NAMES = {"dt": "decision tree", "rf": "random forest", "mlp": "network", "xgb": "boosted trees"}
# Okabe and Ito's colours, with line style and marker to tell them apart without colour.
STYLES = {"frontier": ("#0072B2", "-", "o"), "genetic": ("#D55E00", "--", "s")}


def sweep(name: str, rows: int, seeds: int) -> dict[str, list[dict[str, float]]]:
    """Per method one point per budget: mean model rows, mean distance, share of rows with an answer."""
    cell = protocol.cell(*name.split("/"))
    points: dict[str, list[dict[str, float]]] = {}
    for method, settings in METHODS.items():
        points[method] = []
        for budget in BUDGETS:
            asked = Counted(cell.pipeline)
            records = [
                record
                for seed in range(seeds)
                for record in explain_rows(
                    cell, asked, cell.without_implications, settings, 1, rows, max_evals=budget, seed=seed
                )
            ]
            points[method].append(
                {
                    "budget": budget,
                    "model_rows": float(np.mean([r["model_rows"] for r in records])),
                    "distance": float(np.mean([r["distance"] if r["found"] else 1.0 for r in records])),
                    "found": float(np.mean([r["found"] for r in records])),
                    "rows": rows,
                    "seeds": seeds,
                }
            )
        print(name, method, *(f"{p['model_rows']:.0f}:{1e3 * p['distance']:.3g}" for p in points[method]), flush=True)
    return points


def below_everywhere(points: dict[str, list[dict[str, float]]]) -> bool:
    """Is the frontier no farther than genetic at every budget?"""
    pairs = zip(points["frontier"], points["genetic"], strict=True)
    return all(ours["distance"] <= theirs["distance"] * (1 + 1e-9) for ours, theirs in pairs)


def draw(curves: dict[str, dict[str, list[dict[str, float]]]]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    # Text stays legible at half of this width.
    plt.rcParams.update({"font.size": 18, "svg.hashsalt": "geco", "svg.fonttype": "none"})
    datasets = list(dict.fromkeys(name.split("/")[0] for name in curves))
    width = max(sum(name.startswith(dataset) for name in curves) for dataset in datasets)
    size = (4.2 * width + 0.6, 3.8 * len(datasets) + 1.0)
    figure, axes = plt.subplots(len(datasets), width, figsize=size, sharex=True, squeeze=False, layout="constrained")
    for r, dataset in enumerate(datasets):
        names = [name for name in curves if name.startswith(dataset)]
        for axis, name in zip(axes[r], names, strict=False):
            _draw_cell(axis, f"{dataset.capitalize()}, {NAMES[name.split('/')[1]]}", curves[name])
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2, frameon=False, fontsize=20)
    figure.supxlabel("model rows per explanation")
    figure.supylabel("mean distance of the best answer")
    (DOCS / "figures").mkdir(parents=True, exist_ok=True)
    figure.savefig(DOCS / "figures" / "frontier_curve.svg", metadata={"Date": None})
    figure.savefig(DOCS / "figures" / "frontier_curve.png", dpi=90)


def _draw_cell(axis: Any, title: str, points: dict[str, list[dict[str, float]]]) -> None:
    for method, (colour, line, marker) in STYLES.items():
        axis.plot(
            [p["model_rows"] for p in points[method]], [p["distance"] for p in points[method]],
            color=colour, linestyle=line, marker=marker, markersize=7, linewidth=2.5, label=method,
        )  # fmt: skip
    # Almost two decades show what matters; where many instances have no answer yet a line leaves at the top.
    lowest = min(p["distance"] for line in points.values() for p in line)
    axis.set(xscale="log", yscale="log", title=title, ylim=(0.8 * lowest, 60 * lowest), xlim=(40, 16_000))
    axis.yaxis.set_minor_formatter("")
    axis.grid(True, which="major", color="#dddddd", linewidth=0.8)
    axis.spines[["top", "right"]].set_visible(False)


def table(curves: dict[str, dict[str, list[dict[str, float]]]]) -> list[dict[str, Any]]:
    """One line per cell and method: distance x1e3 at each budget, with the share found where it is not all."""
    lines = []
    for name, points in curves.items():
        for method in STYLES:
            line: dict[str, Any] = {"cell": name, "search": method}
            for p in points[method]:
                share = "" if p["found"] == 1 else f" ({100 * p['found']:.0f} %)"
                line[f"{p['budget']:,}"] = f"{1e3 * p['distance']:.3g}{share}"
            lines.append(line)
    return lines


def write_page(curves: dict[str, dict[str, list[dict[str, float]]]]) -> None:
    """Put the table, and over how many instances it is, into the page."""
    page = DOCS / "frontier.md"
    text = page.read_text(encoding="utf-8")
    counts = {name.split("/")[1]: points["frontier"][0]["rows"] for name, points in curves.items()}
    forest = f" ({counts['rf']:.0f} for the forests)" if "rf" in counts else ""
    seeds = next(iter(curves.values()))["frontier"][0]["seeds"]
    over = f"Over {max(counts.values()):.0f} instances a cell{forest}, each with {seeds:.0f} seeds:"
    inside = f"<!-- curve -->\n{over}\n\n{markdown(table(curves))}\n<!-- /curve -->"
    page.write_text(
        re.sub(r"<!-- curve -->.*<!-- /curve -->", lambda _: inside, text, flags=re.DOTALL), encoding="utf-8"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=25)
    parser.add_argument("--forest-rows", type=int, default=5, help="rows in the cells of the random forest")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--cells", nargs="+", default=CELLS, choices=CELLS, metavar="DATASET/MODEL")
    parser.add_argument("--draw", action="store_true", help="measure nothing, draw what was measured last")
    args = parser.parse_args()
    if args.draw:
        curves = json.loads((RESULTS / "frontier_curve.json").read_text(encoding="utf-8"))
    else:
        rows = {name: args.forest_rows if name.endswith("/rf") else args.rows for name in args.cells}
        curves = {name: sweep(name, rows[name], args.seeds) for name in args.cells}
        save("frontier_curve", curves)
    show("mean distance x1e3 at each budget of model rows", table(curves))
    show("frontier below genetic", [{"cell": name, "everywhere": below_everywhere(c)} for name, c in curves.items()])
    draw(curves)
    write_page(curves)


if __name__ == "__main__":
    main()
