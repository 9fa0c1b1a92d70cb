"""Thousands of random problems, every answer judged by three independent parties.

    python tests/soak.py --n 10000 --method frontier --seed 0 --jobs 2 [--brute 1000]

Each answer must pass ``explainer.check``, the second checker and the model; each explanation must end within 20 s.
``--brute N`` also solves the first N problems completely: how often the optimum, or any answer at all, was found, and
whether "infeasible" was ever said wrongly. The exit code is 1 on any violation, crash or hang.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import geco
from oracles.brute import Solution, as_frame, solve
from oracles.distance import Distance
from oracles.rules import as_program, groups_of, row_of, type_faults, violations
from strategies import Problem, random_problem

HANG_SECONDS = 20


@dataclass
class Verdict:
    """What one problem showed; empty ``faults`` is what we want."""

    seed: int
    status: str = "crash"
    seconds: float = 0.0
    cascades: int = 0
    model_rows: int = 0
    tags: frozenset[str] = frozenset()
    faults: list[str] = field(default_factory=list)
    changes: int | None = None
    solution: Solution | None = None
    distance: float | None = None

    @property
    def optimal(self) -> bool:
        """True if the best answer is no farther than the true optimum."""
        assert self.solution is not None
        best = self.solution.distance
        return self.distance is not None and best is not None and self.distance <= best + 1e-9


class Hang(Exception):
    """An explanation did not end in time."""


def explainer_for(problem: Problem, method: Any) -> geco.Explainer:
    return geco.Explainer(
        problem.model,
        geco.Database.from_frame(problem.frame, kinds=problem.kinds),
        geco.parse_plaf(problem.program),
        method=method,
        params=geco.Params(**problem.params),
    )


def examine(seed: int, method: Any = "frontier", brute: bool = False, k: int = 5) -> Verdict:
    """Explain one random problem and judge every answer."""
    verdict = Verdict(seed)
    try:
        problem = random_problem(seed)
        verdict.tags = problem.tags
        distance = Distance(problem.frame, problem.program, problem.kinds, **problem.params)
        explainer = explainer_for(problem, method)
        start = time.perf_counter()
        with _Alarm(HANG_SECONDS):
            explanation = explainer.explain(problem.x, k=k, seed=seed)
        verdict.seconds = time.perf_counter() - start
        verdict.status = explanation.status
        verdict.cascades = explanation.trace.cascades
        verdict.model_rows = explanation.trace.model_rows
        verdict.faults = list(_faults(problem, explainer, explanation, distance))
        if explanation.counterfactuals:
            verdict.distance = explanation.counterfactuals[0].distance
            verdict.changes = min(len(cf.groups) for cf in explanation.counterfactuals)
        if brute:
            verdict.solution = solve(problem.frame, problem.program, problem.x, problem.model, distance)
            verdict.faults += _contradictions(verdict, verdict.solution)
    except Hang:
        verdict.faults.append(f"no end within {HANG_SECONDS} s")
    except Exception:
        verdict.faults.append(traceback.format_exc(limit=-4))
    return verdict


def _faults(problem: Problem, explainer: Any, explanation: Any, distance: Distance) -> Iterable[str]:
    x, answers = problem.x, explanation.counterfactuals
    if (explanation.status == "found") != bool(answers):
        yield f"status {explanation.status} with {len(answers)} answers"
    if not explanation.reason:
        yield "no reason given"
    if len({cf.groups for cf in answers}) < len(answers):
        yield "two answers change the same groups"
    if [cf.distance for cf in answers] != sorted(cf.distance for cf in answers):
        yield "answers are not in order of distance"
    miss = [explanation.nearest_miss] if explanation.nearest_miss else []
    for cf in (*answers, *miss):
        yield from (f"explainer.check: {text}" for text in explainer.check(x, cf.values))
        yield from violations(problem.program, x, cf.values, problem.frame)
        yield from type_faults({f: v for f, v in cf.values.items() if v != x[f]} | _seen(problem, cf), problem.frame)
        good = _outcome(problem, cf.values) > 0.5
        if good != (cf in answers):
            yield f"the model says {'good' if good else 'bad'} to {cf.values}"
        if abs(distance(x, cf.values) - cf.distance) > 1e-9:
            yield f"distance is {distance(x, cf.values)}, not {cf.distance}"
    for cf in answers:
        if all(cf.values[f] == x[f] for f in x):
            yield "an answer equals x"
        yield from _reducible(problem, cf)


def _reducible(problem: Problem, cf: Any) -> Iterable[str]:
    """Undoing any single change must lose the good outcome or break a rule."""
    groups = groups_of(as_program(problem.program), problem.frame.columns)
    changed = [g for g in groups if row_of(cf.values, g) != row_of(problem.x, g)]
    if len(changed) != len(cf.groups):
        yield f"changed groups are {changed}, not {cf.groups}"
    for group in changed if len(changed) > 1 else []:
        undone = cf.values | {f: problem.x[f] for f in group}
        if not violations(problem.program, problem.x, undone, problem.frame) and _outcome(problem, undone) > 0.5:
            yield f"the change of {group} can be undone"


def _seen(problem: Problem, cf: Any) -> dict[str, Any]:
    """Unchanged features keep x's own value, whatever its type; a value of D stands in for the type check."""
    return {f: None for f in problem.frame.columns if cf.values.get(f) == problem.x[f]}


def _outcome(problem: Problem, values: dict[str, Any]) -> float:
    return float(np.asarray(problem.model(as_frame([values], problem.frame)), float).ravel()[0])


def _contradictions(verdict: Verdict, solution: Solution) -> Iterable[str]:
    if verdict.status == "infeasible" and not solution.infeasible:
        yield f"said infeasible, but {solution.allowed} candidates are allowed"
    if verdict.status == "already_good" and not (solution.x_good and solution.x_allowed):
        yield "said already_good, but x is bad or breaks a rule"
    if solution.x_good and solution.x_allowed and verdict.status != "already_good":
        yield f"said {verdict.status}, but x is good and obeys every rule"
    if verdict.status == "found" and solution.good == 0:
        yield "found what brute force says does not exist"
    if verdict.distance is not None and solution.distance is not None and verdict.distance < solution.distance - 1e-9:
        yield f"nearer ({verdict.distance}) than the optimum ({solution.distance})"


class _Alarm:
    """Raise Hang in this thread after some seconds, also inside a model call."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __enter__(self) -> None:
        self.before = signal.signal(signal.SIGALRM, _ring)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)


def _ring(*_: object) -> None:
    raise Hang


def report(verdicts: list[Verdict]) -> list[str]:
    """The figures, line by line."""
    shares = Counter(v.status for v in verdicts)
    found = [v for v in verdicts if v.changes is not None]
    fired = [v for v in verdicts if v.cascades]
    rows = sum(v.model_rows for v in verdicts) / len(verdicts)
    return [
        f"{len(verdicts)} explanations, {sum(v.seconds for v in verdicts):.0f} s, mean {rows:.0f} model rows",
        *(f"  {status:13} {percent(count, verdicts)}" for status, count in shares.most_common()),
        f"  slowest       {max(v.seconds for v in verdicts):6.2f} s",
        f"  cascade fired in {percent(len(fired), verdicts)}, {sum(v.cascades for v in fired)} times",
        f"  all answers change two or more groups in {percent(sum(v.changes > 1 for v in found if v.changes), found)}",
        *_brute_report([v for v in verdicts if v.solution is not None]),
    ]


def _brute_report(verdicts: list[Verdict]) -> list[str]:
    solved = [(v, v.solution) for v in verdicts if v.solution]
    solvable = [(v, s) for v, s in solved if s.good and not (s.x_good and s.x_allowed)]
    if not solvable:
        return []
    missed = [v.seed for v, _ in solvable if v.status != "found"]
    farther = [v.seed for v, _ in solvable if v.status == "found" and not v.optimal]
    hard = percent(sum((s.changes or 0) > 1 for _, s in solvable), solvable)
    said, true = sum(v.status == "infeasible" for v, _ in solved), sum(s.infeasible for _, s in solved)
    return [
        f"brute force on {len(solved)}: {len(solvable)} have an answer, {hard} of them need two or more changes",
        f"  optimum found {percent(len(solvable) - len(missed) - len(farther), solvable)}, not for {farther[:20]}",
        f"  any answer    {percent(len(solvable) - len(missed), solvable)}, not for {missed[:20]}",
        f"  infeasible in truth {true}, said {said}",
    ]


def percent(count: int, of: Sequence[object]) -> str:
    return f"{100 * count / max(1, len(of)):6.2f} %"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--method", default="frontier")
    parser.add_argument("--seed", type=int, default=0, help="of the first problem")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--brute", type=int, default=0, help="solve this many completely")
    args = parser.parse_args()
    seeds = range(args.seed, args.seed + args.n)
    brute = [i < args.brute for i in range(args.n)]
    with ProcessPoolExecutor(args.jobs) as pool:
        verdicts = list(pool.map(examine, seeds, [args.method] * args.n, brute, chunksize=50))
    print("\n".join(report(verdicts)))
    bad = [v for v in verdicts if v.faults]
    for verdict in bad[:20]:
        print(f"seed {verdict.seed} ({verdict.status}):", *verdict.faults[:3], sep="\n    ")
    print(f"{len(bad)} of {len(verdicts)} problems with a fault")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
