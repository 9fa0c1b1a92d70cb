"""One diagnostic: file:line:col, the source line, a caret and a help line."""

from __future__ import annotations

from dataclasses import dataclass

from geco.plaf.syntax import Span


@dataclass(frozen=True)
class Diagnostic:
    """What is wrong where, and what to do about it. ``code`` is stable, for programs."""

    code: str
    message: str
    span: Span
    source_line: str
    help: str | None = None

    def __str__(self) -> str:
        number = str(self.span.line)
        end = self.span.end_col if self.span.end_line == self.span.line else len(self.source_line) + 1
        caret = " " * (self.span.col - 1) + "^" * max(1, end - self.span.col)
        lines = [
            f"{self.span.file}:{self.span.line}:{self.span.col}: {self.message}",
            f"  {number} | {self.source_line}",
            f"  {' ' * len(number)} | {caret}",
        ]
        if self.help:
            lines.append(f"help: {self.help}")
        return "\n".join(lines)
