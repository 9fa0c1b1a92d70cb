"""Errors as problem documents (RFC 9457), with PLAF diagnostics inside where rules are wrong."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from geco.errors import (
    MOST_SHOWN,
    DataError,
    GecoError,
    InstanceError,
    ModelError,
    PlafError,
    ProjectError,
    SavedFileError,
    SettingsError,
    TargetError,
)
from geco.plaf.diagnostics import Diagnostic

MEDIA = "application/problem+json"
SAID_BY_MODEL = ModelError
TITLES = {
    400: "Bad request",
    401: "Token needed",
    403: "Not for this role",
    404: "Not found",
    405: "Method not allowed",
    408: "Too slow",
    409: "Conflict",
    411: "Length needed",
    413: "Too large",
    415: "Not JSON",
    422: "Cannot be answered as asked",
    429: "Too many requests",
    500: "Internal error",
    503: "Not available now",
}
KINDS: dict[type[GecoError], str] = {
    PlafError: "rules",
    InstanceError: "instance",
    SettingsError: "settings",
    TargetError: "target",
    DataError: "data",
    SavedFileError: "saved-file",
    ModelError: "model",
}


class Refused(Exception):
    """A request that is not answered: which problem it is, and headers such as Retry-After."""

    def __init__(self, document: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        super().__init__(document["detail"])
        self.document, self.headers = document, headers or {}


def problem(status: int, kind: str, detail: str, **more: Any) -> dict[str, Any]:
    """A problem document.

    Examples
    --------
    >>> problem(404, "job", "there is no such job")["type"]
    'urn:geco:problem:job'
    """
    return {"type": f"urn:geco:problem:{kind}", "title": TITLES[status], "status": status, "detail": detail, **more}


def refused(status: int, kind: str, detail: str, headers: dict[str, str] | None = None, **more: Any) -> Refused:
    return Refused(problem(status, kind, detail, **more), headers)


def of_error(error: GecoError, model_is_well: bool = True) -> dict[str, Any]:
    """What a client can do something about is 422; a model that answers nothing any more is 503."""
    kind = next((word for known, word in KINDS.items() if isinstance(error, known)), "geco")
    if isinstance(error, PlafError):
        return problem(422, kind, str(error), diagnostics=[said(each) for each in error.diagnostics[:MOST_SHOWN]])
    if isinstance(error, ProjectError):  # where it lies on this machine is nobody's business
        error = ProjectError(PurePath(error.file).name, error.problems)
    if not model_is_well:
        return problem(503, "model-down", "the model answers nothing at the moment, not even about rows it knows")
    return problem(422, kind, str(error))


def said(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic as plain data, lines and columns from 1."""
    span = diagnostic.span
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "line": span.line,
        "column": span.col,
        "end_line": span.end_line,
        "end_column": span.end_col,
        "source_line": diagnostic.source_line,
    }
