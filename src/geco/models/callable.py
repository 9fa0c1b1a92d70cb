"""The black box: any callable, any object with predict_proba or predict; asked through the user's own object only.

In: what the user gave. Out: a BlackBox that knows the input form, which features the model reads and what it returns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from geco.data.database import Database
from geco.data.domain import Domain
from geco.errors import DataError, ModelError, SettingsError, did_you_mean
from geco.models.inputs import Form, InputForm
from geco.models.target import Goal, Output, Target, resolve

PROBE_ROWS = 64


class BlackBox:
    """The user's model and all geco needs to know to call it."""

    def __init__(
        self, model: Any, database: Database, domain: Domain, target: Target, input: Literal["auto", "frame", "array"]
    ) -> None:
        self.model = model
        self.method, self.function = _function(model)
        self.classes = _classes(model)
        features = _features(model, domain)
        self.used = frozenset(features)
        probe = _probe_rows(domain)
        self.inputs, raw = self._first_answer(database, domain, features, input, probe)
        self.output = self._output(raw, target)
        self.goal: Goal = resolve(target, self.output, self.classes, raw)
        self.why = "a black box: only its answers are used"

    def predict(self, table: Any) -> npt.NDArray[Any]:
        """The model's raw answer, checked for shape only."""
        rows = table.num_rows if hasattr(table, "num_rows") else len(table)
        try:
            answer = self.function(table)
        except Exception as error:
            raise ModelError(f"the model raised {type(error).__name__} on {rows} rows: {_first_line(error)}") from error
        raw = np.asarray(answer)
        if raw.ndim == 2 and raw.shape[1] == 1:
            raw = raw[:, 0]
        if raw.ndim not in (1, 2) or len(raw) != rows:
            raise ModelError(
                f"the model returned an array of shape {np.shape(answer)} for {rows} rows; expected one answer per row"
            )
        return raw

    def describe(self) -> str:
        name = type(self.model).__name__ if self.method != "callable" else getattr(self.model, "__name__", "callable")
        call = name if self.method == "callable" else f"{name}.{self.method}"
        return f"{call} on {self.inputs.form} input, {self.why}"

    def _first_answer(
        self, database: Database, domain: Domain, features: Sequence[str], input: str, probe: npt.NDArray[np.int32]
    ) -> tuple[InputForm, npt.NDArray[Any]]:
        frame: Form = database.form  # type: ignore[assignment]
        if input not in ("auto", "frame", "array"):
            raise SettingsError(f"input must be 'auto', 'frame' or 'array', got {input!r}")
        named = getattr(self.model, "feature_names_in_", None) is not None
        forms: list[Form] = [frame, "array"] if input == "auto" else [frame if input == "frame" else "array"]
        if input == "auto" and self.method != "callable" and not named and hasattr(self.model, "n_features_in_"):
            forms = ["array", frame]  # fitted on an array
        failures = []
        for form in forms:
            try:
                inputs = InputForm(form, database, domain, features)
                return inputs, self.predict(inputs.probe(probe))
            except ModelError as error:
                failures.append(f"on {form} input {error}")
            if named:
                break
        raise ModelError("the model cannot be asked about rows of D: " + "; ".join(failures))

    def _output(self, raw: npt.NDArray[Any], target: Target) -> Output:
        if self.method == "decision_function":
            return "decision"
        if self.method == "predict_proba" or raw.ndim == 2:
            return "probability"
        if self.method == "predict" and (_is_regressor(self.model) or (target.interval and raw.dtype.kind in "fiu")):
            return "number"
        if raw.dtype.kind in "fiu" and target.interval is not None:
            return "number"
        if self.classes is not None or raw.dtype.kind in "OUSbT" or (target.labels and raw.dtype.kind in "iu"):
            return "label"
        known = raw[~np.isnan(raw)] if raw.dtype.kind == "f" else raw
        if ((known >= 0) & (known <= 1)).all():
            return "label" if raw.dtype.kind in "iu" else "probability"
        return "label" if raw.dtype.kind in "iu" and target.labels else "number"


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
    return None if classes is None else [c.item() if isinstance(c, np.generic) else c for c in np.asarray(classes)]


def _features(model: Any, domain: Domain) -> Sequence[str]:
    """The columns the model reads, in its order; all of D's where it does not say."""
    names = getattr(model, "feature_names_in_", None)
    known = domain.schema.names
    if names is None:
        count = getattr(model, "n_features_in_", None)
        if count is not None and count != len(known):
            raise DataError(
                f"the model was fitted on {count} columns but D has {len(known)}; exclude what it does not take"
            )
        return known
    missing = [str(n) for n in names if n not in known]
    if missing:
        shown = ", ".join(f"{n!r}{did_you_mean(n, known)}" for n in missing[:5])
        raise DataError(f"the model reads columns that D does not have: {shown}; add them to D or do not exclude them")
    return [str(n) for n in names]


def _is_regressor(model: Any) -> bool:
    try:
        tags = model.__sklearn_tags__()
    except Exception:
        return getattr(model, "_estimator_type", None) == "regressor"
    return getattr(tags, "estimator_type", None) == "regressor"


def _probe_rows(domain: Domain) -> npt.NDArray[np.int32]:
    """Rows of D's values, drawn per group by their counts: the same for the same D."""
    rng = np.random.default_rng(0)
    drawn = [rng.choice(t.rows, PROBE_ROWS, p=t.counts[1:] / t.counts.sum()) + 1 for t in domain.tables]
    return np.stack(drawn, axis=1).astype(np.int32)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or "no message").splitlines()[0][:300]
