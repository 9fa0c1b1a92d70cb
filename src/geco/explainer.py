"""Explainer: what a user holds; built once, asked often. It puts the rooms together; the loop is in algorithm1.py."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import replace
from os import PathLike
from typing import Any, Literal, Self

from geco.algorithm1 import Steps, algorithm1
from geco.answers.explanation import Explanation
from geco.answers.explanations import Explanations, failed, never_begun
from geco.answers.progress import Progress, progress_bar
from geco.data.database import Database
from geco.data.domain import Domain
from geco.data.instance import read_instance
from geco.describe import describe
from geco.errors import DataError, InstanceError, ModelError, SettingsError, shown
from geco.given import switch
from geco.lockstep.collector import seldom_collecting
from geco.lockstep.instances import count, instances
from geco.lockstep.lockstep import cores, lockstep, runs_at_once
from geco.methods import SAVED, method_of
from geco.models.asking.blackbox import BlackBox
from geco.models.asking.inputs import Source
from geco.models.asking.meter import Budget, Clock
from geco.models.compiling.adapt import NotCompiled
from geco.models.compiling.compiled import Compiled, compile_model
from geco.models.compiling.conditions import conditions_of
from geco.models.goal.target import Asked, Target
from geco.models.scoring.evaluator import evaluator
from geco.models.scoring.materialize import Materialize
from geco.models.scoring.together import Together
from geco.params import Params
from geco.plaf.checker import check_program
from geco.plaf.syntax import Program
from geco.question import Question
from geco.questions.recheck import Rechecks, explanations_of, recheck
from geco.saved.explainer import load_explainer, pack_explainer, save_explainer, unpack_explainer
from geco.search.base import Method, Prepared
from geco.space.check import violations
from geco.space.distance import Distance
from geco.space.feasible import Deployment, FeasibleSpace
from geco.trace import Trace
from geco.whole import whole

LOG = logging.getLogger("geco")
LOG.addHandler(logging.NullHandler())
MOST_THREADS = 1024


class Explainer:
    """Explains single decisions of one model over one database under one PLAF program.

    Parameters
    ----------
    model : any object with ``predict_proba`` or ``predict``, or any callable on a frame or an array; a list of models
        for answers that are good under all of them.
    database : D.
    program : PLAF rules and groups; none if left out.
    target : what is good: a label, a set of labels, a threshold such as 0.7, an interval ``(low, high)``, or a
        `geco.Target`. Models with labels 0/1 or False/True need none.
    margin : how far beyond the bare minimum answers must stay.
    method : ``"frontier"`` (ours, the default), ``"genetic"`` (the paper's) or ``"exact"`` (trees and forests: the
        nearest answer, proved), or an object such as ``geco.Frontier(max_rounds=30)`` or ``geco.Genetic(q=200)``.
        The systems the paper compares with, for comparison: ``"wit"``, ``"certifai"``, ``"simcf"``, ``"mace"``.
    params : the distance, see `geco.Params`.
    verify : confirm every answer by the user's own model object before it is returned.
    compile : read the model's own arrays where geco knows how to (``describe()`` says what became of it), so that only
        the confirmation is left to ask of it.
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
        method: str | Method = "frontier",
        params: Params | None = None,
        verify: bool = True,
        input: Literal["auto", "frame", "array"] = "auto",
        compile: bool = True,
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
        if params is not None and not isinstance(params, Params):
            raise SettingsError(f"params must be geco.Params(...), got {shown(params)}")
        self.method = method_of(method)
        self.verify = switch("verify", verify)
        groups = self.program.groups
        self.domain = Domain.build(
            database, [g.features for g in groups], self.program.schema, [g.onehot for g in groups]
        )
        self.params = params or Params()
        self.asked = Asked(Target.of(target, margin), input, switch("compile", compile))
        reads = self._take(model, database)
        if isinstance(self.method, Prepared):
            self.method = self.method.prepare(database, self.deployment, reads)

    def _take(self, model: Any, source: Database | Source) -> Compiled | NotCompiled | None:
        """Look at the model, or at each of several; what became of the first."""
        models = list(model) if isinstance(model, list | tuple) else [model]
        if not models:
            raise ModelError("model is an empty list; give one model, or several that must all agree")
        if len(models) > 1 and self.method.evaluation == "bound":
            raise SettingsError(f"method='exact' takes one model, not {len(models)}")
        if len(models) > 1 and isinstance(self.method, Prepared):
            raise SettingsError(f"{type(self.method).__name__} takes one model, not {len(models)}")
        boxes = [BlackBox(each, source, self.domain, self.asked.target, self.asked.input) for each in models]
        reads = [self._read(box, self.asked.compile) for box in boxes]
        judges = [(box, read if isinstance(read, Compiled) else None) for box, read in zip(boxes, reads, strict=True)]
        (self.model, self.compiled), self.others = judges[0], judges[1:]
        used = frozenset[str]().union(*(box.used for box in boxes))
        self.deployment = Deployment(self.domain, self.program, Distance(self.domain, self.params), used)
        return reads[0]

    def _read(self, box: BlackBox, compile: bool) -> Compiled | NotCompiled | None:
        """The model in the native core, or why it is not there; None if the method has no use for that."""
        if not compile:
            reads: Compiled | NotCompiled | None = NotCompiled("compile=False")
        else:
            reads = compile_model(box) if self.method.compiles else None
        if reads is not None:
            box.why = reads.why
        if isinstance(reads, NotCompiled) and self.method.evaluation == "specialize":
            raise SettingsError(
                f"evaluation='specialize' needs a compiled model, and this one cannot be: {reads.reason}; "
                "use evaluation='materialize'"
            )
        if self.method.evaluation == "bound":
            conditions_of(reads or NotCompiled("it was not read"))  # raises where there are none
        return reads

    def explain(
        self,
        x: Any,
        k: int = 5,
        seed: int = 0,
        deadline: float | None = None,
        max_evals: int | None = None,
        diverse: bool = True,
        on_round: Callable[[Progress], object] | None = None,
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
        on_round : called with a `geco.Progress` after every round. If it returns False the search ends there, as at a
            deadline: the best so far is confirmed and returned. What it raises ends the call.
        """
        clock = Clock(deadline)
        if on_round is not None and not callable(on_round):
            raise SettingsError(f"on_round must be a function of a geco.Progress, got {shown(on_round)}")
        run = self._run(x, Question(k, seed, max_evals, diverse), clock, on_round)
        [(_, explanation)] = lockstep(iter([run]), clock, most=1)
        return explanation

    def explain_many(
        self,
        frame: Any,
        k: int = 5,
        seed: int = 0,
        deadline: float | None = None,
        max_evals: int | None = None,
        diverse: bool = True,
        progress: bool = False,
        threads: int | None = None,
    ) -> Explanations:
        """Explain every row, with model calls shared by many rows; the answers are those of ``explain``, row by row.

        A row that cannot be explained (a feature is missing, the model fails on it) gets the status ``failed`` and the
        error's sentence as reason; the others are not affected.

        Parameters
        ----------
        frame : a pandas, polars or pyarrow frame, or any iterable of what ``explain`` takes.
        k, seed, max_evals, diverse : as in ``explain``, for each row; the seed is the same for all.
        deadline : seconds for the whole batch. Rows not begun by then have the status ``none_found``.
        progress : show a progress bar on stderr.
        threads : of the native core, for searches over compiled models; as many as there are cores if None.
        """
        clock, question = Clock(deadline), Question(k, seed, max_evals, diverse)
        threads = cores() if threads is None else whole("threads", threads, 1, MOST_THREADS)
        given = instances(frame)
        runs = (self._safe_run(x, question, clock) for x in given)
        explanations: dict[int, Explanation] = {}
        with seldom_collecting(), progress_bar(count(frame), switch("progress", progress)) as advance:
            for number, explanation in lockstep(runs, clock, runs_at_once(self.domain), threads):
                explanations[number] = explanation
                advance()
        left = [never_begun(x, self.model.goal.words) for x in given]
        return Explanations([*(explanations[number] for number in sorted(explanations)), *left])

    def _run(
        self, x: Any, question: Question, clock: Clock, on_round: Callable[[Progress], object] | None = None
    ) -> Steps:
        return algorithm1(x, question, self.deployment, self.method, self._evaluator, self.verify, clock, on_round)

    def _evaluator(self, space: FeasibleSpace, budget: Budget, trace: Trace, clock: Clock) -> Materialize:
        way = self.method.evaluation
        if self.others and way == "sweep":
            way = "points"  # what one model cannot tell apart another may
        judges = [(self.model, self.compiled), *self.others]
        parts = [evaluator(model, compiled, way, space, budget, trace, clock) for model, compiled in judges]
        return Together(parts) if self.others else parts[0]

    def _safe_run(self, x: Any, question: Question, clock: Clock) -> Steps:
        """A run for a batch: an error that concerns this x alone becomes its explanation."""
        try:
            return (yield from self._run(x, question, clock))
        except (InstanceError, DataError, ModelError) as error:
            LOG.info("failed: %s", error)
            return failed(x, self.model.goal.words, error)

    def recheck(self, explanations: Explanation | Iterable[Explanation], model: Any) -> Rechecks:
        """Which earlier answers hold under a new model, and what takes the place of the others.

        Parameters
        ----------
        explanations : of this Explainer, or of one with the same features.
        model : the new one; asked with the same target, rules and D.
        """
        given = explanations_of(explanations)
        renewed = copy(self)
        source = self.model.inputs.source
        renewed.asked = replace(self.asked, input="array") if self.model.inputs.form == "array" else self.asked
        reads = renewed._take(model, source)
        if isinstance(self.method, Prepared):
            renewed.method = self.method.renewed(renewed.deployment, reads)
        return recheck(given, [renewed.model, *(box for box, _ in renewed.others)], self.domain, renewed.explain_many)

    def check(self, x: Any, x_cf: Any) -> list[str]:
        """The rules that x_cf breaks for this x, in words; empty when all hold. Independent of the search."""
        return violations(self.program, self.domain, read_instance(x, self.domain), read_instance(x_cf, self.domain))

    def save(self, path: str | PathLike[str]) -> None:
        """Write all that is needed to explain, but neither D nor the model, into one file (docs/saved.md).

        Raises
        ------
        SavedFileError : the file cannot be written, or something in it has no place in such a file.
        """
        save_explainer(self, path, SAVED)

    @classmethod
    def load(cls, path: str | PathLike[str], model: Any = None) -> Self:
        """The explainer that was saved, with bit-identical answers. No code in the file is run.

        Parameters
        ----------
        path : a file made by `save`.
        model : the model that was saved; it is asked once whether it is. Without it a compiled model answers alone:
            ``verify`` is off, every explanation notes that it is not confirmed, and an x with values that D does not
            have may need the model.

        Raises
        ------
        SavedFileError : the file cannot be read, is damaged or of a newer version, or needs its model.
        ModelDisagreement : the model is another one.
        """
        explainer = cls.__new__(cls)
        vars(explainer).update(load_explainer(path, model, SAVED))
        return explainer

    def __getstate__(self) -> tuple[bytes, Any]:
        """For pickle, and so for worker processes: what `save` writes, and the model as pickle has it."""
        return pack_explainer(self, SAVED), self.model.own

    def __setstate__(self, state: tuple[bytes, Any]) -> None:
        vars(self).update(unpack_explainer(*state, SAVED))

    def __copy__(self) -> Self:
        """Shares every part."""
        explainer = type(self).__new__(type(self))
        vars(explainer).update(vars(self))
        return explainer

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
