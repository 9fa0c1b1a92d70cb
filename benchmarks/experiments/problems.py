"""Data, models, systems and one judge for all experiments.

A Problem is D, a fitted pipeline and a program; its rows are instances that the pipeline rejects. Every answer,
whoever gave it, is judged here: by the pipeline, by ``Explainer.check`` and by a distance of its own (Eq. 2 with β =
1).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
import pandas as pd

import geco
from benchmarks import datasets, models, protocol
from benchmarks.experiments.harness import Record
from benchmarks.methods import PAPER

# "genetic" are the paper's runs: Algorithm 1 as printed, the best of its k = 5 answers, the model a black box.
SYSTEMS: dict[str, Any] = {
    "frontier": "frontier",
    "genetic": "genetic",
    "wit": "wit",
    "certifai": "certifai",
    "simcf": "simcf",
    "mace": geco.Mace(domain="continuous"),
    "mace active": "mace",
    "exact": "exact",
}
NAMES = {
    "frontier": "geco (frontier)",
    "genetic": "GeCo (genetic)",
    "wit": "WIT",
    "certifai": "CERT",
    "simcf": "SimCF",
    "mace": "MACE",
    "mace active": "MACE, values of D",
    "exact": "exact",
}
DEADLINE = 60.0
TRAINED = 50_000  # rows at most


@dataclass(frozen=True, eq=False)
class Problem:
    """One data set and one model under one program."""

    name: str
    frame: pd.DataFrame
    kinds: Mapping[str, Any]
    pipeline: Any
    program: str
    rows: tuple[int, ...]

    @cached_property
    def database(self) -> geco.Database:
        return geco.Database.from_frame(self.frame, kinds=dict(self.kinds))

    @cached_property
    def explainers(self) -> dict[str, geco.Explainer]:
        return {}

    def explainer(self, name: str, **settings: Any) -> geco.Explainer:
        """Built once per name: a system, or whatever these settings make."""
        if name not in self.explainers:
            if not settings and name != "mace":  # which borrows an explainer of any method
                settings = {"method": SYSTEMS[name]}
            program = geco.parse_plaf(self.program)
            self.explainers[name] = geco.Explainer(
                self.pipeline, self.database, program, **{"params": PAPER, **settings}
            )
        return self.explainers[name]

    def x(self, row: int) -> dict[str, Any]:
        return {name: self.frame[name].iloc[row] for name in self.frame.columns}

    def answer(self, system: str, row: int, deadline: float = DEADLINE) -> Record:
        """One system's best answer for one row, and the time it took."""
        explainer, x = self.explainer(system), self.x(row)
        start = time.perf_counter()
        if system == "mace":
            explanation = SYSTEMS["mace"].explain(explainer, x, deadline=deadline)
        elif system.startswith("genetic"):
            explanation = explainer.explain(x, k=5, seed=row, deadline=deadline, ways="top", ranges=False)
        else:
            explanation = explainer.explain(x, k=1, seed=row, deadline=deadline, ranges=False)
        seconds = time.perf_counter() - start
        found = explanation.counterfactuals
        record = {"row": row, "system": system, "seconds": seconds, "stopped_by": explanation.stopped_by}
        record |= {"proven": explanation.proven, "generations": explanation.trace.generations}
        return record | self.judge(x, found[0].values if found else None)

    def judge(self, x: Mapping[str, Any], answer: Mapping[str, Any] | None) -> Record:
        """Is it good, allowed, on the domain; how far is it and what does it change?"""
        if answer is None:
            return {"found": False, "valid": False}
        frame = pd.DataFrame([dict(answer)], columns=self.frame.columns)
        on = [name for name in frame if frame[name].isna()[0] or (self._distinct[name] == frame[name].iloc[0]).any()]
        frame = frame.astype({name: self.frame[name].dtype for name in on})
        good = bool(self.pipeline.predict_proba(frame)[0, 1] > 0.5)
        changed = [name for name in self.frame if not _same(x[name], answer[name])]
        said = self.explainer("frontier").check(x, answer)
        off = len(on) < len(frame.columns) or any(text.endswith("never occurs in D") for text in said)
        broken = [text for text in said if not text.endswith("never occurs in D")]
        return {
            "found": good,
            "valid": good and not broken,
            "violated": len(broken),
            "off_domain": off,
            "changed": len(changed),
            "distance": self.distance(x, answer),
            "answer": {name: answer[name] for name in changed},
        }

    def distance(self, x: Mapping[str, Any], answer: Mapping[str, Any]) -> float:
        """Eq. 2 with β = 1, from the frame alone."""
        total = 0.0
        for name in self.frame:
            if _same(x[name], answer[name]):
                continue
            missing = pd.isna(x[name]) or pd.isna(answer[name])
            if missing or name not in self._scales:
                total += 1.0
            else:
                place, span = self._scales[name]
                total += abs(place(x[name]) - place(answer[name])) / span
        return total / len(self.frame.columns)

    @cached_property
    def _scales(self) -> dict[str, tuple[Callable[[Any], float], float]]:
        """How to place a value of what is ordered, and the range: numbers as they are, ordered text by its rank."""
        scales: dict[str, tuple[Callable[[Any], float], float]] = {}
        for name, column in self.frame.items():
            kind = self.kinds.get(str(name))
            if isinstance(kind, list):
                scales[str(name)] = (lambda value, order=kind: float(order.index(value))), float(len(kind) - 1)
            elif kind != "categorical" and pd.api.types.is_numeric_dtype(column):
                scales[str(name)] = float, float(column.max() - column.min()) or 1.0
        return scales

    @cached_property
    def _distinct(self) -> dict[str, Any]:
        return {str(name): column.dropna().unique() for name, column in self.frame.items()}

    @cached_property
    def prediction_seconds(self) -> float:
        """The median time of one prediction of the user's pipeline."""
        one = self.frame.iloc[[self.rows[0]]]
        laps = []
        for _ in range(7):
            start = time.perf_counter()
            self.pipeline.predict_proba(one)
            laps.append(time.perf_counter() - start)
        return float(np.median(laps))


@cache
def problem(dataset: str, model: str, implications: bool = True) -> Problem:
    """A shared data set; its rejected rows in an order of their own."""
    data = datasets.load(dataset)
    program = data.program if implications else without_implications(data.program)
    pipeline = fitted(dataset, model)
    return Problem(f"{dataset}/{model}", data.frame, data.kinds, pipeline, program, rejected(data.frame, pipeline))


@cache
def fitted(dataset: str, model: str) -> Any:
    data = datasets.load(dataset)
    some = replace(data, frame=data.frame.iloc[:TRAINED], label=data.label.iloc[:TRAINED])
    return models.fit(some, model, scaled=model in ("mlp", "linear"))


@cache
def peers_problem(dataset: str, model: str) -> Problem:
    """A cell of the peers' protocol: its model, its rows, rules without implications."""
    cell = protocol.cell(dataset, model)
    return Problem(cell.name, cell.frame, {}, cell.pipeline, cell.without_implications, cell.rows)


def without_implications(program: str) -> str:
    return "\n".join(line for line in program.splitlines() if " IF " not in line)


def rejected(frame: pd.DataFrame, pipeline: Any, most: int = 5000) -> tuple[int, ...]:
    """Rows that the pipeline calls bad, shuffled by a fixed seed."""
    bad = np.flatnonzero(pipeline.predict_proba(frame)[:, 1] <= 0.5)
    return tuple(np.random.default_rng(0).permutation(bad)[:most].tolist())


def _same(a: Any, b: Any) -> bool:
    return bool(a == b) or bool(pd.isna(a) and pd.isna(b))
