"""Thousands of random problems, every answer judged by three independent parties.

    python tests/soak.py --n 10000 --method frontier --seed 0 --jobs 2 [--instances 10] [--brute 1000] [--hostile]

Each answer must pass ``explainer.check``, the second checker and the model; the explanations of a problem must end
within 20 s of CPU time, so that a busy machine raises no false alarm. ``--instances N`` explains N different x of each
problem by one Explainer and ``explain_many``, where model calls are shared: many more explanations in the same time, on
fewer databases. ``--brute N`` also solves the first N problems completely (their own x): how often the optimum, or any
answer at all, was found, and whether "infeasible" was ever said wrongly. ``--hostile`` takes problems with values at
the edges of their types, and ``--method any`` another method, k and way (made anew, saved and loaded) for each.
Progress goes to stderr. The exit code is 1 on any violation, crash or hang.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import geco
from guarded import Lost, guarded
from oracles.brute import Solution, solve
from oracles.distance import Distance
from oracles.exact import FARTHEST
from oracles.judge import Judge
from oracles.rules import Values
from strategies import Problem, random_instances, random_problem

T = TypeVar("T")
HANG_SECONDS = 20  # of CPU time
LOST_SECONDS = 300  # for all of a problem, judges included; then its process is ended
WAYS = 5  # k
NEWS_SECONDS = 30


@dataclass
class Verdict:
    """What one explanation showed; empty ``faults`` is what we want."""

    seed: int
    instance: int = 0
    """Which x of the problem; 0 is its own."""
    status: str = "crash"
    seconds: float = 0.0
    """Its share of the time for all x of the problem."""
    cascades: int = 0
    model_rows: int = 0
    faults: list[str] = field(default_factory=list)
    changes: int | None = None
    solution: Solution | None = None
    distance: float | None = None

    @property
    def optimal(self) -> bool:
        """True if the best answer is no farther than the true optimum."""
        assert self.solution is not None
        best = self.solution.distance
        return self.distance is not None and best is not None and self.distance <= best * (1 + 1e-9) + 1e-9


@dataclass(frozen=True)
class Manner:
    """How a problem is asked: by which method, for how many answers, by an explainer that was saved and loaded?"""

    method: Any = "frontier"
    k: int = WAYS
    saved: bool = False
    irreducible: bool = True
    """Does the method promise that no change in an answer can be undone?"""
    ways: Any = "sets"

    @classmethod
    def of(cls, problem: Problem) -> Manner:
        """Another one for each problem."""
        rng = np.random.default_rng([20265, problem.seed])
        params = problem.params
        methods = [*("frontier",) * 3, *("genetic",) * 2, "wit", geco.Certifai(generations=20), "simcf"]
        if problem.compiled:
            methods = [*("frontier",) * 3, *("exact",) * 3, "genetic", "wit"]
            methods += [] if params["alpha"] or params["gamma"] else ["mace"]
        method = methods[rng.integers(len(methods))]
        promised = method in ("frontier", "genetic", "exact")
        k, saved = int(rng.choice([1, WAYS])), bool(promised and rng.random() < 0.3)
        return cls(method, k, saved, promised, "minimal" if promised and rng.random() < 0.5 else "sets")


class Hang(Exception):
    """The explanations of a problem did not end in time."""


def explainer_for(problem: Problem, method: Any) -> geco.Explainer:
    return geco.Explainer(
        problem.model,
        geco.Database.from_frame(problem.frame, kinds=problem.kinds),
        geco.parse_plaf(problem.program),
        method=method,
        params=geco.Params(**problem.params),
    )


def examine(seed: int, method: Any = "frontier", brute: bool = False, irreducible: bool = True) -> Verdict:
    """Explain the x of one random problem and judge every answer."""
    return examine_all(seed, method, brute=brute, irreducible=irreducible)[0]


def examine_all(
    seed: int,
    method: Any = "frontier",
    instances: int = 1,
    brute: bool = False,
    irreducible: bool = True,
    hostile: bool = False,
) -> list[Verdict]:
    """Explain some x of one random problem, the problem's own first, and judge every answer.

    ``method`` may be "any". ``irreducible`` says whether the method promises that no change can be undone.
    """
    try:
        problem = random_problem(seed, hostile)
        manner = Manner.of(problem) if method == "any" else Manner(method, irreducible=irreducible)
        with warnings.catch_warnings():
            warnings.filterwarnings("error", category=RuntimeWarning, module=r"geco\.")  # NumPy's, about our own sums
            return examined(problem, manner, instances, brute)
    except Hang:
        return [Verdict(seed, faults=[f"no end within {HANG_SECONDS} s of CPU time"])]
    except Exception:
        return [Verdict(seed, faults=[traceback.format_exc(limit=-4)])]


def examined(problem: Problem, manner: Manner, instances: int = 1, brute: bool = False) -> list[Verdict]:
    """The same for a problem at hand; what goes wrong is raised."""
    distance = Distance(problem.frame, problem.program, problem.kinds, **problem.params)
    xs = random_instances(problem, instances)
    start = time.perf_counter()
    with _Alarm(HANG_SECONDS):
        explainer = explainer_for(problem, manner.method)
        if manner.saved:
            explainer = _saved_and_loaded(explainer, problem.model)
        explanations = _explained(explainer, xs, problem.seed, manner)
    share = (time.perf_counter() - start) / len(xs)
    faults = Judge(problem, explainer, distance, manner.irreducible, manner.ways == "sets").faults(xs, explanations)
    verdicts = [
        _verdict(problem.seed, i, share, *pair) for i, pair in enumerate(zip(explanations, faults, strict=True))
    ]
    if brute:
        solution = solve(problem.frame, problem.program, problem.own, problem.outcome, distance)
        verdicts[0].solution = solution
        verdicts[0].faults += _contradictions(verdicts[0], solution)
        if manner.method == "exact":
            verdicts[0].faults += _unproved(explanations[0], verdicts[0], solution)
    return verdicts


def _saved_and_loaded(explainer: geco.Explainer, model: Any) -> geco.Explainer:
    with tempfile.TemporaryDirectory() as folder:
        explainer.save(Path(folder) / "it.geco")
        return geco.Explainer.load(Path(folder) / "it.geco", model)


def _explained(explainer: geco.Explainer, xs: Sequence[Values], seed: int, manner: Manner) -> list[geco.Explanation]:
    """A single x goes the way most users go; several share their model calls."""
    if len(xs) == 1 and not isinstance(explainer.method, geco.Mace):  # which may refuse an x, and explain would raise
        return [explainer.explain(xs[0], k=manner.k, seed=seed, ways=manner.ways)]
    return list(explainer.explain_many(xs, k=manner.k, seed=seed, ways=manner.ways))


def _verdict(seed: int, instance: int, seconds: float, explanation: geco.Explanation, faults: list[str]) -> Verdict:
    answers, trace = explanation.counterfactuals, explanation.trace
    return Verdict(
        seed,
        instance,
        explanation.status,
        seconds,
        trace.cascades,
        trace.model_rows,
        faults,
        changes=min((len(cf.groups) for cf in answers), default=None),
        distance=min((answers[0].unrounded or answers[0]).distance, FARTHEST) if answers else None,
    )


def _contradictions(verdict: Verdict, solution: Solution) -> Iterable[str]:
    if verdict.status == "infeasible" and not solution.infeasible:
        yield f"said infeasible, but {solution.allowed} candidates are allowed"
    if verdict.status == "found" and solution.good == 0:
        yield "found what brute force says does not exist"
    if None not in (verdict.distance, solution.distance) and verdict.distance < solution.distance * (1 - 1e-9) - 1e-9:
        yield f"nearer ({verdict.distance}) than the optimum ({solution.distance})"


def _unproved(explanation: geco.Explanation, verdict: Verdict, solution: Solution) -> Iterable[str]:
    """What the exact search says it has proved, against brute force."""
    if explanation.proven and explanation.status == "found" and not verdict.optimal:
        yield f"proved to be nearest at {verdict.distance}, but the optimum is {solution.distance}"
    if explanation.proven and explanation.status in ("none_found", "infeasible") and solution.good:
        yield f"proved that there is none, but {solution.good} are good"


class _Alarm:
    """Raise Hang in this thread after some seconds of CPU time, also inside a model call."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __enter__(self) -> None:
        self.before = signal.signal(signal.SIGPROF, _ring)
        signal.setitimer(signal.ITIMER_PROF, self.seconds)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, self.before)


def _ring(*_: object) -> None:
    raise Hang


def report(verdicts: list[Verdict]) -> list[str]:
    """The figures, line by line."""
    shares = Counter(v.status for v in verdicts)
    found = [v for v in verdicts if v.changes is not None]
    fired = [v for v in verdicts if v.cascades]
    rows = sum(v.model_rows for v in verdicts) / len(verdicts)
    seconds = _seconds_per_problem(verdicts)
    total = sum(seconds.values())
    return [
        f"{len(verdicts)} explanations on {len(seconds)} databases, {total:.0f} s, mean {rows:.0f} model rows",
        *(f"  {status:13} {percent(count, verdicts)}, {count}" for status, count in shares.most_common()),
        f"  slowest problem {max(seconds.values()):.2f} s",
        f"  cascade fired in {percent(len(fired), verdicts)}, {sum(v.cascades for v in fired)} times",
        f"  all answers change two or more groups in {percent(sum(v.changes > 1 for v in found if v.changes), found)}",
        *_brute_report([v for v in verdicts if v.solution is not None]),
    ]


def _seconds_per_problem(verdicts: list[Verdict]) -> dict[int, float]:
    seconds: dict[int, float] = defaultdict(float)
    for verdict in verdicts:
        seconds[verdict.seed] += verdict.seconds
    return seconds


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


def settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--n", type=int, default=10_000, help="problems")
    parser.add_argument("--instances", type=int, default=1, help="x explained per problem")
    parser.add_argument("--method", default="frontier", help="or any: another one for each problem")
    parser.add_argument("--hostile", action="store_true", help="values at the edges of their types")
    parser.add_argument("--seed", type=int, default=0, help="of the first problem")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--brute", type=int, default=0, help="solve this many completely")
    return parser.parse_args()


def run(args: argparse.Namespace) -> list[Verdict]:
    """The verdicts of all problems, in order."""
    first, last = args.seed, args.seed + args.n
    calls = ((s, args.method, args.instances, s < first + args.brute, True, args.hostile) for s in range(first, last))
    each = with_news(guarded(examine_all, calls, args.jobs, LOST_SECONDS), args.n)
    found = {i: [Verdict(first + i, faults=[str(vs)])] if isinstance(vs, Lost) else vs for i, vs in each}
    return [verdict for i in sorted(found) for verdict in found[i]]


def with_news(each: Iterable[T], total: int) -> Iterator[T]:
    """Pass the verdicts on and say now and then how far we are."""
    start = said = time.monotonic()
    for done, one in enumerate(each, 1):
        yield one
        now = time.monotonic()
        if now - said >= NEWS_SECONDS:
            said, left = now, (now - start) / done * (total - done)
            print(f"{percent(done, range(total))} done, {left / 60:.1f} minutes left", file=sys.stderr, flush=True)


def main() -> int:
    verdicts = run(settings())
    print("\n".join(report(verdicts)))
    bad = [v for v in verdicts if v.faults]
    for verdict in bad[:20]:
        print(f"seed {verdict.seed}, x {verdict.instance} ({verdict.status}):", *verdict.faults[:3], sep="\n    ")
    print(f"{len(bad)} of {len(verdicts)} explanations with a fault")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
