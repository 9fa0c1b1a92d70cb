"""Every kind of model that exists passes the contract."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from contracts.model_contract import ModelContract, score


class TestCallableOnAFrame(ModelContract):
    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        return lambda f: 1 / (1 + np.exp(-score(f)))

    def says_good(self, model: Any, frame: pd.DataFrame) -> np.ndarray:
        return model(frame) > 0.5


class TestCallableOnAnArray(ModelContract):
    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        def model(array: np.ndarray) -> np.ndarray:
            income, debt, late = array[:, 0], array[:, 1], array[:, 2]
            return 1 / (1 + np.exp(-(income / 10 - debt / 5 - late + 1)))

        return model

    def says_good(self, model: Any, frame: pd.DataFrame) -> np.ndarray:
        return model(frame.to_numpy()) > 0.5


class TestLabelsOnly(ModelContract):
    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        return lambda f: (score(f) > 0).astype(int)

    def says_good(self, model: Any, frame: pd.DataFrame) -> np.ndarray:
        return model(frame) == 1


class TestBooleansOnly(ModelContract):
    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        return lambda f: score(f) > 0

    def says_good(self, model: Any, frame: pd.DataFrame) -> np.ndarray:
        return model(frame)


class TestTextLabelsOnly(ModelContract):
    target = "yes"

    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        return lambda f: np.where(score(f) > 0, "yes", "no")

    def says_good(self, model: Any, frame: pd.DataFrame) -> np.ndarray:
        return model(frame) == "yes"


class TestProbabilityTableOfAnyObject(ModelContract):
    class Mine:
        classes_ = np.array([0, 1])

        def predict_proba(self, frame: pd.DataFrame) -> np.ndarray:
            p = 1 / (1 + np.exp(-score(frame)))
            return np.stack([1 - p, p], axis=1)

    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        return self.Mine()

    def says_good(self, model: Any, frame: pd.DataFrame) -> np.ndarray:
        return model.predict_proba(frame)[:, 1] > 0.5


class ScikitContract(ModelContract):
    def says_good(self, model: Any, frame: pd.DataFrame) -> np.ndarray:
        return model.predict(frame) == (True if self.target is None else self.target)


class TestDecisionTree(ScikitContract):
    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(random_state=0).fit(frame, good)


class TestForestWhoseGoodClassComesFirst(ScikitContract):
    target = "accept"

    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(15, random_state=0).fit(frame, np.where(good, "accept", "refuse"))


class TestSupportVectorsWithoutProbabilities(ScikitContract):
    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        from sklearn.svm import LinearSVC

        return LinearSVC(random_state=0).fit(frame, good)


class TestSupportVectorsWhoseGoodClassComesFirst(ScikitContract):
    target = "accept"

    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        from sklearn.svm import LinearSVC

        return LinearSVC(random_state=0).fit(frame, np.where(good, "accept", "refuse"))


class TestThreeClasses(ScikitContract):
    target = "good"

    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        from sklearn.tree import DecisionTreeClassifier

        label = np.where(good, "good", np.where(frame["late"] > 3, "bad", "fair"))
        return DecisionTreeClassifier(max_depth=5, random_state=0).fit(frame, label)


class TestPipeline(ScikitContract):
    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        return make_pipeline(StandardScaler(), LogisticRegression()).fit(frame, good)


class TestEstimatorFittedOnAnArray(ModelContract):
    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(max_iter=1000).fit(frame.to_numpy(), good)

    def says_good(self, model: Any, frame: pd.DataFrame) -> np.ndarray:
        return model.predict(frame.to_numpy())
