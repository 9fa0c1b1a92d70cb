"""Effect of α, β, γ on Credit and Adult with a decision tree (appendix A.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import geco
from benchmarks.experiments import drawing
from benchmarks.experiments.harness import Experiment, Record, Size, Verdict, chunk, chunks, mean
from benchmarks.experiments.problems import NAMES, problem

DATASETS = {"credit": "Credit", "adult_mace": "Adult"}
NORMS = {"0, 1, 0": (0.0, 1.0, 0.0), "0.5, 0.5, 0": (0.5, 0.5, 0.0), "0.33, 0.34, 0.33": (0.33, 0.34, 0.33)}
SYSTEMS = ("genetic", "frontier")


class Distance(Experiment):
    name = "distance"
    title = "Effect of α, β and γ (appendix A.4)"

    def keys(self, size: Size) -> list[str]:
        parts = chunks(size, 30)
        return [f"{d}/{s}/{norm}/{part}" for d in DATASETS for s in SYSTEMS for norm in NORMS for part in parts]

    def run(self, key: str) -> list[Record]:
        dataset, system, norm, part = key.split("/")
        asked = problem(dataset, "dt", implications=False)
        alpha, beta, gamma = NORMS[norm]
        name = f"{system} {norm}"
        asked.explainer(name, method=system, params=geco.Params(alpha=alpha, beta=beta, gamma=gamma, round=False))
        rows = chunk(asked.rows, part)
        return [{"dataset": dataset, "norm": norm, **asked.answer(name, row), "system": system} for row in rows]

    def tables(self, records: Sequence[Record]) -> dict[str, list[Record]]:
        lines = [_line(records, d, s, n) for d in DATASETS for s in SYSTEMS for n in NORMS]
        return {"Best answers; the distance shown is always ℓ1": lines}

    def figures(self, records: Sequence[Record]) -> dict[str, Any]:
        figure, axes = drawing.panels(1, 2, width=7.5)
        for axis, (dataset, name) in zip(axes[0], DATASETS.items(), strict=True):
            shares = {
                f"{s}, {n}": _line(records, dataset, s, n)["changed"] for s in SYSTEMS for n in NORMS
            }  # fmt: skip
            drawing.bars(axis, shares, "changed features")
            axis.set_title(f"{name}; α, β, γ")
        return {self.name: figure}

    def claims(self, records: Sequence[Record]) -> dict[str, Verdict]:
        line = {(d, n): _line(records, d, "genetic", n) for d in DATASETS for n in NORMS}
        _, half, three = NORMS
        single = all(line[d, n]["changed"] == 1 for d in DATASETS for n in (half, three))
        said = "; ".join(
            f"{DATASETS[d]} " + ", ".join(f"{line[d, n]['changed']:.3g} ({n})" for n in NORMS) for d in DATASETS
        )
        apart = max(
            abs(line[d, half]["distance x1000"] / max(line[d, three]["distance x1000"], 1e-9) - 1) for d in DATASETS
        )
        return {
            "alpha-single": Verdict(said, single, "" if single else "some answers change more than one"),
            "gamma-nothing": Verdict(
                f"ℓ1 distance changes by {100 * apart:.2g} % at most when γ joins α and β", apart < 0.1,
                "" if apart < 0.1 else "see the table",
            ),
        }  # fmt: skip


def _line(records: Sequence[Record], dataset: str, system: str, norm: str) -> Record:
    some = [r for r in records if (r["dataset"], r["system"], r["norm"]) == (dataset, system, norm)]
    flips = [r for r in some if r["found"]]
    return {
        "data": DATASETS[dataset],
        "system": NAMES[system],
        "α, β, γ": norm,
        "instances": len(some),
        "found %": 100 * len(flips) / max(len(some), 1),
        "distance x1000": 1e3 * (mean(flips, "distance") or 0.0),
        "changed": mean(flips, "changed"),
        "one change %": 100 * sum(r["changed"] == 1 for r in flips) / max(len(flips), 1),
    }
