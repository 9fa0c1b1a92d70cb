"""What every model must give. A new kind subclasses ModelContract, makes its model, and inherits all tests.

A class for a library names it; a library of the registry that no class names is a failing test (test_models.py).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pandas as pd

import geco

X = {"income": 12, "debt": 7.5, "late": 4}


class ModelContract:
    """The same simple decision, behind whatever interface."""

    library: str | None = None  # whose models it makes, by the name the registry has for it
    target: Any = None
    under_contract: ClassVar[set[str]] = set()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.library is not None:
            ModelContract.under_contract.add(cls.library)

    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        """A model fitted on, or written for, this table."""
        raise NotImplementedError

    def says_good(self, model: Any, frame: pd.DataFrame) -> np.ndarray:
        """What the user would get by asking the model directly."""
        raise NotImplementedError

    def explainer(self, frame: pd.DataFrame, model: Any, compile: bool = True) -> geco.Explainer:
        return geco.Explainer(model, geco.Database.from_frame(frame), target=self.target, compile=compile)

    def test_it_finds_different_ways(self, explanation):
        assert explanation.status == "found" and len(explanation.counterfactuals) >= 2

    def test_the_users_call_says_good_to_every_answer(self, frame, model, explanation):
        answers = pd.DataFrame([cf.values for cf in explanation.counterfactuals]).astype(frame.dtypes.to_dict())

        assert self.says_good(model, answers).all()

    def test_the_users_call_says_bad_to_x(self, frame, model):
        assert not self.says_good(model, pd.DataFrame([X]).astype(frame.dtypes.to_dict())).any()

    def test_asking_again_gives_the_same(self, frame, model, explanation):
        again = self.explainer(frame, model).explain(X)

        assert again == explanation

    def test_every_call_and_row_of_a_black_box_is_counted(self, frame, model):
        trace = self.explainer(frame, model, compile=False).explain(X).trace

        assert trace.model_rows > trace.points_scored > 0

    def test_a_compiled_model_is_asked_for_the_confirmation_only(self, frame, model, explanation):
        calls = 1 if self.explainer(frame, model).compiled else np.inf

        assert explanation.trace.model_calls <= calls

    def test_compiled_or_not_the_best_answer_is_as_near(self, frame, model, explanation):
        asked = self.explainer(frame, model, compile=False).explain(X)

        assert explanation.counterfactuals[0].distance <= asked.counterfactuals[0].distance + 1e-12

    def test_the_description_says_how_the_model_is_asked(self, frame, model):
        explainer = self.explainer(frame, model)

        assert ("compiled" if explainer.compiled else "black box") in explainer.describe()


def table() -> pd.DataFrame:
    rng = np.random.default_rng(8)
    return pd.DataFrame(
        {
            "income": rng.integers(0, 60, 500),
            "debt": rng.integers(0, 80, 500) / 4,
            "late": rng.integers(0, 6, 500),
        }
    )


def score(frame: pd.DataFrame) -> np.ndarray:
    return (frame["income"] / 10 - frame["debt"] / 5 - frame["late"] + 1).to_numpy(float)
