"""``geco save``: a model file, a table and a program become one file that ``geco explain --saved`` answers from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from geco.cli.explain import build
from geco.cli.options import Data, Exclude, Rules, Target, Trust


def save(
    model: Annotated[Path, typer.Option(help="The model, saved by skops.")],
    data: Data,
    to: Annotated[Path, typer.Option(help="The file to write, such as credit.geco.")],
    program: Rules = None,
    exclude: Exclude = None,
    target: Target = None,
    trust: Trust = None,
) -> None:
    """Prepare an explainer once, for many explanations later."""
    from geco.data.database import Database

    database = Database.from_file(data, exclude=exclude or ())
    explainer = build(model, database, program, target, trust)
    explainer.save(to)
    needed = "" if explainer.compiled else "; it will need its model, which is not compiled"
    print(f"ok: {to}, {to.stat().st_size / 1e3:,.0f} kB for {database.rows:,} rows of data{needed}")
