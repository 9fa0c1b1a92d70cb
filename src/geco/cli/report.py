"""``geco report``: a page to hand out, for one person or for all rows of a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from geco.cli.asked import Asked, Limits, asked, load_saved
from geco.cli.explain import ANSWERED
from geco.cli.flattened import flattened
from geco.cli.opened import open_project
from geco.cli.options import About, AsJson, Seed, Ways, given
from geco.cli.output import show, show_json
from geco.errors import SettingsError

if TYPE_CHECKING:
    from geco.explainer import Explainer

MOST_ROWS = 20_000  # on one page


@flattened
def report(
    files: Asked,
    about: About,
    limits: Limits,
    to: Annotated[Path, typer.Option(help="The page to write.")] = Path("report.html"),
    rows: Annotated[Path | None, typer.Option("--in", help="All rows of this table, in place of one person.")] = None,
    by: Annotated[str | None, typer.Option(help="With --in: the column whose groups stand side by side.")] = None,
    language: Annotated[str, typer.Option(help="en or de.")] = "en",
    plans: Annotated[int, typer.Option(help="How many plans a person is shown.")] = 3,
    reasons: Annotated[bool, typer.Option(help="Principal reasons, under a heading of their own.")] = True,
    pdf: Annotated[bool, typer.Option("--pdf", help="Also as PDF, where Chromium or WeasyPrint is there.")] = False,
    k: Ways = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Write a page to hand out: plans, what stays, reasons, and the evidence behind them.

    Examples: geco report --row 17 --to anna.html, geco report --in applicants.csv --by sex --to all.html
    """
    words = given(k=k, seed=seed)
    if rows is not None:
        html, answered = _many(files, limits, rows, by, language, words), True
    else:
        html, answered = _one(files, about, limits, language, plans, reasons, words)
    _written(html, to, pdf, as_json)
    if not answered:
        raise typer.Exit(1)


def _one(
    files: Asked, about: About, limits: Limits, language: str, plans: int, reasons: bool, words: dict[str, Any]
) -> tuple[str, bool]:
    question = asked(files, about)
    explainer = question.explainer
    explanation = explainer.explain(question.x, **{**question.search, **question.words, **limits.words, **words})
    why: list[str] = []
    if reasons and explanation.status != "already_good":
        from geco.report.notice import reason_lines

        why = reason_lines(explainer.reasons(question.x), explanation.wording, language)
    return explanation.to_html(language=language, reasons=why, plans=plans), explanation.status in ANSWERED


def _many(files: Asked, limits: Limits, rows: Path, by: str | None, language: str, words: dict[str, Any]) -> str:
    from geco.data.database import Database

    explainer: Explainer
    search: dict[str, Any] = {}
    if files.saved is not None:
        explainer = load_saved(files)
    else:
        project = open_project(files)
        explainer, search = project.explainer, project.question
    table = Database.from_file(rows)
    if table.rows > MOST_ROWS:
        raise SettingsError(f"{rows} has {table.rows:,} rows, too many for one page; use geco batch")
    instances = [table.row(number) for number in range(table.rows)]
    explanations = explainer.explain_many(instances, **{**search, **limits.words, **words})
    return explanations.to_html(language=language, summary=explainer.summary(explanations, by=by))


def _written(html: str, to: Path, pdf: bool, as_json: bool) -> None:
    from geco.files import write_text

    write_text(to, html)
    printed = to.with_suffix(".pdf") if pdf else None
    if printed is not None:
        from geco.report.pdf import write_pdf

        write_pdf(html, printed)
    if as_json:
        show_json("report", {"page": str(to), "pdf": None if printed is None else str(printed)})
    else:
        show(f"written: {to}" + ("" if printed is None else f" and {printed}"))
