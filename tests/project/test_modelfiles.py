"""Model files of every kind: read, or refused with what to do."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from geco.errors import ModelError
from geco.project.modelfiles import LOADERS, Trusted, load_model
from loans import fitted, people

NUMBERS = ["age", "income", "amount"]


def table() -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    frame = people()
    return frame[NUMBERS].astype(float), (frame["repaid"] == "yes").to_numpy().astype(int)


def xgboost_file(path: Path) -> Path:
    xgboost = pytest.importorskip("xgboost")
    xgboost.XGBClassifier(n_estimators=5, n_jobs=1).fit(*table()).save_model(path)
    return path


def lightgbm_file(path: Path) -> Path:
    lightgbm = pytest.importorskip("lightgbm")
    model = lightgbm.LGBMClassifier(n_estimators=5, n_jobs=1, verbose=-1).fit(*table())
    model.booster_.save_model(str(path))
    return path


def catboost_file(path: Path) -> Path:
    catboost = pytest.importorskip("catboost")
    model = catboost.CatBoostClassifier(iterations=5, thread_count=1, verbose=False, allow_writing_files=False)
    model.fit(*table()).save_model(str(path))
    return path


def onnx_file(path: Path) -> Path:
    skl2onnx = pytest.importorskip("skl2onnx")
    from sklearn.linear_model import LogisticRegression

    frame, labels = table()
    model = LogisticRegression().fit(frame.to_numpy(np.float32), labels)
    path.write_bytes(
        skl2onnx.to_onnx(model, frame.to_numpy(np.float32)[:1], options={"zipmap": False}).SerializeToString()
    )
    return path


def skops_file(path: Path) -> Path:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from skops.io import dump

    dump(HistGradientBoostingClassifier(max_iter=5).fit(*table()), path)
    return path


MAKERS = {
    "m.skops": skops_file,
    "m.json": xgboost_file,
    "m.ubj": xgboost_file,
    "m.txt": lightgbm_file,
    "m.cbm": catboost_file,
    "m.onnx": onnx_file,
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_model_file_becomes_a_model_that_is_explained(name: str, tmp_path: Path) -> None:
    frame, _ = table()
    model = load_model(MAKERS[name](tmp_path / name), Trusted())
    explainer = geco.Explainer(model, geco.Database.from_frame(frame), target=1)
    found = [explainer.explain(frame.iloc[row], k=1) for row in range(12)]

    assert {"found", "already_good"} >= {explanation.status for explanation in found}
    assert any(explanation.counterfactuals for explanation in found)


def test_a_torchscript_file_is_explained_with_what_the_project_says_of_it(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    torch.jit.save(torch.jit.script(torch.nn.Sequential(torch.nn.Linear(3, 1))), tmp_path / "m.pt")
    table()[0].to_csv(tmp_path / "t.csv", index=False)
    model = '[model]\nfile = "m.pt"\noutput = "logit"\nclasses = ["no", "yes"]\ntarget = "yes"\n'
    (tmp_path / "geco.toml").write_text('[data]\nsource = "t.csv"\n' + model)

    assert geco.open(tmp_path).explainer.model.goal.words == "P(yes) > 0.5"


@pytest.mark.parametrize("suffix", sorted({*LOADERS} - {".onnx"}))
def test_a_damaged_file_is_one_clear_error(suffix: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"m{suffix}"
    path.write_bytes(b"{ not a model")
    with pytest.raises(ModelError) as caught:
        load_model(path, Trusted(pickle=True))

    assert str(path) in str(caught.value) and "\n" not in str(caught.value)
    assert capfd.readouterr().out == ""


def test_an_xgboost_file_that_is_cut_short_is_one_clear_error(tmp_path: Path) -> None:
    path = xgboost_file(tmp_path / "m.json")
    path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(ModelError, match="cannot be read by XGBoost") as caught:
        load_model(path, Trusted())

    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", [".pkl", ".pickle", ".joblib"])
def test_a_pickle_is_read_only_if_it_is_trusted(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"m{suffix}"
    path.write_bytes(pickle.dumps(fitted()))
    with pytest.raises(ModelError, match=r"can run any code .* add --trust-pickle, or trust_pickle = true"):
        load_model(path, Trusted())

    assert list(load_model(path, Trusted(pickle=True)).classes_) == ["no", "yes"]


def test_a_function_that_scikit_learn_only_imports_is_not_trusted(tmp_path: Path) -> None:
    from sklearn.preprocessing import FunctionTransformer
    from skops.io import dump

    dump(FunctionTransformer(print), tmp_path / "m.skops")
    with pytest.raises(ModelError, match=r"add --trust builtins\.print"):
        load_model(tmp_path / "m.skops", Trusted())


@pytest.mark.parametrize(
    ("name", "message"), [("none.skops", "there is no model file"), (".", "is a folder"), ("m.h5", "ends in .h5")]
)
def test_what_is_not_a_model_file_is_told(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "m.h5").touch()
    with pytest.raises(ModelError, match=message):
        load_model(tmp_path / name, Trusted())
