"""The black box: the user's object with all that geco needs to know to ask it, and nothing of what is inside.

In: what the user gave. Out: a BlackBox that knows the input form, which features the model reads and what it returns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
import numpy.typing as npt

from geco.data.domain import Domain
from geco.errors import DataError, ModelError, did_you_mean
from geco.given import choice
from geco.models.asking.called import Called, looking_at
from geco.models.asking.inputs import Form, InputForm, Source
from geco.models.goal.goal import Goal, Output, plain
from geco.models.goal.target import Target, resolve
from geco.population.base import Rows

if TYPE_CHECKING:
    from geco.data.database import Database

PROBE_ROWS = 64


@dataclass(eq=False)
class BlackBox:
    """The user's model, and all geco needs to know to ask it.

    Attributes
    ----------
    called : the object and how it is called.
    inputs : what it is shown.
    probe_rows : rows of D's values that it was asked about first.
    output : what its answers are.
    goal : what counts as good.
    probe_seconds : how long that first call took.
    why : it is asked the way it is, in words.
    width : the shape of its answer for one row; known from the first on.
    answers : what it said of the probe rows; None where it was not asked.
    """

    called: Called
    inputs: InputForm
    probe_rows: Rows
    output: Output
    goal: Goal
    probe_seconds: float = 0.0
    why: str = "a black box: only its answers are used"
    width: tuple[int, ...] | None = None
    answers: npt.NDArray[Any] | None = None

    @classmethod
    def of(
        cls,
        model: Any,
        database: Database | Source,
        domain: Domain,
        target: Target,
        input: Literal["auto", "frame", "array"],
    ) -> BlackBox:
        """Look at the model and ask it about rows of D."""
        called = Called.of(model)
        features, named = features_of(called, domain)
        probe = _probe_rows(domain)
        forms = _forms(called, cast(Form, database.form), input, named)
        inputs, raw, seconds = _first_answer(called, forms, database, domain, features, probe)
        output = _output(called, raw, target)
        goal = called.goal(target) or resolve(target, output, called.classes, raw)
        return cls(called, inputs, probe, output, goal, seconds, width=raw.shape[1:], answers=raw)

    def aimed_at(self, target: Target) -> BlackBox:
        """The same model asked for something else."""
        said, output = self.answers, self.output
        if said is not None and self.method in ("predict", "callable"):  # what answers are may depend on the target
            output = _output(self.called, said, target)
        if said is None:  # how many columns it has is known, and how far its numbers are apart says its present goal
            said = np.zeros((0, *(self.width or ())))
        goal = self.called.goal(target) or resolve(target, output, self.classes, said)
        if output == self.output == "number":
            goal = replace(goal, softness=self.goal.softness)
        return replace(self, output=output, goal=goal)

    @property
    def own(self) -> Any:
        """The object that the user gave."""
        return self.called.own

    @property
    def method(self) -> str:
        return self.called.method

    @property
    def classes(self) -> Sequence[Any] | None:
        return self.called.classes

    @property
    def used(self) -> frozenset[str]:
        """The features it reads."""
        return frozenset(self.inputs.features)

    def predict(self, table: Any) -> npt.NDArray[Any]:
        """The model's raw answer, of the shape it always has."""
        raw = self.called.predict(table)
        if self.width not in (None, raw.shape[1:]):
            usual = (len(raw), *self.width)
            raise ModelError(f"the model returned an array of shape {raw.shape} where it used to return {usual}")
        self.width = raw.shape[1:]
        return raw

    def labels(self, raw: npt.NDArray[Any]) -> list[Any] | None:
        """The class that it predicts per row, where it has more than two; None elsewhere."""
        if self.output == "probability" and raw.ndim == 2 and raw.shape[1] > 2:
            best = raw.argmax(axis=1).tolist()
            return best if self.classes is None else [plain(self.classes[i]) for i in best]
        several = len(self.goal.wanted) > 1 or (self.classes is not None and len(self.classes) > 2)
        return [plain(v) for v in raw] if self.output == "label" and several else None

    def describe(self) -> str:
        return f"{self.called.name} on {self.inputs.form} input, {self.why}"


def features_of(called: Called, domain: Domain) -> tuple[Sequence[str], bool]:
    """The columns the model reads, in its order, and whether it names them; all of D's where it does not."""
    with looking_at(called.own):
        return _features(called.model, domain)


def _features(model: Any, domain: Domain) -> tuple[Sequence[str], bool]:
    names = getattr(model, "feature_names_in_", getattr(model, "feature_name_", None))  # the second: older LightGBM
    known = domain.schema.names
    if names is None or [str(n) for n in names] == [f"Column_{i}" for i in range(len(names))]:  # LightGBM on an array
        count = getattr(model, "n_features_in_", None)
        if count is not None and count != len(known):
            raise DataError(
                f"the model was fitted on {count} columns but D has {len(known)}; exclude what it does not take"
            )
        return known, False
    respelled = {re.sub(r"\s", "_", n): n for n in known}  # LightGBM writes an underscore for every space
    features = [str(n) if n in known else respelled.get(str(n), str(n)) for n in names]
    missing = [n for n in features if n not in known]
    if missing:
        shown = ", ".join(f"{n!r}{did_you_mean(n, known)}" for n in missing[:5])
        raise DataError(f"the model reads columns that D does not have: {shown}; add them to D or do not exclude them")
    return features, True


def _forms(called: Called, frame: Form, input: str, named: bool) -> list[Form]:
    """What to show the model, most likely first."""
    choice("input", input, ("auto", "frame", "array"))
    frames: list[Form] = [frame] if frame == "pandas" else [frame, "pandas"]
    if input == "frame" or (input == "auto" and named):
        return frames
    if input == "array":
        return ["array"]
    fitted_on_an_array = called.method != "callable" and hasattr(called.model, "n_features_in_")
    return ["array", *frames] if fitted_on_an_array else [*frames, "array"]


def _first_answer(
    called: Called,
    forms: Sequence[Form],
    database: Database | Source,
    domain: Domain,
    features: Sequence[str],
    probe: Rows,
) -> tuple[InputForm, npt.NDArray[Any], float]:
    """The first of these forms that the model takes, its answer, and the seconds that took."""
    failures = []
    for form in forms:
        try:
            inputs = InputForm(form, database, domain, features)
            table, started = inputs.probe(probe), perf_counter()
            raw = called.predict(table)
            return inputs, raw, perf_counter() - started
        except ModelError as error:
            failures.append(f"on {form} input {error}")
    raise ModelError("the model cannot be asked about rows of D: " + "; ".join(failures))


def _output(called: Called, raw: npt.NDArray[Any], target: Target) -> Output:
    if called.method == "decision_function":
        return "decision"
    if _is_regressor(called.model) and raw.ndim == 1:
        return "number"
    numeric = raw.dtype.kind in "fiu"
    known = raw[~np.isnan(raw)] if raw.dtype.kind == "f" else raw
    in_range = numeric and bool(((known >= -1e-6) & (known <= 1 + 1e-6)).all())
    if called.method == "predict_proba" or raw.ndim == 2:
        if not in_range:
            shown = f"a table of {raw.shape[1]} columns with " if raw.ndim == 2 else ""
            raise ModelError(
                f"the model returned {shown}numbers outside 0 to 1; "
                "return probabilities (the softmax of scores), or one quantity per row"
            )
        return "probability"
    if numeric and target.interval is not None:
        return "number"
    if called.classes is not None or raw.dtype.kind != "f" or _names_a_whole_answer(target, known):
        return "label"
    return "probability" if in_range else "number"


def _names_a_whole_answer(target: Target, known: npt.NDArray[Any]) -> bool:
    """Floats such as 2.0 that are labels: one of them is wanted, and it cannot be a probability."""
    if target.labels in (None, (1,)) or not (known == np.round(known)).all():
        return False
    return bool(set(known.tolist()) & set(target.labels))


def _is_regressor(model: Any) -> bool:
    try:
        tags = model.__sklearn_tags__()
    except Exception:
        tags = None
    kind = getattr(model, "_estimator_type", None) if tags is None else getattr(tags, "estimator_type", None)
    return isinstance(kind, str) and kind == "regressor"


def _probe_rows(domain: Domain) -> npt.NDArray[np.int32]:
    """Rows of D's values, drawn per group by their counts: the same for the same D."""
    rng = np.random.default_rng(0)
    drawn = [rng.choice(t.rows, PROBE_ROWS, p=t.counts[1:] / t.counts.sum()) + 1 for t in domain.tables]
    return np.stack(drawn, axis=1).astype(np.int32)
