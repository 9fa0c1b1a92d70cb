"""``geco demo``: one refused applicant for a loan, and the ways to a yes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from geco.cli.options import AsJson, Seed, Ways, given
from geco.cli.output import say, show, show_json
from geco.errors import SettingsError

if TYPE_CHECKING:
    from geco.answers.explanation import Explanation


def demo(
    k: Ways = None,
    seed: Seed = None,
    applicant: Annotated[int | None, typer.Option(help="Which of the 1,000 applicants asks, from 0.")] = None,
    write: Annotated[Path | None, typer.Option(help="Write the demo as a project into this folder instead.")] = None,
    serve: Annotated[bool, typer.Option("--serve", help="Open the page of the demo in a browser.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to serve; 0 takes a free one.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Explain one refused applicant of the German credit data.

    Examples: geco demo --applicant 10, geco demo --write loans, geco demo --serve
    """
    if write is not None:
        _write(write, as_json)
        return
    if serve:
        from geco.cli.served import serve_demo

        serve_demo(applicant, port)
        return
    from geco.demo import APPLICANT, GOOD, LABEL, load
    from geco.explainer import Explainer

    frame, model, database, program = load()
    number = APPLICANT if applicant is None else applicant
    if not 0 <= number < len(frame):
        raise SettingsError(f"there is no applicant {number}; give a number from 0 to {len(frame) - 1}")
    x = frame.drop(columns=LABEL).iloc[number]
    explanation = Explainer(model, database, program, target=GOOD).explain(x, **given(k=k, seed=seed))
    if as_json:
        show_json("demo", explanation.to_dict())
    else:
        _print(number, x, explanation)
        say("next, try:")
        for command in (
            "demo --applicant 10",
            "demo --write loans",
            "demo --serve",
            "explain --project loans --row 3 --fixed duration",
        ):
            say(f"  geco {command}")


def _write(folder: Path, as_json: bool) -> None:
    from geco.demo.written import write_demo

    files = sorted(path.name for path in write_demo(folder).iterdir())
    if as_json:
        show_json("demo", {"folder": str(folder), "files": files})
        return
    show(f"ok: {folder} has {', '.join(files)}")
    say("next, try:")
    for command in ("check", "explain --row 3", "suggest"):
        say(f"  geco {command} --project {folder}")


def _print(number: int, x: Any, explanation: Explanation) -> None:
    from rich.table import Table
    from rich.text import Text

    from geco.answers.values import shorten
    from geco.cli.tables import effort, explanation_tables, sentences

    person = f"a {'woman' if x['sex'] == 'female' else 'man'} of {x['age']}"
    loan = f"{x['credit_amount']:,} over {x['duration']} months ({x['purpose']})"
    verdict = ("yes", "bold green") if explanation.status == "already_good" else ("no", "bold red")
    said = f"a yes needs {explanation.target}; it says {shorten(explanation.outcome)}: "
    head = Table.grid(padding=(0, 2))
    head.add_row(Text("Who asked", "bold"), f"applicant {number}: {person} asking for {loan}")
    head.add_row(Text("The model", "bold"), Text.assemble(said, verdict))
    ways: list[Any] = [f"\n{explanation.reason}"]
    if explanation.counterfactuals:
        ways = [*explanation_tables(explanation, every_feature=True), sentences(explanation)]
    show("", head, *ways, Text(f"\n{effort(explanation)}", style="dim"))
