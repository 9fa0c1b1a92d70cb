"""``geco check``: does this PLAF program fit this table?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from geco.cli.options import Data, Exclude


def check(
    program: Annotated[Path, typer.Argument(help="The PLAF program.", metavar="PROGRAM.plaf")],
    data: Data,
    exclude: Exclude = None,
    strict: Annotated[bool, typer.Option("--strict", help="Make errors of the warnings.")] = False,
) -> None:
    """Check a PLAF program against a table; print its groups, rules and domain sizes."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from geco.data.database import Database
    from geco.data.domain import Domain
    from geco.doubts import doubts_about_data, refuse
    from geco.errors import report
    from geco.params import Params
    from geco.plaf.checker import check_program
    from geco.plaf.parser import read_plaf
    from geco.plaf.printer import print_rule

    parsed = read_plaf(program)
    database = Database.from_file(data, exclude=exclude or ())
    checked = check_program(parsed, database.schema, database.excluded)
    groups = [group.features for group in checked.groups]
    domain = Domain.build(database, groups, checked.schema, [group.onehot for group in checked.groups])
    warnings = doubts_about_data(checked, domain, Params())
    if strict:
        refuse(warnings)
    if warnings:
        typer.echo(report(warnings, "warnings"), err=True)

    console = Console(highlight=False)
    counts = {"group": len(groups), "rule": len(checked.rules), "row": database.rows}
    found = ", ".join(f"{n:,} {what}{'s' if n != 1 else ''}" for what, n in counts.items())
    console.print(Text(f"ok: {found} of data"))
    table = Table("group", "rows to choose from", box=None, pad_edge=False, header_style="bold")
    table.columns[1].justify = "right"
    for group in domain.tables:
        table.add_row(Text(group.name), f"{group.rows:,}")
    console.print(table)
    for rule in checked.rules:
        console.print(Text(print_rule(rule)))
