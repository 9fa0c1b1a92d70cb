"""Models that behave, with their calls counted and timed, and models that do not."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from fuzzing.hostile import Raising, hostile

Rng = np.random.Generator


class Counting:
    """A good model that knows how long its longest call took."""

    def __init__(self, answer: Callable[[Any], Any], sleep: float = 0.0) -> None:
        self.answer, self.sleep = answer, sleep
        self.calls, self.longest = 0, 0.0

    def __call__(self, frame: Any) -> Any:
        started = time.perf_counter()
        try:
            self.calls += 1
            if self.sleep:
                time.sleep(self.sleep)
            return self.answer(frame)
        finally:
            self.longest = max(self.longest, time.perf_counter() - started)


def good(frame: Any) -> np.ndarray:
    """The chance of people(): more income and a home of their own help, and so does age."""
    income, age = (np.asarray(frame[name], float) for name in ("income", "age"))
    own = np.array([home == "own" for home in frame["home"]])
    return 1 / (1 + np.exp(-(np.nan_to_num(income) - 30 + 6 * own + (age - 40) / 10) / 8))


class Fickle:
    """Changes its mind."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)

    def __call__(self, frame: Any) -> np.ndarray:
        return self.rng.random(len(frame))


class Failing:
    """Fails from some call on, or for some rows."""

    def __init__(self, after: int, error: BaseException) -> None:
        self.left, self.error = after, error

    def __call__(self, frame: Any) -> np.ndarray:
        self.left -= 1
        if self.left < 0:
            raise self.error
        return good(frame)


class Odd:
    """An object with the attributes that geco looks at, each of them strange."""

    def __init__(self, answer: Callable[[Any], Any], **attributes: Any) -> None:
        self.answer = answer
        vars(self).update(attributes)

    def predict_proba(self, frame: Any) -> Any:
        return self.answer(frame)


class Answering:
    """The right number of answers, of the wrong kind."""

    def __init__(self, of: Callable[[np.ndarray], Any], only_later: bool = False) -> None:
        self.of, self.only_later = of, only_later

    def __call__(self, frame: Any) -> Any:
        answer = good(frame)
        if self.only_later:  # the first call is the probe
            self.only_later = False
            return answer
        return self.of(answer)


ANSWERS: dict[str, Callable[[np.ndarray], Any]] = {
    "list": lambda a: a.tolist(),
    "tuple": tuple,
    "generator": lambda a: (v for v in a),
    "Series": lambda a: pd.Series(a, index=range(5, 5 + len(a))),
    "frame": lambda a: pd.DataFrame({"p": a}),
    "column": lambda a: a[:, None],
    "two columns": lambda a: np.stack([1 - a, a], axis=1),
    "three columns": lambda a: np.stack([1 - a, a / 2, a / 2], axis=1),
    "no columns": lambda a: np.zeros((len(a), 0)),
    "3-d": lambda a: a[:, None, None],
    "one too few": lambda a: a[:-1],
    "one too many": lambda a: np.append(a, 0.5),
    "transposed": lambda a: np.stack([1 - a, a]),
    "scalar": lambda a: 0.7,
    "0-d": lambda a: np.array(0.7),
    "None": lambda a: None,
    "Nones": lambda a: [None] * len(a),
    "NaN": lambda a: np.full(len(a), np.nan),
    "some NaN": lambda a: np.where(a > 0.6, np.nan, a),
    "inf": lambda a: np.where(a > 0.6, np.inf, a),
    "beyond 1": lambda a: a * 3 - 1,
    "percent": lambda a: a * 100,
    "labels": lambda a: np.where(a > 0.5, "yes", "no"),
    "mixed labels": lambda a: np.array([1 if v > 0.5 else "no" for v in a], object),
    "booleans": lambda a: a > 0.5,
    "integers": lambda a: (a > 0.5).astype(np.int8),
    "huge integers": lambda a: [10**30 if v > 0.5 else 0 for v in a],
    "complex": lambda a: a + 1j,
    "dates": lambda a: np.full(len(a), np.datetime64("2024-01-01")),
    "masked": lambda a: np.ma.masked_array(a, mask=a > 0.6),
    "nullable": lambda a: pd.array(np.where(a > 0.6, None, a), dtype="Float64"),
    "float16": lambda a: a.astype(np.float16),
    "objects": lambda a: np.array([object() for _ in a], object),
    "raising": lambda a: [Raising() for _ in a],
    "a raising one": lambda a: Raising(),
    "dict": lambda a: {"p": a},
    "text": lambda a: "yes",
    "ragged": lambda a: [[v] * (1 + i % 2) for i, v in enumerate(a)],
}


def odd_model(rng: Rng) -> tuple[str, Any]:
    """A name, and a model that does not behave."""
    roll = rng.integers(6)
    if roll < 2:
        name = list(ANSWERS)[rng.integers(len(ANSWERS))]
        later = bool(rng.integers(2))
        return f"answers {name}{', but only later' * later}", Answering(ANSWERS[name], later)
    if roll == 2:
        return "fickle", Fickle()
    if roll == 3:
        after, errors = (
            int(rng.integers(4)),
            (ValueError("no"), ZeroDivisionError(), MemoryError(), RecursionError("x")),
        )
        error = errors[rng.integers(4)]
        return f"raises {type(error).__name__} after {after} calls", Failing(after, error)
    if roll == 4:
        attribute = ("classes_", "feature_names_in_", "n_features_in_", "feature_name_", "_estimator_type")[
            rng.integers(5)
        ]
        name, value = hostile(rng)
        return f"{attribute} = {name}", Odd(lambda f: np.stack([1 - good(f), good(f)], axis=1), **{attribute: value})
    name, value = hostile(rng)
    return f"model {name}", value
