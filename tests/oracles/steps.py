"""The steps of answers against all orders of their changes, on random problems.

    python tests/oracles/steps.py --problems 300

For answers of two to five changes every order is walked with a second rule checker. The exit code is 1 if an order with
fewer broken rules on the way exists, or an outcome is not the model's.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))

import geco
from oracles.rules import groups_of, holds, orders_of
from strategies import random_problem


def faults(seed: int) -> tuple[Counter[int], list[str]]:
    """How many answers of how many changes were looked at, and what is wrong with them."""
    problem = random_problem(seed)
    program = geco.parse_plaf(problem.program)
    explainer = geco.Explainer(
        problem.model,
        geco.Database.from_frame(problem.frame, kinds=problem.kinds),
        program,
        params=geco.Params(**problem.params),
    )
    explanation = explainer.explain(problem.x, k=5)
    x, orders = explanation.x, orders_of(program)
    looked, wrong = Counter[int](), []
    for cf in explanation.counterfactuals:
        changed = [g for g in groups_of(program, problem.frame.columns) if any(cf.values[f] != x[f] for f in g)]
        if not 2 <= len(changed) <= 5:
            continue
        looked[len(changed)] += 1

        def breaks(order: Any, cf: Any = cf) -> int:
            """Steps before the last after which a rule is broken."""
            values, found = dict(x), 0
            for group in order[:-1]:
                values |= {f: cf.values[f] for f in group}
                found += not all(holds(rule, x, values, orders) for rule in program.rules)
            return found

        titles = {explainer.domain.tables[explainer.domain.group_of[g[0]]].name: g for g in changed}
        order = [titles[step.group] for step in cf.steps]
        best = min(breaks(each) for each in permutations(changed))
        if breaks(order) != best:
            wrong.append(f"breaks {breaks(order)} rules on the way, {best} are enough")
        if sum(step.broken is not None for step in cf.steps) != best:
            wrong.append(f"says {[step.broken for step in cf.steps]}, but {best} steps break a rule")
        wrong += _outcomes(problem, x, cf, titles)
    return looked, wrong


def _outcomes(problem: Any, x: dict[str, Any], cf: geco.Counterfactual, titles: dict[str, Any]) -> list[str]:
    import pandas as pd

    values, wrong = dict(x), []
    for step in cf.steps:
        values |= {f: cf.values[f] for f in titles[step.group]}
        row = pd.DataFrame({c: pd.Series([values[c]], dtype=object) for c in problem.frame.columns})
        said = float(problem.model(row)[0])
        if step.outcome is None or abs(step.outcome - said) > 1e-9:
            wrong.append(f"{step.group}: outcome {step.outcome}, the model says {said}")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    looked, wrong = Counter[int](), 0
    for seed in range(args.seed, args.seed + args.problems):
        counts, found = faults(seed)
        looked += counts
        wrong += len(found)
        for fault in found:
            print(f"{seed}: {fault}", flush=True)
    print(f"{args.problems} problems, answers by number of changes {dict(looked)}, {wrong} faults")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
