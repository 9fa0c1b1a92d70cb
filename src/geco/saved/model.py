"""The black box and its compiled form in a file; rebuilt around the user's model, or without it.

With the model it is asked once, about the probe rows the file keeps, and must be the model that was saved. Without it
the compiled form alone scores candidates, nothing is confirmed, and new values are encoded by formulas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from geco.data.domain import Domain
from geco.errors import GecoError, ModelDisagreement, ModelError, SavedFileError
from geco.models.asking.blackbox import BlackBox, features_of
from geco.models.asking.called import Called
from geco.models.asking.inputs import Form, InputForm, InputOfX, Source
from geco.models.asking.layouts import Layout
from geco.models.compiling.adapt import NotCompiled, adapt
from geco.models.compiling.compiled import Compiled, compiled_of, disagreement
from geco.models.compiling.encode import Encoding
from geco.models.compiling.preprocessing import Preprocessing
from geco.models.goal.goal import Goal
from geco.models.goal.target import Target
from geco.models.goal.threshold import Threshold
from geco.models.kinds.blend import Blend
from geco.models.kinds.forest import Forest
from geco.models.kinds.linear import Linear
from geco.models.kinds.network import Mlp
from geco.population.base import Rows
from geco.saved.dtypes import source_of, source_state
from geco.saved.fields import entries, value_of, wrong
from geco.saved.formulas import Formulas, WithoutModel, find_formulas
from geco.saved.known import formulas_of
from geco.state import state_of

FIELDS = ("call", "method", "classes", "features", "form", "source", "probe_rows", "goal", "why", "threshold")
# From files that an earlier geco wrote.
ABSENT = {"threshold": None}
NOT_COMPILED_THEN: dict[str, Any] = {"known": []}
KIND = Forest | Mlp | Linear  # what a Blend makes of its parts is the user's code


def model_state(model: BlackBox) -> dict[str, Any]:
    """How the model is asked and what is good."""
    if isinstance(model.called, Absent):
        raise SavedFileError("cannot be saved again without its model: copy the file it was loaded from")
    inputs = model.inputs
    return {
        "call": model.called.name,
        "method": model.method,
        "classes": state_of(model.classes),
        "features": list(inputs.features),
        "form": inputs.form,
        "source": source_state(inputs.source, inputs.features),
        "probe_rows": model.probe_rows,
        "goal": state_of(model.goal),
        "why": model.why,
        "threshold": state_of(model.called.threshold),
    }


def compiled_state(compiled: Compiled, domain: Domain) -> dict[str, Any]:
    """The model's arrays, the encoded tables, and the formulas for values that D does not have."""
    encoding = compiled.encoding
    if isinstance(compiled.kind, Blend):
        raise SavedFileError(
            "cannot be saved: its model is made of models, which are put together by their own code; "
            "give the Explainer compile=False, and load it with the model"
        )
    return {
        "kind": state_of(compiled.kind),
        "wanted_only": compiled.wanted_only,
        "columns": state_of(encoding.columns),
        "encoded": list(encoding.encoded),
        "constant": encoding.constant,
        "formulas": state_of(find_formulas(encoding, domain, compiled.model.inputs)),
        "known": state_of(encoding.formulas.by_group),
    }


class SavedModel:
    """What a file says of the model, checked; ``without`` and ``around`` make the black box of it."""

    def __init__(self, state: Any, compiled: Any, domain: Domain) -> None:
        held = {**ABSENT, **state} if isinstance(state, dict) else state
        call, method, classes, features, form, self.source, probe_rows, goal, why, threshold = entries(held, *FIELDS)
        self.domain = domain
        self.call, self.method, self.why = (value_of(str, text) for text in (call, method, why))
        self.classes = None if classes is None else list(value_of(tuple[Any, ...], classes))
        self.features = value_of(tuple[str, ...], features)
        self.form: Form = value_of(Form, form)
        self.goal: Goal = value_of(Goal, goal)
        self.threshold: Threshold | None = value_of(Threshold | None, threshold)
        self.probe_rows = _probe_rows(probe_rows, domain)
        if not self.features or not set(self.features) <= set(domain.names):
            raise wrong("features of D", self.features)
        self.compiled = None if compiled is None else _CompiledParts(compiled, domain)

    def without(self) -> tuple[BlackBox, Compiled]:
        """The compiled model alone."""
        if self.compiled is None:
            raise SavedFileError(
                f"has a model that is not compiled ({self.why}), so it cannot be asked without it; "
                "give it: Explainer.load(path, model=...)"
            )
        called = Absent(None, None, self.method, self.classes, self.threshold, self.call)
        inputs = _AbsentInput(self.form, self.domain, self.features, self.source)
        box = self._box(called, inputs, f"{self.why}; loaded without the model, so answers are not confirmed")
        read = sorted({self.domain.group_of[f] for f in self.features})
        return box, self.compiled.over(box, WithoutModel(self.domain, read, self.compiled.formulas))

    def around(self, model: Any, target: Target) -> tuple[BlackBox, Compiled | None]:
        """The user's model, checked to be the one that was saved."""
        called = Called.of(model)
        features, _ = features_of(called, self.domain)
        for what, theirs, ours in (
            ("is asked by", called.method, self.method),
            ("has the classes", called.classes, self.classes),
            ("reads", list(features), list(self.features)),
        ):
            if theirs != ours:
                raise ModelDisagreement(f"this is not the model that was saved: it {what} {theirs}, that one {ours}")
        goal = called.goal(target)
        if goal is not None and goal != self.goal:
            raise ModelDisagreement(
                f"this is not the model that was saved: its threshold asks for {goal.words}, "
                f"that one's for {self.goal.words}"
            )
        try:
            inputs = InputForm(self.form, source_of(self.source, self.features), self.domain, self.features)
        except GecoError:
            raise
        except Exception as error:  # dtypes made by hand, or of a library that is another version here
            raise SavedFileError(f"has dtypes that cannot be made here: {error}") from error
        box = self._box(called, inputs, self.why)
        compiled = self.compiled.over(box, _preprocessing(box, self.domain)) if self.compiled else None
        started = perf_counter()
        _check_answers(box, compiled)
        box.probe_seconds = perf_counter() - started
        return box, compiled

    def _box(self, called: Called, inputs: InputForm, why: str) -> BlackBox:
        return BlackBox(called, inputs, self.probe_rows, self.goal.output, self.goal, why=why)


class _CompiledParts:
    """The compiled model of a file, in arrays."""

    def __init__(self, state: Any, domain: Domain) -> None:
        held = {**NOT_COMPILED_THEN, **state} if isinstance(state, dict) else state
        kind, wanted_only, columns, encoded, constant, formulas, known = entries(
            held, "kind", "wanted_only", "columns", "encoded", "constant", "formulas", "known"
        )
        floats = npt.NDArray[np.float64]
        self.kind, self.wanted_only = value_of(KIND, kind), value_of(bool, wanted_only)
        self.columns = value_of(tuple[npt.NDArray[np.int32], ...], columns)
        self.encoded, self.constant = value_of(tuple[floats, ...], encoded), value_of(floats, constant)
        self.formulas: Formulas = value_of(Formulas, formulas)
        shapes = [(table.rows + 1, len(held)) for table, held in zip(domain.tables, self.columns, strict=True)]
        if [values.shape for values in self.encoded] != shapes:
            raise wrong("an encoded row for each row of D", [values.shape for values in self.encoded])
        for table, held, made in zip(domain.tables, self.columns, self.formulas, strict=True):
            if made is not None and (len(made) != len(held) or not {f.feature for f in made} <= set(table.features)):
                raise wrong(f"formulas for the columns of {table.name!r}", made)
        self.known = formulas_of(known, domain, self.columns, len(self.constant))

    def over(self, box: BlackBox, preprocessing: Preprocessing) -> Compiled:
        """The model in the native core; that everything fits together shows on the probe rows."""
        encoding = Encoding(len(self.constant), self.columns, self.encoded, self.constant, preprocessing, self.known)
        if isinstance(preprocessing, WithoutModel):
            preprocessing.encoding = encoding
        try:
            compiled = compiled_of(self.kind, encoding, box, self.wanted_only)
            compiled.points(compiled.core.anchor(np.nan_to_num(self.constant)), box.probe_rows)
        except Exception as error:  # the parts of a file made by hand may contradict each other
            raise SavedFileError(f"holds an impossible model: {error}") from error
        return compiled


@dataclass(frozen=True, eq=False)
class Absent(Called):
    """The model of an explainer that was loaded without it; nothing can be asked of it."""

    words: str

    @property
    def present(self) -> bool:
        return False

    @property
    def name(self) -> str:
        return self.words

    def predict(self, table: Any) -> npt.NDArray[Any]:
        raise ModelError("this explainer was loaded without its model; give it: Explainer.load(path, model=...)")


class _AbsentInput(InputForm):
    """No frame is ever made: x goes as it is to the formulas."""

    def __init__(self, form: Form, domain: Domain, features: tuple[str, ...], source: Any) -> None:
        self.form, self.domain, self.features, self._source = form, domain, features, source

    @cached_property
    def source(self) -> Source:  # type: ignore[override]
        """For another model, as `recheck` is given one; made only then, as it imports the library of the frames."""
        return source_of(self._source, self.features)

    def of(self, x: Mapping[str, Any], rows_like_x: Sequence[int] = ()) -> InputOfX:
        return _AbsentInputOfX(x)


class _AbsentInputOfX(InputOfX):
    def __init__(self, x: Mapping[str, Any]) -> None:
        super().__init__(cast(Layout, None), {}, {}, x)

    def as_table(self, columns: dict[str, Any]) -> Any:
        return self._x


def _probe_rows(state: Any, domain: Domain) -> Rows:
    rows: Rows = value_of(npt.NDArray[np.int32], state)
    if rows.ndim != 2 or rows.shape[1] != len(domain.tables) or not len(rows):
        raise wrong("a row of each group", rows.shape)
    if (rows < 1).any() or (rows > [table.rows for table in domain.tables]).any():
        raise wrong("rows of D", "others")
    return rows


def _preprocessing(box: BlackBox, domain: Domain) -> Preprocessing:
    """The user's own; the model is read for it only when an x has values that D does not have."""
    read: list[Any] = []

    def columns(table: Any) -> Any:
        if not read:
            adapted = adapt(box.own, box.method)
            if isinstance(adapted, NotCompiled):
                raise ModelError(adapted.reason)
            read.append(adapted.columns)
        return read[0](table)

    return Preprocessing(columns, box.inputs, domain, ())


def _check_answers(box: BlackBox, compiled: Compiled | None) -> None:
    if compiled is None:
        raw = box.predict(box.inputs.probe(box.probe_rows))
        try:
            box.goal.judge(raw)
        except (IndexError, ModelError) as error:
            raise ModelDisagreement(f"this is not the model that was saved: it answers otherwise ({error})") from error
        return
    apart = disagreement(compiled)
    if apart is not None:
        raise ModelDisagreement(
            f"this is not the model that was saved: where that one says {apart[0]:.6g} it says {apart[1]:.6g}; "
            "make a new explainer for it"
        )
