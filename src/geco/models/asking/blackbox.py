"""The black box: any callable, any object with predict_proba or predict; asked through the user's own object only.

In: what the user gave. Out: a BlackBox that knows the input form, which features the model reads and what it returns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from geco.data.database import Database
from geco.data.domain import Domain
from geco.errors import DataError, GecoError, ModelError, did_you_mean
from geco.given import choice
from geco.models.asking.inputs import Form, InputForm, Source
from geco.models.asking.wrap import opened, wrap
from geco.models.goal.goal import Goal, Output, plain
from geco.models.goal.target import Target, resolve
from geco.models.goal.threshold import own_threshold

PROBE_ROWS = 64
# Nothing is equal to pandas' NA, and nothing is not.
_WITHOUT_NA = np.frompyfunc(lambda value: None if type(value).__name__ == "NAType" else value, 1, 1)


class BlackBox:
    """The user's model (``own``), as it is asked (``model``), and all geco needs to know to call it."""

    width: tuple[int, ...] | None = None  # of its answers, one row each; known from the first on

    def __init__(
        self,
        model: Any,
        database: Database | Source,
        domain: Domain,
        target: Target,
        input: Literal["auto", "frame", "array"],
    ) -> None:
        features, named = self.take(model, domain)
        self.probe_rows = _probe_rows(domain)
        forms = self._forms(cast(Form, database.form), input, named)
        self.inputs, raw = self._first_answer(forms, database, domain, features)
        self.output = self._output(raw, target)
        self.goal: Goal = self.own_goal(target) or resolve(target, self.output, self.classes, raw)
        self.why = "a black box: only its answers are used"

    def take(self, model: Any, domain: Domain) -> tuple[Sequence[str], bool]:
        """Look at the model, without asking it; the columns it reads, and whether it names them."""
        self.own = opened(model)
        with _looking_at(self.own):
            model = self.model = wrap(self.own)
            self.threshold = own = own_threshold(model)
            self.method, self.function = (own.method, getattr(model, own.method)) if own else _function(model)
            self.classes = _classes(model)
            features, named = _features(model, domain)
        self.used = frozenset(features)
        return features, named

    def own_goal(self, target: Target) -> Goal | None:
        """What is good by the threshold that the model brings, unless the user says another."""
        if self.threshold and self.classes and target.threshold is None and target.interval is None:
            return self.threshold.goal(target, self.classes)
        return None

    def predict(self, table: Any) -> npt.NDArray[Any]:
        """The model's raw answer, checked for shape and type only."""
        rows = table.num_rows if hasattr(table, "num_rows") else len(table)
        try:
            answer = _without_mask(self.function(table))
        except Exception as error:
            raise ModelError(f"the model raised {type(error).__name__} on {rows} rows: {_first_line(error)}") from error
        raw = answer[:, 0] if answer.ndim == 2 and answer.shape[1] == 1 else answer
        if raw.ndim not in (1, 2) or len(raw) != rows:
            raise ModelError(
                f"the model returned an array of shape {answer.shape} for {rows} rows; expected one answer per row"
            )
        if raw.dtype.kind not in "OUSTbiuf":
            raise ModelError(f"the model returned {raw.dtype} values; expected probabilities, labels or numbers")
        if raw.dtype.kind == "O":
            raw = _WITHOUT_NA(raw)
            if all(v is None or type(v) in (int, float) for v in raw.ravel()):
                raw = _floats(raw)
        if self.method == "predict_proba":
            raw = self.by_class(raw)
        if self.width not in (None, raw.shape[1:]):
            raise ModelError(
                f"the model returned an array of shape {raw.shape} where it used to return {(rows, *self.width)}"
            )
        self.width = raw.shape[1:]
        return raw

    @property
    def call(self) -> str:
        """What is called, in words."""
        name = type(self.own).__name__ if self.method != "callable" else getattr(self.own, "__name__", "callable")
        return name if self.method == "callable" else f"{name}.{self.method}"

    def describe(self) -> str:
        return f"{self.call} on {self.inputs.form} input, {self.why}"

    def by_class(self, raw: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """One column per class; a single column for two classes is the probability of the second."""
        if self.classes is None:
            return raw
        if raw.ndim == 1 and len(self.classes) == 2:
            return np.stack([1 - raw, raw], axis=1)
        if raw.ndim == 1 or raw.shape[1] != len(self.classes):
            raise ModelError(
                f"predict_proba returned {1 if raw.ndim == 1 else raw.shape[1]} columns, "
                f"but the model has {len(self.classes)} classes"
            )
        return raw

    def _forms(self, frame: Form, input: str, named: bool) -> list[Form]:
        """What to show the model, most likely first."""
        choice("input", input, ("auto", "frame", "array"))
        frames: list[Form] = [frame] if frame == "pandas" else [frame, "pandas"]
        if input == "frame" or (input == "auto" and named):
            return frames
        if input == "array":
            return ["array"]
        fitted_on_an_array = self.method != "callable" and hasattr(self.model, "n_features_in_")
        return ["array", *frames] if fitted_on_an_array else [*frames, "array"]

    def _first_answer(
        self, forms: Sequence[Form], database: Database | Source, domain: Domain, features: Sequence[str]
    ) -> tuple[InputForm, npt.NDArray[Any]]:
        probe = self.probe_rows
        failures = []
        for form in forms:
            try:
                inputs = InputForm(form, database, domain, features)
                table, started = inputs.probe(probe), perf_counter()
                raw = self.predict(table)
                self.probe_seconds = perf_counter() - started
                return inputs, raw
            except ModelError as error:
                failures.append(f"on {form} input {error}")
        raise ModelError("the model cannot be asked about rows of D: " + "; ".join(failures))

    def _output(self, raw: npt.NDArray[Any], target: Target) -> Output:
        if self.method == "decision_function":
            return "decision"
        if _is_regressor(self.model) and raw.ndim == 1:
            return "number"
        numeric = raw.dtype.kind in "fiu"
        known = raw[~np.isnan(raw)] if raw.dtype.kind == "f" else raw
        in_range = numeric and bool(((known >= -1e-6) & (known <= 1 + 1e-6)).all())
        if self.method == "predict_proba" or raw.ndim == 2:
            if not in_range:
                shown = f"a table of {raw.shape[1]} columns with " if raw.ndim == 2 else ""
                raise ModelError(
                    f"the model returned {shown}numbers outside 0 to 1; "
                    "return probabilities (the softmax of scores), or one quantity per row"
                )
            return "probability"
        if numeric and target.interval is not None:
            return "number"
        if self.classes is not None or raw.dtype.kind != "f" or _names_a_whole_answer(target, known):
            return "label"
        return "probability" if in_range else "number"


def _without_mask(answer: Any) -> npt.NDArray[Any]:
    """As a plain array; what a mask hides is no answer."""
    if not np.ma.is_masked(answer):
        return np.asarray(answer)
    plain_values: npt.NDArray[Any] = answer.data.astype(object)
    plain_values[answer.mask] = None
    return plain_values


def _floats(answers: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    try:
        return answers.astype(np.float64)
    except OverflowError:
        raise ModelError("the model returned integers beyond all floats; expected probabilities or labels") from None


def _names_a_whole_answer(target: Target, known: npt.NDArray[Any]) -> bool:
    """Floats such as 2.0 that are labels: one of them is wanted, and it could not mean the probability of 1."""
    if target.labels in (None, (1,)) or not (known == np.round(known)).all():
        return False
    return bool(set(known.tolist()) & set(target.labels))


@contextmanager
def _looking_at(own: Any) -> Iterator[None]:
    """What a model says of itself may be anything: a library may raise for one that was never fitted."""
    try:
        yield
    except GecoError:
        raise
    except Exception as error:
        said = f"{type(error).__name__}: {_first_line(error)}"
        raise ModelError(f"this {type(own).__name__} cannot be looked at ({said}); is it fitted?") from error


def _function(model: Any) -> tuple[str, Any]:
    if hasattr(model, "predict_proba"):
        return "predict_proba", model.predict_proba
    classes = _classes(model)
    if classes is not None and len(classes) == 2 and hasattr(model, "decision_function"):
        return "decision_function", model.decision_function
    if hasattr(model, "predict"):
        return "predict", model.predict
    if callable(model):
        return "callable", model
    raise ModelError(
        f"a {type(model).__name__} is not a model: "
        "give an object with predict_proba or predict, or a function of a frame"
    )


def _classes(model: Any) -> Sequence[Any] | None:
    classes = getattr(model, "classes_", None)
    if classes is not None and any(np.ndim(c) for c in classes):
        raise ModelError(
            f"this {type(model).__name__} answers {len(classes)} questions at once; "
            "give a function that returns the probability of one of them"
        )
    return None if classes is None else [plain(c) for c in classes]


def _features(model: Any, domain: Domain) -> tuple[Sequence[str], bool]:
    """The columns the model reads, in its order, and whether it names them; all of D's where it does not."""
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


def _first_line(error: Exception) -> str:
    return (str(error).strip() or "no message").splitlines()[0][:300]
