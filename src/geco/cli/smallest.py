"""``geco smallest``: how far must this one thing move?"""

from __future__ import annotations

from typing import Annotated

import typer

from geco.cli.asked import Asked, Limits, asked
from geco.cli.explain import answer
from geco.cli.flattened import flattened
from geco.cli.options import About, AsJson, Seed, Ways, given


@flattened
def smallest(
    feature: Annotated[str, typer.Argument(help="The feature, or the name of a ONEHOT set.", metavar="FEATURE")],
    files: Asked,
    about: About,
    limits: Limits,
    k: Ways = None,
    seed: Seed = None,
    deadline: Annotated[float | None, typer.Option(help="Seconds after which the best so far is told.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say how far one feature must move for a good outcome, with what the rules drag along.

    Example: geco smallest income --row 17
    """
    question = asked(files, about)
    words = {**question.words, **limits.words, **given(k=k, seed=seed, deadline=deadline)}
    answer(question.explainer.smallest(question.x, feature, **words), "smallest", as_json)
