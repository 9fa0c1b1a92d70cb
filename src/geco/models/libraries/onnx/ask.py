"""ONNX models through ONNX Runtime: tables become tensors on the way, and its outputs probabilities or numbers.

A graph with one input takes all columns of D in their order; one with several inputs takes the columns they are named
after. Of its outputs the probabilities count (a tensor, or a map per row), else labels, else the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.errors import ModelError
from geco.models.asking.wrap import wrapper
from geco.models.libraries.onnx.graph import Graph, proto_of
from geco.models.libraries.tables import frame, numbers

NUMBERS = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(float16)": np.float16,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(bool)": np.bool_,
}
FLOATING = (np.float32, np.float64, np.float16)
FLOATS, LABELS = ("tensor(float)", "tensor(double)", "tensor(float16)"), ("tensor(int64)", "tensor(string)")
QUANTITIES = ("TreeEnsembleRegressor", "LinearRegressor")


def opened(model: Any) -> Any:
    """A session for a file, the bytes of one, or a model of the package ``onnx``."""
    try:
        import onnxruntime
    except ImportError as error:
        raise ModelError("ONNX models are run by ONNX Runtime: pip install onnxruntime") from error
    if isinstance(model, str | PathLike) and not Path(model).is_file():
        raise ModelError(f"there is no ONNX model at {fspath(model)!r}")
    given = fspath(model) if isinstance(model, str | PathLike) else model
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # converters often promise one row, and it warns at every other number of them
    try:
        content = given.SerializeToString() if hasattr(given, "SerializeToString") else given
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ModelError(f"ONNX Runtime cannot run this model: {error}") from error


@wrapper("onnxruntime:InferenceSession")
def model(session: Any) -> Any:
    """By what its outputs are: probabilities of classes, labels, or numbers."""
    outputs = session.get_outputs()
    maps = [o for o in outputs if o.type.startswith("seq(map")]
    floats = [o for o in outputs if o.type in FLOATS]
    labels = [o for o in outputs if o.type in LABELS]
    if maps or (floats and labels) or (floats and _columns(floats[0]) > 1):
        return OnnxClasses(session, (maps or floats)[0], labels[0] if labels else None)
    return OnnxNumbers(session, (floats or outputs)[0])


def _columns(tensor: Any) -> int:
    shape = tensor.shape or []
    return shape[1] if len(shape) == 2 and isinstance(shape[1], int) else 1


class OnnxModel:
    """A session that is asked about tables, for one of its outputs."""

    def __init__(self, session: Any, output: Any) -> None:
        self.session, self.output = session, output.name
        self.inputs = session.get_inputs()
        proto = proto_of(session)
        self.graph = None if proto is None else Graph(proto)
        unknown = [i for i in self.inputs if i.type != "tensor(string)" and i.type not in NUMBERS]
        if unknown:
            raise ModelError(f"the ONNX model takes a {unknown[0].type} as {unknown[0].name!r}; geco gives tensors")
        if len(self.inputs) == 1 and (count := (self.inputs[0].shape or [None])[-1]) != 1:
            if isinstance(count, int):
                self.n_features_in_ = count
            return
        for tensor in self.inputs:
            if _columns(tensor) > 1:
                raise ModelError(
                    f"the ONNX model takes {_columns(tensor)} columns as {tensor.name!r} beside other inputs; "
                    "export it with one input for all columns, or with one for each, named after it"
                )
        self.feature_names_in_ = [tensor.name for tensor in self.inputs]

    def feeds(self, table: Any) -> dict[str, npt.NDArray[Any]]:
        """The table as the graph takes it."""
        columns = _columns_of(table)
        if not hasattr(self, "feature_names_in_"):
            tensor = self.inputs[0]
            return {tensor.name: np.column_stack([_tensor(column, tensor) for column in columns])}
        return {
            tensor.name: _tensor(column, tensor).reshape((-1, 1)[: len(tensor.shape or (0, 0))])
            for tensor, column in zip(self.inputs, columns, strict=True)
        }

    def run(self, table: Any, *outputs: str) -> list[Any]:
        """These outputs for a table."""
        answers: list[Any] = self.session.run(list(outputs), self.feeds(table))
        return answers


class OnnxNumbers(OnnxModel):
    """One number per row, or one label."""

    def __init__(self, session: Any, output: Any) -> None:
        super().__init__(session, output)
        last = None if self.graph is None else self.graph.source(self.output)
        if last is not None and last.op_type in QUANTITIES:
            transform = self.graph.attributes(last).get("post_transform", b"NONE")  # type: ignore[union-attr]
            self._estimator_type = "regressor" if transform == b"NONE" else None

    def predict(self, table: Any) -> Any:
        """The answer for each row."""
        answer = np.asarray(self.run(table, self.output)[0])
        return answer[:, 0] if answer.ndim == 2 and answer.shape[1] == 1 else answer


class OnnxClasses(OnnxModel):
    """A probability per class."""

    def __init__(self, session: Any, output: Any, label: Any) -> None:
        super().__init__(session, output)
        self.label = None if label is None else label.name
        self._maps = output.type.startswith("seq(map")
        named = self.graph.labels(self.label, self.output) if self.graph is not None else None
        text = self._maps or (label is not None and label.type == "tensor(string)")
        if named is None and text:
            raise ModelError(
                "the classes of this ONNX model cannot be read from its graph; pip install onnx and keep the file the "
                "session was made of, or export it without ZipMap and with whole numbers for labels"
            )
        self.classes_ = list(range(max(_columns(output), 2))) if named is None else named
        self._checked = self.label is None

    def predict_proba(self, table: Any) -> Any:
        """A column per class."""
        if not self._checked:
            self._check_labels(table)
        [answer] = self.run(table, self.output)
        return np.array([[row[c] for c in self.classes_] for row in answer]) if self._maps else answer

    def _check_labels(self, table: Any) -> None:
        """Once: what the graph calls its classes must be what it answers with."""
        [labels] = self.run(table, self.label or "")
        strange = set(np.asarray(labels).ravel().tolist()) - set(self.classes_)
        if strange:
            raise ValueError(f"the label {strange.pop()!r} is none of the classes {self.classes_} read from the graph")
        self._checked = True


def _columns_of(table: Any) -> Sequence[Any]:
    shown = frame(table)
    return list(np.asarray(table).T) if shown is None else [shown.iloc[:, i] for i in range(shown.shape[1])]


def _tensor(column: Any, tensor: Any) -> npt.NDArray[Any]:
    """A column as the numbers or text of a tensor; what does not fit is named."""
    name = getattr(column, "name", None) or tensor.name
    if tensor.type == "tensor(string)":
        values = column.tolist()
        if any(v is None or v != v for v in values):
            raise ValueError(f"{name!r} has missing values, and an ONNX tensor of text has none: fill them")
        return np.array([str(v) for v in values], object)
    kind = NUMBERS[tensor.type]
    try:
        values = np.asarray(column, np.float64) if isinstance(column, np.ndarray) else numbers(column)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name!r} has values that are not numbers, and the model takes {tensor.type}") from error
    if kind not in FLOATING and np.isnan(values).any():
        raise ValueError(f"{name!r} has missing values, and the model takes {tensor.type}, which has none")
    with np.errstate(over="ignore", invalid="ignore"):
        cast: npt.NDArray[Any] = np.asarray(values).astype(kind)
    if kind not in FLOATING and (lost := values[cast != values]).size:  # a fraction would be cut off
        raise ValueError(f"{name!r} has values such as {lost[0]:.12g}, and the model takes {tensor.type}")
    return cast
