"""save and load: all that an Explainer is made of, but neither D nor the user's model.

Loading asks nothing of D and builds the native parts from the arrays of the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

from geco import __version__
from geco.answers.codes import Code
from geco.answers.labels import Label, Narrow, Wording
from geco.data.domain import Domain
from geco.errors import MOST_SHOWN, GecoError, SavedFileError
from geco.methods import SAVED, class_of, saved_name
from geco.models.goal.target import Asked, Target
from geco.models.scoring.panel import Member, Panel
from geco.models.scoring.ways import WAYS
from geco.params import Params
from geco.parts import Parts
from geco.plaf.checker import CheckedProgram, check_program
from geco.plaf.diagnostics import Diagnostic
from geco.plaf.syntax import Program
from geco.question import read_prove
from geco.saved.container import FilePath, packed, read_file, unpacked, write_file
from geco.saved.domain import domain_of, domain_state
from geco.saved.fields import entries, value_of, wrong
from geco.saved.model import SavedModel, compiled_state, model_state
from geco.saved.rows import kept_of, rows_of, rows_state
from geco.search.base import Searches
from geco.space.deployment import Deployment
from geco.space.distance import Distance
from geco.state import state_of

FIELDS = (
    "geco", "domain", "program", "source", "warnings", "params", "method", "verify", "asked", "model", "compiled",
    "labels", "narrow", "codes", "typical", "rows", "prove",
)  # fmt: skip
# What files do not have that an earlier geco wrote.
ABSENT: dict[str, Any] = {"labels": [], "narrow": [], "codes": [], "typical": None, "rows": None, "prove": False}


def save_parts(parts: Parts, path: FilePath, rows: bool = False) -> None:
    """Write everything but D and the model, the rows of D if that is asked for; see docs/saved.md."""
    from geco.questions.reasons import typical_rows

    if parts.rows.held:
        with suppress(GecoError):  # nothing is good, or the model fails on a row: `reasons` will say so
            typical_rows(parts)
    write_file(path, {**_state(parts), "rows": rows_state(parts) if rows else None})


def pack_parts(parts: Parts) -> bytes:
    """What a file would hold."""
    return packed(_state(parts))


def _state(parts: Parts) -> dict[str, Any]:
    checked, compiled, models = parts.program, parts.compiled, len(parts.panel.members)
    if models > 1:
        raise SavedFileError(f"cannot be saved: it has {models} models, and a file holds one")
    if type(parts.method) not in map(class_of, SAVED):
        raise SavedFileError(f"cannot be saved: its method {parts.method!r} is not one of {', '.join(SAVED)}")
    return {
        "geco": __version__,
        "domain": domain_state(parts.domain),
        "program": state_of(checked.program),
        "source": checked.program.source,
        "warnings": state_of(checked.warnings[:MOST_SHOWN]),
        "params": state_of(parts.params),
        "method": state_of(parts.method),
        "verify": bool(parts.verify),
        "asked": _asked_state(parts.asked),
        "model": model_state(parts.model),
        "compiled": None if compiled is None else compiled_state(compiled, parts.domain),
        "labels": state_of(parts.wording.labels),
        "narrow": state_of(parts.wording.narrow),
        "codes": state_of(parts.codes),
        "typical": parts.kept.typical,
        "rows": None,
        "prove": parts.prove,
    }


def load_parts(path: FilePath, model: Any) -> Parts:
    """What the file holds, around the model or without it."""
    return _parts(read_file(path), str(path), model)


def unpack_parts(data: bytes, model: Any) -> Parts:
    """The same of what `pack_parts` made."""
    return _parts(unpacked(data), "it", model)


def _parts(state: Any, path: str, model: Any) -> Parts:
    try:
        deployment, saved, method, asked, verify, more = _read(state)
    except Exception as error:  # a file made by hand: its parts may contradict each other
        raise SavedFileError(f"{path} does not hold a saved explainer: {error}") from error
    try:
        box, compiled = saved.without() if model is None else saved.around(model, asked.target)
    except SavedFileError as error:
        raise SavedFileError(f"{path} {error}") from error
    panel = Panel.of([Member(box, compiled)], method.way(WAYS))
    return Parts(deployment, panel, method, asked, verify and model is not None, **more)


def _read(state: Any) -> tuple[Deployment, SavedModel, Searches, Asked, bool, dict[str, Any]]:
    held = {**ABSENT, **state} if isinstance(state, dict) else state
    _, domain_part, program, source, warnings, params, method, verify, asked, model, compiled, *others = entries(
        held, *FIELDS
    )
    labels, narrow, codes, typical, rows, prove = others
    domain = domain_of(domain_part)
    checked = _checked(program, source, warnings, domain)
    saved = SavedModel(model, compiled, domain)
    distance = Distance(domain, value_of(Params, _with_absent(params)))
    deployment = Deployment(domain, checked, distance, frozenset(saved.features))
    wording = Wording.of(
        domain, value_of(Mapping[str, Narrow], narrow), value_of(Mapping[str, Label], _with_names(labels))
    )
    more = {
        "rows": rows_of(rows, domain),
        "wording": wording,
        "codes": value_of(Mapping[str, Code], codes),
        "kept": kept_of(typical, domain),
        "prove": read_prove(prove),
    }
    return deployment, saved, _method(method), _asked_of(asked), value_of(bool, verify), more


def _with_names(labels: Any) -> Any:
    """Labels of files from before values had names."""
    if not isinstance(labels, list):
        return labels
    pairs = [pair for pair in labels if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], dict)]
    if len(pairs) < len(labels):
        return labels
    return [[name, {"values": [], "de": None, **label}] for name, label in pairs]


def _with_absent(params: Any) -> Any:
    """Files that an earlier geco wrote know nothing of rounding."""
    return {"round": False, **params} if isinstance(params, dict) else params


def _checked(program: Any, source: Any, warnings: Any, domain: Domain) -> CheckedProgram:
    """The rules, checked against the schema as those of a new explainer are."""
    parsed = replace(value_of(Program, program), source=value_of(str, source))
    checked = check_program(parsed, domain.schema)
    groups = [(group.features, group.onehot) for group in checked.groups]
    if groups != [(table.features, table.onehot) for table in domain.tables] or checked.schema != domain.schema:
        raise wrong("the groups of its program", [table.features for table in domain.tables])
    return replace(checked, warnings=value_of(tuple[Diagnostic, ...], warnings))


def _asked_state(asked: Asked) -> dict[str, Any]:
    """The labels of a target have the types that the user gave them, so they are not read by a type hint."""
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


def _method(state: Any) -> Searches:
    name = saved_name(str(state.get("is"))) if isinstance(state, dict) else None
    if name is not None:
        read: Searches = value_of(class_of(name), state)
        return read
    raise wrong(f"one of the methods {', '.join(SAVED)}", state)
