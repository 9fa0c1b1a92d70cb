"""Ways on real tables: none holds another, fewer are the beginning of more; and what α does to them.

    python -m benchmarks.acceptance.ways lists [--cells german/dt ...] [--rows 100] [--seed 1]
    python -m benchmarks.acceptance.ways alpha [--cells german/dt ...] [--rows 50] [--seed 1]

``lists``: refused rows, complete programs; per cell ways per row, changed features and ℓ1 × 1e-3 of the first, beside
what the paper's distance and ``ways="sets"`` (the default before) give; ways that contain a nearer one and do
not halve it; rows whose lists for k = 1, 2, 3 are not the beginning of that for 5; rows where k = 20 breaks its
promise (a farther first, or a way of k = 5 that nothing shown stands for). ``alpha``: changed features and ℓ1 of the
first answer for several α.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import geco
from benchmarks import datasets, models
from benchmarks.methods import PAPER
from benchmarks.report import save, show

DATA = ("german", "credit", "adult", "give_me_some_credit")
MODELS = ("dt", "xgb", "rf", "mlp")
CELLS = [f"{data}/{model}" for data in DATA for model in MODELS]
MORE_CELLS = [*CELLS, *(f"compas/{model}" for model in MODELS)]  # what α is measured on
FIGURES = datasets.REPOSITORY / "docs" / "figures"
ALPHAS = (0.0, 0.02, 0.05, 0.1, 0.25, 0.5)


class Cell:
    """A data set, a pipeline fitted on it, and rows that it refuses."""

    def __init__(self, name: str, rows: int, seed: int) -> None:
        self.data = datasets.load(name.split("/")[0])
        self.pipeline = models.fit(self.data, name.split("/")[1])
        rejected = np.flatnonzero(self.pipeline.predict_proba(self.data.frame)[:, 1] <= 0.5)
        chosen = np.random.default_rng(seed).permutation(rejected)
        self.rows = [self.data.frame.iloc[[row]] for row in chosen[: rows if name[:6] != "german" else None].tolist()]

    def explainer(self, params: geco.Params | None = None) -> geco.Explainer:
        return geco.Explainer(self.pipeline, self.data.database(), geco.parse_plaf(self.data.program), params=params)


def lists(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Per cell: the ways, and what is wrong with them."""
    for name in args.cells:
        cell = Cell(name, args.rows, args.seed)
        now, before = cell.explainer(), cell.explainer(PAPER)
        line: dict[str, Any] = {"cell": name, "rows": len(cell.rows)}
        five = [now.explain(x) for x in cell.rows]
        sets = [before.explain(x, ways="sets", prove=False) for x in cell.rows]
        line |= {f"{key} before": value for key, value in _figures(sets, before).items()} | _figures(five, before)
        line["holding before %"] = _holding(sets, now)
        line["holding %"] = _holding(five, now)
        line["not a beginning"] = sum(not _begins(now, x, e) for x, e in zip(cell.rows, five, strict=True))
        line["k=20 broken"] = sum(not _goes_on(now.explain(x, k=20), e) for x, e in zip(cell.rows, five, strict=True))
        yield line


def _figures(explanations: list[geco.Explanation], by: geco.Explainer) -> dict[str, float]:
    found = [e for e in explanations if e.counterfactuals]
    first = [(e, e.counterfactuals[0]) for e in found]
    return {
        "ways": float(np.mean([len(e.counterfactuals) for e in explanations])),
        "changed": float(np.mean([len(cf.changes) for _, cf in first])),
        "l1": 1e3 * float(np.mean([by.what_if(e.x, cf.values).distance for e, cf in first])),
    }


def _holding(explanations: list[geco.Explanation], explainer: geco.Explainer) -> float:
    """Per cent of ways, after the first, that contain a nearer one and do not halve every change the two share."""
    every, holding = 0, 0
    for explanation in explanations:
        ways = [(cf.groups, (cf.unrounded or cf).values) for cf in explanation.counterfactuals]
        every += max(0, len(ways) - 1)
        for i, (groups, values) in enumerate(ways):
            holding += any(
                set(nearer) <= set(groups)
                and not all(_halved(explainer, explanation.x, other, values, group) for group in nearer)
                for nearer, other in ways[:i]
            )
    return 100 * holding / max(1, every)


def _halved(explainer: geco.Explainer, x: Any, nearer: Any, values: Any, group: str) -> bool:
    table = next(table for table in explainer.domain.tables if table.name == group)
    domain = explainer.domain
    kinds = {domain.features[f].kind for f in table.features}
    if table.onehot or "categorical" in kinds or any(x[f] is None for f in table.features):
        return False
    spread = {f: np.nanmax(table.numbers[f][1:]) - np.nanmin(table.numbers[f][1:]) for f in table.features}
    x_at = {f: domain.number(f, x[f]) for f in spread}
    sizes = [
        sum(abs(domain.number(f, to[f]) - x_at[f]) / spread[f] for f in spread if spread[f] > 0)
        for to in (values, nearer)
    ]
    return bool(2 * sizes[0] <= sizes[1] * (1 + 1e-9))


def _begins(explainer: geco.Explainer, x: Any, five: geco.Explanation) -> bool:
    values = [cf.values for cf in five.counterfactuals]  # a network's numbers depend on how many rows it is asked about
    return all([cf.values for cf in explainer.explain(x, k=k).counterfactuals] == values[:k] for k in (1, 2, 3))


def _goes_on(twenty: geco.Explanation, five: geco.Explanation) -> bool:
    if not five.counterfactuals:
        return True
    shown = [(set(cf.groups), (cf.unrounded or cf)) for cf in twenty.counterfactuals]
    nearer = shown[0][1].distance <= (five.counterfactuals[0].unrounded or five.counterfactuals[0]).distance
    kept = [cf.unrounded or cf for cf in five.counterfactuals]
    return nearer and all(
        any(cf.values == other.values or groups <= set(cf.groups) for groups, other in shown) for cf in kept
    )


def alpha(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Per cell and α: changed features and ℓ1 of the first answer."""
    for name in args.cells:
        cell = Cell(name, args.rows, args.seed)
        paper, line = cell.explainer(PAPER), {"cell": name, "rows": min(args.rows, len(cell.rows))}
        for each in ALPHAS:
            params = geco.Params(alpha=each, beta=1 - each, gamma=0, round=False)
            asked = cell.explainer(params)
            figures = _figures([asked.explain(x, k=1) for x in cell.rows[: args.rows]], paper)
            line |= {f"α={each:g}": figures["changed"], f"ℓ1 α={each:g}": figures["l1"]}
        yield line


def draw(lines: list[dict[str, Any]]) -> None:
    """What one change less costs: per cell the changed features and the ℓ1 of every α, against those of α = 0."""
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(1, 2, figsize=(8, 3.2), sharex=True)
    for line in lines:
        for ax, key in zip(axes, ("α={:g}", "ℓ1 α={:g}"), strict=True):
            told = [line[key.format(each)] for each in ALPHAS]
            ax.plot(ALPHAS, np.array(told) / told[0], color="0.7", linewidth=0.8)
    for ax, key, name in zip(axes, ("α={:g}", "ℓ1 α={:g}"), ("changed features", "ℓ1"), strict=True):
        every = [[line[key.format(each)] / line[key.format(0)] for each in ALPHAS] for line in lines]
        ax.plot(ALPHAS, np.median(every, axis=0), color="#0072B2", linewidth=2, label="median of the cells")
        ax.axvline(0.05, color="#D55E00", linestyle=":", label="the default")
        ax.set(xlabel="α", title=f"{name}, against α = 0")
    axes[1].legend(frameon=False, fontsize=8, loc="upper left")
    fig.tight_layout()
    fig.savefig(FIGURES / "alpha.svg", metadata={"Date": None})


LINES = {"lists": lists, "alpha": alpha}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("line", choices=LINES)
    parser.add_argument("--cells", nargs="+", choices=MORE_CELLS, metavar="DATA/MODEL")
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.cells = args.cells or (MORE_CELLS if args.line == "alpha" else CELLS)
    lines = []
    for line in LINES[args.line](args):
        lines.append(line)
        print(line, flush=True)
    save(f"ways_{args.line}", lines)
    if args.line == "alpha":
        draw(lines)
    show(f"ways: {args.line}", lines)


if __name__ == "__main__":
    main()
