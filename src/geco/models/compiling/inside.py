"""readable_inside: a model that geco could read, hidden in the function that the user gave instead of it."""

from __future__ import annotations

import functools
import inspect
import types
from typing import Any

from geco.models.registry import found

_ASKING = {"predict_proba", "predict", "decision_function"}


def readable_inside(own: Any) -> str | None:
    """The class of a model that this function does nothing but ask, and that geco knows how to read; else None.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0], [1]], [0, 1])
    >>> readable_inside(lambda rows: tree.predict_proba(rows)[:, 1])
    'DecisionTreeClassifier'
    >>> readable_inside(lambda rows: tree.predict_proba(rows.fillna(0))[:, 1])
    """
    if isinstance(own, functools.partial):
        return readable_inside(own.func)
    held = [own.__self__] if isinstance(own, types.MethodType) else _held(own)
    return next((type(each).__name__ for each in held if found("read", type(each))), None)


def _held(function: Any) -> list[Any]:
    """The objects that a function names, if it calls nothing but a model."""
    if not isinstance(function, types.FunctionType):
        return []
    try:
        names = inspect.getclosurevars(function)
    except ValueError:  # a name that has no value yet
        return []
    known = {*names.nonlocals, *names.globals}
    return (
        [*names.nonlocals.values(), *names.globals.values()] if {*function.__code__.co_names} - known <= _ASKING else []
    )
