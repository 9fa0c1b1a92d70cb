"""Ways against their enumeration on random small problems, in all three searches.

    python tests/ways.py --problems 2000 [--seed 0] [--k 5] [--models trees|linear|network]

Problems have a fitted model on odd seeds, a tree or forest if nothing else is said, and a black box of their own
(plateaus, pockets, sums) on even ones; ``exact`` answers where a model is fitted. Printed is how often the first ways
are the enumerated ones, how often the first is, and every answer that can be reduced. The exit code is 1 if the
acceptance is not met.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

sys.path.append(str(Path(__file__).resolve().parent))

import geco
from generators.fitted import Models, fitted_problem
from oracles.distance import Distance
from oracles.exact import plain
from oracles.minimal import Enumerated, Way
from oracles.rules import row_of
from strategies import random_problem

CLOSE = 1e-9
MOST_FEATURES = 10  # of a network that is proved
GOALS = {"frontier": (0.97, 0.99), "exact": (1.0, 1.0), "genetic": (0.0, 0.0)}


def numbers_of(explainer: geco.Explainer) -> Any:
    """How the rows of a group are numbered in its table."""
    tables = {table.features: table for table in explainer.domain.tables}
    known: dict[tuple[str, ...], dict[tuple[Any, ...], int]] = {}
    for features, table in tables.items():
        rows = zip(*(table.values[f] for f in features), strict=True)
        known[features] = {tuple(plain(v) for v in row): i for i, row in enumerate(rows) if i}
    return lambda group, row: known[tuple(group)].get(tuple(plain(v) for v in row), 0)


def examine(seed: int, k: int, models: Models = "trees") -> dict[str, tuple[bool, bool, list[str]]]:
    """Per search: are all ways the enumerated ones, is the first, and what is wrong with an answer."""
    fitted = fitted_problem(seed, models) if seed % 2 else None
    problem = fitted.problem if fitted else random_problem(seed)
    target, good = (fitted.target, fitted.good) if fitted else (None, problem.outcome)
    verdicts = {}
    truth: list[Way] | None = None
    provable = fitted and not (models == "network" and problem.frame.shape[1] > MOST_FEATURES)
    for method in ("frontier", "genetic", *(("exact",) if provable else ())):
        explainer = geco.Explainer(
            problem.model,
            geco.Database.from_frame(problem.frame, kinds=problem.kinds),
            geco.parse_plaf(problem.program),
            target=target,
            method=method,
            params=geco.Params(**problem.params),
        )
        if truth is None:
            distance = Distance(problem.frame, problem.program, problem.kinds, **problem.params)
            every = Enumerated(problem.frame, problem.program, problem.x, good, distance, numbers_of(explainer))
            truth = every.minimal(k)
        explanation = explainer.explain(problem.x, k=k)
        if explanation.status == "already_good":
            return {}
        verdicts[method] = compared(every, truth, explanation)
    return verdicts


def compared(every: Enumerated, truth: Sequence[Way], explanation: geco.Explanation) -> tuple[bool, bool, list[str]]:
    found = [rows_of(every, (cf.unrounded or cf).values) for cf in explanation.counterfactuals]
    faults = [f"{rows} holds {parts[0]}" for rows in found if (parts := every.good_parts(rows))]
    ways = [every.way(rows) for rows in found]
    faults += [f"{b.rows} holds {a.rows}" for i, b in enumerate(ways) for a in ways[:i] if every.leaves_out(a, b)]
    alike = [abs(float(a.distance - b.distance)) < CLOSE for a, b in zip(ways, truth, strict=False)]
    first = (not truth and not found) or (bool(alike) and alike[0])
    return len(found) == len(truth) and all(alike), first, faults


def rows_of(every: Enumerated, values: Any) -> tuple[int, ...]:
    places = zip(every.groups, every.options, strict=True)
    return tuple(
        [tuple(map(plain, row)) for row in table].index(tuple(map(plain, row_of(values, g)))) for g, table in places
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--models", choices=get_args(Models), default="trees")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for seed in range(args.seed, args.seed + args.problems):
        for method, (same, first, faults) in examine(seed, args.k, args.models).items():
            counts[method].update(problems=1, same=same, first=first, reducible=bool(faults))
            if faults or (method != "genetic" and not same):
                print(seed, method, "" if same else "differs", "" if first else "first too", *faults[:1], flush=True)
    failed = False
    for method, c in counts.items():
        same, first = c["same"] / c["problems"], c["first"] / c["problems"]
        failed |= same < GOALS[method][0] or first < GOALS[method][1] or c["reducible"] > 0
        print(f"{method}: {c['problems']} problems, the same ways {same:.2%}, the first {first:.2%}, "
              f"with a reducible answer {c['reducible']}")  # fmt: skip
    sys.exit(failed)


if __name__ == "__main__":
    main()
