"""save and load: all that an Explainer is made of, but neither D nor the user's model.

Loading asks nothing of D and builds the native parts from the arrays of the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from geco import __version__
from geco.data.domain import Domain
from geco.errors import SavedFileError
from geco.models.goal.target import Asked, Target
from geco.params import Params
from geco.plaf.checker import CheckedProgram, check_program
from geco.plaf.diagnostics import Diagnostic
from geco.plaf.syntax import Program
from geco.saved.container import FilePath, packed, read_file, unpacked, write_file
from geco.saved.domain import domain_of, domain_state
from geco.saved.fields import entries, state_of, value_of, wrong
from geco.saved.model import SavedModel, compiled_state, model_state
from geco.space.distance import Distance
from geco.space.feasible import Deployment

if TYPE_CHECKING:
    from geco.explainer import Explainer

FIELDS = (
    "geco", "domain", "program", "source", "warnings", "params", "method", "verify", "asked", "model", "compiled",
)  # fmt: skip


def save_explainer(explainer: Explainer, path: FilePath, methods: Mapping[str, type]) -> None:
    """Write everything but D and the model; see docs/saved.md."""
    write_file(path, _state(explainer, methods))


def pack_explainer(explainer: Explainer, methods: Mapping[str, type]) -> bytes:
    """What a file would hold."""
    return packed(_state(explainer, methods))


def _state(explainer: Explainer, methods: Mapping[str, type]) -> dict[str, Any]:
    checked, compiled = explainer.program, explainer.compiled
    if explainer.others:
        raise SavedFileError(f"cannot be saved: it has {1 + len(explainer.others)} models, and a file holds one")
    if type(explainer.method) not in methods.values():
        raise SavedFileError(f"cannot be saved: its method {explainer.method!r} is not one of {', '.join(methods)}")
    return {
        "geco": __version__,
        "domain": domain_state(explainer.domain),
        "program": state_of(checked.program),
        "source": checked.program.source,
        "warnings": state_of(checked.warnings),
        "params": state_of(explainer.params),
        "method": state_of(explainer.method),
        "verify": bool(explainer.verify),
        "asked": _asked_state(explainer.asked),
        "model": model_state(explainer.model),
        "compiled": None if compiled is None else compiled_state(compiled, explainer.domain),
    }


def load_explainer(path: FilePath, model: Any, methods: Mapping[str, type]) -> dict[str, Any]:
    """The attributes of the explainer in the file."""
    return _attributes(read_file(path), str(path), model, methods)


def unpack_explainer(data: bytes, model: Any, methods: Mapping[str, type]) -> dict[str, Any]:
    """The same of what `pack_explainer` made."""
    return _attributes(unpacked(data), "it", model, methods)


def _attributes(state: Any, path: str, model: Any, methods: Mapping[str, type]) -> dict[str, Any]:
    try:
        parts, saved = _parts(state, methods)
    except Exception as error:  # a file made by hand: whatever its parts say of each other
        raise SavedFileError(f"{path} does not hold a saved explainer: {error}") from error
    try:
        box, compiled = saved.without() if model is None else saved.around(model, parts["asked"].target)
    except SavedFileError as error:
        raise SavedFileError(f"{path} {error}") from error
    return {**parts, "verify": parts["verify"] and model is not None, "model": box, "compiled": compiled}


def _parts(state: Any, methods: Mapping[str, type]) -> tuple[dict[str, Any], SavedModel]:
    _, domain_part, program, source, warnings, params, method, verify, asked, model, compiled = entries(state, *FIELDS)
    domain = domain_of(domain_part)
    checked = _checked(program, source, warnings, domain)
    saved = SavedModel(model, compiled, domain)
    distance = Distance(domain, value_of(Params, params))
    parts = {
        "program": checked,
        "method": _method(method, methods),
        "verify": value_of(bool, verify),
        "asked": _asked_of(asked),
        "others": [],
        "domain": domain,
        "params": distance.params,
        "deployment": Deployment(domain, checked, distance, frozenset(saved.features)),
    }
    return parts, saved


def _checked(program: Any, source: Any, warnings: Any, domain: Domain) -> CheckedProgram:
    """The rules, checked against the schema as those of a new explainer are."""
    parsed = replace(value_of(Program, program), source=value_of(str, source))
    checked = check_program(parsed, domain.schema)
    groups = [(group.features, group.onehot) for group in checked.groups]
    if groups != [(table.features, table.onehot) for table in domain.tables] or checked.schema != domain.schema:
        raise wrong("the groups of its program", [table.features for table in domain.tables])
    return replace(checked, warnings=value_of(tuple[Diagnostic, ...], warnings))


def _asked_state(asked: Asked) -> dict[str, Any]:
    """The labels of a target are whatever the user's are, so they are not read by a type hint."""
    target = asked.target
    ends = None if target.interval is None else [None if end is None else float(end) for end in target.interval]
    return {
        "labels": state_of(target.labels),
        "threshold": None if target.threshold is None else float(target.threshold),
        "interval": state_of(ends),
        "margin": float(target.margin),
        "input": asked.input,
        "compile": bool(asked.compile),
    }


def _asked_of(state: Any) -> Asked:
    labels, threshold, interval, margin, input, compile = entries(
        state, "labels", "threshold", "interval", "margin", "input", "compile"
    )
    target = Target(
        labels=None if labels is None else value_of(tuple[Any, ...], labels),
        threshold=value_of(float | None, threshold),
        interval=value_of(tuple[float | None, float | None] | None, interval),
        margin=value_of(float, margin),
    )
    return Asked(target, value_of(Literal["auto", "frame", "array"], input), value_of(bool, compile))


def _method(state: Any, methods: Mapping[str, type]) -> Any:
    for method in methods.values():
        if isinstance(state, dict) and state.get("is") == method.__name__:
            return value_of(method, state)
    raise wrong(f"one of the methods {', '.join(methods)}", state)
