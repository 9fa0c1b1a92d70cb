"""``geco explain``: one instance, and the ways to a good outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from geco.cli.asked import Asked, Limits, asked
from geco.cli.flattened import flattened
from geco.cli.options import About, AsJson, Kind, Prove, Seed, Ways, given, proving
from geco.cli.output import show, show_json
from geco.cli.words import in_words

if TYPE_CHECKING:
    from geco.answers.explanation import Explanation

ANSWERED = ("found", "already_good")


@flattened
def explain(
    files: Asked,
    about: About,
    limits: Limits,
    k: Ways = None,
    seed: Seed = None,
    method: Annotated[str | None, typer.Option(help="frontier, genetic, exact, wit, certifai, simcf or mace.")] = None,
    ways: Kind = None,
    prove: Prove = None,
    deadline: Annotated[float | None, typer.Option(help="Seconds after which the best so far is returned.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what would have to change for a good outcome.

    Examples: geco explain --row 17, geco explain --key 4711 --fixed income, geco explain --x a.json --set age=30
    """
    question = asked(files, about, method)
    said = given(k=k, seed=seed, ways=ways, prove=proving(prove), deadline=deadline)
    words = {**question.search, **question.words, **limits.words, **said}
    answer(question.explainer.explain(question.x, **words), "explain", as_json)


def answer(explanation: Explanation, command: str, as_json: bool) -> None:
    """Print it; exit code 1 if there is no way."""
    if as_json:
        show_json(command, explanation.to_dict())
    else:
        print_explanation(explanation)
    if explanation.status not in ANSWERED:
        raise typer.Exit(1)


def print_explanation(explanation: Explanation) -> None:
    """A table of the ways, a sentence for each, and notes."""
    from rich.text import Text

    from geco.cli.tables import effort, explanation_tables, sentences

    if explanation.counterfactuals:
        notes = [f"note: {in_words(note)}" for note in explanation.notes]
        ways = [*explanation_tables(explanation), sentences(explanation)]
        show(*ways, *notes, Text(effort(explanation), style="dim"))
    else:
        show(in_words(str(explanation)), Text(effort(explanation), style="dim"))
