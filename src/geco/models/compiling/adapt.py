"""adapt: a fitted model of a library we know in arrays, or the reason why it stays a black box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from geco.models.asking.wrap import wrap
from geco.models.libraries.reading import Adapted, Refusal, read
from geco.models.registry import found


@dataclass(frozen=True)
class NotCompiled:
    """Why a model stays a black box, in words."""

    reason: str

    @property
    def why(self) -> str:
        """For describe()."""
        return f"a black box: {self.reason}"


def adapt(model: Any, method: str) -> Adapted | NotCompiled:
    """Read a fitted model into arrays.

    Parameters
    ----------
    model : the user's object.
    method : what it is asked: "predict_proba", "decision_function" or "predict".

    Examples
    --------
    >>> adapt(sorted, "predict")
    NotCompiled(reason='a builtin_function_or_method is not one of the models geco can compile')
    """
    name = type(model).__name__
    try:
        asked = wrap(model)  # a module of PyTorch is read through what asks it
        return read(asked if found("read", type(asked)) else model, method)
    except Refusal as refusal:
        return NotCompiled(str(refusal))
    except Exception as error:  # another version of the library, a model that was never fitted
        return NotCompiled(f"this {name} cannot be read: {type(error).__name__}: {error}")
