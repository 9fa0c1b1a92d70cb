"""Algorithm 1: the loop, split at the line where the model is called. Read this file first.

once per deployment   PLAF text ▶ CheckedProgram(Γ, C)   table ▶ Database(D) ▶ Domain        classifier ▶ Panel
once per instance x   ground ▶ GroundedRules(C_x)        feasible_space ▶ FeasibleSpace(DG)  evaluator ▶ M
once per round        ask ▶ Proposal                     evaluate ▶ Outcome                  tell ▶ Population
"""

from __future__ import annotations

import logging
from collections.abc import Generator
from time import perf_counter
from typing import Any

from geco.answers.conclude import conclude
from geco.answers.explanation import Explanation, completed
from geco.answers.nearby import Nearby, Wanted
from geco.answers.progress import OnRound, progress
from geco.data.instance import read_numbered
from geco.models.asking.batches import Request
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.question import Question
from geco.rounds import ALL, Rounds
from geco.search.base import Task
from geco.space.feasible import space_of_x
from geco.trace import Trace

LOG = logging.getLogger("geco")
Steps = Generator[Request | Rounds, None, Explanation]


def algorithm1(x: Any, question: Question, parts: Parts, clock: Clock, on_round: OnRound | None = None) -> Steps:
    """A generator: it stops at each ``yield from``, where M is called, for lockstep/ to go on."""
    started, trace = perf_counter(), Trace()
    instance, numbers = read_numbered(x, parts.domain)
    space = space_of_x(parts.deployment, instance, numbers, clock.left)  # C_x, and from it DG
    evaluate = parts.panel.evaluator(space, question.budget(parts.verify), trace, clock)
    task = Task(evaluate.space, trace, question.k, question.seed, question.ways, question.max_evals,
                evaluate.line_cost, clock, question.prove)  # fmt: skip
    search = parts.method.search(task)
    wanted = Wanted(question.k, question.ways, parts.params.round, question.ranges, parts.verify)
    nearby = Nearby(space, search, evaluate, wanted)
    in_the_core = Rounds.of(nearby, trace)
    go_on = True
    while go_on and not search.converged and evaluate.stopped_by is None:
        if in_the_core is None:
            proposal = search.ask()  # crossover ∪ mutate
            outcome = yield from evaluate(proposal)
            search.tell(proposal, outcome)  # selectFittest, TOPK
        else:
            yield from in_the_core(ALL if on_round is None else 1)  # the same three steps, where M is native too
        if evaluate.standing.already_good:
            break
        LOG.debug("round %d: %d scored, %d known", trace.generations, trace.points_scored, len(search.archive))
        if on_round is not None:
            go_on = on_round(progress(space, search, trace, perf_counter() - started)) is not False
    asked_to_stop = not go_on and not search.converged
    ready = None if in_the_core is None else in_the_core.core.prepared()
    explanation = yield from conclude(nearby, ready, trace, asked_to_stop, clock.left)
    LOG.info("%s (%s) after %d rounds and %d model rows: %s", explanation.status, explanation.stopped_by,
             trace.generations, trace.model_rows, explanation.reason)  # fmt: skip
    return completed(explanation, wording=parts.wording)
