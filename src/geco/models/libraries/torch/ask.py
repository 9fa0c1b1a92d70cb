"""PyTorch: a module on tensors becomes a model on tables.

In: an ``nn.Module``, a ScriptModule or an exported program. Out: a Torch, with ``predict_proba`` or ``predict``. A
module that ends in Sigmoid or Softmax says itself what its numbers are; of every other the user has to say it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from geco.errors import ModelError, SettingsError
from geco.models.asking.wrap import wrapper
from geco.models.libraries.tables import dense, frame, is_category, numbers
from geco.models.libraries.torch.layers import NotAChain, chain, own_name

Output = Literal["logit", "probability", "number"]
OUTPUTS = ("logit", "probability", "number")
# Layers of torch.nn that answer alike in training and in eval mode.
STEADY = {
    *("Sequential", "ModuleList", "Linear", "Identity", "Flatten", "Unflatten", "Embedding", "LayerNorm"),
    *("ReLU", "ReLU6", "LeakyReLU", "PReLU", "ELU", "SELU", "CELU", "GELU", "SiLU", "Mish", "Softplus", "Softsign"),
    *("Hardtanh", "Hardswish", "Hardsigmoid", "Tanh", "Sigmoid", "LogSigmoid", "Softmax", "LogSoftmax"),
}


class Torch:
    """A PyTorch module as a model that geco can ask, and compile where it is a chain of known layers.

    Parameters
    ----------
    module : an ``nn.Module`` (in eval mode, if that makes a difference to it), a ScriptModule or an exported program.
    output : what its numbers are: ``"logit"`` (before the sigmoid of one column or the softmax of several),
        ``"probability"`` or ``"number"`` (a regression). Not needed if the module ends in Sigmoid or Softmax.
    columns : the columns of D that it takes, in its order; all of D's in theirs if left out.
    preprocess : what comes before the module: a fitted transformer of scikit-learn, or a function of the table that
        returns an array, a tensor, or a tuple of tensors for a module with several arguments.
    classes : labels of the classes, one per column of the output; two for a single column.

    Examples
    --------
    >>> geco.Explainer(geco.Torch(module, output="logit", preprocess=scaler), database)  # doctest: +SKIP
    """

    def __init__(
        self,
        module: Any,
        *,
        output: Output | None = None,
        columns: Sequence[str] | None = None,
        preprocess: Any = None,
        classes: Sequence[Any] | None = None,
    ) -> None:
        if isinstance(module, type) or not (callable(module) or hasattr(module, "graph_signature")):
            raise SettingsError(f"module must be an nn.Module, a ScriptModule or an exported program, got {module!r}")
        self.module = module
        self._unsteady = _unsteady_layers(module)
        self._check_mode()
        self.output = _output(module, output)
        self.preprocess: Callable[[Any], Any] | None = getattr(preprocess, "transform", preprocess)
        if self.preprocess is not None and not callable(self.preprocess):
            raise SettingsError(
                f"preprocess must be a fitted transformer or a function of the table, got a {type(preprocess).__name__}"
            )
        self._called = module.module() if hasattr(module, "graph_signature") else module
        self._name_columns(columns, preprocess)
        if classes is not None:
            self.classes_ = np.asarray(classes)
        self._estimator_type = "regressor" if self.output == "number" else "classifier"

    def _name_columns(self, columns: Sequence[str] | None, preprocess: Any) -> None:
        names = columns if columns is not None else getattr(preprocess, "feature_names_in_", None)
        width = getattr(preprocess, "n_features_in_", None) if preprocess is not None else _width(self.module)
        if names is not None:
            self.feature_names_in_ = [str(name) for name in names]
        elif width is not None:
            self.n_features_in_ = int(width)

    @property
    def predict_proba(self) -> Callable[[Any], npt.NDArray[Any]]:
        """Probabilities for each row of a table; an ``AttributeError`` for a regression."""
        if self.output == "number":
            raise AttributeError("this module predicts a number, not a probability")
        return self._probabilities

    @property
    def predict(self) -> Callable[[Any], npt.NDArray[Any]]:
        """The number of each row of a table; an ``AttributeError`` for a classification."""
        if self.output != "number":
            raise AttributeError("this module predicts a probability, not a number")
        return lambda table: self._answer(table).numpy()

    def inputs(self, table: Any) -> tuple[Any, ...]:
        """The tensors the module is called with."""
        import torch

        given = _matrix(table) if self.preprocess is None else self.preprocess(table)
        parts = given if isinstance(given, tuple) else (given,)
        kind = next(iter(self._called.parameters()), torch.empty(0))
        return tuple(
            part.to(kind.device)
            if isinstance(part, torch.Tensor)
            else torch.as_tensor(_array(part)).to(kind.device, kind.dtype)
            for part in parts
        )

    def _answer(self, table: Any) -> Any:
        import torch

        self._check_mode()
        with torch.no_grad():
            answer = self._called(*self.inputs(table))
        if not isinstance(answer, torch.Tensor):
            raise ModelError(f"the module returned a {type(answer).__name__}; geco needs one tensor with a row per row")
        answer = answer.detach().cpu()
        return answer[:, 0] if answer.ndim == 2 and answer.shape[1] == 1 else answer

    def _probabilities(self, table: Any) -> npt.NDArray[Any]:
        import torch

        answer = self._answer(table)
        if self.output == "logit":
            answer = torch.sigmoid(answer) if answer.ndim == 1 else torch.softmax(answer, dim=1)
        return answer.numpy()  # type: ignore[no-any-return]

    def _check_mode(self) -> None:
        if any(layer.training for layer in self._unsteady):
            raise ModelError(
                f"this {type(self.module).__name__} is in training mode, where layers such as Dropout and BatchNorm "
                "answer otherwise than they do in use; call its eval() first"
            )


@wrapper("torch:Module", "torch:ExportedProgram")
def plain_module(module: Any) -> Torch:
    """A module as it is, if it says itself what its numbers are."""
    return Torch(module)


def _last_name(module: Any) -> str:
    """The layer whose numbers come out, as far as it can be seen."""
    try:
        return own_name(chain(module)[-1])
    except (NotAChain, IndexError):
        return ""


def _output(module: Any, given: Output | None) -> Output:
    if given is not None and given not in OUTPUTS:
        raise SettingsError(f"output must be 'logit', 'probability' or 'number', got {given!r}")
    last, name = _last_name(module), type(module).__name__
    if given == "logit" and last in ("Sigmoid", "Softmax"):
        raise SettingsError(
            f"this {name} ends in {last}, so its numbers are probabilities and no logits; leave output out"
        )
    if given is None and last not in ("Sigmoid", "Softmax"):
        end = f"ends in {last}" if last else "does not end in a Sigmoid or Softmax that geco can see"
        raise ModelError(
            f"this {name} {end}, so it is not known what its numbers are; say geco.Torch(module, output='logit') for "
            "scores before a sigmoid or softmax, output='probability', or output='number' for a regression"
        )
    return given or "probability"


def _unsteady_layers(module: Any) -> list[Any]:
    """Those that may answer otherwise in training mode; an exported program has been fixed in one mode."""
    return [layer for layer in module.modules() if own_name(layer) not in STEADY] if hasattr(module, "modules") else []


def _width(module: Any) -> int | None:
    """How many columns a module takes, as far as its first layer says it."""
    try:
        first = next(iter(chain(module)), None)
    except NotAChain:
        return None
    width = getattr(first, "in_features", getattr(first, "num_features", None))
    return width if isinstance(width, int) else None


def _matrix(table: Any) -> npt.NDArray[np.float64]:
    """A table of numbers as an array; text has no place in a tensor."""
    columns = frame(table)
    if columns is None:
        return np.asarray(table, np.float64)
    for name in columns.columns:
        if is_category(columns[name]) or columns[name].dtype.kind not in "biuf":
            raise ModelError(
                f"column {str(name)!r} holds {columns[name].dtype} values, and a module takes numbers; "
                "give geco.Torch(module, preprocess=...) a fitted transformer or a function of the table"
            )
    return np.column_stack([numbers(columns[name]) for name in columns.columns])


def _array(part: Any) -> npt.NDArray[np.float64]:
    return dense(part.to_numpy() if hasattr(part, "to_numpy") else part)
