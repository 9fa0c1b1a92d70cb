"""The cells of benchmarks/acceptance/words.py: every data set under six models, compiled and as black boxes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import geco
from benchmarks.datasets import Dataset, load
from benchmarks.models import fit

MODELS: dict[str, dict[str, Any]] = {
    "dt": {}, "xgb": {"n_estimators": 100}, "lgbm": {}, "hgb": {}, "rf": {"n_estimators": 100}, "mlp": {"max_iter": 60}
}  # fmt: skip
FITTED_ON = 15_000  # rows: the models need not be good, only real
DRAWN = 8  # values inside one range
Values = Mapping[str, Any]


class Around(NamedTuple):
    """Values of one change: both ends, some inside, and the next beyond either end on the same side of x."""

    ends: list[Any]
    inside: list[Any]
    beyond: list[Any]


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

    def refused(self, rows: int, seed: int) -> list[dict[str, Any]]:
        """Rows of D that the model refuses, spread over it."""
        frame = self.dataset.frame.sample(min(len(self.dataset.frame), 100 * rows), random_state=seed)
        bad = frame[self.model.predict(frame) == 0].head(rows)
        return [{name: bad[name].iloc[i] for name in bad} for i in range(len(bad))]

    def hold(self, asked: Sequence[tuple[Values, Values]]) -> list[bool]:
        """Good by the user's own model and within the rules, asked without anything of the search."""
        if not asked:
            return []
        frame = self.dataset.frame
        table = pd.DataFrame({n: pd.Series([v[n] for _, v in asked]).astype(frame[n].dtype) for n in frame})
        good = self.model.predict_proba(table)[:, 1] > 0.5
        return [bool(g) and not self.explainer.check(x, v) for g, (x, v) in zip(good, asked, strict=True)]

    def around(self, x: Values, cf: geco.Counterfactual, feature: str, rng: np.random.Generator) -> Around:
        """What a range is held against."""
        run, chosen = cf.ranges[feature], cf.values[feature]
        if run.others or run.low == run.high:
            return Around(list(run.others), [], [])
        values = self._values(cf, feature)
        first, last = values.index(run.low), values.index(run.high)
        some = values[first : last + 1]
        drawn = [some[i] for i in rng.choice(len(some), min(DRAWN, len(some)), replace=False)]
        beyond = [values[i] for i in (first - 1, last + 1) if 0 <= i < len(values)]
        own = x[feature]
        return Around([run.low, run.high], drawn,
                      [v for v in beyond if pd.isna(own) or (v != own and (v > own) == (chosen > own))])  # fmt: skip

    def _values(self, cf: geco.Counterfactual, feature: str) -> list[Any]:
        """All that D has beside the answer's other values of the same group, in order."""
        group = self.domain.tables[self.domain.group_of[feature]].features
        rows = self.dataset.frame
        for other in group:
            if other != feature:
                rows = rows[rows[other] == cf.values[other]]
        order = self.domain.schema[feature].order
        return sorted(set(rows[feature].dropna().tolist()), key=None if order is None else order.index)


def cells(kinds: Sequence[str], black_boxes: bool, data: Sequence[str]) -> Iterator[Cell]:
    """Data set by data set."""
    for name in data:
        dataset = load(name)
        for kind in kinds:
            model = fit(_some(dataset), kind, **MODELS[kind])
            yield Cell(dataset, kind, model, True)
            if black_boxes:
                yield Cell(dataset, kind, model, False)


def _some(dataset: Dataset) -> Dataset:
    """Rows to fit on."""
    rows = dataset.frame.sample(min(FITTED_ON, len(dataset.frame)), random_state=2).index
    return replace(dataset, frame=dataset.frame.loc[rows], label=dataset.label.loc[rows])
