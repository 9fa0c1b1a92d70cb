"""The searches under contract: every method there is, and some with other settings; how their proposals are seen.

A method is enrolled by its entry in METHODS and promises everything. What it does not promise, or needs, it says in
DECLARED.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.tree import DecisionTreeClassifier

import geco
from geco.methods import METHODS, class_of
from geco.population.base import Outcome, Proposal
from geco.search.base import Search, Task
from geco.space.feasible import feasible_space
from geco.space.ground import ground
from geco.trace import Trace
from generators.fitted import Codes
from strategies import Problem, random_problem

MOST_ROUNDS = 200
K = 3


@dataclass(frozen=True)
class Case:
    """A method, what it needs, and what it does not promise."""

    method: Any
    reads_the_model: bool = False  # then problems have a fitted tree, and what the search is told is true
    params: dict[str, float] | None = None  # of the distance, where it takes no others
    irreducible: bool = True  # of k different ways, no change can be left out
    proposes_once: bool = True  # a proof may judge again what was scored before it began


DECLARED = {
    "exact": Case(geco.Exact(), reads_the_model=True, proposes_once=False),
    "wit": Case(geco.Wit(), irreducible=False),
    "certifai": Case(geco.Certifai(generations=20), irreducible=False),
    "simcf": Case(geco.SimCF(), irreducible=False),
    "mace": Case(geco.Mace(), reads_the_model=True, params={}, irreducible=False),
}
FURTHER = {
    "genetic on the listing": Case(geco.Genetic(representation="listing")),
    "genetic mutating the best only": Case(geco.Genetic(mutate="best")),
    "a small genetic": Case(geco.Genetic(q=10, m_init=2, m_mut=1)),
    "wit in small rounds": Case(geco.Wit(rows=2), irreducible=False),
}
CASES = {name: DECLARED.get(name) or Case(class_of(name)()) for name in METHODS} | FURTHER


@dataclass
class Game:
    """One run of a search: its task, the search at its end, and the candidates of every round as rows.

    A swept line shows all rows of its group, also those that no rule allows: they are known, but not proposed.
    """

    task: Task
    search: Search
    proposals: list[np.ndarray] = field(default_factory=list)
    known: set[tuple[int, ...]] = field(default_factory=set)

    def keep(self, proposal: Proposal) -> Proposal:
        every = np.concatenate([proposal.points, proposal.lines.as_points()])
        self.proposals.append(proposal.points if self.task.lines.swept else every)
        self.known.update(map(tuple, every.tolist()))
        return proposal

    @property
    def proposed(self) -> list[tuple[int, ...]]:
        return [tuple(row) for points in self.proposals for row in points.tolist()]


def problem_of(case: Case, seed: int) -> Problem:
    """The random problem of this seed, with a model that the method can read where it has to."""
    problem = random_problem(seed)
    if case.params is not None:
        problem = replace(problem, params=case.params)
    if not case.reads_the_model:
        return problem
    outcome = problem.outcome(problem.frame)
    good = outcome > np.quantile(outcome, 0.6)
    fitted = replace(problem, model=_tree(problem.frame, good), tags=problem.tags | {"fitted"})
    x = pd.DataFrame([problem.x])[list(problem.frame.columns)]
    return fitted if fitted.outcome(x)[0] <= 0.5 else replace(fitted, model=_tree(problem.frame, ~good))


def play(case: Case, explainer: geco.Explainer, x: dict[str, Any]) -> Game:
    """The loop from beginning to end; the outcomes are random unless the method reads the model."""
    return _explained(explainer, x) if case.reads_the_model else _random(explainer, x)


def begin(explainer: geco.Explainer, x: dict[str, Any]) -> Game:
    """The same before its first round."""
    space = feasible_space(explainer.deployment, ground(x, explainer.program.rules), x)
    task = Task(space, Trace(), K)
    return Game(task, explainer.method.search(task))


def told(proposal: Proposal, outcome: np.ndarray) -> Outcome:
    """These outcomes of the points and then of the rows of the lines."""
    n = len(proposal.points)
    return Outcome(outcome[:n], outcome[n:], outcome[:n], outcome[n:])


def _random(explainer: geco.Explainer, x: dict[str, Any]) -> Game:
    game, rng = begin(explainer, x), np.random.default_rng(0)
    while not game.search.converged and len(game.proposals) < MOST_ROUNDS:
        proposal = game.keep(game.search.ask())
        game.search.tell(proposal, told(proposal, rng.random(len(game.proposals[-1]))))
    return game


def _explained(explainer: geco.Explainer, x: dict[str, Any]) -> Game:
    """Explain x, and keep what the search of that run proposes."""
    games: list[Game] = []
    watched = replace(explainer._parts, method=_Watched(explainer.method, games.append))
    with patch("geco.algorithm1.Rounds.of", return_value=None):  # in Python, where proposals can be seen
        geco.Explainer._of(watched).explain(x, k=K)
    return games[0]


@dataclass(frozen=True)
class _Watched:
    """A method whose search is handed on when it is made."""

    method: Any
    seen: Callable[[Game], object]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.method, name)

    def search(self, task: Task) -> Search:
        search = self.method.search(task)
        game, ask = Game(task, search), search.ask
        search.ask = lambda: game.keep(ask())
        self.seen(game)
        return search


def _tree(frame: pd.DataFrame, good: np.ndarray) -> Pipeline:
    labels = good.astype(int)
    labels[:2] = 0, 1  # both occur
    return make_pipeline(Codes(), DecisionTreeClassifier(max_depth=4, random_state=0)).fit(frame, labels)
