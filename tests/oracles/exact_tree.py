"""The exact optimum for a scikit-learn decision tree in a pipeline of one-hot and passthrough columns.

In: D, a PLAF program and the fitted pipeline. Out: for an x, the smallest distance (Eq. 2, α=0, β=1, γ=0) of any
allowed counterfactual, over all good leaves. Groups linked by a rule form one block and are enumerated jointly; a
block of one numeric feature is answered by look-up in its sorted domain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from geco.plaf.syntax import Program, Rule, refs_of

from .rules import as_program, groups_of, holds, orders_of


@dataclass(frozen=True)
class Block:
    """Groups that rules tie together, and the rules among them."""

    features: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    rules: tuple[Rule, ...]


class ExactTree:
    """All good leaves of one tree as sets of values per feature."""

    def __init__(
        self, frame: pd.DataFrame, program: str | Program, pipeline: Any, *, implications: bool = True
    ) -> None:
        program = as_program(program)
        self.frame, self.orders = frame, orders_of(program)
        self.rules = tuple(r for r in program.rules if implications or not r.antecedents)
        self.domain = {f: np.array(sorted(frame[f].unique()), dtype=frame[f].dtype) for f in frame.columns}
        self.rank = {f: {v: i for i, v in enumerate(d.tolist())} for f, d in self.domain.items()}
        self.numeric = {f: pd.api.types.is_numeric_dtype(frame[f]) for f in frame.columns}
        self.leaves = _good_leaves(pipeline, self.domain)
        self.blocks = _blocks(groups_of(program, frame.columns), self.rules)
        self.group_rows = {
            g: frame[list(g)].drop_duplicates().to_numpy(object).tolist() for b in self.blocks for g in b.groups
        }

    def distance(self, x: Mapping[str, Any]) -> float | None:
        """Distance of the nearest allowed counterfactual, None if there is none."""
        total = np.zeros(len(next(iter(self.leaves.values()))))
        for block in self.blocks:
            total += self._line(block, x) if self._is_line(block) else self._joint(block, x)
        best = float(total.min()) / len(self.frame.columns)
        return best if np.isfinite(best) else None

    def _is_line(self, block: Block) -> bool:
        return len(block.features) == 1 and self.numeric[block.features[0]]

    def _line(self, block: Block, x: Mapping[str, Any]) -> np.ndarray:
        """One numeric feature: the nearest allowed value inside each leaf's interval."""
        (f,) = block.features
        domain, own = self.domain[f].astype(float), self.rank[f][x[f]]
        allowed = (
            np.array([self._obeys(block, x, {f: v}) for v in self.domain[f].tolist()])
            if block.rules
            else np.ones(len(domain), bool)
        )
        inside = self.leaves[f]
        first, last = inside.argmax(axis=1), len(domain) - 1 - inside[:, ::-1].argmax(axis=1)
        index = np.arange(len(domain))
        after = np.minimum.accumulate(np.where(allowed, index, len(domain))[::-1])[::-1]
        before = np.maximum.accumulate(np.where(allowed, index, -1))
        up, down = after[np.maximum(first, own)], before[np.minimum(last, own)]
        cost = np.full(len(inside), np.inf)
        for reached, fits in ((up, up <= last), (down, down >= first)):
            value = domain[np.clip(reached, 0, len(domain) - 1)]
            delta = np.abs(value - float(x[f])) / max(np.ptp(domain), 1e-300)
            cost = np.where(fits & inside.any(axis=1), np.minimum(cost, delta), cost)
        return cost

    def _joint(self, block: Block, x: Mapping[str, Any]) -> np.ndarray:
        """Several features: every combination of group rows that obeys the block's rules, cheapest in each leaf."""
        cost = np.full(len(next(iter(self.leaves.values()))), np.inf)
        for rows in product(*(self.group_rows[g] for g in block.groups)):
            x_cf = {f: v for g, row in zip(block.groups, rows, strict=True) for f, v in zip(g, row, strict=True)}
            if self._obeys(block, x, x_cf):
                delta = sum(self._delta(f, x[f], v) for f, v in x_cf.items())
                reached = np.logical_and.reduce([self.leaves[f][:, self.rank[f][v]] for f, v in x_cf.items()])
                cost[reached] = np.minimum(cost[reached], delta)
        return cost

    def _obeys(self, block: Block, x: Mapping[str, Any], x_cf: Mapping[str, Any]) -> bool:
        return all(holds(rule, x, x_cf, self.orders) for rule in block.rules)

    def _delta(self, feature: str, a: Any, b: Any) -> float:
        if not self.numeric[feature]:
            return float(a != b)
        return abs(float(a) - float(b)) / float(np.ptp(self.domain[feature]))


def _blocks(groups: Sequence[tuple[str, ...]], rules: Sequence[Rule]) -> list[Block]:
    """Merge groups that a rule reads or defines together."""
    parts = [set(g) for g in groups]
    reads = [
        {r.feature for p in (*rule.antecedents, rule.consequent) for r in refs_of(p) if r.owner == "x_cf"}
        for rule in rules
    ]
    for read in reads:
        linked = [p for p in parts if p & read]
        parts = [p for p in parts if not p & read] + ([set().union(*linked)] if linked else [])
    blocks = []
    for part in parts:
        own = tuple(g for g in groups if set(g) <= part)
        tied = tuple(rule for rule, read in zip(rules, reads, strict=True) if read & part)
        blocks.append(Block(tuple(f for g in own for f in g), own, tied))
    return blocks


def _good_leaves(pipeline: Any, domain: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Per feature a boolean matrix: good leaf × value of its domain, true where the value leads into the leaf."""
    columns = _encoded_columns(pipeline, domain)
    tree = pipeline.steps[-1][1].tree_
    leaves: list[dict[str, np.ndarray]] = []
    stack = [(0, {f: np.ones(len(d), bool) for f, d in domain.items()})]
    while stack:
        node, box = stack.pop()
        if tree.children_left[node] == -1:
            counts = tree.value[node][0]
            if counts[1] / counts.sum() > 0.5:
                leaves.append(box)
            continue
        feature, values = columns[tree.feature[node]]
        left = values <= tree.threshold[node]
        for child, mask in ((tree.children_left[node], left), (tree.children_right[node], ~left)):
            stack.append((child, {**box, feature: box[feature] & mask}))
    return {f: np.array([box[f] for box in leaves]) for f in domain}


def _encoded_columns(pipeline: Any, domain: Mapping[str, np.ndarray]) -> list[tuple[str, np.ndarray]]:
    """For each column the tree sees: the feature it comes from, and its float32 value for every domain value."""
    columns: list[tuple[str, np.ndarray]] = []
    for _, transformer, features in pipeline.steps[0][1].transformers_:
        if hasattr(transformer, "categories_"):
            for feature, categories in zip(features, transformer.categories_, strict=True):
                columns += [(feature, (domain[feature] == c).astype(np.float32)) for c in categories]
        elif len(features):
            columns += [(feature, domain[feature].astype(np.float32)) for feature in features]
    return columns
