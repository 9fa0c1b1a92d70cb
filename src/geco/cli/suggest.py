"""``geco suggest``: rules that the table itself suggests, each with its evidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from geco.cli.flattened import flattened
from geco.cli.opened import open_project
from geco.cli.options import AsJson, Files
from geco.cli.output import say, show_json, write
from geco.errors import SettingsError

if TYPE_CHECKING:
    from geco.project.suggest.suggestion import Suggestion


@flattened
def suggest(
    files: Files,
    most: Annotated[int, typer.Option(min=1, help="How many to show at most.")] = 30,
    add: Annotated[bool, typer.Option("--write", help="Add them to the rules of the project, as unreviewed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Suggest groups, orders, fixed and growing columns, inequalities and sums; nothing is applied silently.

    Examples: geco suggest, geco suggest --write, geco suggest --data table.csv --exclude label
    """
    from geco.project.files import replace_text
    from geco.project.sources import label_column
    from geco.project.suggest.discover import discover
    from geco.project.suggest.written import as_plaf, with_suggestions

    project = open_project(files)
    target = project.settings.path("rules", "file")
    if add and target is None:
        raise SettingsError('there is no file to add to; add [rules] with file = "rules.plaf" to geco.toml')
    found = discover(project.database, project.program, label_column(project.settings))[:most]
    if add and target is not None and found:
        replace_text(target, with_suggestions(project.program.source, found))
    if as_json:
        show_json("suggest", {"written": str(target) if add else None, "suggestions": list(map(_content, found))})
        return
    if not add:
        write(as_plaf(found))
    _say_next(len(found), target if add else None)


def _content(suggestion: Suggestion) -> dict[str, object]:
    return {
        "kind": suggestion.kind,
        "statement": suggestion.statement,
        "evidence": suggestion.evidence,
        "score": round(suggestion.score, 3),
        "features": list(suggestion.features),
    }


def _say_next(found: int, target: Path | None) -> None:
    what = "nothing new" if not found else "1 suggestion" if found == 1 else f"{found} suggestions"
    if target is not None:
        told = f"{what}, added to {target}" if found else f"{what} to add to {target}"
        say(f"{told}; look at each, then delete its '# unreviewed' or the rule. next: geco check")
    elif found:
        say(f"{what}. next: geco suggest --write adds them to the rules, for you to look at")
    else:
        say(f"{what} to suggest for this table")
