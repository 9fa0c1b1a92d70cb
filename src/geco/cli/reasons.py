"""``geco reasons``: why was somebody refused?"""

from __future__ import annotations

from typing import Annotated, Literal, cast

import typer

from geco.cli.asked import Asked, asked, names
from geco.cli.flattened import flattened
from geco.cli.options import About, AsJson
from geco.cli.output import show_json, tell


@flattened
def reasons(
    files: Asked,
    about: About,
    n: Annotated[int, typer.Option("--n", help="How many at most.")] = 4,
    against: Annotated[
        str, typer.Option(help="Compare with the typical good row, or with the best value.")
    ] = "typical",
    never: Annotated[list[str] | None, typer.Option(help="A feature that is never named; repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Name the principal reasons for a refusal, with the codes of the project; this is not advice what to do.

    Example: geco reasons --row 17 --n 4
    """
    question = asked(files, about)
    kind = cast(Literal["typical", "best"], against)  # it is checked there
    answer = question.explainer.reasons(question.x, n=n, against=kind, never=names(never) or ())
    if as_json:
        show_json("reasons", answer.to_dict())
    else:
        tell(answer)
