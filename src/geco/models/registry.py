"""adapt: a fitted model of a library we know, read into the arrays of a Forest, an Mlp, a Linear or a Blend
of them (Sec. 5.2).

In: the user's model and the method that is asked. Out: an Adapted, or a NotCompiled that says why not. Keys are text,
so a library, and the module that reads its models, is imported only once one of its objects shows up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.models.blend import Blend
from geco.models.forest import Forest
from geco.models.linear import Linear
from geco.models.mlp import Mlp
from geco.models.wrap import library_of, wrap

Kind = Forest | Mlp | Linear | Blend
FloatMatrix = npt.NDArray[np.float64]
LIBRARIES = ("sklearn", "xgboost", "lightgbm", "catboost", "torch", "onnxruntime")
# What a subclass may define anew without changing what a fitted model answers.
HARMLESS = frozenset(("fit", "partial_fit", "fit_predict", "score", "get_params", "set_params", "get_metadata_routing"))


@dataclass(frozen=True)
class Adapted:
    """A model in arrays, and how the user's table becomes the columns they are about.

    Attributes
    ----------
    kind : answers as the user's own method does, on encoded columns.
    columns : the user's table (frame or array, as the model takes it) ▶ float64[n, W]; raises what the model would.
    """

    kind: Kind
    columns: Callable[[Any], FloatMatrix]


@dataclass(frozen=True)
class NotCompiled:
    """Why a model stays a black box, in words."""

    reason: str

    @property
    def why(self) -> str:
        """For describe()."""
        return f"a black box: {self.reason}"


class Refusal(Exception):
    """Raised by an adapter for a model of a known class that it cannot read; its text is the reason."""


Adapter = Callable[[Any, str], Adapted]
_ADAPTERS: dict[str, Adapter] = {}


def adapter(*keys: str) -> Callable[[Adapter], Adapter]:
    """Register a reader for classes named ``"top-level package:class"``."""

    def register(function: Adapter) -> Adapter:
        _ADAPTERS.update(dict.fromkeys(keys, function))
        return function

    return register


def adapt(model: Any, method: str) -> Adapted | NotCompiled:
    """Read a fitted model into arrays.

    Parameters
    ----------
    model : the user's own object.
    method : what it is asked: "predict_proba", "decision_function" or "predict".

    Examples
    --------
    >>> adapt(sorted, "predict")
    NotCompiled(reason='a builtin_function_or_method is not one of the models geco can compile')
    """
    name = type(model).__name__
    try:
        asked = wrap(model)  # a module of PyTorch is read through what asks it
        return read(asked if _registered(type(asked)) else model, method)
    except Refusal as refusal:
        return NotCompiled(str(refusal))
    except Exception as error:  # another version of the library, a model that was never fitted
        return NotCompiled(f"this {name} cannot be read: {type(error).__name__}: {error}")


def read(model: Any, method: str) -> Adapted:
    """The same for adapters of models within models; raises Refusal."""
    found = _registered(type(model))
    if found is None:
        raise Refusal(f"a {type(model).__name__} is not one of the models geco can compile")
    known, function = found
    _refuse_overrides(model, known, method)
    return function(model, method)


def _registered(kind: type) -> tuple[type, Adapter] | None:
    """The nearest class along the order of inheritance that a reader is registered for."""
    for cls in kind.__mro__:
        package = library_of(cls)
        if package in LIBRARIES:
            import_module(f"geco.models.adapters.{package}")
            if function := _ADAPTERS.get(f"{package}:{cls.__name__}"):
                return cls, function
    return None


def _refuse_overrides(model: Any, known: type, method: str) -> None:
    """Whatever a subclass does differently on the way to an answer, its arrays would not show."""
    subclasses = type(model).__mro__[: type(model).__mro__.index(known)]
    for name, value in ((name, value) for cls in subclasses for name, value in vars(cls).items()):
        if hasattr(known, name) and _may_change_answers(name, value):
            raise Refusal(f"a {type(model).__name__} is a {known.__name__} with a {name} of its own")
    if method in getattr(model, "__dict__", {}):
        raise Refusal(f"this {type(model).__name__} has a {method} of its own")


def _may_change_answers(name: str, value: Any) -> bool:
    harmless = name in HARMLESS or name.startswith("__") or re.fullmatch(r"set_\w+_request", name)
    return not harmless and (callable(value) or hasattr(value, "__get__"))
