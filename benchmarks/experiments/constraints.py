"""Effect of constraints and of groups on runtime (Sec. 6.4): none, without implications, all, all without groups.

Algorithm 1 with both optimizations on a random forest, the setting of the paper's microbenchmarks. All programs
answer the same instance one after the other. Credit has no groups of its own.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import geco
from benchmarks.experiments import drawing
from benchmarks.experiments.harness import Experiment, Record, Size, Verdict, chunk, chunks, mean
from benchmarks.experiments.problems import Problem, problem, without_implications

DATASETS = {"credit": "Credit", "adult_mace": "Adult"}
PROGRAMS = ("no rules", "no implications", "all rules", "all rules, no groups")
METHOD = geco.Genetic(evaluation="specialize")


class Constraints(Experiment):
    name = "constraints"
    title = "Effect of constraints and of groups on runtime (Sec. 6.4)"

    def keys(self, size: Size) -> list[str]:
        return [f"{dataset}/{part}" for dataset in DATASETS for part in chunks(size, 40, 1000)]

    def run(self, key: str) -> list[Record]:
        dataset, part = key.split("/")
        asked = {name: _variant(dataset, name) for name in PROGRAMS if name in _programs(dataset)}
        rows = chunk(problem(dataset, "rf").rows, part)
        return [_timed(dataset, name, asked[name], row) for row in rows for name in asked]

    def tables(self, records: Sequence[Record]) -> dict[str, list[Record]]:
        return {"Mean per instance": [line for d in DATASETS for line in _lines(records, d).values()]}

    def figures(self, records: Sequence[Record]) -> dict[str, Any]:
        figure, axes = drawing.panels(1, 2, width=7)
        for axis, (dataset, name) in zip(axes[0], DATASETS.items(), strict=True):
            drawing.bars(axis, {p: line["ms"] for p, line in _lines(records, dataset).items()}, "ms per explanation")
            axis.set_title(name)
        return {self.name: figure}

    def claims(self, records: Sequence[Record]) -> dict[str, Verdict]:
        ms = {d: {p: line["ms"] for p, line in _lines(records, d).items()} for d in DATASETS}
        faster = {d: 100 * (1 - m["no implications"] / m["no rules"]) for d, m in ms.items()}
        cost = {d: 100 * (m["all rules"] / m["no implications"] - 1) for d, m in ms.items()}
        whole = {d: 100 * (1 - m["all rules"] / m["no rules"]) for d, m in ms.items()}
        adult = ms["adult_mace"]
        groups = adult["all rules, no groups"] / adult["all rules"]
        restrict, more, still = (all(v > 0 for v in each.values()) for each in (faster, cost, whole))
        return {
            "rules-restrict": Verdict(_said(faster, "faster"), restrict, "" if restrict else WHY),
            "implications-cost": Verdict(
                _said(cost, "slower"), more,
                "" if more else "see generations and candidates in the table",
            ),
            "all-rules": Verdict(_said(whole, "faster"), still, "" if still else WHY),
            "groups": Verdict(
                f"{groups:.2g} times", groups > 1.1,
                "" if groups > 1.1 else "only education is a group here: one-hot columns are one categorical anyway",
            ),
        }  # fmt: skip


WHY = "see generations and candidates in the table"


def _timed(dataset: str, name: str, asked: Problem, row: int) -> Record:
    explainer, x = asked.explainer("both", method=METHOD), asked.x(row)
    start = time.perf_counter()
    explanation = explainer.explain(x, k=5, seed=row, ways="top", deadline=60, ranges=False)
    seconds = time.perf_counter() - start
    trace, found = explanation.trace, bool(explanation.counterfactuals)
    counts = {"generations": trace.generations, "candidates": trace.points_scored, "found": found}
    return {"dataset": dataset, "program": name, "row": row, "seconds": seconds, **counts}


@cache
def _variant(dataset: str, name: str) -> Problem:
    return replace(problem(dataset, "rf"), program=_programs(dataset)[name])


def _programs(dataset: str) -> dict[str, str]:
    whole = problem(dataset, "rf").program
    lines = whole.splitlines()
    groups = "\n".join(line for line in lines if line.startswith("GROUP"))
    programs = {"no rules": groups, "no implications": without_implications(whole), "all rules": whole}
    if groups:
        programs["all rules, no groups"] = "\n".join(line for line in lines if not line.startswith("GROUP"))
    return programs


def _lines(records: Sequence[Record], dataset: str) -> dict[str, Record]:
    lines = {}
    for name in PROGRAMS:
        some = [r for r in records if (r["dataset"], r["program"]) == (dataset, name)]
        if some:
            lines[name] = {
                "data": DATASETS[dataset],
                "program": name,
                "instances": len(some),
                "found %": 100 * (mean(some, "found") or 0.0),
                "ms": 1e3 * (mean(some, "seconds") or 0.0),
                "generations": mean(some, "generations"),
                "candidates": mean(some, "candidates"),
            }
    return lines


def _said(percent: dict[str, float], word: str) -> str:
    return f"{word} by: " + ", ".join(f"{DATASETS[d]} {value:.3g} %" for d, value in percent.items())
