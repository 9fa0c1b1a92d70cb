"""read: a fitted model of a library we know, read into the arrays of a Forest, an Mlp, a Linear or a Blend
of them (Sec. 5.2).

In: the user's model and the method that is asked. Out: an Adapted; a Refusal says why not. A library's ``read.py``
registers its readers here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.models.kinds.blend import Kind
from geco.models.libraries.formulas import Through, unread
from geco.models.registry import found, register

FloatMatrix = npt.NDArray[np.float64]
# What a subclass may define anew without changing what a fitted model answers.
HARMLESS = frozenset(("fit", "partial_fit", "fit_predict", "score", "get_params", "set_params", "get_metadata_routing"))


@dataclass(frozen=True)
class Adapted:
    """A model in arrays, and how the user's table becomes the columns they are about.

    Attributes
    ----------
    kind : answers as the user's method does, on encoded columns.
    columns : the user's table (frame or array, as the model takes it) ▶ float64[n, W]; raises what the model would.
    through : what is known of these columns without asking for them.
    """

    kind: Kind
    columns: Callable[[Any], FloatMatrix]
    through: Through = unread


class Refusal(Exception):
    """Raised by an adapter for a model of a known class that it cannot read; its text is the reason."""


Adapter = Callable[[Any, str], Adapted]


def adapter(*keys: str) -> Callable[[Adapter], Adapter]:
    """Register a reader for classes named ``"top-level package:class"``."""
    return register("read", *keys)


def read(model: Any, method: str) -> Adapted:
    """The model in arrays, also one within a model; raises Refusal."""
    known = found("read", type(model))
    if known is None:
        raise Refusal(f"a {type(model).__name__} is not one of the models geco can compile")
    cls, function = known
    _refuse_overrides(model, cls, method)
    adapted: Adapted = function(model, method)
    return adapted


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
