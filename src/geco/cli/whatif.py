"""``geco whatif``: what would the model say if somebody did this?"""

from __future__ import annotations

from dataclasses import replace

from geco.cli.asked import Asked, asked
from geco.cli.flattened import flattened
from geco.cli.instance import changes
from geco.cli.options import About, AsJson
from geco.cli.output import show_json, tell
from geco.errors import SettingsError


@flattened
def whatif(files: Asked, about: About, as_json: AsJson = False) -> None:
    """Say what the model would answer after a change, which rules it breaks, and what they would drag along.

    Example: geco whatif --row 17 --set income=900 --set housing=own
    """
    if not about.set:
        raise SettingsError("say what would be done: --set FEATURE=VALUE, once or several times")
    question = asked(files, replace(about, set=None))
    explainer = question.explainer
    onehots = [table.onehot for table in explainer.domain.tables if table.onehot]
    answer = explainer.what_if(question.x, changes(about.set, explainer.domain.schema, onehots))
    if as_json:
        show_json("whatif", answer.to_dict())
    else:
        tell(answer)
