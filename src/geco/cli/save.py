"""``geco save``: a project becomes one file that ``geco explain --saved`` answers from, in milliseconds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from geco.cli.flattened import flattened
from geco.cli.opened import open_project
from geco.cli.options import AsJson, Files
from geco.cli.output import show, show_json
from geco.errors import SettingsError


@flattened
def save(
    files: Files,
    to: Annotated[Path, typer.Option(help="The file to write, such as credit.geco.")],
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Prepare an explainer once, for many explanations later.

    Example: geco save --to credit.geco, then geco explain --saved credit.geco --x applicant.json
    """
    if to.exists() and not force:
        raise SettingsError(f"{to} is there already; give another name, or --force to write over it")
    project = open_project(files)
    explainer = project.explainer
    explainer.save(to)
    size, rows = to.stat().st_size, project.database.rows
    if as_json:
        show_json("save", {"file": str(to), "bytes": size, "rows": rows, "compiled": explainer.compiled is not None})
        return
    needed = "" if explainer.compiled else "; it will need its model, which is not compiled"
    show(f"ok: {to}, {size / 1e3:,.0f} kB for {rows:,} rows of data{needed}")
