"""Algorithm 1: the loop, split at the line where the model is called. Read this file first.

once per deployment   PLAF text ▶ CheckedProgram(Γ, C)   table ▶ Database(D) ▶ Domain        classifier ▶ BlackBox
once per instance x   ground ▶ GroundedRules(C_x)        feasible_space ▶ FeasibleSpace(DG)  evaluator ▶ M
once per round        ask ▶ Proposal                     evaluate ▶ Outcome                  tell ▶ Population
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from time import perf_counter
from typing import Any, cast

from geco.answers.conclude import already_good, conclude, counterfactual
from geco.answers.explanation import Explanation
from geco.answers.progress import Progress
from geco.data.instance import read_instance
from geco.models.asking.batches import Request
from geco.models.asking.meter import Budget, Clock
from geco.models.scoring.materialize import Materialize
from geco.models.scoring.sweep import Sweep
from geco.question import Question
from geco.rounds import ALL, Rounds
from geco.search.base import Method, Search, Task, Timed
from geco.search.frontier import FrontierSearch
from geco.space.feasible import Deployment, FeasibleSpace, feasible_space
from geco.space.ground import ground
from geco.trace import Trace

LOG = logging.getLogger("geco")
Steps = Generator[Request | Rounds, None, Explanation]
Evaluators = Callable[[FeasibleSpace, Budget, Trace, Clock], Materialize]


def algorithm1(
    x: Any,
    question: Question,
    deployment: Deployment,
    method: Method,
    evaluator: Evaluators,
    verify: bool,
    clock: Clock,
    on_round: Callable[[Progress], object] | None = None,
) -> Steps:
    """A generator: it stops at each ``yield from``, where M is called, for lockstep.py to go on."""
    started = perf_counter()
    k, trace = question.k, Trace()
    instance = read_instance(x, deployment.domain)
    grounded = ground(instance, deployment.rules)  # C_x
    space = feasible_space(deployment, grounded, instance, clock.left)  # DG
    evaluate = evaluator(space, question.budget(verify), trace, clock)
    task = Task(space, trace, k, question.seed, question.diverse, question.max_evals, evaluate.lines)
    search = method.search(task)
    if hasattr(search, "clock"):  # isinstance of a protocol would cost as much as a round
        cast(Timed, search).clock = clock
    rounds = _rounds(search, evaluate, trace)
    go_on = True
    while go_on and not search.converged and evaluate.stopped_by is None:
        if rounds is None:
            proposal = search.ask()  # crossover ∪ mutate
            outcome = yield from evaluate(proposal)
            search.tell(proposal, outcome)  # selectFittest, TOPK
        else:
            yield from rounds(ALL if on_round is None else 1)  # the same three steps, where M is native too
        if already_good(space, evaluate):
            break
        LOG.debug("round %d: %d scored, %d known", trace.generations, trace.points_scored, len(search.archive))
        if on_round is not None:
            go_on = on_round(_progress(space, search, trace, started)) is not False
    asked_to_stop = not go_on and not search.converged
    explanation = yield from conclude(space, search, evaluate, k, verify, trace, asked_to_stop, clock.left)
    LOG.info("%s (%s) after %d rounds and %d model rows: %s", explanation.status, explanation.stopped_by,
             trace.generations, trace.model_rows, explanation.reason)  # fmt: skip
    return explanation


def _rounds(search: Search, evaluate: Materialize, trace: Trace) -> Rounds | None:
    """Whole rounds in the native core, where both the search and the model are there."""
    if isinstance(search, FrontierSearch) and isinstance(evaluate, Sweep) and evaluate.compiled.is_native:
        return Rounds(search.core, evaluate, trace)
    return None


def _progress(space: FeasibleSpace, search: Search, trace: Trace, started: float) -> Progress:
    nearest = search.archive.best(1, diverse=False)
    best = counterfactual(space, search, nearest[0]) if len(nearest) else None
    return Progress(trace.generations, best, trace.model_rows, perf_counter() - started)
