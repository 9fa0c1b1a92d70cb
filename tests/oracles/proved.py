"""What explanations say is proved, against enumeration: the first answer, all ways that are proved, gaps.

    python tests/oracles/proved.py --problems 1000 [--seed 0]

Random problems with fitted models, in turn trees and forests, linear models, networks with one hidden layer, and two
forests that must agree; classes, leads, thresholds and intervals. Every second one has seconds instead of quick proofs.
The exit code is 1 if anything that is called proved is not what enumeration finds.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, get_args

sys.path.append(str(Path(__file__).resolve().parents[1]))

import geco
from generators.fitted import Models, fitted_problem
from oracles.distance import Distance
from oracles.minimal import Enumerated
from ways import numbers_of

CLOSE = 1e-9
SECONDS = 20.0


def disagreement(seed: int, models: Models, prove: Any = "quick") -> tuple[str, str | None]:
    """What was proved, and how it differs from what enumeration finds, if it does."""
    fitted = fitted_problem(seed, models)
    problem = fitted.problem
    asked = geco.Explainer(
        problem.model,
        geco.Database.from_frame(problem.frame, kinds=problem.kinds),
        geco.parse_plaf(problem.program),
        target=fitted.target,
        params=geco.Params(**problem.params),
    )
    explanation = asked.explain(problem.x, prove=prove)
    if explanation.status == "already_good" or explanation.proven is None:
        return "good already" if explanation.status == "already_good" else "no proof to be had", None
    distance = Distance(problem.frame, problem.program, problem.kinds, **problem.params)
    every = Enumerated(problem.frame, problem.program, problem.x, fitted.good, distance, numbers_of(asked))
    truth = [float(way.distance) for way in every.minimal(5)]
    found = [(cf.unrounded or cf).distance for cf in explanation.counterfactuals]
    proved, wrong = explanation.proven_ways or 0, None
    if not _begins(truth, found[:proved]) and not _begins(_apart(truth), _apart(found[:proved])):
        wrong = f"found {found}, {proved} of them proved, and there are {truth}"
    elif explanation.proven and not found and truth:
        wrong = f"proved that there is nothing, and there are {truth}"
    elif explanation.proven is False and found and truth[0] < found[0] - (explanation.gap or 0.0) - CLOSE:
        wrong = f"the gap is {explanation.gap}, and {truth[0]} is nearer than {found[0]}"
    if not explanation.proven:
        return "not proved", wrong
    return "nothing there" if not found else "all ways" if proved == len(found) else "the nearest", wrong


def _begins(truth: list[float], with_: list[float]) -> bool:
    return len(with_) <= len(truth) and all(abs(a - b) <= CLOSE for a, b in zip(with_, truth, strict=False))


def _apart(distances: list[float]) -> list[float]:
    """Ways that are equally near but for rounding count once: which of them leaves out the other is a matter of it."""
    return [b for a, b in itertools.pairwise([-1.0, *distances]) if b - a > CLOSE]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    kinds = get_args(Models)
    counts: dict[str, Counter[str]] = {models: Counter() for models in kinds}
    wrong = 0
    for seed in range(args.seed, args.seed + args.problems):
        models = kinds[seed // 2 % len(kinds)]  # each kind with quick proofs and with seconds
        what, difference = disagreement(seed, models, SECONDS if seed % 2 else "quick")
        counts[models][what] += 1
        if difference:
            wrong += 1
            print(f"{seed} ({models}): {difference}", flush=True)
    for models, counted in counts.items():
        print(f"{models}: {dict(counted)}")
    print(f"{args.problems} problems, {wrong} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
