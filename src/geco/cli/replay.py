"""``geco replay``: does a record still come out as it was written down?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from geco.cli.asked import Asked, load_saved
from geco.cli.flattened import flattened
from geco.cli.instance import read_json
from geco.cli.opened import open_project
from geco.cli.options import AsJson
from geco.cli.output import show, show_json


@flattened
def replay(
    files: Asked,
    record: Annotated[Path, typer.Option(help="What geco explain --json wrote, or a line of a ledger's export.")],
    as_json: AsJson = False,
) -> None:
    """Ask the question of a record again, and say what has changed since if something else comes out.

    Example: geco replay --record answer.json
    """
    from geco.report.replay import replay as replayed

    explainer = load_saved(files) if files.saved is not None else open_project(files).explainer
    told = read_json(str(record))
    result = replayed(told.get("record", told), explainer)
    if as_json:
        show_json("replay", result.to_dict())
    else:
        show(str(result))
    if not result:
        raise typer.Exit(1)
