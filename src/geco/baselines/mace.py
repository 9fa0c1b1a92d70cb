"""MACE: the nearest counterfactual by satisfiability (Karimi et al., AISTATS 2020), on z3.

Model and rules become a formula, and the bound of the distance is narrowed by bisection to ``epsilon``. It needs a
model whose structure can be read: a tree, a small forest, a linear model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from geco import _core
from geco.answers.explanation import Explanation
from geco.baselines.base import OnPoints, nearest_answers
from geco.baselines.formula import RESERVED, Bisection, Formula, Solution
from geco.baselines.solved import Solved
from geco.baselines.structure import OutOfTime, check_suitable
from geco.baselines.unknowns import z3_library
from geco.data.instance import read_instance
from geco.errors import SettingsError, shown
from geco.given import choice, number
from geco.models.compiling.compiled import Compiled
from geco.params import Params
from geco.population.base import Outcome, Proposal, Rows, W, Ways
from geco.search.base import Archive, Kind, Prove, StoppedBy, Task
from geco.space.deployment import Deployment
from geco.words import Words

if TYPE_CHECKING:
    from geco.data.database import Database
    from geco.explainer import Explainer


@dataclass(frozen=True)
class Mace(OnPoints):
    """Settings of MACE.

    Parameters
    ----------
    epsilon : the answer is at most this much farther than the nearest one.
    domain : ``"active"``: only values that occur in D, as all methods of geco. ``"continuous"``: any number between the
        smallest and the largest of D, as in MACE; such answers lie off D's tables, so they come from
        `Mace.explain` and not from an Explainer with this method.

    Notes
    -----
    The distance must be ℓ1 alone (``alpha = gamma = 0``). Answers are not promised to be irreducible: within
    ``epsilon`` the solver may change anything.
    """

    epsilon: float = 1e-3
    domain: Literal["active", "continuous"] = "active"

    def __post_init__(self) -> None:
        if not (number(self.epsilon) or 0.0) > 0:
            raise SettingsError(f"epsilon must be a positive number, got {shown(self.epsilon)}")
        choice("domain", self.domain, ("active", "continuous"))

    @property
    def several_models(self) -> bool:
        return False

    def near(self, params: Params) -> Params:
        return params.l1_alone("MACE")

    def prepare(self, database: Database, deployment: Deployment, compiled: object) -> MaceOn:
        """Keep what the formula is made of; once per Explainer."""
        if self.domain == "continuous":
            raise SettingsError(
                "answers over the continuous domain lie off the tables of D, where an Explainer cannot look them up; "
                'call geco.Mace(domain="continuous").explain(explainer, x) with an Explainer of any other method'
            )
        return self.on(deployment, compiled)

    def on(self, deployment: Deployment, compiled: object) -> MaceOn:
        """Ready for this model."""
        z3_library()
        params = deployment.distance.params
        if params.alpha or params.gamma:
            raise SettingsError("MACE does not combine norms; give Params with alpha=0, beta=1 and gamma=0")
        if not isinstance(compiled, Compiled):
            reason = getattr(compiled, "reason", "it was not compiled")
            raise SettingsError(f"MACE needs a tree, a forest or a linear model that geco can read: {reason}")
        check_suitable(compiled)
        return MaceOn(self, deployment, compiled)

    def explain(self, explainer: Explainer, x: Any, deadline: float | None = None) -> Explanation:
        """The nearest counterfactual by this method's domain; model, rules and distance are those of the explainer.

        Parameters
        ----------
        explainer : of any method, with a model that geco can read.
        x : as in ``Explainer.explain``.
        deadline : seconds after which the best found so far is returned.
        """
        near = self.near(explainer.params)
        if near is not explainer.params:
            explainer = explainer._of(explainer._parts.asked_with(Words(params=near)))
        ready = self.on(explainer.deployment, explainer.compiled)
        active = self.domain == "active"
        return Solved(explainer, ready.compiled, read_instance(x, explainer.domain), active, self.epsilon, deadline)()


@dataclass(frozen=True, eq=False)
class MaceOn:
    """MACE, ready: its settings, and the model that its formula is made of."""

    settings: Mace
    deployment: Deployment
    compiled: Compiled

    @property
    def several_models(self) -> bool:
        return False

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return self.settings.kinds

    def near(self, params: Params) -> Params:
        return self.settings.near(params)

    def proves(self, prove: Prove) -> Prove:
        return self.settings.proves(prove)

    def way(self, ways: Ways[W]) -> W:
        return self.settings.way(ways)

    def prepare(self, database: Database, deployment: Deployment, compiled: object) -> MaceOn:
        return self.settings.prepare(database, deployment, compiled)

    def renewed(self, deployment: Deployment, compiled: object) -> MaceOn:
        """The same settings for this model."""
        return self.settings.on(deployment, compiled)

    def search(self, task: Task) -> MaceSearch:
        """A run for one x over the active domain."""
        return MaceSearch(task, self)

    def __repr__(self) -> str:
        return repr(self.settings)


class MaceSearch:
    """One run for one x: a round is one solution of the formula, whose outcome narrows the bound."""

    limit = "the solver gave no verdict"
    proof = None
    native = None

    def __init__(self, task: Task, method: MaceOn) -> None:
        self.space, self.method, self.trace, self.clock = task.space, method, task.trace, task.clock
        self.k, self.ways = task.k, task.ways
        self.archive = Archive(self.space)
        self.counts = _core.CascadeCounts(self.space.core)
        self.bisection: Bisection | None = None
        self.solution: Solution | None = None
        self.answers: list[Solution] = []
        self.best_yet: Solution | None = None
        self.converged = False
        self.stopped_by: StoppedBy = "converged"

    def ask(self) -> Proposal:
        self.solution = None
        if self.trace.generations and self.bisection is None:
            try:
                with self.trace.lap("formula"):
                    self.bisection = self._begin()
            except OutOfTime:
                self.converged, self.stopped_by = True, "deadline"
        if self.bisection is not None:  # the first round is about x alone: it may be good already
            with self.trace.lap("solve"):
                self._solve(self.bisection)
        if self.solution is None or self.bisection is None:
            return Proposal.of_points(self.space.x_rows[:0])
        return Proposal.of_points(self.archive.claim(self.bisection.formula.rows(self.solution)[None]))

    def _begin(self) -> Bisection:
        method = self.method
        formula = Formula(self.space, method.deployment, method.compiled, active=True, clock=self.clock)
        return Bisection(formula, method.settings.epsilon)

    def _solve(self, bisection: Bisection) -> None:
        """Until there is a solution to score, or nothing left to find, or no time."""
        while not self.converged and self.solution is None:
            if bisection.narrow and self.best_yet is not None:
                self._next_answer(bisection, self.best_yet)
                continue
            verdict = bisection.step(self.clock.left - RESERVED)
            if isinstance(verdict, Solution):
                if not bisection.formula.cut(verdict):
                    self.solution = verdict
            elif verdict == "unknown":  # out of time, or beyond what the solver can decide
                self.converged, self.stopped_by = True, "deadline" if self.clock.left <= 2 * RESERVED else "budget"
            elif bisection.high == np.inf:
                self.converged, self.stopped_by = True, "converged" if self.answers else "exhausted"

    def _next_answer(self, bisection: Bisection, answer: Solution) -> None:
        self.answers.append(answer)
        self.best_yet = None
        self.converged = len(self.answers) == self.k
        bisection.formula.rule_out(answer, same_groups=self.ways != "top")
        bisection.high = np.inf

    def tell(self, proposal: Proposal, outcome: Outcome) -> None:
        self.trace.generations += 1
        self.archive.score_latest(outcome.points, outcome.point_numbers)
        if self.solution is None or self.bisection is None:
            return
        scored = self.archive.look_up(self.bisection.formula.rows(self.solution))
        if scored.outcome > 0.5:
            self.best_yet = self.solution
            self.bisection.found(self.solution)
        else:  # next to a threshold the model's rounding may decide otherwise than exact numbers do
            self.bisection.formula.rule_out(self.solution, same_groups=False)

    def best(self, n: int) -> Rows:
        """The nearest solutions."""
        return nearest_answers(self.archive, n, self.ways)
