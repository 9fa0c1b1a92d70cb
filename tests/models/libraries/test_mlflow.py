"""Models of MLflow, loaded as pyfunc from a local folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import geco
from geco.errors import ModelError

pyfunc = pytest.importorskip("mlflow.pyfunc")
from mlflow.models import ModelSignature, infer_signature  # noqa: E402
from mlflow.types import ColSpec, Schema  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


class Asked(pyfunc.PythonModel):  # type: ignore[misc,name-defined]
    """Any model, asked by one of its methods."""

    def __init__(self, model: Any, method: str, names: list[str] | None = None) -> None:
        self.model, self.method, self.names = model, method, names

    def predict(self, context: Any, model_input, params=None):  # type: ignore[no-untyped-def]
        answer = getattr(self.model, self.method)(model_input)
        return answer if self.names is None else pd.DataFrame(answer, columns=self.names)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "income": rng.integers(20, 80, 300) * 50,
            "debt": rng.normal(900, 300, 300).round(),
            "owner": rng.random(300) < 0.5,
            "job": rng.choice(["clerk", "nurse", "pilot"], 300),
        }
    )


def fitted(frame: pd.DataFrame, model: Any, text: bool = False) -> Any:
    encoder = make_column_transformer((OneHotEncoder(), ["job"]), remainder="passthrough")
    score = frame.income - frame.debt + 500 * (frame.job == "pilot")
    wanted = score if hasattr(model, "criterion") and model.criterion == "squared_error" else score > 1600
    return make_pipeline(encoder, model).fit(frame, np.where(wanted, "yes", "no") if text else wanted)


def loaded(folder: Path, python_model: Any, signature: Any) -> Any:
    """Saved and loaded; requirements are named because finding them out would import everything again."""
    path = str(folder / "model")
    pyfunc.save_model(path, python_model=python_model, signature=signature, pip_requirements=["scikit-learn"])
    return pyfunc.load_model(path)


def forest() -> RandomForestClassifier:
    return RandomForestClassifier(10, max_depth=5, random_state=0)


def worst(frame: pd.DataFrame, numbers: Any) -> dict[str, Any]:
    return frame.iloc[int(np.argmin(numbers))].to_dict()


def test_probabilities_of_a_pyfunc_model_are_explained(tmp_path: Path, frame: pd.DataFrame) -> None:
    model = fitted(frame, forest())
    answers = pd.DataFrame(model.predict_proba(frame), columns=["no", "yes"])
    served = loaded(tmp_path, Asked(model, "predict_proba", ["no", "yes"]), infer_signature(frame, answers))
    explainer = geco.Explainer(served, geco.Database.from_frame(frame), target="yes")
    explanation = explainer.explain(worst(frame, answers["yes"]), k=1)

    assert explanation.counterfactuals[0].confirmed and explanation.target == "P(yes) > 0.5"
    assert "PyFuncModel.predict_proba on pandas input, a black box" in explainer.describe()


def test_labels_of_a_pyfunc_model_are_explained(tmp_path: Path, frame: pd.DataFrame) -> None:
    model = fitted(frame, forest(), text=True)
    served = loaded(tmp_path, Asked(model, "predict"), infer_signature(frame, model.predict(frame)))
    explainer = geco.Explainer(served, geco.Database.from_frame(frame), target="yes")
    explanation = explainer.explain(worst(frame, model.predict(frame) == "yes"), k=1)

    assert explanation.counterfactuals[0].confirmed
    assert explanation.target == "prediction 'yes'"


def test_numbers_of_a_pyfunc_model_are_explained(tmp_path: Path, frame: pd.DataFrame) -> None:
    model = fitted(frame, RandomForestRegressor(10, random_state=0))
    served = loaded(tmp_path, Asked(model, "predict"), infer_signature(frame, model.predict(frame)))
    explainer = geco.Explainer(served, geco.Database.from_frame(frame), target=(2000, None))

    assert explainer.explain(worst(frame, model.predict(frame)), k=1).counterfactuals[0].outcome >= 2000


def test_columns_are_cast_to_the_signature_and_those_it_lacks_are_not_read(tmp_path: Path, frame: pd.DataFrame) -> None:
    model = fitted(frame, forest())
    types = {"income": "double", "debt": "integer", "owner": "boolean", "job": "string"}
    schema = Schema([ColSpec(kind, name) for name, kind in types.items()])
    served = loaded(tmp_path, Asked(model, "predict_proba"), ModelSignature(schema))
    other = frame.assign(job=frame.job.astype("category"), number=np.arange(len(frame)))
    explainer = geco.Explainer(served, geco.Database.from_frame(other))
    explanation = explainer.explain(worst(other, model.predict_proba(frame)[:, 1]), k=1)

    assert explanation.counterfactuals[0].confirmed
    assert "number: 300 rows, continuous, 0 to 299, not read by the model" in explainer.describe()


def test_a_fraction_is_not_cut_off_for_a_whole_number_of_the_signature(tmp_path: Path, frame: pd.DataFrame) -> None:
    model = fitted(frame, forest())
    served = loaded(tmp_path, Asked(model, "predict_proba"), infer_signature(frame))
    explainer = geco.Explainer(served, geco.Database.from_frame(frame))

    with pytest.raises(ModelError, match="the model raised MlflowException"):
        explainer.explain({**frame.iloc[0], "income": 1000.5})


def test_a_column_of_the_signature_that_d_lacks_is_named(tmp_path: Path, frame: pd.DataFrame) -> None:
    model = fitted(frame, forest())
    served = loaded(tmp_path, Asked(model, "predict_proba"), infer_signature(frame))

    with pytest.raises(geco.GecoError, match="reads columns that D does not have: 'job'"):
        geco.Explainer(served, geco.Database.from_frame(frame.drop(columns="job")))


def test_a_model_without_a_signature_sees_the_columns_of_d(tmp_path: Path, frame: pd.DataFrame) -> None:
    model = fitted(frame, forest())
    served = loaded(tmp_path, Asked(model, "predict_proba"), None)
    explainer = geco.Explainer(served, geco.Database.from_frame(frame))

    assert explainer.explain(worst(frame, model.predict_proba(frame)[:, 1]), k=1).counterfactuals[0].confirmed
