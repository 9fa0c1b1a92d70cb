"""wrap: an object that is a model and has neither predict_proba nor a predict on tables becomes one that has.

In: what the user gave. Out: something a BlackBox can ask, the user's object itself where nothing is to be done.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from os import PathLike, fspath
from typing import Any

from geco.models.registry import HOME, found, package_of, register

Wrapper = Callable[[Any], Any]


def wrapper(*keys: str) -> Callable[[Wrapper], Wrapper]:
    """Register what turns objects of classes named ``"top-level package:class"`` into models."""
    return register("ask", *keys)


def wrap(model: Any) -> Any:
    """The model, in a form with ``predict_proba`` or ``predict`` on tables.

    Examples
    --------
    >>> wrap(sorted) is sorted
    True
    """
    known = found("ask", type(model))
    return known[1](model) if known else model


def opened(model: Any) -> Any:
    """What a file holds: the session of an ONNX model for its path or content, any other object as it is."""
    if _is_onnx_path(model) or isinstance(model, bytes) or package_of(type(model)) == "onnx":
        return import_module(f"{HOME}.onnx.ask").opened(model)
    return model


def _is_onnx_path(model: Any) -> bool:
    try:
        return isinstance(model, str | PathLike) and str(fspath(model)).lower().endswith(".onnx")
    except Exception:  # an object of the user's that raises is no path
        return False
