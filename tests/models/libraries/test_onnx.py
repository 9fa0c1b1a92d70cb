"""ONNX models as users have them: files, bytes, graphs and sessions; inputs and outputs of every form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, OneHotEncoder, StandardScaler

import geco
from geco.errors import DataError, ModelError

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")
skl2onnx = pytest.importorskip("skl2onnx")
from onnx import TensorProto, helper  # noqa: E402
from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType  # noqa: E402

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"a": RNG.normal(size=300), "b": RNG.integers(0, 9, 300), "c": RNG.random(300)})
GOOD = (FRAME.a + 0.3 * FRAME.b > 1.2).astype(int)
MIXED = FRAME.assign(job=RNG.choice(["cook", "judge", "miner"], 300))
X = {"a": -1.5, "b": 2, "c": 0.5}
FOREST = RandomForestClassifier(10, max_depth=4, random_state=0)


def converted(model: Any = FOREST, y: Any = GOOD, **settings: Any) -> Any:
    array = FRAME.to_numpy(np.float32)
    return skl2onnx.to_onnx(model.fit(array, y), array[:1], **settings)


def explainer(model: Any, frame: pd.DataFrame = FRAME, **settings: Any) -> geco.Explainer:
    return geco.Explainer(model, geco.Database.from_frame(frame), **settings)


def by_column() -> Any:
    """A pipeline with an input per column."""
    encoder = make_column_transformer((OneHotEncoder(), ["job"]), (StandardScaler(), ["a", "b", "c"]))
    model = make_pipeline(encoder, FOREST).fit(MIXED, GOOD)
    kinds = {"a": FloatTensorType, "b": Int64TensorType, "c": FloatTensorType, "job": StringTensorType}
    return skl2onnx.convert_sklearn(model, initial_types=[(n, kind([None, 1])) for n, kind in kinds.items()])


@pytest.fixture(scope="module")
def forms(tmp_path_factory):
    proto = converted()
    path = tmp_path_factory.mktemp("onnx") / "model.onnx"
    path.write_bytes(proto.SerializeToString())
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return {"path": path, "text": str(path), "bytes": path.read_bytes(), "graph": proto, "session": session}


@pytest.mark.parametrize("form", ["path", "text", "bytes", "graph", "session"])
def test_every_form_of_a_model_is_compiled_and_gives_the_same_answer(forms, form):
    of_form, of_session = explainer(forms[form]), explainer(forms["session"])

    assert "compiled: 10 trees" in of_form.describe()
    assert (
        of_form.explain(X, k=2).to_dict()["counterfactuals"] == of_session.explain(X, k=2).to_dict()["counterfactuals"]
    )


def test_the_ending_of_a_file_may_be_in_capitals(forms, tmp_path):
    path = tmp_path / "MODEL.ONNX"
    path.write_bytes(forms["bytes"])

    assert "compiled: 10 trees" in explainer(str(path)).describe()


@pytest.mark.parametrize("kept", [False, True], ids=["file is gone", "runtime's own format"])
def test_a_session_whose_graph_cannot_be_seen_is_a_black_box(tmp_path, kept):
    path, options = tmp_path / "model.onnx", onnxruntime.SessionOptions()
    path.write_bytes(converted(options={"zipmap": False}).SerializeToString())
    options.optimized_model_filepath, options.log_severity_level = str(tmp_path / "model.ort"), 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    if kept:
        session = onnxruntime.InferenceSession(str(tmp_path / "model.ort"), providers=["CPUExecutionProvider"])
    path.unlink()

    assert "a black box: its graph cannot be seen" in explainer(session).describe()


def test_a_black_box_is_asked_with_the_same_result(forms):
    [compiled] = explainer(forms["session"]).explain(X, k=1).counterfactuals
    [asked] = explainer(forms["session"], compile=False).explain(X, k=1).counterfactuals

    assert asked.confirmed and compiled.confirmed
    assert compiled.distance <= asked.distance


@pytest.mark.parametrize("zipmap", [True, False])
def test_classes_of_text_are_read_from_the_graph(zipmap):
    proto = converted(y=np.where(GOOD, "yes", "no"), options={"zipmap": zipmap})
    explanation = explainer(proto, target="yes").explain(X, k=1)

    assert explanation.target == "P(yes) > 0.5"
    assert explanation.counterfactuals[0].confirmed


def test_inputs_by_column_are_matched_by_name():
    shuffled = MIXED[["job", "c", "a", "b"]]
    model = explainer(by_column(), shuffled)

    assert "compiled: 10 trees over 6 encoded columns" in model.describe()
    assert model.explain({**X, "job": "cook"}, k=1).counterfactuals[0].confirmed


def test_a_fraction_is_not_cut_off_for_a_tensor_of_whole_numbers():
    with pytest.raises(ModelError, match=r"'b' has values such as 2\.5, and the model takes tensor\(int64\)"):
        explainer(by_column(), MIXED).explain({**X, "b": 2.5, "job": "cook"})


def test_a_column_the_graph_names_and_d_lacks_is_named():
    with pytest.raises(DataError, match="the model reads columns that D does not have: 'job'"):
        explainer(by_column(), FRAME)


def test_one_tensor_of_another_width_than_d_is_refused(forms):
    with pytest.raises(DataError, match="the model was fitted on 3 columns but D has 4"):
        explainer(forms["path"], MIXED)


def test_text_for_a_tensor_of_numbers_is_named(forms):
    with pytest.raises(ModelError, match="has values that are not numbers, and the model takes tensor"):
        explainer(forms["path"], MIXED[["a", "b", "job"]])


def test_gaps_in_a_tensor_of_text_are_named():
    gappy = MIXED.assign(job=MIXED.job.where(MIXED.index % 3 > 0))

    with pytest.raises(ModelError, match="'job' has missing values, and an ONNX tensor of text has none"):
        explainer(by_column(), gappy)


def test_a_regression_has_an_interval_for_a_target():
    model = explainer(converted(LinearRegression()), target=(0.9, None))

    assert "compiled: a linear model" in model.describe()
    assert model.explain(X, k=1).counterfactuals[0].outcome >= 0.9


def test_steps_that_mix_columns_leave_a_black_box_with_the_reason():
    model = explainer(converted(make_pipeline(Normalizer(), FOREST)))

    assert "a black box: encoded column 0 depends on 'a' and on 'b'" in model.describe()
    assert model.explain(X, k=1).counterfactuals[0].confirmed


def test_a_graph_that_geco_does_not_know_is_a_black_box_with_the_reason():
    node = helper.make_node("ReduceMax", ["X"], ["Y"], keepdims=1, axes=[1])
    tensors = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [None, w]) for n, w in (("X", 3), ("Y", 1))]
    built = helper.make_graph([node], "g", tensors[:1], tensors[1:])
    model = helper.make_model(built, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)

    assert "its graph ends in a ReduceMax and not in trees" in explainer(model, target=(5, None)).describe()


def test_a_graph_that_returns_labels_only_is_explained():
    proto = converted(options={"zipmap": False})
    del proto.graph.output[1]
    explanation = explainer(proto).explain(X, k=1)

    assert explanation.counterfactuals[0].outcome == 1


@pytest.mark.parametrize("given", ["nowhere.onnx", b"no model"])
def test_something_that_is_not_a_model_is_one_clear_error(given):
    with pytest.raises(ModelError, match=r"there is no ONNX model at|ONNX Runtime cannot run this model"):
        explainer(given)


def test_several_inputs_of_several_columns_are_refused_with_what_to_do():
    node = helper.make_node("Concat", ["L", "R"], ["Y"], axis=1)
    widths = {"L": 2, "R": 1, "Y": 3}
    left, right, out = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [None, w]) for n, w in widths.items())
    built = helper.make_graph([node], "g", [left, right], [out])

    with pytest.raises(ModelError, match="takes 2 columns as 'L' beside other inputs; export it with one"):
        explainer(helper.make_model(built, opset_imports=[helper.make_opsetid("", 13)], ir_version=8))
