"""wrap: an object that is a model and has neither predict_proba nor a predict on tables becomes one that has.

In: what the user gave. Out: something a BlackBox can ask, the user's object itself where nothing is to be done. As in
registry.py keys are text, so that a library is imported only once one of its objects shows up.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from os import PathLike
from typing import Any

Wrapper = Callable[[Any], Any]
LIBRARIES = ("xgboost", "lightgbm", "catboost", "torch", "mlflow", "onnxruntime")
_WRAPPERS: dict[str, Wrapper] = {}


def wrapper(*keys: str) -> Callable[[Wrapper], Wrapper]:
    """Register what turns objects of classes named ``"top-level package:class"`` into models."""

    def register(function: Wrapper) -> Wrapper:
        _WRAPPERS.update(dict.fromkeys(keys, function))
        return function

    return register


def wrap(model: Any) -> Any:
    """The model, in a form with ``predict_proba`` or ``predict`` on tables.

    Examples
    --------
    >>> wrap(sorted) is sorted
    True
    """
    for cls in type(model).__mro__:
        package = library_of(cls)
        if package in LIBRARIES:
            import_module(f"geco.models.wrappers.{package}")
            if function := _WRAPPERS.get(f"{package}:{cls.__name__}"):
                return function(model)
    return model


def opened(model: Any) -> Any:
    """What a file holds: the session of an ONNX model for its path or content, any other object as it is."""
    is_path = isinstance(model, str | PathLike) and str(model).lower().endswith(".onnx")
    if is_path or isinstance(model, bytes) or library_of(type(model)) == "onnx":
        return import_module("geco.models.wrappers.onnxruntime").opened(model)
    return model


def library_of(cls: type) -> str:
    """The package a class comes from; our own wrappers are of the library they are for."""
    path = cls.__module__.split(".")
    return path[-1] if path[:3] == ["geco", "models", "wrappers"] else path[0]
