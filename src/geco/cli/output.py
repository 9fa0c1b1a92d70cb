"""What commands write: results to stdout in one piece, talk to stderr, errors as one paragraph or as JSON."""

from __future__ import annotations

import json
import os
import shutil
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import typer

from geco.errors import GecoError, PlafError, ProjectError

if TYPE_CHECKING:
    from geco.questions.shown import Shown

SCHEMA_VERSION = 1  # of everything that --json prints


class UnwrittenError(GecoError):
    """stdout takes nothing any more, so the message cannot go there either."""


def show(*parts: Any) -> None:
    """Rich renderables or plain text on stdout, written at once so that a reader who leaves changes no exit code."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=False)
    with console.capture() as captured:
        for part in parts:
            console.print(Text(part) if isinstance(part, str) else part)
    write(captured.get())


def tell(answer: Shown) -> None:
    """The answer of a question, as wide as the terminal; in a pipe every line as long as it is."""
    from geco.cli.words import in_words

    wide = shutil.get_terminal_size().columns if sys.stdout.isatty() or "COLUMNS" in os.environ else None
    write(in_words(answer.text(wide)) + "\n")


def show_json(command: str, content: dict[str, Any]) -> None:
    """One JSON object on stdout."""
    answer = {"schema_version": SCHEMA_VERSION, "command": command, **content}
    write(json.dumps(answer, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def write(text: str) -> None:
    """To stdout; a pipe that nobody reads any more is no error, a full disk is."""
    try:
        typer.echo(text, nl=False)
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()
    except UnicodeEncodeError:  # a terminal that is not UTF-8
        typer.echo(text.encode("ascii", "replace").decode(), nl=False)
    except OSError as error:
        _forget_stdout()
        raise UnwrittenError(f"the answer could not be written: {error.strerror or error}") from error


def say(text: str) -> None:
    """Talk on stderr."""
    with suppress(OSError, UnicodeEncodeError):  # where nobody listens, the exit code says the rest
        typer.echo(text, err=True)


def tell_error(error: GecoError, message: str, as_json: bool) -> None:
    """One paragraph on stderr; with --json one object on stdout."""
    if not as_json or isinstance(error, UnwrittenError):
        # A diagnostic starts with its file and line, where editors expect it.
        say(message if isinstance(error, PlafError | ProjectError) else f"error: {message}")
        return
    content = error_content(error, message)
    write(json.dumps({"schema_version": SCHEMA_VERSION, "error": content}, indent=2, ensure_ascii=False) + "\n")


def error_content(error: GecoError, message: str) -> dict[str, Any]:
    """An error as JSON."""
    content: dict[str, Any] = {"type": type(error).__name__, "message": message}
    if isinstance(error, PlafError):
        content["problems"] = [
            {"file": d.span.file, "line": d.span.line, "column": d.span.col, "message": d.message, "help": d.help}
            for d in error.diagnostics
        ]
    if isinstance(error, ProjectError):
        content["problems"] = [{"file": error.file, "line": p.line, "message": p.message} for p in error.problems]
    return content


def _forget_stdout() -> None:
    """So that Python does not try again when it ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # a stdout that is no file, as in tests
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
