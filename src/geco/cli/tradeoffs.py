"""``geco tradeoffs``: near, few changes, or safely good?"""

from __future__ import annotations

from typing import Annotated

import typer

from geco.cli.asked import Asked, Limits, asked
from geco.cli.flattened import flattened
from geco.cli.options import About, AsJson, Seed, Ways, given
from geco.cli.output import show_json, tell


@flattened
def tradeoffs(
    files: Asked,
    about: About,
    limits: Limits,
    k: Ways = None,
    seed: Seed = None,
    deadline: Annotated[float | None, typer.Option(help="Seconds after which the best so far is told.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the front of distance, number of changes and outcome: what may be had for what.

    Example: geco tradeoffs --row 17
    """
    question = asked(files, about)
    words = {**question.words, **limits.words, **given(k=k, seed=seed, deadline=deadline)}
    answer = question.explainer.tradeoffs(question.x, **words)
    if as_json:
        show_json("tradeoffs", answer.to_dict())
    else:
        tell(answer)
    if not answer.points:
        raise typer.Exit(1)
