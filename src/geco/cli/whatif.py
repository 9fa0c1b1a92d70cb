"""``geco whatif``: what would the model say if somebody did this?"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from geco.cli.asked import Asked, asked
from geco.cli.flattened import flattened
from geco.cli.instance import changes
from geco.cli.options import About, AsJson
from geco.cli.output import show_json, tell
from geco.errors import SettingsError


@flattened
def whatif(
    files: Asked,
    about: About,
    done: Annotated[
        list[str] | None, typer.Argument(help="What would be done, such as income=900.", metavar="FEATURE=VALUE")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what the model would answer after a change, which rules it breaks, and what they would drag along.

    Example: geco whatif income=900 housing=own --row 17; --set income=900 says the same.
    """
    said = [*(done or ()), *(about.set or ())]
    if not said:
        raise SettingsError("say what would be done: geco whatif FEATURE=VALUE, one change or several")
    question = asked(files, replace(about, set=None))
    explainer = question.explainer
    onehots = [table.onehot for table in explainer.domain.tables if table.onehot]
    answer = explainer.what_if(question.x, changes(said, explainer.domain.schema, onehots))
    if as_json:
        show_json("whatif", answer.to_dict())
    else:
        tell(answer)
