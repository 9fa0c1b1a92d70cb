"""ONNX models give the same numbers compiled as run by ONNX Runtime, float32 comparisons and sums included."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from exact_data import Data, adult, categories, compas, credit, filled, gaps, german, give, number, of, three, title
from exact_data import plain as table
from exactness import Case, compare
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from geco.models.asking.wrap import wrap

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")
skl2onnx = pytest.importorskip("skl2onnx")
onnxmltools = pytest.importorskip("onnxmltools")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType  # noqa: E402

SINGLE = 2.4e-7  # two units in the last place of a float32 probability
CLOSE = 2e-6  # a float32 network's: its sums run in another order
NEWER = (1, 21)  # of ONNX Runtime, which takes a TreeEnsemble
NEAR: dict[str, Any] = {"exempt": CLOSE, "within": CLOSE}


def session(proto: Any) -> Any:
    """One thread: several would add the trees of a few rows in another order."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    return onnxruntime.InferenceSession(proto.SerializeToString(), options, providers=["CPUExecutionProvider"])


def of_second(model: Any, asked: Any) -> Any:
    """Trees that score one class are compiled to its probability alone."""
    return wrap(model).predict_proba(asked)[:, 1]


def from_sklearn(estimator: Any, options: str = "", data: Data = table, **allow: Any) -> Case:
    """An estimator fitted on a float32 array and converted by skl2onnx."""

    def fit() -> tuple[Any, Any]:
        x, y = data()
        array = x.to_numpy(np.float32)
        model = estimator.fit(array, y)
        return session(skl2onnx.to_onnx(model, array[:1])), x

    return Case(f"onnx: {type(estimator).__name__}", options, title(data), fit, **{"within": SINGLE, **allow})


def by_column(estimator: Any, options: str, data: Data, **allow: Any) -> Case:
    """A pipeline on a frame, converted with one input per column."""

    def fit() -> tuple[Any, Any]:
        x, y = data()
        text = [n for n in x.columns if not pd.api.types.is_numeric_dtype(x[n])]
        x = x.astype({n: str if n in text else np.float32 for n in x.columns if x[n].dtype.kind != "i"})
        encoder = ColumnTransformer(
            [("text", OneHotEncoder(handle_unknown="ignore"), text)], remainder=StandardScaler(), sparse_threshold=0.0
        )
        model = make_pipeline(encoder, estimator).fit(x, y)
        types = {
            n: StringTensorType if n in text else Int64TensorType if x[n].dtype.kind == "i" else FloatTensorType
            for n in x
        }
        inputs = [(n, kind([None, 1])) for n, kind in types.items()]
        return session(skl2onnx.convert_sklearn(model, initial_types=inputs)), x

    return Case(f"onnx: pipeline, {type(estimator).__name__}", options, title(data), fit, **{"within": SINGLE, **allow})


def boosted(library: str, options: str, data: Data, estimator: Callable[..., Any], **parameters: Any) -> Case:
    """A booster converted by onnxmltools; categories are columns of codes."""

    def fit() -> tuple[Any, Any]:
        x, y = data()
        coded = [n for n in x.columns if x[n].dtype == "category"]
        x = x.assign(**{n: x[n].cat.codes for n in coded}).astype(np.float64)
        extra = {"categorical_feature": [x.columns.get_loc(n) for n in coded]} if coded else {}
        model = estimator(n_estimators=15, n_jobs=1, **parameters).fit(x.to_numpy(), y, **extra)
        convert = getattr(onnxmltools, f"convert_{library}")
        types = [("X", onnxmltools.convert.common.data_types.FloatTensorType([None, x.shape[1]]))]
        return session(convert(model, initial_types=types)), x

    return Case(f"onnx: {estimator.__name__}", options, title(data), fit, missing=True, within=SINGLE)


def by_hand(options: str, make: Callable[[], Any], columns: int = 3, **allow: Any) -> Case:
    """A graph of our own, on normal numbers, some of them whole."""

    def fit() -> tuple[Any, Any]:
        rng = np.random.default_rng(1)
        x = rng.normal(size=(500, columns))
        x[:, 0] = np.round(x[:, 0] * 2)
        return session(make()), pd.DataFrame(x, columns=[f"c{i}" for i in range(columns)])

    return Case("onnx: graph", options, "", fit, **{"within": SINGLE, **allow})


def graph(nodes: Any, kind: int = TensorProto.FLOAT, columns: int = 3, ml: int = 3, **constants: Any) -> Any:
    """A model from X to Y; float32 constants by name."""
    stored = [numpy_helper.from_array(np.asarray(v, np.float32), n) for n, v in constants.items()]
    inputs = [helper.make_tensor_value_info("X", kind, [None, columns])]
    outputs = [helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None, None])]
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("ai.onnx.ml", ml)]
    built = helper.make_graph(nodes, "g", inputs, outputs, stored)
    return helper.make_model(built, opset_imports=opsets, ir_version=9 if ml < 5 else 10)


def every_mode(kind: int = TensorProto.FLOAT, **more: Any) -> Any:
    """One tree per way to compare, with and without missing values on the way of yes."""
    modes = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"] * 2
    columns, splits = [1, 2, 1, 2, 0, 0] * 2, [0.1, -0.25, 0.3, 0.7, 1.0, 2.0, 0.1, -0.5, 0.3, 0.9, -1.0, 0.0]
    trees = np.arange(len(modes))
    weights = np.random.default_rng(2).normal(size=2 * len(modes))
    node = helper.make_node(
        "TreeEnsembleRegressor",
        ["X"],
        ["Y"],
        domain="ai.onnx.ml",
        n_targets=1,
        nodes_treeids=np.repeat(trees, 3).tolist(),
        nodes_nodeids=[0, 1, 2] * len(modes),
        nodes_featureids=[c for column in columns for c in (column, 0, 0)],
        nodes_values=[float(v) for split in splits for v in (split, 0, 0)],
        nodes_modes=[m for mode in modes for m in (mode, "LEAF", "LEAF")],
        nodes_truenodeids=[1, 0, 0] * len(modes),
        nodes_falsenodeids=[2, 0, 0] * len(modes),
        nodes_missing_value_tracks_true=[t for i in trees for t in (int(i >= 6), 0, 0)],
        target_treeids=np.repeat(trees, 2).tolist(),
        target_nodeids=[1, 2] * len(modes),
        target_ids=[0] * len(weights),
        target_weights=weights.tolist(),
        **more,
    )
    return graph([node], kind)


def newer() -> Any:
    """The TreeEnsemble of ai.onnx.ml 5: two trees, one of depth two, of three targets, and a softmax."""
    tensor = numpy_helper.from_array
    node = helper.make_node(
        "TreeEnsemble",
        ["X"],
        ["scores"],
        domain="ai.onnx.ml",
        n_targets=3,
        aggregate_function=1,
        tree_roots=[0, 2],
        nodes_featureids=[0, 1, 2],
        nodes_splits=tensor(np.array([1.0, 0.25, -0.5], np.float32)),
        nodes_modes=tensor(np.array([4, 0, 1], np.uint8)),
        nodes_truenodeids=[1, 0, 3],
        nodes_trueleafs=[0, 1, 1],
        nodes_falsenodeids=[2, 1, 4],
        nodes_falseleafs=[1, 1, 1],
        nodes_missing_value_tracks_true=[0, 1, 0],
        leaf_targetids=[0, 1, 2, 1, 0],
        leaf_weights=tensor(np.array([0.5, 1.5, -0.25, 2.0, 1.0], np.float32)),
    )
    made = graph([node, helper.make_node("Softmax", ["scores"], ["Y"])], ml=5)
    made.graph.output[0].type.tensor_type.shape.dim[1].dim_value = 3
    return made


def layers() -> Any:
    """Every activation once, a product with and without Gemm, and a batch norm."""
    rng = np.random.default_rng(3)
    nodes = [
        helper.make_node("Gemm", ["X", "w0", "b0"], ["h0"], transB=1, alpha=0.5, beta=2.0),
        helper.make_node("LeakyRelu", ["h0"], ["h1"], alpha=0.2),
        helper.make_node("MatMul", ["h1", "w1"], ["h2"]),
        helper.make_node("Add", ["b1", "h2"], ["h3"]),
        helper.make_node("Elu", ["h3"], ["h4"], alpha=0.7),
        helper.make_node("BatchNormalization", ["h4", "b0", "b1", "b0", "v"], ["h5"]),
        helper.make_node("Gelu", ["h5"], ["h6"]),
        helper.make_node("Gemm", ["h6", "w1"], ["h7"]),
        helper.make_node("Gelu", ["h7"], ["h8"], approximate="tanh"),
        helper.make_node("Sub", ["h8", "b1"], ["h9"]),
        helper.make_node("Sigmoid", ["h9"], ["h10"]),
        helper.make_node("Gemm", ["h10", "w2", "b2"], ["h11"]),
        helper.make_node("Sigmoid", ["h11"], ["Y"]),
    ]
    constants = {"w0": rng.normal(size=(4, 3)), "w1": rng.normal(size=(4, 4)), "w2": rng.normal(size=(4, 1)) * 3}
    biases = {"b0": rng.normal(size=4), "b1": rng.normal(size=4), "b2": [0.1], "v": rng.random(4) + 0.5}
    return graph(nodes, **constants, **biases)


def scaled_first() -> Any:
    """Preprocessing of plain operators before the first layer."""
    rng = np.random.default_rng(4)
    nodes = [
        helper.make_node("Sub", ["X", "mean"], ["s0"]),
        helper.make_node("Div", ["s0", "scale"], ["s1"]),
        helper.make_node("Clip", ["s1", "low", "high"], ["s2"]),
        helper.make_node("Gemm", ["s2", "w0"], ["h0"]),
        helper.make_node("Relu", ["h0"], ["h1"]),
        helper.make_node("Gemm", ["h1", "w1"], ["h2"]),
        helper.make_node("Softmax", ["h2"], ["Y"], axis=1),
    ]
    made = graph(
        nodes,
        mean=[0.1, 0.2, 0.3],
        scale=[2, 3, 0.5],
        low=-1,
        high=1,
        w0=rng.normal(size=(3, 8)),
        w1=rng.normal(size=(8, 3)),
    )
    made.graph.output[0].type.tensor_type.shape.dim[1].dim_value = 3
    return made


def from_torch() -> Any:
    """What the exporter of PyTorch makes of a Sequential."""
    import torch

    torch.manual_seed(0)
    first, last = torch.nn.Linear(3, 8), torch.nn.Linear(8, 1)
    module = torch.nn.Sequential(first, torch.nn.ReLU(), torch.nn.BatchNorm1d(8), last, torch.nn.Sigmoid()).eval()
    file = io.BytesIO()
    axes = {"X": {0: "n"}, "Y": {0: "n"}}
    names: dict[str, Any] = {"input_names": ["X"], "output_names": ["Y"], "dynamic_axes": axes}
    torch.onnx.export(module, (torch.zeros(2, 3),), file, dynamo=False, **names)
    return onnx.load_model_from_string(file.getvalue())


FOREST: dict[str, Any] = {"n_estimators": 15, "max_depth": 6, "random_state": 0}
NETWORK: dict[str, Any] = {"hidden_layer_sizes": (12, 6), "max_iter": 40, "random_state": 0}
TREES = [
    from_sklearn(RandomForestClassifier(**FOREST), ask=of_second),
    from_sklearn(ExtraTreesClassifier(**FOREST), ask=of_second),
    from_sklearn(DecisionTreeClassifier(max_depth=6), "", credit, ask=of_second),
    from_sklearn(RandomForestClassifier(**FOREST), "", three),
    from_sklearn(RandomForestClassifier(100, max_depth=8, random_state=0), "100 trees", credit, ask=of_second),
    from_sklearn(GradientBoostingClassifier(n_estimators=15)),
    from_sklearn(GradientBoostingClassifier(n_estimators=15), "", three),
    from_sklearn(GradientBoostingRegressor(n_estimators=15), "", number),
    from_sklearn(RandomForestRegressor(**FOREST), "", number),
    from_sklearn(
        make_pipeline(SimpleImputer(), RandomForestClassifier(**FOREST)), "imputer", gaps, missing=True, ask=of_second
    ),
    from_sklearn(make_pipeline(MinMaxScaler(), GradientBoostingClassifier(n_estimators=15)), "scaler"),
    by_column(RandomForestClassifier(**FOREST), "one input per column", filled, ask=of_second),
    by_column(GradientBoostingClassifier(n_estimators=15), "one input per column", adult),
    by_column(RandomForestClassifier(**FOREST), "one input per column", compas, ask=of_second),
    by_hand("every way to compare", every_mode, missing=True),
    by_hand("AVERAGE", lambda: every_mode(aggregate_function="AVERAGE"), missing=True),
    by_hand("base_values", lambda: every_mode(base_values=[0.3]), missing=True),
    by_hand("float64", lambda: every_mode(TensorProto.DOUBLE), missing=True),
]
if tuple(map(int, onnxruntime.__version__.split(".")[:2])) >= NEWER:
    TREES.append(by_hand("TreeEnsemble", newer, missing=True))
WEIGHTED = [
    from_sklearn(make_pipeline(StandardScaler(), LogisticRegression()), "binary", **NEAR),
    from_sklearn(make_pipeline(StandardScaler(), LogisticRegression()), "softmax", three, **NEAR),
    from_sklearn(make_pipeline(StandardScaler(), LinearRegression()), "", number, **NEAR),
    from_sklearn(make_pipeline(StandardScaler(), Ridge()), "", number, **NEAR),
    *(
        from_sklearn(make_pipeline(StandardScaler(), MLPClassifier(activation=a, **NETWORK)), a, **NEAR)
        for a in ("relu", "tanh", "logistic", "identity")
    ),
    from_sklearn(make_pipeline(StandardScaler(), MLPClassifier(**NETWORK)), "softmax", three, **NEAR),
    from_sklearn(make_pipeline(StandardScaler(), MLPRegressor(**NETWORK)), "", number, **NEAR),
    by_column(MLPClassifier(**NETWORK), "one input per column", german, **NEAR),
    by_hand("layers and activations", layers, **NEAR),
    by_hand("operators before the layers", scaled_first, **NEAR),
]

if importlib.util.find_spec("torch"):
    WEIGHTED.append(by_hand("exported by PyTorch", from_torch, **NEAR))


def boosters() -> list[Case]:
    """What onnxmltools converts, of the libraries that are there."""
    lightgbm, xgboost = pytest.importorskip("lightgbm"), pytest.importorskip("xgboost")
    quiet = {"verbose": -1, "min_child_samples": 5}
    return [
        boosted("lightgbm", "", gaps, lightgbm.LGBMClassifier, **quiet),
        boosted("lightgbm", "", of(gaps, "three"), lightgbm.LGBMClassifier, **quiet),
        boosted("lightgbm", "categories", categories, lightgbm.LGBMClassifier, **quiet),
        boosted("lightgbm", "", give, lightgbm.LGBMClassifier, **quiet),
        boosted("lightgbm", "", of(gaps, "number"), lightgbm.LGBMRegressor, **quiet),
        boosted("lightgbm", "poisson", of(gaps, "count"), lightgbm.LGBMRegressor, objective="poisson", **quiet),
        boosted("xgboost", "", gaps, xgboost.XGBClassifier, max_depth=4),
        boosted("xgboost", "", of(gaps, "three"), xgboost.XGBClassifier, max_depth=4),
        boosted("xgboost", "", of(gaps, "number"), xgboost.XGBRegressor, max_depth=4),
    ]


CASES = [*TREES, *WEIGHTED, *boosters()]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_compiled_model_decides_as_the_users_model_on_every_row(case: Case) -> None:
    result = compare(case, rows=2_000)

    assert result.disagreements == 0
    assert result.difference <= case.within
