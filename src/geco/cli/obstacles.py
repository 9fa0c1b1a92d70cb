"""``geco obstacles``: which rules stand in the way?"""

from __future__ import annotations

from typing import Annotated

import typer

from geco.cli.asked import Asked, Limits, asked
from geco.cli.flattened import flattened
from geco.cli.options import About, AsJson, Seed, given
from geco.cli.output import show_json, tell


@flattened
def obstacles(
    files: Asked,
    about: About,
    limits: Limits,
    seed: Seed = None,
    deadline: Annotated[float | None, typer.Option(help="Seconds after which the best so far is told.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what each rule costs: the nearest answer without it; or, if there is no answer, which rules to give up.

    Example: geco obstacles --row 17
    """
    question = asked(files, about)
    words = {**question.words, **limits.words, **given(seed=seed, deadline=deadline)}
    answer = question.explainer.obstacles(question.x, **words)
    if as_json:
        show_json("obstacles", answer.to_dict())
    else:
        tell(answer)
