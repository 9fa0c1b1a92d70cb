"""The command line: one file per command, and the only place where an error becomes output.

Commands import the rest of geco when they run, so that ``geco --help`` answers at once.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from geco import __version__
from geco.cli import check, demo, explain, save
from geco.errors import GecoError, PlafError


class Commands(TyperGroup):
    """Turns what a user can cause into one message and an exit code, never a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except GecoError as error:
            # A diagnostic starts with its file and line, where editors expect it.
            typer.echo(str(error) if isinstance(error, PlafError) else f"error: {error}", err=True)
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            raise typer.Exit(130) from None


app = typer.Typer(
    cls=Commands,
    help="What to change to turn a model's no into a yes.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("demo")(demo.demo)
app.command("check")(check.check)
app.command("explain")(explain.explain)
app.command("save")(save.save)


def main() -> None:
    """Entry point of the ``geco`` command."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"geco {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    wants_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """What to change to turn a model's no into a yes."""
