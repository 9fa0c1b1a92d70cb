"""``geco check``: does everything of a project fit together?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from geco.cli.flattened import flattened
from geco.cli.opened import open_project
from geco.cli.options import AsJson, Files
from geco.cli.output import error_content, say, show, show_json, tell_error
from geco.cli.words import in_words
from geco.errors import GecoError, SettingsError

if TYPE_CHECKING:
    from geco.project.findings import Findings
    from geco.project.project import Project


ROWS_TRIED = 25


@flattened
def check(
    files: Files,
    rules: Annotated[
        Path | None, typer.Argument(help="A PLAF program, for --data alone.", metavar="[RULES.plaf]")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 for warnings and unreviewed rules.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check file, table, rules and model at once; show groups, domain sizes, rules and what is compiled.

    Examples: geco check, geco check --strict, geco check rules.plaf --data table.csv --exclude label
    """
    from dataclasses import replace

    from geco.project.findings import findings

    if rules is not None:
        if files.program is not None:
            raise SettingsError("give the rules once, as an argument or with --program")
        files = replace(files, program=rules)
    project = open_project(files)
    alone = project.settings.file is None and files.model is None  # a table and rules, and nobody speaks of a model
    found = findings(project, without_model=alone)
    if as_json:
        show_json("check", _content(project, found))
    else:
        _print(project, found, alone)
    if found.errors:
        raise typer.Exit(2)
    if strict and not found.clean:
        raise typer.Exit(1)


def _print(project: Project, found: Findings, alone: bool) -> None:
    for warning in found.warnings:
        say(in_words(warning))
    for error in found.errors:
        tell_error(error, in_words(str(error)), as_json=False)
    if not found.errors:
        show(*_overview(project, found, alone))
    if not found.errors and not alone and (row := _first_refused(project)) is not None:
        say(f"the model refuses row {row}; try: geco explain --row {row}")
    if found.unreviewed:
        rules = "1 suggested rule is" if found.unreviewed == 1 else f"{found.unreviewed} suggested rules are"
        say(f"{rules} unreviewed: look at each, then delete its '# unreviewed' or the rule")


def _first_refused(project: Project) -> int | None:
    """A row to begin with, so that nobody has to guess one."""
    for row in range(min(ROWS_TRIED, project.database.rows)):
        try:
            x = project.row(row)
            if not project.explainer.what_if(x, dict([next(iter(x.items()))])).good:
                return row
        except GecoError:
            return None
    return None


def _overview(project: Project, found: Findings, alone: bool) -> list[Any]:
    from rich.table import Table
    from rich.text import Text

    from geco.plaf.printer import print_rule
    from geco.project.findings import domain_of

    assert found.program is not None
    domain = domain_of(project.database, found.program) if alone else project.explainer.domain
    counts = {"group": len(domain.tables), "rule": len(found.program.rules), "row": project.database.rows}
    listed = ", ".join(f"{n:,} {what}{'s' if n != 1 else ''}" for what, n in counts.items())
    lines: list[Any] = [f"ok: {listed} of data"]
    if not alone:
        lines += [f"model: {project.explainer.model.describe()}", f"good: {project.explainer.model.goal.words}"]
    table = Table("group", "rows to choose from", box=None, pad_edge=False, header_style="bold")
    table.columns[1].justify = "right"
    for group in domain.tables:
        table.add_row(Text(group.name), f"{group.rows:,}")
    return [*lines, table, *(print_rule(rule) for rule in found.program.rules)]


def _content(project: Project, found: Findings) -> dict[str, Any]:
    content: dict[str, Any] = {
        "ok": not found.errors,
        "errors": [error_content(error, in_words(str(error))) for error in found.errors],
        "warnings": found.warnings,
        "unreviewed": found.unreviewed,
    }
    if not found.errors and "explainer" in vars(project):
        explainer = project.explainer
        content |= {
            "rows": project.database.rows,
            "groups": {table.name: table.rows for table in explainer.domain.tables},
            "model": explainer.model.describe(),
            "compiled": explainer.compiled is not None,
            "target": explainer.model.goal.words,
        }
    return content
