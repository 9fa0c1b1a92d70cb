"""Options that several commands share, as dataclasses: a command takes one as a parameter, the user sees its fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints


def flattened(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the fields of every dataclass among its parameters in place of that parameter."""
    hints = get_type_hints(command, include_extras=True)
    outer: list[Parameter] = []
    shared: dict[str, Any] = {}
    inner: list[Parameter] = []
    for name, parameter in signature(command).parameters.items():
        if is_dataclass(hints[name]):
            shared[name] = hints[name]
            inner += _fields(hints[name])
        else:
            outer.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name]))

    @wraps(command)
    def run(**given: Any) -> None:
        made = {name: kind(**{f.name: given.pop(f.name) for f in fields(kind)}) for name, kind in shared.items()}
        command(**made, **given)

    del run.__wrapped__
    run.__signature__ = Signature([*outer, *inner])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*outer, *inner)}
    return run


def _fields(kind: Any) -> list[Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    return [
        Parameter(
            f.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if f.default is MISSING else f.default,
            annotation=hints[f.name],
        )
        for f in fields(kind)
    ]
