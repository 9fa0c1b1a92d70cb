"""The registry: which function asks, or reads, the models of a library.

Keys are text, ``"top-level package:class"``, so that a library, and our folder for it, is imported only once one of its
objects shows up.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal

Job = Literal["ask", "read"]
FOLDERS = {  # of models/libraries, by the package that a model's class comes from
    "sklearn": "sklearn",
    "xgboost": "xgboost",
    "lightgbm": "lightgbm",
    "catboost": "catboost",
    "torch": "torch",
    "onnxruntime": "onnx",
    "mlflow": "mlflow",
}
# scikit-learn's models are asked as they are; MLflow's are read through the model they hold.
PACKAGES: dict[Job, frozenset[str]] = {"ask": frozenset(FOLDERS) - {"sklearn"}, "read": frozenset(FOLDERS) - {"mlflow"}}
HOME = "geco.models.libraries"
_FUNCTIONS: dict[tuple[Job, str], Callable[..., Any]] = {}


def register(job: Job, *keys: str) -> Callable[[Any], Any]:
    """Register a function or class that does this job for classes with these keys."""

    def registered(function: Any) -> Any:
        _FUNCTIONS.update({(job, key): function for key in keys})
        return function

    return registered


def found(job: Job, kind: type) -> tuple[type, Callable[..., Any]] | None:
    """The nearest class along the order of inheritance that is registered for this job, and what does it."""
    for cls in kind.__mro__:
        package = package_of(cls)
        if package in PACKAGES[job]:
            import_module(f"{HOME}.{FOLDERS[package]}.{job}")
            if function := _FUNCTIONS.get((job, f"{package}:{cls.__name__}")):
                return cls, function
    return None


def package_of(cls: type) -> str:
    """The package a class comes from; what asks a library's models for us is of that library."""
    module = cls.__module__
    if module.startswith(f"{HOME}."):
        folder = module.split(".")[3]
        return next((package for package, name in FOLDERS.items() if name == folder), folder)
    return module.partition(".")[0]
