"""Figure 6: runtime by operator, with and without Δ-representation and partial evaluation (Sec. 6.4).

Algorithm 1 for 5 generations, k = 5; beside it our frontier, the model as a black box and swept. Selection includes the
model. Without partial evaluation scikit-learn's pipeline is asked, one-hot encoder included, with it the compiled
model; so a speed-up by partial evaluation is also one by compiling. All variants answer the same instance one after
the other, so that the machine's noise hits all of them.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Any

import geco
from benchmarks.experiments import drawing
from benchmarks.experiments.harness import Experiment, Record, Size, Verdict
from benchmarks.experiments.microbenchmarks import NAMES, cell

CELLS = ("allstate/rf", "yelp/rf", "yelp/small", "yelp/large", "give_me_some_credit/rf")
VARIANTS: dict[str, dict[str, Any]] = {
    "neither": {"method": geco.Genetic(max_generations=5, representation="listing")},
    "partial evaluation": {
        "method": geco.Genetic(max_generations=5, representation="listing", evaluation="specialize")
    },
    "Δ": {"method": geco.Genetic(max_generations=5)},
    "both": {"method": geco.Genetic(max_generations=5, evaluation="specialize")},
    "frontier, black box": {"method": "frontier", "compile": False},
    "frontier, sweep": {"method": "frontier"},
}
FEWEST = 3  # instances per cell, for a median
CONFOUNDED = "without partial evaluation scikit-learn's pipeline is asked, with it the compiled model: both differ"
PAPER = ("neither", "partial evaluation", "Δ", "both")
SELECTION = ("select", "claim", "model", "materialize", "specialize", "sweep")
MUTATION = ("mutate", "selective_mutate", "expand")
ROWS_OF_D = {"tiny": 20_000, "quick": 20_000, "peers": 20_000, "paper": 1_000_000}


class Breakdown(Experiment):
    name = "fig6_breakdown"
    title = "Runtime by operator, with and without the two optimizations (Figure 6)"

    def keys(self, size: Size) -> list[str]:
        instances = {"tiny": 1, "paper": 1000}.get(size, 3)
        return [f"{name}/{ROWS_OF_D[size]}/{number}" for name in CELLS for number in range(instances)]

    def run(self, key: str) -> list[Record]:
        dataset, model, rows, number = key.split("/")
        asked = cell(f"{dataset}/{model}", int(rows))
        row = asked.rows[int(number)]
        return [{"cell": f"{dataset}/{model}", "row": row, **_explain(asked, row, variant)} for variant in VARIANTS]

    def tables(self, records: Sequence[Record]) -> dict[str, list[Record]]:
        lines = []
        for name in CELLS:
            for variant in VARIANTS:
                some = _of(records, name, variant)
                if some:
                    line = {"data and model": NAMES[name], "variant": variant, "instances": len(some)}
                    parts = {f"{part} ms": 1e3 * _median(some, part) for part in ("selection", "mutation", "crossover")}
                    lines.append({**line, **parts, "all ms": 1e3 * _median(some, "seconds")})
        return {"Milliseconds by operator, median over instances": lines}

    def figures(self, records: Sequence[Record]) -> dict[str, Any]:
        cells = [name for name in CELLS if _of(records, name, "both")]
        figure, axes = drawing.panels(-(-len(cells) // 2), 2, width=6.8, height=5.2)
        for axis, name in zip(axes.flat, cells, strict=False):
            some = {variant: _of(records, name, variant) for variant in VARIANTS}
            drawing.stacked(axis, {v: _parts(r) for v, r in some.items() if r}, "ms per explanation")
            axis.set_title(NAMES[name])
        drawing.hide_after(len(cells), axes)
        drawing.legend(figure, axes[0][0], 4)
        return {self.name: figure}

    def claims(self, records: Sequence[Record]) -> dict[str, Verdict]:
        ratio = {name: _ratios(records, name) for name in CELLS if _of(records, name, "both")}
        forests = {name: r for name, r in ratio.items() if name.endswith("/rf")}
        networks = {name: r for name, r in ratio.items() if not name.endswith("/rf")}
        costly = all(r["selection and mutation"] > max(0.5, r["crossover"]) for r in ratio.values())
        effective = all(r["partial evaluation"] > 1 for r in forests.values())
        slower = networks["yelp/large"]["partial evaluation"] < 1
        mutation = min(forests[name]["mutation by Δ"] for name in ("allstate/rf", "yelp/rf")) > 1
        trade = statistics.median(r["selection by Δ alone"] for r in ratio.values())
        best = all(r["both"] >= 0.95 * max(r["partial evaluation"], r["Δ"]) for r in forests.values())
        few = min(len(_of(records, name, "both")) for name in ratio)
        verdicts = {
            "costly-operators": Verdict(
                f"{_said(ratio, 'mutation', 'mutation {:.2g} %', 100)}; "
                f"{_said(ratio, 'crossover', 'crossover {:.2g} %', 100)}",
                costly, "the rest is selection, the model nearly alone" if costly else "see the table",
            ),
            "partial-forest": Verdict(
                f"{_said(forests, 'selection by partial evaluation', 'selection {:.2g} times')}; "
                f"{_said(forests, 'partial evaluation', 'overall {:.2g} times')}", effective,
                CONFOUNDED if effective else "see the table",
            ),
            "partial-network": Verdict(
                _said(networks, "partial evaluation", "overall {:.2g} times"), slower,
                "" if slower else f"no slowdown: {CONFOUNDED}",
            ),
            "delta-mutation": Verdict(
                _said(forests, "mutation by Δ", "mutation {:.2g} times"), mutation,
                "" if mutation else "both forms store row numbers here, so that a listing copies little",
            ),
            "delta-selection": Verdict(
                _said(ratio, "selection by Δ alone", "{:.2g} times"), trade > 1.05,
                "" if trade > 1.05 else "see the table",
            ),
            "both-5x": Verdict(
                _said(ratio, "both", "{:.2g} times"), best,
                CONFOUNDED if best else "on some forest one alone is faster",
            ),
        }  # fmt: skip
        if few < FEWEST:
            why = f"{few} instance per cell on a busy machine says little about times"
            return {name: Verdict(verdict.ours, None, why) for name, verdict in verdicts.items()}
        return verdicts


def _explain(asked: Any, row: int, variant: str) -> Record:
    explainer = asked.explainer(variant, **VARIANTS[variant])
    start = time.perf_counter()
    explanation = explainer.explain(
        asked.x(row), k=5, seed=row, ways="top" if variant in PAPER else "minimal", ranges=False
    )
    seconds = time.perf_counter() - start
    laps = explanation.trace.seconds
    parts = {"selection": SELECTION, "mutation": MUTATION, "crossover": ("crossover",)}
    found = {part: sum(laps.get(lap, 0.0) for lap in names) for part, names in parts.items()}
    return {"variant": variant, "seconds": seconds, "generations": explanation.trace.generations, **found}


def _ratios(records: Sequence[Record], name: str) -> dict[str, float]:
    """How many times faster each optimization is than neither; medians."""
    neither, partial, delta, both = (_of(records, name, variant) for variant in PAPER)
    whole = _median(both, "seconds")
    return {
        "selection and mutation": (_median(both, "selection") + _median(both, "mutation")) / whole,
        "mutation": _median(both, "mutation") / whole,
        "crossover": _median(both, "crossover") / whole,
        "partial evaluation": _median(neither, "seconds") / _median(partial, "seconds"),
        "Δ": _median(neither, "seconds") / _median(delta, "seconds"),
        "both": _median(neither, "seconds") / whole,
        "selection by partial evaluation": _median(neither, "selection") / _median(partial, "selection"),
        "mutation by Δ": _median(neither, "mutation") / _median(delta, "mutation"),
        "selection by Δ alone": _median(delta, "selection") / _median(neither, "selection"),
    }


def _parts(some: Sequence[Record]) -> dict[str, float]:
    parts = {part: 1e3 * _median(some, part) for part in ("selection", "mutation", "crossover")}
    return {**parts, "rest": max(1e3 * _median(some, "seconds") - sum(parts.values()), 0.0)}


def _said(ratio: dict[str, dict[str, float]], figure: str, form: str, by: float = 1) -> str:
    return ", ".join(f"{NAMES[name]} {form.format(by * r[figure])}" for name, r in ratio.items())


def _of(records: Sequence[Record], name: str, variant: str) -> list[Record]:
    return [r for r in records if (r["cell"], r["variant"]) == (name, variant)]


def _median(some: Sequence[Record], part: str) -> float:
    return statistics.median(r[part] for r in some)
