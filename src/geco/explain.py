"""Algorithm 1 and Explainer: where search and model meet. Read this file first.

once per deployment   PLAF text ▶ CheckedProgram(Γ, C)   table ▶ Database(D) ▶ Domain        classifier ▶ BlackBox
once per instance x   ground ▶ GroundedRules(C_x)        feasible_space ▶ FeasibleSpace(DG)  evaluator ▶ M
once per round        ask ▶ Proposal                     evaluate ▶ Outcome                  tell ▶ Population
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, Literal

from geco.conclude import conclude
from geco.data.database import Database
from geco.data.domain import Domain
from geco.describe import describe
from geco.errors import DataError, SettingsError, did_you_mean
from geco.explanation import Explanation
from geco.instance import read_instance
from geco.models.callable import BlackBox
from geco.models.evaluate import Materialize
from geco.models.meter import Meter
from geco.models.target import Target
from geco.params import Params
from geco.plaf.checker import check_program
from geco.plaf.syntax import Program
from geco.search.base import Method
from geco.search.frontier import Frontier
from geco.search.genetic import Genetic
from geco.space.check import violations
from geco.space.distance import Distance
from geco.space.feasible import Deployment, feasible_space
from geco.space.ground import ground
from geco.trace import Trace

METHODS: dict[str, type[Genetic] | type[Frontier]] = {"frontier": Frontier, "genetic": Genetic}


class Explainer:
    """Explains single decisions of one model over one database under one PLAF program.

    Parameters
    ----------
    model : any object with ``predict_proba`` or ``predict``, or any callable on a frame or an array.
    database : D.
    program : PLAF rules and groups; none if left out.
    target : what is good: a label, a set of labels, a threshold such as 0.7, an interval ``(low, high)``, or a
        `geco.Target`. Models with labels 0/1 or False/True need none.
    margin : how far beyond the bare minimum answers must stay.
    method : ``"genetic"``, or an object such as ``geco.Genetic(q=200)``.
    params : the distance, see `geco.Params`.
    verify : confirm every answer by the user's own model object before it is returned.
    input : whether the model takes a ``"frame"`` or an ``"array"``; found out by asking it if ``"auto"``.
    """

    def __init__(
        self,
        model: Any,
        database: Database,
        program: Program | None = None,
        *,
        target: Any = None,
        margin: float = 0.0,
        method: str | Method = "genetic",
        params: Params | None = None,
        verify: bool = True,
        input: Literal["auto", "frame", "array"] = "auto",
    ) -> None:
        if not isinstance(database, Database):
            raise DataError(
                f"database must be a geco.Database, got {type(database).__name__}; use Database.from_frame(...)"
            )
        self.program = check_program(_program(program), database.schema)
        for feature in self.program.schema:
            if feature.type == "text" and feature.kind == "ordinal" and feature.order is None:
                raise DataError(
                    f"{feature.name!r} is ordinal text without an order; "
                    f"write ORDER {feature.name}: 'low' < 'high' in PLAF"
                )
        self.method = _method(method)
        self.verify = verify
        groups = self.program.groups
        self.domain = Domain.build(
            database, [g.features for g in groups], self.program.schema, [g.onehot for g in groups]
        )
        self.params = params or Params()
        self.model = BlackBox(model, database, self.domain, Target.of(target, margin), input)
        self.deployment = Deployment(self.domain, self.program, Distance(self.domain, self.params), self.model.used)

    def explain(
        self,
        x: Any,
        k: int = 5,
        seed: int = 0,
        deadline: float | None = None,
        max_evals: int | None = None,
        diverse: bool = True,
    ) -> Explanation:
        """What to change in x to make the outcome good.

        Parameters
        ----------
        x : dict, Series or one-row frame with a value for every feature.
        k : how many answers at most.
        seed : same inputs and seed, same answer.
        deadline : seconds after which the best found so far is returned.
        max_evals : rows the model may be asked about, x and the confirmation included.
        diverse : at most one answer per set of changed groups, each irreducible; otherwise the top k by score.
        """
        started = perf_counter()
        _check_whole("k", k, 1)
        _check_whole("seed", seed, 0)
        trace = Trace()
        meter = Meter(trace, deadline, max_evals, kept_rows=2 * k + 1 if self.verify else 0)
        instance = read_instance(x, self.domain)
        grounded = ground(instance, self.program.rules)  # C_x
        space = feasible_space(self.deployment, grounded, instance)  # DG
        search = self.method.search(space, k, seed, diverse, trace)
        evaluate = Materialize(self.model, space, meter, trace)
        while not search.converged and meter.stopped_by is None:
            proposal = search.ask()  # crossover ∪ mutate
            search.tell(proposal, evaluate(proposal))  # selectFittest, TOPK
            if evaluate.x_outcome > 0.5 and space.x_obeys:
                break  # already good
        return conclude(space, search, evaluate, k, self.verify, trace, started)

    def check(self, x: Any, x_cf: Any) -> list[str]:
        """The rules that x_cf breaks for this x, in words; empty when all hold. Independent of the search."""
        return violations(self.program, self.domain, read_instance(x, self.domain), read_instance(x_cf, self.domain))

    def describe(self) -> str:
        """How the model is asked and why, the groups with their domain sizes, the rules and the memory used."""
        return describe(self)


def _program(program: Program | None) -> Program:
    if program is None:
        return Program()
    if not isinstance(program, Program):
        raise SettingsError(
            f"program must come from geco.read_plaf(path) or geco.parse_plaf(text), got {type(program).__name__}"
        )
    return program


def _method(method: str | Method) -> Method:
    if isinstance(method, str):
        if method not in METHODS:
            raise SettingsError(
                f"there is no method {method!r}{did_you_mean(method, list(METHODS))}; choose from {', '.join(METHODS)}"
            )
        return METHODS[method]()
    if not hasattr(method, "search"):
        raise SettingsError(f"method must be a name or an object such as geco.Genetic(), got {method!r}")
    return method


def _check_whole(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise SettingsError(f"{name} must be a whole number of at least {least}, got {value!r}")
