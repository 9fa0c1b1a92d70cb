"""The words of a question as JSON has them ▶ as ``explain`` takes them."""

from __future__ import annotations

from typing import Any

from geco.models.goal.target import Target
from geco.params import Params


def in_words(arguments: dict[str, Any]) -> dict[str, Any]:
    """The same arguments, with a Target and Params in place of plain data.

    Examples
    --------
    >>> in_words({"k": 1, "target": {"threshold": 0.7}})
    {'k': 1, 'target': Target(labels=None, threshold=0.7, interval=None, margin=0.0)}
    """
    said = dict(arguments)
    if isinstance(target := said.get("target"), dict):
        said["target"] = Target(**_tupled(target, "interval"))
    if (params := said.get("params")) is not None:
        given = _said(params)
        if "costs" in given:
            given["costs"] = {name: tuple(pair) for name, pair in given["costs"].items()}
        said["params"] = Params(**given)
    return said


def _said(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}


def _tupled(given: dict[str, Any], pair: str) -> dict[str, Any]:
    """An interval of Python is a tuple; a list of two would be two labels."""
    said = _said(given)
    return {name: tuple(value) if name == pair else value for name, value in said.items()}
