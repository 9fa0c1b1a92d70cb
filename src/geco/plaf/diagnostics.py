"""One diagnostic: file:line:col, the source line or the part of it that matters, a caret and a help line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, NamedTuple

from geco.errors import MOST_SHOWN
from geco.plaf.syntax import Span

LONGEST = 240  # characters of a source line that are shown
MOST_SAID = 1000  # characters of a message
BEFORE = 80  # of them those before the caret, where there are more


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
        message = _cut(self.message) if self.severity == "error" else f"warning: {_cut(self.message)}"
        if self.span.line == 0:  # a program made in code, or a file that could not be read
            lines = [f"{self.span.file}: {message}"]
        else:
            number, shown, caret = str(self.span.line), *self._excerpt()
            lines = [
                f"{self.span.file}:{self.span.line}:{self.span.col}: {message}",
                f"  {number} | {shown}",
                f"  {' ' * len(number)} | {caret}",
            ]
        if self.help:
            lines.append(f"help: {self.help}")
        return "\n".join(lines)

    def _excerpt(self) -> tuple[str, str]:
        """The source line, cut around the caret if it is long, and the caret under it."""
        line, start = self.source_line, self.span.col - 1
        end = self.span.end_col - 1 if self.span.end_line == self.span.line else len(line)
        cut = max(0, min(start - BEFORE, len(line) - LONGEST))
        part = line[cut : cut + LONGEST]
        shown = ("…" if cut else "") + part + ("…" if cut + LONGEST < len(line) else "")
        # A tab before the caret must stay a tab, or the caret stands elsewhere than the word.
        margin = "".join("\t" if c == "\t" else " " for c in shown[: start - cut + bool(cut)])
        width = max(1, min(end, cut + LONGEST) - start)
        return shown, margin.ljust(start - cut + bool(cut)) + "^" * width


def _cut(message: str) -> str:
    """A message with a word of thousands of letters in it, without its middle."""
    if len(message) <= MOST_SAID:
        return message
    return f"{message[: MOST_SAID // 2]} … {message[-MOST_SAID // 2 :]}"


def closest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name a writer most likely meant; case, ``-``, ``_`` and spaces count for nothing."""
    by_form: dict[str, str] = {}
    for candidate in known:
        by_form.setdefault(_plain(candidate), candidate)
    match = get_close_matches(_plain(name), by_form, n=1, cutoff=cutoff)
    return by_form[match[0]] if match else None


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


Help = str | Callable[[], str] | None  # a function where it takes long to find, such as a name that was meant


class _Found(NamedTuple):
    code: str
    message: str
    span: Span
    help: Help


class Report:
    """Collects the diagnostics of one program."""

    def __init__(self, source: str) -> None:
        self._lines = source.split("\n")
        self._errors: list[_Found] = []
        self._warnings: list[_Found] = []

    def error(self, code: str, message: str, span: Span, help_line: Help = None) -> None:
        self._errors.append(_Found(code, message, span, help_line))

    def warning(self, code: str, message: str, span: Span, help_line: Help = None) -> None:
        self._warnings.append(_Found(code, message, span, help_line))

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """In source order; what takes long to find is looked for where it is shown only."""
        return self._in_order(self._errors, "error")

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The same."""
        return self._in_order(self._warnings, "warning")

    def line_of(self, span: Span) -> str:
        """The source line a span begins on; empty for a program made in code."""
        return self._lines[span.line - 1] if 0 < span.line <= len(self._lines) else ""

    def _in_order(self, found: list[_Found], severity: Literal["error", "warning"]) -> tuple[Diagnostic, ...]:
        ordered = sorted(found, key=lambda f: (f.span.line, f.span.col))
        return tuple(
            Diagnostic(f.code, f.message, f.span, self.line_of(f.span), _help(f.help, number < MOST_SHOWN), severity)
            for number, f in enumerate(ordered)
        )


def _help(given: Help, shown: bool) -> str | None:
    if callable(given):
        return given() if shown else None
    return given
