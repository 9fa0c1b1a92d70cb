"""One diagnostic: file:line:col, the source line, a caret and a help line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from geco.plaf.syntax import Span


@dataclass(frozen=True)
class Diagnostic:
    """What is wrong where, and what to do about it. ``code`` is stable, for programs."""

    code: str
    message: str
    span: Span
    source_line: str
    help: str | None = None
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        message = self.message if self.severity == "error" else f"warning: {self.message}"
        if self.span.line == 0:  # a program made in code, or a file that could not be read
            lines = [f"{self.span.file}: {message}"]
        else:
            number = str(self.span.line)
            lines = [
                f"{self.span.file}:{self.span.line}:{self.span.col}: {message}",
                f"  {number} | {self.source_line}",
                f"  {' ' * len(number)} | {self._caret()}",
            ]
        if self.help:
            lines.append(f"help: {self.help}")
        return "\n".join(lines)

    def _caret(self) -> str:
        end = self.span.end_col if self.span.end_line == self.span.line else len(self.source_line) + 1
        # A tab before the caret must stay a tab, or the caret stands elsewhere than the word.
        margin = "".join("\t" if c == "\t" else " " for c in self.source_line[: self.span.col - 1])
        return margin.ljust(self.span.col - 1) + "^" * max(1, end - self.span.col)


def line_of(source: str, span: Span) -> str:
    """The source line a span begins on; empty for a program made in code."""
    lines = source.split("\n")
    return lines[span.line - 1] if 0 < span.line <= len(lines) else ""


def closest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name a writer most likely meant; case, ``-``, ``_`` and spaces count for nothing."""
    by_form: dict[str, str] = {}
    for candidate in known:
        by_form.setdefault(_plain(candidate), candidate)
    match = get_close_matches(_plain(name), by_form, n=1, cutoff=cutoff)
    return by_form[match[0]] if match else None


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


class Report:
    """Collects the diagnostics of one program."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._found: list[Diagnostic] = []

    def error(self, code: str, message: str, span: Span, help_line: str | None = None) -> None:
        self._found.append(Diagnostic(code, message, span, line_of(self._source, span), help_line))

    def warning(self, code: str, message: str, span: Span, help_line: str | None = None) -> None:
        self._found.append(Diagnostic(code, message, span, line_of(self._source, span), help_line, "warning"))

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return self._in_order("error")

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return self._in_order("warning")

    def _in_order(self, severity: str) -> tuple[Diagnostic, ...]:
        chosen = (d for d in self._found if d.severity == severity)
        return tuple(sorted(chosen, key=lambda d: (d.span.line, d.span.col)))
