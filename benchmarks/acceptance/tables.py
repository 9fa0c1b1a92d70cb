"""The cells of benchmarks/acceptance/words.py: every data set under three compiled models and one black box."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

import geco
from benchmarks.datasets import Dataset, load, names
from benchmarks.models import fit

MODELS = ("dt", "rf", "mlp")


@dataclass
class Cell:
    """One data set and one model, compiled or not."""

    dataset: Dataset
    kind: str
    model: Any
    compiled: bool

    @property
    def name(self) -> str:
        return f"{self.dataset.name}/{self.kind}{'' if self.compiled else ' as a black box'}"

    @cached_property
    def explainer(self) -> geco.Explainer:
        return self.again()

    @property
    def domain(self) -> Any:
        return self.explainer.domain

    def again(self, **settings: Any) -> geco.Explainer:
        program = geco.parse_plaf(self.dataset.program)
        return geco.Explainer(self.model, self.dataset.database(), program, target=1, compile=self.compiled, **settings)

    def refused(self, rows: int) -> list[dict[str, Any]]:
        """Rows of D that the model refuses, spread over it."""
        frame = self.dataset.frame.sample(min(len(self.dataset.frame), 40 * rows), random_state=1)
        bad = frame[self.model.predict(frame) == 0].head(rows)
        return [{name: bad[name].iloc[i] for name in bad} for i in range(len(bad))]

    def holds(self, x: dict[str, Any], values: dict[str, Any]) -> bool:
        """Good by the user's own model and within the rules, asked without anything of the search."""
        frame = pd.DataFrame({n: pd.Series([values[n]]).astype(self.dataset.frame[n].dtype) for n in x})
        return bool(self.model.predict_proba(frame)[0, 1] > 0.5) and not self.explainer.check(x, values)

    def values_around(
        self, x: dict[str, Any], cf: Any, feature: str, run: Any, rng: np.random.Generator
    ) -> tuple[list[Any], list[Any]]:
        """Some values of D inside a range, and the next on either side that the rules allow."""
        if feature not in x:
            return [], []
        table = self.domain.tables[self.domain.group_of[feature]]
        values = sorted({v for v in table.values[feature][1:] if v is not None})
        order = self.domain.schema[feature].order
        if order is not None:
            values.sort(key=order.index)

        def allowed(value: Any) -> bool:
            return bool(value != x[feature]) and not self.explainer.check(x, {**cf.values, feature: value})

        if run.others or (run.low == run.high and self.domain.schema[feature].type == "text"):
            return [v for v in values if v in run.others], []
        first, last = values.index(run.low), values.index(run.high)
        some = values[first : last + 1]
        drawn = [some[i] for i in rng.choice(len(some), min(8, len(some)), replace=False)]
        below = next((v for v in values[max(0, first - 50) : first][::-1] if allowed(v)), None)
        above = next((v for v in values[last + 1 : last + 50] if allowed(v)), None)
        return [v for v in drawn if allowed(v)], [v for v in (below, above) if v is not None]


def cells(black_boxes: bool = True) -> Iterator[Cell]:
    """Data set by data set."""
    for name in names():
        dataset = load(name)
        for kind in MODELS:
            yield Cell(dataset, kind, fit(dataset, kind), True)
        if black_boxes:
            yield Cell(dataset, "dt", fit(dataset, "dt"), False)
