"""Everything geco raises for what a user can cause.

    GecoError
    ├── PlafError            a PLAF program is wrong; carries every diagnostic of the file
    ├── ProjectError         a geco.toml is wrong; carries every problem of the file
    ├── DataError            the database D cannot be read or used
    ├── InstanceError        x does not fit the schema
    ├── SettingsError        a parameter, method or option is wrong
    ├── TargetError          what "good" means is unclear or impossible for this model
    ├── LedgerError          a ledger cannot be read or written
    ├── RecordError          a record cannot be replayed
    ├── ReportError          a page cannot be printed
    ├── SavedFileError       an explainer cannot be saved, or a file is not one that can be loaded
    ├── BatchError           a batch cannot be written, or what is there does not belong to it
    ├── InternalError        geco found a fault of its own, and gives no answer rather than a wrong one
    └── ModelError           the user's model raised, or returned something unusable
        └── ModelDisagreement   a compiled model and the user's object differ

Each message says what was wrong, where, and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from geco.plaf.diagnostics import Diagnostic
    from geco.plaf.syntax import Span


MOST_SHOWN = 50  # diagnostics of one program in a message


class GecoError(Exception):
    """Base class; catching it catches every error geco raises on purpose."""


class PlafError(GecoError):
    """One or more errors in a PLAF program, in source order; the message shows the first of them, if there are many."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(report(self.diagnostics, "errors"))

    def __reduce__(self) -> tuple[type[PlafError], tuple[Sequence[Diagnostic]]]:
        """For pickle, which would make it again of its message."""
        return type(self), (self.diagnostics,)

    @property
    def span(self) -> Span:
        return self.diagnostics[0].span

    @property
    def code(self) -> str:
        return self.diagnostics[0].code


class ProjectProblem(NamedTuple):
    """What is wrong with a geco.toml, and where; line 0 is the file as a whole."""

    line: int
    message: str


class ProjectError(GecoError):
    """One or more problems of a geco.toml, in the order of its lines."""

    def __init__(self, file: str, problems: Sequence[ProjectProblem]) -> None:
        self.file, self.problems = file, tuple(problems)
        places = [f"{file}:{line}" if line else file for line, _ in self.problems]
        super().__init__("\n".join(f"{place}: {p.message}" for place, p in zip(places, self.problems, strict=True)))


class DataError(GecoError):
    """The database D cannot be read or used."""


class InstanceError(GecoError):
    """The instance x does not fit the schema."""


class SettingsError(GecoError, ValueError):
    """A parameter or option has a value that makes no sense."""


class TargetError(GecoError, ValueError):
    """What counts as good is unclear or impossible for this model."""


class SavedFileError(GecoError):
    """An explainer cannot be saved, or a file is not a saved explainer that this geco can load."""


class LedgerError(GecoError):
    """A ledger cannot be read or written, or what is to be written down does not fit."""


class BatchError(GecoError):
    """A batch cannot be written or carried out, or an unfinished one is of other inputs."""


class ReportError(GecoError):
    """A page cannot be printed or written."""


class RecordError(GecoError):
    """What was given is not the record of an explanation, or one of a newer geco."""


class InternalError(GecoError):
    """geco found a fault of its own: no answer is given rather than a wrong one. Please report it."""


class ModelError(GecoError):
    """The user's model raised, or returned something that is not a prediction."""


class ModelDisagreement(ModelError):
    """A compiled model decides otherwise than the user's object."""


def report(diagnostics: Sequence[Diagnostic], what: str) -> str:
    """The first of many diagnostics, and how many more there are."""
    more = len(diagnostics) - MOST_SHOWN
    return "\n".join([*map(str, diagnostics[:MOST_SHOWN]), *([f"… and {more:,} more {what}"] if more > 0 else [])])


def shown(value: object, limit: int = 80) -> str:
    """Any value in a message: its repr, cut to part of a line; its type where it cannot be shown.

    Examples
    --------
    >>> shown("x" * 1000, limit=10)
    "'xxxxxx..."
    """
    try:
        text = repr(value)
    except Exception:  # too deep, or an object of the user's that raises
        return f"a {type(value).__name__}"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def did_you_mean(name: object, known: Sequence[str]) -> str:
    """`` (did you mean 'age'?)`` or an empty string."""
    if not isinstance(name, str):
        return ""
    from difflib import get_close_matches

    match = get_close_matches(name, known, n=1)
    return f" (did you mean {match[0]!r}?)" if match else ""
