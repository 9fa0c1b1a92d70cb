"""``geco demo``: one refused applicant for a loan, and the ways to a yes."""

from __future__ import annotations

from typing import Annotated

import typer

from geco.cli.options import AsJson, Seed, Ways
from geco.errors import SettingsError


def demo(
    k: Ways = 5,
    seed: Seed = 0,
    applicant: Annotated[int | None, typer.Option(help="Which of the 1,000 applicants asks, from 0.")] = None,
    as_json: AsJson = False,
) -> None:
    """Explain one refused applicant of the German credit data."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from geco.answers.values import shorten
    from geco.cli.tables import effort, explanation_table, sentences
    from geco.demo import APPLICANT, GOOD, LABEL, load
    from geco.explainer import Explainer

    console = Console(highlight=False)
    frame, model, database, program = load()
    number = APPLICANT if applicant is None else applicant
    if not 0 <= number < len(frame):
        raise SettingsError(f"there is no applicant {number}; give a number from 0 to {len(frame) - 1}")
    x = frame.drop(columns=LABEL).iloc[number]
    explanation = Explainer(model, database, program, target=GOOD).explain(x, k=k, seed=seed)
    if as_json:
        print(explanation.to_json(indent=2))
        return
    person = f"a {'woman' if x['sex'] == 'female' else 'man'} of {x['age']}"
    loan = f"{x['credit_amount']:,} over {x['duration']} months ({x['purpose']})"
    verdict = ("yes", "bold green") if explanation.status == "already_good" else ("no", "bold red")
    said = f"a yes needs {explanation.target}; it says {shorten(explanation.outcome)}: "
    head = Table.grid(padding=(0, 2))
    head.add_row(Text("Who asked", "bold"), f"applicant {number}: {person} asking for {loan}")
    head.add_row(Text("The model", "bold"), Text.assemble(said, verdict))
    console.print("", head)
    if explanation.counterfactuals:
        console.print(explanation_table(explanation, every_feature=True))
        console.print(sentences(explanation))
    else:
        console.print(Text(f"\n{explanation.reason}"))
    console.print(Text(f"\n{effort(explanation)}", style="dim"))
