"""Suggestions as lines of a PLAF file, and into one; what is there stays as it is."""

from __future__ import annotations

from collections.abc import Sequence

from geco.project.suggest.suggestion import Suggestion

UNREVIEWED = "# unreviewed"
LEAVE_OUT = "# leave out "  # what no rule can say: it belongs into geco.toml


def as_plaf(suggestions: Sequence[Suggestion]) -> str:
    """Each with its evidence above it; most likely to be kept first.

    Examples
    --------
    >>> print(as_plaf([Suggestion("fixed", "FIXED sex", "by its name sex", 0.9, ("sex",))]), end="")
    # by its name sex
    FIXED sex  # unreviewed
    """
    return "".join(map(_lines, suggestions))


def with_suggestions(source: str, suggestions: Sequence[Suggestion]) -> str:
    """The text of a PLAF file with suggestions at its end."""
    if not suggestions:
        return source
    gap = "" if not source else "\n" if source.endswith("\n") else "\n\n"
    return f"{source}{gap}{as_plaf(suggestions)}"


def _lines(suggestion: Suggestion) -> str:
    if suggestion.kind == "exclude":
        column = suggestion.statement
        return f"{LEAVE_OUT}{column!r}: {suggestion.evidence}; add it to exclude in [data] of geco.toml\n"
    return f"# {suggestion.evidence}\n{suggestion.statement}  {UNREVIEWED}\n"
