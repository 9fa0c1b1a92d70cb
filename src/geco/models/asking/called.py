"""Called: the user's object as it is called, looked at and not yet asked.

In: what the user gave, any callable, any object with predict_proba or predict. Out: its method, its classes, the
threshold it brings, and answers that are checked for shape and type only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.errors import GecoError, ModelError
from geco.models.asking.wrap import opened, wrap
from geco.models.goal.goal import Goal, plain
from geco.models.goal.target import Target
from geco.models.goal.threshold import Threshold, own_threshold

# A comparison with pandas' NA gives NA again, neither true nor false.
_WITHOUT_NA = np.frompyfunc(lambda value: None if type(value).__name__ == "NAType" else value, 1, 1)


@dataclass(frozen=True, eq=False)
class Called:
    """The user's object (``own``), the form of it that is asked (``model``), and how.

    Attributes
    ----------
    method : what is called: "predict_proba", "decision_function", "predict" or "callable".
    classes : the labels it predicts, if it names them.
    threshold : the one that it brings along.
    """

    own: Any
    model: Any
    method: str
    classes: Sequence[Any] | None
    threshold: Threshold | None

    @classmethod
    def of(cls, given: Any) -> Called:
        """Look at the model, without asking it."""
        own = opened(given)
        with looking_at(own):
            model = wrap(own)
            threshold = own_threshold(model)
            method = threshold.method if threshold else _method(model)
            return cls(own, model, method, _classes(model), threshold)

    @cached_property
    def function(self) -> Callable[[Any], Any]:
        """What is called."""
        called: Callable[[Any], Any] = self.model if self.method == "callable" else getattr(self.model, self.method)
        return called

    @property
    def present(self) -> bool:
        """False for the model of a file that was loaded without it."""
        return True

    @property
    def name(self) -> str:
        """What is called, in words."""
        name = type(self.own).__name__ if self.method != "callable" else getattr(self.own, "__name__", "callable")
        return name if self.method == "callable" else f"{name}.{self.method}"

    def goal(self, target: Target) -> Goal | None:
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
            named, asked = type(error).__name__, f"{rows} {'row' if rows == 1 else 'rows'}"
            raise ModelError(f"the model raised {named} on {asked}: {_first_line(error)}") from error
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
        return self.by_class(raw) if self.method == "predict_proba" else raw

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


def _without_mask(answer: Any) -> npt.NDArray[Any]:
    """As a plain array; what a mask hides does not count as an answer."""
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


@contextmanager
def looking_at(own: Any) -> Iterator[None]:
    """Attributes of a model may raise anything: a library may raise for a model that was never fitted."""
    try:
        yield
    except GecoError:
        raise
    except Exception as error:
        said = f"{type(error).__name__}: {_first_line(error)}"
        raise ModelError(f"this {type(own).__name__} cannot be looked at ({said}); is it fitted?") from error


def _method(model: Any) -> str:
    if hasattr(model, "predict_proba"):
        return "predict_proba"
    classes = _classes(model)
    if classes is not None and len(classes) == 2 and hasattr(model, "decision_function"):
        return "decision_function"
    if hasattr(model, "predict"):
        return "predict"
    if callable(model):
        return "callable"
    raise ModelError(
        f"a {type(model).__name__} is not a model: "
        "give an object with predict_proba or predict, or a function of a frame"
    )


def _classes(model: Any) -> Sequence[Any] | None:
    classes = getattr(model, "classes_", None)
    if classes is not None and any(np.ndim(c) for c in classes):
        raise ModelError(
            f"this {type(model).__name__} has {len(classes)} outputs; "
            "give a function that returns the probability of one of them"
        )
    return None if classes is None else [plain(c) for c in classes]


def _first_line(error: Exception) -> str:
    return (str(error).strip() or "no message").splitlines()[0][:300]
