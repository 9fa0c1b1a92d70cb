"""The exact search against brute force on random problems with fitted models.

    python tests/oracles/optimum.py --problems 500 [--k 5] [--models trees|linear|network]

With ``--k`` the k nearest sets of changed groups are compared; tests/ways.py does it for minimal ways. The exit code is
1 if any of them or any "there is none" differs, or if anything is left unproved.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import get_args

sys.path.append(str(Path(__file__).resolve().parents[1]))

import geco
from generators.fitted import Models, fitted_problem
from oracles.brute import solve, ways
from oracles.distance import Distance

CLOSE = 1e-9
MOST_FEATURES = 10  # of a network that is proved


def disagreement(seed: int, k: int = 1, models: Models = "trees") -> tuple[str, str | None]:
    """The status of the explanation, and how it differs from brute force, if it does."""
    fitted = fitted_problem(seed, models)
    problem = fitted.problem
    if models == "network" and problem.frame.shape[1] > MOST_FEATURES:
        return "refused", None
    explainer = geco.Explainer(
        problem.model,
        geco.Database.from_frame(problem.frame, kinds=problem.kinds),
        geco.parse_plaf(problem.program),
        target=fitted.target,
        method="exact",
        params=geco.Params(**problem.params),
    )
    explanation = explainer.explain(problem.x, k=k, ways="sets")
    distance = Distance(problem.frame, problem.program, problem.kinds, **problem.params)
    asked = problem.frame, problem.program, problem.x, fitted.good, distance
    if explanation.status == "already_good":
        truth = solve(*asked)
        return "already_good", None if truth.x_allowed and truth.x_good else "x is not good already"
    if not explanation.proven:
        return explanation.status, f"not proved: {explanation.reason}"
    if k == 1:
        best = solve(*asked).distance
        nearest = [] if best is None else [best]
    else:
        nearest = ways(*asked)[:k]
    found = [(cf.unrounded or cf).distance for cf in explanation.counterfactuals]
    same = len(found) == len(nearest) and all(abs(a - b) < CLOSE for a, b in zip(found, nearest, strict=True))
    return explanation.status, None if same else f"found {found}, the nearest are {nearest}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--k", type=int, default=1)
    parser.add_argument("--models", choices=get_args(Models), default="trees")
    args = parser.parse_args()
    statuses: Counter[str] = Counter()
    wrong = {}
    for seed in range(args.seed, args.seed + args.problems):
        status, difference = disagreement(seed, args.k, args.models)
        statuses[status] += 1
        if difference:
            wrong[seed] = difference
            print(f"{seed}: {difference}", flush=True)
    print(f"{args.problems} problems, {len(wrong)} differ from brute force; {dict(statuses)}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
