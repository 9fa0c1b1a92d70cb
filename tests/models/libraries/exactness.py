"""Exactness: a compiled model against the user's method, row by row.

Rows are made of the data's values mixed across rows, with missing values, unseen categories, values exactly on split
thresholds and their neighbours in float32 and float64. The table of every kind and option is printed by
``python tests/models/libraries/exactness.py --rows 100000``; the tests compare fewer rows.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest
from exact_data import Data, plain, title
from sklearn.pipeline import Pipeline
from threadpoolctl import threadpool_limits

from geco.models.asking.wrap import wrap
from geco.models.compiling.adapt import NotCompiled, adapt
from geco.models.kinds.forest import Forest
from geco.models.libraries.reading import Adapted
from geco.models.libraries.tables import is_category

EXEMPT = 1e-12  # this near the threshold the last bit decides
TOLERANCE = 1e-6
BATCH = 20_000


@dataclass(frozen=True)
class Case:
    """One kind of model with its options: how it is fitted, and what may occur in the rows it is asked about."""

    kind: str
    options: str
    data: str
    fit: Callable[[], tuple[Any, Any]]  # ▶ the fitted model, and the table it was fitted on
    missing: bool = False
    unseen: bool = False
    infinite: bool = False
    ask: Callable[[Any, Any], Any] | None = None  # where the model takes something else than the table
    within: float = TOLERANCE
    exempt: float = EXEMPT

    def __str__(self) -> str:
        return " ".join(f"{self.kind} {self.options} {self.data}".replace("_", " ").split())


def case(
    estimator: Any,
    options: str = "",
    data: Data = plain,
    *,
    array: bool = False,
    weights: bool = False,
    stop: dict[str, Any] | None = None,
    given: dict[str, Any] | None = None,
    **allow: Any,
) -> Case:
    """An estimator fitted on a frame or an array, with sample weights or, for early stopping, on half of the rows."""

    def fit() -> tuple[Any, Any]:
        x, y = data()
        table = x.to_numpy(np.float64) if array else x
        if stop is not None:
            half = len(y) // 2
            return estimator.fit(table[:half], y[:half], eval_set=[(table[half:], y[half:])], **stop), table
        extra = {"sample_weight": np.random.default_rng(3).random(len(y)) * 3} if weights else {}
        return estimator.fit(table, y, **extra, **(given or {})), table

    last = estimator[-1] if isinstance(estimator, Pipeline) else estimator
    return Case(type(last).__name__, options, title(data), fit, **allow)


@dataclass(frozen=True)
class Comparison:
    """What a case came to: rows compared, exempt and decided otherwise, and the largest difference."""

    rows: int
    exempt: int
    disagreements: int
    difference: float

    def __add__(self, other: Comparison) -> Comparison:
        return Comparison(
            self.rows + other.rows,
            self.exempt + other.exempt,
            self.disagreements + other.disagreements,
            max(self.difference, other.difference),
        )


def compare(case: Case, rows: int, seed: int = 0) -> Comparison:
    """Fit, compile and compare on this many rows, in batches."""
    # Threads that wait for each other by spinning make small models slow where other processes compute too.
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        model, table = case.fit()
        method = asked_method(wrap(model))
        adapted = adapt(model, method)
        if isinstance(adapted, NotCompiled):
            raise AssertionError(f"{case} was not compiled: {adapted.reason}")
        rng = np.random.default_rng(seed)
        total = Comparison(0, 0, 0, 0.0)
        while total.rows < rows:
            asked = make_rows(table, adapted, min(BATCH, rows - total.rows), rng, case)
            own = getattr(wrap(model), method)(asked) if case.ask is None else case.ask(model, asked)
            own = np.asarray(own, np.float64)
            total += agreement(own, adapted.kind.predict(adapted.columns(asked)), method, case.exempt)
        return total


def asked_method(model: Any) -> str:
    """As the black box chooses it."""
    if hasattr(model, "predict_proba"):
        return "predict_proba"
    return "decision_function" if hasattr(model, "decision_function") else "predict"


def agreement(own: Any, compiled: Any, method: str, exempt_within: float = EXEMPT) -> Comparison:
    """Decisions: at 0.5 for probabilities, the leading class for several, 0 or a number in between for others."""
    assert own.shape == compiled.shape
    beyond, beyond_compiled = _beyond(own, own, method), _beyond(compiled, own, method)
    exempt = np.abs(beyond) < exempt_within
    otherwise = ((beyond > 0) != (beyond_compiled > 0)) & ~exempt
    difference = np.abs(own - compiled) / np.maximum(1.0, np.abs(own))
    return Comparison(len(own), int(_rows(exempt).sum()), int(_rows(otherwise).sum()), float(difference.max()))


def _beyond(raw: Any, own: Any, method: str) -> Any:
    """How far an answer is on the good side of the threshold: one number per row, or one per class."""
    if raw.ndim == 2 and raw.shape[1] == 2:
        return raw[:, 1] - 0.5
    if raw.ndim == 2:
        others = [np.delete(raw, k, axis=1).max(axis=1) for k in range(raw.shape[1])]
        return (raw - np.stack(others, axis=1)) / 2
    if method == "decision_function":
        return raw
    if method == "predict_proba":
        return raw - 0.5
    values = np.unique(own)
    middle = len(values) // 2
    return raw - (values[middle] + values[max(middle - 1, 0)]) / 2  # a regressor: between two of its answers


def _rows(marks: Any) -> Any:
    return marks if marks.ndim == 1 else marks.any(axis=1)


def make_rows(table: Any, adapted: Adapted, rows: int, rng: np.random.Generator, case: Case) -> Any:
    """Rows as the model takes them: each column drawn alone, then spoiled in every way the case allows."""
    frame = table if isinstance(table, pd.DataFrame) else pd.DataFrame(np.asarray(table))
    mixed = pd.DataFrame({c: frame[c].array.take(rng.integers(0, len(frame), rows)) for c in frame.columns})
    _put_thresholds(mixed, adapted, rng)
    for name in mixed.columns:
        gone = rng.random(rows) < (0.05 if case.missing else 0.0)
        if gone.any():
            mixed[name] = (mixed[name] if is_category(mixed[name]) else mixed[name].astype(np.float64)).mask(gone)
        if case.unseen and is_category(mixed[name]):
            _put_unseen(mixed, name, rng)
        if case.infinite and mixed[name].dtype == np.float64:
            extreme = rng.choice([np.inf, -np.inf, 1e300, -1e300, 1e-300, -0.0], rows)
            mixed[name] = mixed[name].mask(rng.random(rows) < 0.05, extreme)
    return mixed if isinstance(table, pd.DataFrame) else mixed.to_numpy()


def _put_thresholds(mixed: pd.DataFrame, adapted: Adapted, rng: np.random.Generator) -> None:
    """A fifth of the cells of a numeric column that the model splits on lie on a threshold or right beside it."""
    if not isinstance(adapted.kind, Forest):
        return
    forest, encoded = adapted.kind, adapted.columns(mixed if isinstance(mixed.columns[0], str) else mixed.to_numpy())
    for name in mixed.select_dtypes("number").columns:
        values = mixed[name].to_numpy(np.float64, copy=True)
        same = [w for w in range(encoded.shape[1]) if _equal(encoded[:, w], values)]
        tests = np.isin(forest.column, same) & (forest.categories < 0) & np.isfinite(forest.threshold)
        if tests.any():
            here = rng.random(len(mixed)) < 0.2
            values[here] = rng.choice(neighbours(forest.threshold[tests]), here.sum())
            mixed[name] = values


def _equal(encoded: Any, values: Any) -> bool:
    single = values.astype(np.float32).astype(np.float64)
    return bool(np.array_equal(encoded, values, equal_nan=True) or np.array_equal(encoded, single, equal_nan=True))


def neighbours(thresholds: Any) -> Any:
    """The thresholds, and the numbers next to them in float64 and in float32."""
    single = thresholds.astype(np.float32)
    beside = [np.nextafter(single, np.float32(side)).astype(np.float64) for side in (-np.inf, np.inf)]
    beside += [np.nextafter(thresholds, side) for side in (-np.inf, np.inf)]
    return np.unique(np.concatenate([thresholds, single.astype(np.float64), *beside]))


def _put_unseen(mixed: pd.DataFrame, name: Any, rng: np.random.Generator) -> None:
    known = mixed[name].cat.categories
    stranger = "never seen" if known.dtype.kind not in "iuf" else known.max() + 7
    mixed[name] = mixed[name].cat.add_categories([stranger])
    mixed.loc[rng.random(len(mixed)) < 0.05, name] = stranger


def markdown(lines: Sequence[tuple[Case, Comparison]]) -> str:
    """The exactness table."""
    head = (
        "| kind | options | data | rows | exempt | disagreements | largest difference |\n|---|---|---|---|---|---|---|"
    )
    body = [
        f"| {case.kind} | {case.options or 'default'} | {case.data} | {c.rows:,} | {c.exempt:,} "
        f"| {c.disagreements} | {c.difference:.1e} |"
        for case, c in lines
    ]
    return "\n".join([head, *body])


def main() -> int:
    parser = argparse.ArgumentParser(description="the exactness table of compiled models, in Markdown")
    parser.add_argument("--rows", type=int, default=100_000)
    rows = parser.parse_args().rows
    kinds = ("sklearn", "meta", "xgboost", "lightgbm", "catboost", "torch", "onnx")
    cases = [case for kind in kinds for case in import_module(f"test_exact_{kind}").CASES]
    lines = [line for case in cases if (line := _compared(case, rows))]
    print(markdown(lines))
    return int(any(c.disagreements or c.difference > case.within for case, c in lines))


def _compared(case: Case, rows: int) -> tuple[Case, Comparison] | None:
    try:
        return case, compare(case, rows)
    except pytest.skip.Exception as absent:
        print(f"left out: {case}: {absent}", file=sys.stderr)
        return None


if __name__ == "__main__":
    sys.exit(main())
