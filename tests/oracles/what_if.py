"""what_if against the model, a second rule checker and the paper's distance, on random changes of random problems.

    python tests/oracles/what_if.py --changes 1000

The exit code is 1 if an outcome, a broken rule, a value that D lacks, a distance or a repaired row differs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
import pandas as pd

import geco
from generators.fitted import fitted_problem
from oracles.distance import Distance
from oracles.obstacles import split
from oracles.rules import groups_of, holds, newly_missing, orders_of, row_of, rows_of, violations
from strategies import Problem, _begun, _unseen, random_problem

Values = dict[str, Any]


def random_changes(problem: Problem, rng: np.random.Generator) -> Values:
    """One to three features at other values, some of which D does not have."""
    _, tables = _begun(problem.seed, False)
    singles = [(table, column) for table in tables if table.kind != "onehot" for column in table.columns]
    changes = {}
    for i in rng.permutation(len(singles))[: rng.integers(1, 4)]:
        table, column = singles[i]
        values = table.values(column)
        unseen = _unseen(column, rng) if rng.random() < 0.2 and column.type in ("integer", "number") else None
        changes[column.name] = unseen if unseen is not None else values[int(rng.integers(len(values)))]
    return changes


def faults(problem: Problem, explainer: geco.Explainer, model: Any, changes: Values) -> list[str]:
    """Where the answer differs from the oracles."""
    answer = explainer.what_if(problem.x, changes)
    x, x_cf = answer.x, answer.values
    program = geco.parse_plaf(problem.program)
    rows = pd.DataFrame({c: pd.Series([x_cf[c]], dtype=object) for c in problem.frame.columns})
    found = []
    for name in problem.frame.columns:
        rows[name] = rows[name].astype(problem.frame[name].dtype) if x_cf[name] is not None else rows[name]
    if abs(float(model(rows)[0]) - answer.outcome) > 1e-9:
        found.append(f"outcome {answer.outcome}, the model says {model(rows)[0]}")
    orders = orders_of(program)
    texts = [text for text, _ in split(program)[1]]
    broken = [text for text, rule in zip(texts, program.rules, strict=True) if not holds(rule, x, x_cf, orders)]
    if broken != list(answer.broken):
        found.append(f"broken {answer.broken}, the checker says {broken}")
    missing = [f for f in problem.frame.columns if newly_missing(f, x, x_cf, program)]
    if [text.split(" became missing")[0] for text in answer.missing] != missing:
        found.append(f"missing {answer.missing}, the checker says {missing}")
    if answer.allowed == bool(broken or missing):
        found.append(f"allowed is {answer.allowed}, with {broken} broken and {missing} missing")
    new = [g for g in groups_of(program, problem.frame.columns) if row_of(x_cf, g) != row_of(x, g)]
    outside = [g for g in new if row_of(x_cf, g) not in rows_of(problem.frame, g)]
    if bool(outside) != bool(answer.outside):
        found.append(f"outside {answer.outside}, by the frame {outside}")
    distance = float(Distance(problem.frame, problem.program, problem.kinds, **problem.params)(x, x_cf))
    if abs(distance - answer.distance) > 1e-9:
        found.append(f"distance {answer.distance}, by the paper {distance}")
    if answer.repaired is not None and not answer.outside:
        left = [fault for fault in violations(program, x, answer.repaired, problem.frame) if fault.startswith("breaks")]
        found += [f"repaired: {fault}" for fault in left]
        found += [f"repaired changes {f}" for f in changes if answer.repaired[f] != x_cf[f]]
    return found


def asked(seed: int, times: int) -> tuple[int, list[str]]:
    """How many changes were asked about, and what differs."""
    rng = np.random.default_rng([20266, seed])
    if seed % 2:
        fitted = fitted_problem(seed)
        problem, target = fitted.problem, fitted.target
        called = problem.model.predict if isinstance(target, tuple) else problem.model.predict_proba
        wanted = sorted(target) if isinstance(target, set) else None

        def model(frame: pd.DataFrame) -> Any:
            said = called(frame)
            if said.ndim == 1:
                return said
            return said[:, 1] if wanted is None else said[:, wanted].sum(axis=1) * np.nan
    else:
        problem, target, wanted = random_problem(seed), None, None
        model = problem.model
    if wanted is not None:
        return 0, []  # what is shown of several classes is not one number of the model's
    explainer = geco.Explainer(
        problem.model,
        geco.Database.from_frame(problem.frame, kinds=problem.kinds),
        geco.parse_plaf(problem.program),
        target=target,
        params=geco.Params(**problem.params),
    )
    wrong = []
    for _ in range(times):
        changes = random_changes(problem, rng)
        wrong += [f"{changes}: {fault}" for fault in faults(problem, explainer, model, changes)]
    return times, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--changes", type=int, default=1000)
    args = parser.parse_args()
    done, seed, kinds = 0, 0, Counter[str]()
    while done < args.changes:
        times, wrong = asked(seed, 10)
        done += times
        for fault in wrong:
            kinds[fault.split("}: ")[-1].split()[0]] += 1
            print(f"{seed}: {fault}", flush=True)
        seed += 1
    print(f"{done} changes of {seed} problems, {sum(kinds.values())} differ {dict(kinds)}")
    sys.exit(bool(kinds))


if __name__ == "__main__":
    main()
