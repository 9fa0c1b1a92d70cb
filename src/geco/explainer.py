"""Explainer: what a user holds; built once, asked often. It puts the rooms together; the loop is in algorithm1.py."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

from geco.answers.explanation import Explanation
from geco.answers.explanations import Explanations, never_begun
from geco.answers.labels import Label, read_labels
from geco.answers.progress import OnRound, progress_bar
from geco.data.instance import read_instance
from geco.errors import SettingsError, shown
from geco.given import switch
from geco.held import Held
from geco.lockstep.collector import seldom_collecting
from geco.lockstep.instances import count
from geco.lockstep.lockstep import alone
from geco.many import Given, explained
from geco.models.asking.meter import Clock
from geco.params import Params
from geco.parts import Parts, build
from geco.plaf.syntax import Program
from geco.question import Question
from geco.questions.asked import asked
from geco.questions.asks import Asks
from geco.saved.explainer import load_parts, pack_parts, save_parts, unpack_parts
from geco.search.base import Kind, Method, Prove
from geco.words import Asking, Words

if TYPE_CHECKING:
    from geco.data.database import Database
    from geco.questions.recheck import Rechecks

LOG = logging.getLogger("geco")
LOG.addHandler(logging.NullHandler())


class Explainer(Held, Asks):
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
    verify : confirm every answer by the user's model object before it is returned.
    compile : read the model's arrays where geco knows how to (``describe()`` says what became of it), so that only
        the confirmation is left to ask of it.
    labels : per feature or ONEHOT set how people are told of it: a `geco.Label`, or its name alone.
    codes : per feature or ONEHOT set the code and the text by which `reasons` names it: a pair, or the text alone.
    strict : make errors of `warnings`: rules that do nothing, columns that the model does not read, and the like.
    prove : how far it is proved that nothing nearer exists, where the model is a compiled tree or forest. ``"quick"``:
        a fixed number of steps, the same answer on every machine; a number: so many seconds per x; False: not at all.
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
        labels: Mapping[str, Label | str] | None = None,
        codes: Mapping[str, Any] | None = None,
        strict: bool = False,
        prove: Prove = "quick",
    ) -> None:
        self._parts = build(
            model,
            database,
            program,
            target=target,
            margin=margin,
            method=method,
            params=params,
            verify=verify,
            input=input,
            compile=compile,
            labels=read_labels(labels),
            codes=codes,
            strict=strict,
            prove=prove,
        )

    @classmethod
    def _of(cls, parts: Parts) -> Self:
        """An explainer of parts that are built already, so that ``__init__`` has nothing left to do."""
        explainer = cls.__new__(cls)
        explainer._parts = parts
        return explainer

    def explain(
        self,
        x: Any,
        k: int = 5,
        seed: int = 0,
        deadline: float | None = None,
        max_evals: int | None = None,
        ways: Kind | None = None,
        on_round: OnRound | None = None,
        *,
        ranges: bool = True,
        prove: Prove | None = None,
        diverse: object = None,
        **words: Unpack[Asking],
    ) -> Explanation:
        """What to change in x to make the outcome good.

        Parameters
        ----------
        x : dict, Series or one-row frame with a value for every feature.
        k : how many answers at most.
        seed : same inputs and seed, same answer.
        deadline : seconds after which the best found so far is returned.
        max_evals : rows the model may be asked about, x and the confirmation included.
        ways : what counts as another answer. ``"minimal"``: one that contains a nearer one counts only if it halves
            every change the two share, so that nothing in an answer can be left out. ``"sets"``: at most one answer per
            set of changed groups, of which no single change can be undone. ``"top"``: the top k by distance, as in the
            paper. The systems the paper compares with know ``"sets"``, which is their default, and ``"top"``.
        on_round : called with a `geco.Progress` after every round. If it returns False the search ends there, as at a
            deadline: the best so far is confirmed and returned. What it raises ends the call.
        ranges : say for every change what else would do, the rest as in the answer.
        prove : in place of the Explainer's.
        fixed : features that may not change, for this question.
        only : the features that may change; all others are fixed.
        rules : PLAF text or a Program with PLAF, FIXED, INCREASE and DECREASE, on top of the Explainer's.
        target, margin, params : in place of the Explainer's; a threshold alone is about the labels it has.
        """
        clock = Clock(deadline)
        if on_round is not None and not callable(on_round):
            raise SettingsError(f"on_round must be a function of a geco.Progress, got {shown(on_round)}")
        question = self._question(k, seed, max_evals, ways, ranges, prove, diverse)
        parts = self._parts.asked_with(Words.of(words))
        return alone(asked(x, question, parts, clock, on_round), clock)

    def explain_many(
        self,
        frame: Any,
        k: int = 5,
        seed: int = 0,
        deadline: float | None = None,
        max_evals: int | None = None,
        ways: Kind | None = None,
        progress: bool = False,
        threads: int | None = None,
        id: str | None = None,
        *,
        ranges: bool = True,
        prove: Prove | None = None,
        diverse: object = None,
        **words: Unpack[Asking],
    ) -> Explanations:
        """Explain every row, with model calls shared by many rows; the answers are those of ``explain``, row by row.

        A row that cannot be explained (a feature is missing, the model fails on it) gets the status ``failed`` and the
        error's sentence as reason; the others are not affected.

        Parameters
        ----------
        frame : a pandas, polars or pyarrow frame, or any iterable of what ``explain`` takes.
        k, seed, max_evals, ways, ranges, prove : as in ``explain``, for each row; the seed is the same for all.
        deadline : seconds for the whole batch. Rows not begun by then have the status ``none_found``.
        progress : show a progress bar on stderr.
        threads : of the native core, for searches over compiled models; as many as there are cores if None.
        id : a column of the frame that names its rows; it is no part of x, and comes back in ``ids`` and ``to_frame``.
        fixed, only, rules, target, margin, params : as in ``explain``, for all rows.
        """
        clock, question = Clock(deadline), self._question(k, seed, max_evals, ways, ranges, prove, diverse)
        parts = self._parts.asked_with(Words.of(words))
        given = Given(frame, id, self.domain)
        explanations: dict[int, Explanation] = {}
        with seldom_collecting(), progress_bar(count(frame), switch("progress", progress)) as advance:
            for number, explanation in explained(given, question, parts, clock, threads):
                explanations[number] = explanation
                advance()
        left = [never_begun(x, parts.model.goal.words) for x in given]
        done = [explanations[number] for number in sorted(explanations)]
        return Explanations([*done, *left], None if id is None else given.ids, id)

    def explain_iter(
        self,
        frame: Any,
        id: str | None = None,
        k: int = 5,
        seed: int = 0,
        deadline: float | None = None,
        max_evals: int | None = None,
        ways: Kind | None = None,
        threads: int | None = None,
        ranges: bool = True,
        prove: Prove | None = None,
        **words: Unpack[Asking],
    ) -> Iterator[tuple[int, Any, Explanation]]:
        """Number, id and explanation of every row, as they end, so that nothing is held back or kept.

        Parameters are those of ``explain_many``. A row that the source fails to give is a ``failed`` one, and the next
        is asked for. Rows that the deadline did not reach are not yielded.
        """
        clock, question = Clock(deadline), self._question(k, seed, max_evals, ways, ranges, prove)
        parts = self._parts.asked_with(Words.of(words))
        given = Given(frame, id, self.domain, tolerant=True)
        with seldom_collecting():
            for number, explanation in explained(given, question, parts, clock, threads):
                yield number, given.ids[number], explanation

    def _question(
        self,
        k: int,
        seed: int,
        max_evals: int | None,
        ways: Kind | None,
        ranges: bool,
        prove: object,
        diverse: object = None,
    ) -> Question:
        proves = self._parts.prove if prove is None else prove
        return Question.of(self.method, k, seed, max_evals, ways, diverse, ranges=ranges, prove=proves)

    def recheck(self, explanations: Explanation | Iterable[Explanation], model: Any) -> Rechecks:
        """Which earlier answers hold under a new model, and what replaces the others.

        Parameters
        ----------
        explanations : of this Explainer, or of one with the same features.
        model : the new one; asked with the same target, rules and D.
        """
        from geco.questions.recheck import explanations_of, recheck

        given = explanations_of(explanations)
        parts = self._parts.renewed(model)
        models = [member.box for member in parts.panel.members]
        return recheck(given, models, self.domain, self._of(parts).explain_many)

    def check(self, x: Any, x_cf: Any) -> list[str]:
        """The rules that x_cf breaks for this x, in words; empty when all hold. Independent of the search."""
        return self.deployment.check(read_instance(x, self.domain), read_instance(x_cf, self.domain))

    def save(self, path: str | PathLike[str], rows: bool = False) -> None:
        """Write all that is needed to explain, but neither D nor the model, into one file (docs/saved.md).

        Parameters
        ----------
        path : of the file.
        rows : also write the distinct rows of D, which `nearest_row` needs; they can be read from the file.

        Raises
        ------
        SavedFileError : the file cannot be written, or something in it has no place in such a file.
        """
        save_parts(self._parts, path, switch("rows", rows))

    @classmethod
    def load(cls, path: str | PathLike[str], model: Any = None) -> Self:
        """The explainer that was saved, with bit-identical answers. No code in the file is run.

        Parameters
        ----------
        path : a file made by `save`.
        model : the model that was saved; this is checked by asking it. Without it a compiled model answers alone:
            ``verify`` is off, every explanation notes that it is not confirmed, and an x with values that D does not
            have may need the model.

        Raises
        ------
        SavedFileError : the file cannot be read, is damaged or of a newer version, or needs its model.
        ModelDisagreement : the model is another one.
        """
        return cls._of(load_parts(path, model))

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle, and so for worker processes: what `save` writes, and the model as pickle has it."""
        return type(self)._unpickled, (pack_parts(self._parts), self.model.own)

    @classmethod
    def _unpickled(cls, data: bytes, model: Any) -> Self:
        return cls._of(unpack_parts(data, model))

    def __copy__(self) -> Self:
        """Shares every part."""
        return self._of(self._parts)
