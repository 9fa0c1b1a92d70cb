"""A fuzzer of arguments for every public call and command.

    python tests/fuzz.py --call explain --seconds 600 [--seed 0] [--jobs 1]
    python tests/fuzz.py --call load --case 1234        one case, in this process

Cases are numbered: the same call and number are the same case everywhere. What does not end is ended and reported. The
exit code is 1 on any fault: a foreign exception, a call that does not end, a deadline overrun by half a second or, in
more than one of a thousand cases, by 50 ms (the model call under way aside).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import count

import numpy as np

from fuzzing import calls, commands, files, projects
from fuzzing.cases import Case, Outcome, carried_out
from guarded import Lost, guarded

CALLS = {**calls.CALLS, **files.CALLS, **commands.CALLS, **projects.CALLS}
CHUNK = 10
LOST_SECONDS = 100.0
SOON, LATE, SELDOM = 0.05, 0.5, 0.001
AGAIN = 3  # a late case is repeated: only what is late every time is our doing, and not that of a busy machine


def case(call: str, number: int) -> Case:
    """The case of this number; the same everywhere."""
    return CALLS[call](np.random.default_rng([20266, list(CALLS).index(call), number]))


def examine(call: str, number: int) -> Outcome:
    """Carry out one case; a late one several times."""
    warnings.simplefilter("ignore")
    outcome = carried_out(case(call, number))
    for _ in range(AGAIN):
        if outcome.overrun is None or outcome.overrun <= SOON:
            break
        again = carried_out(case(call, number))
        outcome = again if again.overrun is not None and again.overrun < outcome.overrun else outcome
    if outcome.overrun is not None and outcome.overrun - outcome.waited > LATE:
        outcome.fault = outcome.fault or f"{outcome.overrun:.2f} s past the deadline"
    return outcome


def examine_chunk(call: str, first: int, size: int) -> list[Outcome]:
    os.environ.setdefault("COLUMNS", "100")
    return [examine(call, number) for number in range(first, first + size)]


def chunks(call: str, seed: int, seconds: float) -> Iterator[tuple[str, int, int]]:
    ends = time.monotonic() + seconds
    for part in count():
        if time.monotonic() > ends:
            return
        yield call, seed + CHUNK * part, CHUNK


def run(call: str, seed: int, seconds: float, jobs: int) -> dict[int, Outcome]:
    """Outcomes by case number; the cases of a chunk that was lost are carried out one by one."""
    found: dict[int, Outcome] = {}
    lost: list[int] = []
    for part, outcomes in guarded(examine_chunk, chunks(call, seed, seconds), jobs, LOST_SECONDS):
        first = seed + CHUNK * part
        if isinstance(outcomes, Lost):
            lost += range(first, first + CHUNK)
        else:
            found |= dict(enumerate(outcomes, first))
    for i, outcome in guarded(examine, ((call, number) for number in lost), jobs, LOST_SECONDS):
        found[lost[i]] = Outcome("lost", LOST_SECONDS, str(outcome)) if isinstance(outcome, Lost) else outcome
    return found


def report(call: str, found: dict[int, Outcome]) -> list[str]:
    """The figures, line by line."""
    outcomes = list(found.values())
    slowest = max(found, key=lambda number: found[number].seconds)
    lines = [f"{call}: {len(found):,} cases, slowest {found[slowest].seconds:.2f} s (case {slowest})"]
    lines += [f"  {kind:20} {n:8,}" for kind, n in Counter(o.kind for o in outcomes).most_common()]
    timed = [o for o in outcomes if o.overrun is not None]
    if timed:
        lines.append(f"  past the deadline ({len(timed):,} cases), {shares(overruns(timed, waited=True))}")
        lines.append(f"  the same without waiting for a core, {shares(overruns(timed))}")
        late = sorted((o.overrun or 0.0, n) for n, o in found.items() if o.overrun is not None)[-3:]
        lines.append(f"  the latest: {', '.join(f'case {n} {1000 * s:.0f} ms' for s, n in reversed(late))}")
    return lines


def overruns(outcomes: list[Outcome], waited: bool = False) -> list[float]:
    return [o.overrun - (0.0 if waited else o.waited) for o in outcomes if o.overrun is not None]


def shares(seconds: list[float]) -> str:
    shown = ", ".join(f"{q:g} %: {1000 * float(np.quantile(seconds, q / 100)):.1f} ms" for q in (50, 90, 99, 99.9, 100))
    return f"{shown}; {late_share(seconds):.3%} above 50 ms"


def late_share(seconds: list[float]) -> float:
    return sum(s > SOON for s in seconds) / max(1, len(seconds))


def settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--call", choices=list(CALLS), required=True)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0, help="number of the first case")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--case", type=int, help="this case alone, in this process")
    return parser.parse_args()


def main() -> int:
    args = settings()
    if args.case is not None:
        outcome = examine(args.call, args.case)
        print(outcome.told, outcome, outcome.fault or "", sep="\n")
        return 1 if outcome.fault else 0
    found = run(args.call, args.seed, args.seconds, args.jobs)
    print("\n".join(report(args.call, found)))
    bad = {number: o for number, o in found.items() if o.fault}
    for number, outcome in list(bad.items())[:20]:
        print(f"case {number} ({outcome.told}):\n    {outcome.fault}")
    print(f"{len(bad)} of {len(found)} cases with a fault")
    return 1 if bad or late_share(overruns(list(found.values()))) > SELDOM else 0


if __name__ == "__main__":
    sys.exit(main())
