"""Every kind of model, and every library that geco knows, keeps the contract."""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from contracts.models import ModelContract, X, score, table
from geco.models.registry import FOLDERS

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return table()


@pytest.fixture(scope="class")
def model(request: pytest.FixtureRequest, frame: pd.DataFrame) -> Any:
    if request.cls.library is not None:
        pytest.importorskip(request.cls.library)
    return request.cls().make(frame, score(frame) > 0)


@pytest.fixture(scope="class")
def explanation(request: pytest.FixtureRequest, frame: pd.DataFrame, model: Any) -> geco.Explanation:
    return request.cls().explainer(frame, model).explain(X)


def test_every_library_is_under_contract() -> None:
    assert set(FOLDERS) <= ModelContract.under_contract


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
    library = "sklearn"

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


class TestXgboost(ScikitContract):
    library = "xgboost"

    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        from xgboost import XGBClassifier

        return XGBClassifier(n_estimators=20, max_depth=3).fit(frame, good)


class TestLightgbm(ScikitContract):
    library = "lightgbm"

    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        from lightgbm import LGBMClassifier

        return LGBMClassifier(n_estimators=20, num_leaves=7, verbose=-1).fit(frame, good)


class TestCatboost(ScikitContract):
    library = "catboost"

    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        from catboost import CatBoostClassifier

        model = CatBoostClassifier(iterations=20, depth=3, verbose=False, allow_writing_files=False)
        return model.fit(frame, good.astype(int))

    def says_good(self, model: Any, frame: pd.DataFrame) -> np.ndarray:
        return model.predict(frame) == 1


class TestTorch(ModelContract):
    library = "torch"

    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        import torch

        layer = torch.nn.Linear(3, 1)
        with torch.no_grad():
            layer.weight[:] = torch.tensor([0.1, -0.2, -1.0])
            layer.bias[:] = 1.0
        return torch.nn.Sequential(layer, torch.nn.Sigmoid()).eval()

    def says_good(self, model: Any, frame: pd.DataFrame) -> np.ndarray:
        import torch

        with torch.no_grad():
            return model(torch.tensor(frame.to_numpy(np.float32)))[:, 0].numpy() > 0.5


class TestOnnx(ModelContract):
    library = "onnxruntime"

    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        import onnxruntime
        from skl2onnx import to_onnx
        from sklearn.ensemble import RandomForestClassifier

        array = frame.to_numpy(np.float32)
        forest = RandomForestClassifier(10, max_depth=5, random_state=0).fit(array, good.astype(int))
        content = to_onnx(forest, array[:1], options={"zipmap": False}).SerializeToString()
        return onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])

    def says_good(self, model: Any, frame: pd.DataFrame) -> np.ndarray:
        return model.run(None, {model.get_inputs()[0].name: frame.to_numpy(np.float32)})[1][:, 1] > 0.5


class TestMlflow(ModelContract):
    library = "mlflow"

    def make(self, frame: pd.DataFrame, good: np.ndarray) -> Any:
        from mlflow import pyfunc
        from mlflow.models import infer_signature
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(max_depth=5, random_state=0).fit(frame, good.astype(int))

        class Asked(pyfunc.PythonModel):
            def predict(self, context, model_input, params=None):
                return tree.predict(model_input)

        with tempfile.TemporaryDirectory() as folder:
            path, signature = f"{folder}/model", infer_signature(frame, tree.predict(frame))
            pyfunc.save_model(path, python_model=Asked(), signature=signature, pip_requirements=["scikit-learn"])
            return pyfunc.load_model(path)

    def says_good(self, model: Any, frame: pd.DataFrame) -> np.ndarray:
        return model.predict(frame) == 1
