"""The command line: one file per command, and the only place where an error becomes output.

Commands import the rest of geco when they run, so that ``geco --help`` answers at once.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from geco import __version__
from geco.cli import (
    batch,
    check,
    compare,
    demo,
    describe,
    explain,
    init,
    ledger,
    obstacles,
    reasons,
    replay,
    report,
    save,
    serve,
    smallest,
    suggest,
    tradeoffs,
    whatif,
)
from geco.cli.output import say, tell_error
from geco.cli.words import in_words
from geco.errors import GecoError, SettingsError, did_you_mean

INTERRUPTED = 130


class Commands(TyperGroup):
    """Turns what a user can cause into one message and an exit code, never a traceback."""

    def main(self, args: Any = None, *more: Any, **named: Any) -> Any:
        arguments = list(sys.argv[1:] if args is None else args)
        named["standalone_mode"] = False
        sys.exit(_exit_code(lambda: super(Commands, self).main(arguments, *more, **named), "--json" in arguments))


def _exit_code(run: Callable[[], Any], as_json: bool) -> int:
    try:
        code = run()
        if code == INTERRUPTED:
            say("interrupted")
        return code if isinstance(code, int) else 0
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except GecoError as error:
        tell_error(error, in_words(str(error)), as_json)
    except MemoryError:
        tell_error(SettingsError(), "there is not enough memory for this; take fewer rows or smaller groups", as_json)
    except Exception as error:
        if type(error).__name__ == "Abort":  # Ctrl-C, as older versions of typer tell it
            say("interrupted")
            return INTERRUPTED
        _tell_other(error, as_json)
    return 2


def _meant(message: str) -> str:
    """The command that was meant, where the parser of options is too old to say it."""
    asked = re.match(r"No such command '(.*)'\.?$", message)
    return did_you_mean(asked[1], [command.name or "" for command in app.registered_commands]) if asked else ""


def _tell_other(error: Exception, as_json: bool) -> None:
    """Wrong options, as the parser of options tells them; what the system refuses; and whatever we did not foresee."""
    if hasattr(error, "format_message"):
        context = getattr(error, "ctx", None)
        message = error.format_message()
        if type(error).__name__ == "NoArgsIsHelpError":  # making it has shown the help
            return
        path = context.command_path if context is not None else "geco"
        tell_error(SettingsError(), f"{message.rstrip('.')}{_meant(message)}; see {path} --help", as_json)
    elif isinstance(error, OSError):
        tell_error(SettingsError(), f"{error.filename or 'the system'}: {error.strerror or error}", as_json)
    else:
        why = f"{type(error).__name__}: {error}".splitlines()[0]
        tell_error(GecoError(), f"geco did not expect this ({why}); please report it with the command", as_json)


app = typer.Typer(
    cls=Commands,
    help="What to change to turn a model's no into a yes.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command("init")(init.init)
app.command("suggest")(suggest.suggest)
app.command("check")(check.check)
app.command("describe")(describe.describe)
app.command("explain")(explain.explain)
app.command("whatif")(whatif.whatif)
app.command("smallest")(smallest.smallest)
app.command("obstacles")(obstacles.obstacles)
app.command("reasons")(reasons.reasons)
app.command("tradeoffs")(tradeoffs.tradeoffs)
app.command("compare")(compare.compare)
app.command("report")(report.report)
app.command("replay")(replay.replay)
app.add_typer(ledger.ledger, name="ledger")
app.command("save")(save.save)
app.command("batch")(batch.batch)
app.command("serve")(serve.serve)
app.command("demo")(demo.demo)


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
