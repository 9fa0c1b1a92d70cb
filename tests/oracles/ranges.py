"""Ranges by the definition: every value of D for one change of an answer, judged by the model and by the rules alone.

In: a problem with a fitted model, an answer, a feature. Out: the run around its value, and the other values that would
do. Nothing of the search or of the core is used.

    python tests/oracles/ranges.py --problems 2000
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
import pandas as pd

import geco
from geco.answers.onehot import category
from generators.fitted import Fitted, fitted_problem
from oracles.rules import as_program, groups_of, orders_of, violations

Values = Mapping[str, Any]


class Truth(NamedTuple):
    """In the order of the feature: values that are offered, those that keep the rules, those that are good as well."""

    values: list[Any]
    allowed: list[bool]
    good: list[bool]


def truth(fitted: Fitted, x: Values, cf_values: Values, feature: str) -> Truth:
    """Of every value that D has for the feature beside the answer's other values of its group."""
    problem = fitted.problem
    program = as_program(problem.program)
    group = next(names for names in groups_of(program, problem.frame.columns) if feature in names)
    rows = problem.frame
    for other in group:
        if other != feature:
            same = rows[other].isna() if cf_values[other] is None else rows[other] == cf_values[other]
            rows = rows[same]
    order = orders_of(program).get(feature)
    values = sorted(set(rows[feature].dropna().tolist()), key=order.index if order else None)
    values = [v for v in values if _offered(problem.params, x[feature], v, int((rows[feature] == v).sum()), feature)]
    made = [{**cf_values, feature: v} for v in values]
    allowed = [
        v != x[feature] and not violations(program, x, cf, problem.frame) for v, cf in zip(values, made, strict=True)
    ]
    good = fitted.good(_frame(made, problem.frame)) if made else np.zeros(0, bool)
    return Truth(values, allowed, [bool(a and g) for a, g in zip(allowed, good, strict=True)])


def _offered(params: Values, x_value: Any, value: Any, support: int, feature: str) -> bool:
    """Masked rows are skipped: too little support, too small a step."""
    step = params.get("steps", {}).get(feature, 0)
    return support >= params.get("min_support", 1) and not (
        step and x_value is not None and 0 < abs(value - x_value) < step
    )


def _frame(rows: list[Values], like: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({n: pd.Series([row[n] for row in rows]).astype(like[n].dtype) for n in like.columns})


def run(known: Truth, x_value: Any, chosen: Any, order: Any = None) -> tuple[Any, Any, bool, bool]:
    """low, high, least, most: the longest run of good values around the chosen one on its side of x."""

    def rank(value: Any) -> Any:
        return order.index(value) if order else value

    side = [
        i
        for i, v in enumerate(known.values)
        if x_value is None or ((rank(v) > rank(x_value)) == (rank(chosen) > rank(x_value)) and v != x_value)
    ]
    at = side.index(known.values.index(chosen))
    first = last = at
    while first > 0 and known.good[side[first - 1]]:
        first -= 1
    while last + 1 < len(side) and known.good[side[last + 1]]:
        last += 1
    least = not any(known.allowed[i] for i in side[:first])
    most = not any(known.allowed[i] for i in side[last + 1 :])
    return known.values[side[first]], known.values[side[last]], least, most


def faults(seed: int, counts: Counter[str], compiled: bool = True) -> list[str]:
    """Where the ranges of the problem's answers are not what they should be."""
    fitted = _masked(fitted_problem(seed), seed)
    problem = fitted.problem
    model = problem.model if compiled else (lambda frame: fitted.good(frame).astype(float))
    explainer = geco.Explainer(
        model,
        geco.Database.from_frame(problem.frame, kinds=problem.kinds),
        geco.parse_plaf(problem.program),
        params=geco.Params(**problem.params),
        **({"target": fitted.target, "compile": True} if compiled else {}),
    )
    explanation = explainer.explain(problem.x)
    domain, orders = explainer.domain, orders_of(as_program(problem.program))
    found = []
    for cf in explanation.counterfactuals:
        for feature, got in cf.ranges.items():
            if feature not in cf.values:
                found += _wrong_category(fitted, explanation.x, cf.values, feature, got, domain)
                counts["one-hot"] += 1
                continue
            known = truth(fitted, explanation.x, cf.values, feature)
            schema = domain.schema[feature]
            listed = schema.kind == "categorical" or (schema.type == "text" and feature not in orders)
            found += _differences(got, known, explanation.x[feature], cf.values[feature], listed, orders.get(feature))
            counts["categories" if listed else "runs"] += 1
    return [f"{seed}: {fault}" for fault in found]


def _wrong_category(fitted: Fitted, x: Values, cf_values: Values, name: str, got: Any, domain: Any) -> list[str]:
    """A one-hot set: every other category that D has, by itself."""
    problem = fitted.problem
    features = next(table.features for table in domain.tables if table.onehot == name)
    counts = problem.frame[list(features)].value_counts()
    rows = [row for row, count in counts.items() if count >= problem.params.get("min_support", 1)]
    made = [{**cf_values, **dict(zip(features, row, strict=True))} for row in rows]
    made = [cf for cf in made if any(cf[f] != cf_values[f] for f in features) and any(cf[f] != x[f] for f in features)]
    made = [cf for cf in made if not violations(problem.program, x, cf, problem.frame)]
    good = fitted.good(_frame(made, problem.frame)) if made else []
    others = {category(features, cf) for cf, holds in zip(made, good, strict=True) if holds}
    right = set(got.others) == others if got.tried is None else set(got.others) <= others
    return [] if right else [f"one-hot {got.others}, not {others}"]


def _masked(fitted: Fitted, seed: int) -> Fitted:
    """Every third problem asks for support, every third for steps."""
    problem = fitted.problem
    numbers = [n for n in problem.frame if pd.api.types.is_numeric_dtype(problem.frame[n]) and n not in problem.kinds]
    numbers = [n for n in numbers if problem.frame[n].nunique() > 2]
    more: dict[str, Any] = {}
    if seed % 3:
        more = {"min_support": 2} if seed % 3 == 1 else {"steps": dict.fromkeys(numbers, 2)}
    return replace(fitted, problem=replace(problem, params={**problem.params, **more}))


def _differences(got: Any, known: Truth, x_value: Any, chosen: Any, listed: bool, order: Any) -> list[str]:
    if listed:
        others = [v for v, good in zip(known.values, known.good, strict=True) if good and v != chosen]
        right = set(got.others) <= set(others) if got.tried is not None else list(got.others) == others[:20]
        return [] if right else [f"others {got.others}, not {others}"]
    expected = run(known, x_value, chosen, order)
    shown = (got.low, got.high, got.least, got.most)
    if got.tried is None:
        return [] if shown == expected else [f"{chosen} from {x_value}: {shown}, not {expected}"]
    inside = dict(zip(known.values, known.good, strict=True))
    return [] if inside[got.low] and inside[got.high] else [f"tried ends {got} do not hold"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--black-box", action="store_true")
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    wrong = 0
    for seed in range(args.first, args.first + args.problems):
        for fault in faults(seed, counts, not args.black_box):
            print(fault)
            wrong += 1
    print(dict(counts), f"{wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
