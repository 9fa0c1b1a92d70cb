"""``geco describe``: what an explainer is made of."""

from __future__ import annotations

from geco.cli.asked import Asked, load_saved
from geco.cli.flattened import flattened
from geco.cli.opened import open_project
from geco.cli.options import AsJson
from geco.cli.output import show_json, write


@flattened
def describe(files: Asked, as_json: AsJson = False) -> None:
    """Show how the model is asked, what counts as good, groups, domain sizes and rules.

    Example: geco describe
    """
    explainer = load_saved(files) if files.saved is not None else open_project(files).explainer
    text = explainer.describe()
    if as_json:
        show_json("describe", {"description": text.splitlines()})
    else:
        write(text + "\n")
