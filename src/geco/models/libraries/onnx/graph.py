"""An ONNX graph as geco reads it: which node makes a tensor, which tensors are constant, what leads to a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

PASSES_ON = ("Identity", "Cast", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Dropout", "ZipMap")


def proto_of(session: Any) -> Any:
    """The model a session was made of; None where the session does not keep it or ``onnx`` is not installed."""
    path, content = getattr(session, "_model_path", None), getattr(session, "_model_bytes", None)
    try:
        import onnx
    except ImportError:
        return None
    try:
        if content:
            return onnx.load_model_from_string(content)
        return onnx.load(path) if path else None
    except Exception:  # its file is gone by now, or is in ONNX Runtime's own format
        return None


class Graph:
    """The nodes of a model by what they make."""

    def __init__(self, proto: Any) -> None:
        self.proto = proto
        self.maker = {name: node for node in proto.graph.node for name in node.output if name}
        self._stored = {tensor.name: tensor for tensor in proto.graph.initializer}

    def constant(self, name: str) -> npt.NDArray[Any] | None:
        """The value of a tensor that is the same for every row; None of any other."""
        from onnx import numpy_helper

        if name in self._stored:
            return np.asarray(numpy_helper.to_array(self._stored[name]))
        node = self.maker.get(name)
        if node is None:
            return None
        if node.op_type == "Constant":
            return _of_constant(self.attributes(node))
        return self.constant(node.input[0]) if node.op_type in ("Identity", "Cast") else None

    def attributes(self, node: Any) -> dict[str, Any]:
        """As Python values: numbers, bytes, lists, tensors as arrays."""
        from onnx import helper, numpy_helper

        values = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        return {n: np.asarray(numpy_helper.to_array(v)) if hasattr(v, "raw_data") else v for n, v in values.items()}

    def before(self, names: Sequence[str]) -> list[Any]:
        """The nodes that these tensors depend on, in the order of the graph."""
        needed: set[str] = set(names)
        kept: list[Any] = []
        for node in reversed(self.proto.graph.node):
            if needed & set(node.output):
                needed |= set(node.input)
                kept.append(node)
        return kept[::-1]

    def up_to(self, name: str) -> Any:
        """The model whose answer is this tensor."""
        from onnx import ModelProto, helper

        part = ModelProto()
        part.CopyFrom(self.proto)
        nodes = self.before([name])
        used = {n for node in nodes for n in node.input}
        del part.graph.node[:], part.graph.output[:], part.graph.value_info[:], part.graph.initializer[:]
        part.graph.node.extend(nodes)
        part.graph.output.append(helper.make_empty_tensor_value_info(name))
        part.graph.initializer.extend(tensor for key, tensor in self._stored.items() if key in used)
        return part

    def source(self, name: str) -> Any:
        """The node that made this tensor, past nodes that only hand it on; None at an input."""
        node = self.maker.get(name)
        while node is not None and node.op_type in PASSES_ON:
            node = self.maker.get(node.input[0])
        return node

    def labels(self, label: str | None, scores: str) -> list[Any] | None:
        """The classes, from the node that names them: a classifier, a ZipMap, or a look-up in a list."""
        for name in (scores, label):
            for node in reversed(self.before([name] if name else [])):
                found = self._named(node)
                if found is not None:
                    return found
        return None

    def _named(self, node: Any) -> list[Any] | None:
        if node.op_type in ("ArrayFeatureExtractor", "Gather") and (names := self.constant(node.input[0])) is not None:
            return [_plain(name) for name in names.ravel()] if names.dtype.kind in "iuSUO" else None
        attributes = self.attributes(node)
        for key in ("classlabels_int64s", "classlabels_ints", "classlabels_strings"):
            if attributes.get(key):
                return [_plain(name) for name in attributes[key]]
        return None


def _of_constant(attributes: dict[str, Any]) -> npt.NDArray[Any] | None:
    values = [
        v for n, v in attributes.items() if n in ("value", "value_float", "value_floats", "value_int", "value_ints")
    ]
    return np.asarray(values[0]) if values else None


def _plain(name: Any) -> Any:
    if isinstance(name, bytes):
        return name.decode()
    return name if isinstance(name, str) else int(name)
