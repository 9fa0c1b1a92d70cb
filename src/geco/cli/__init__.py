"""The command line: one file per command, and the only place where an error becomes output.

Commands import the rest of geco when they run, so that ``geco --help`` answers at once; and ``geco explain`` reads no
file but that of ``explain``: building the options of all commands takes longer than most explanations.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from geco import __version__
from geco.cli.output import say, tell_error
from geco.cli.words import in_words
from geco.errors import GecoError, SettingsError, did_you_mean

INTERRUPTED = 130
SELDOM = (200_000, 30, 30)  # what is imported stays: looking for garbage in it took a quarter of a short command
# In the order of the help; each has a file of its name here.
COMMANDS = (
    *("init", "suggest", "check", "describe", "explain", "whatif", "smallest", "obstacles", "reasons", "tradeoffs"),
    *("compare", "report", "replay", "ledger", "save", "batch", "serve", "demo"),
)


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
    return did_you_mean(asked[1], COMMANDS) if asked else ""


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


def application(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """``geco`` with these commands."""
    made = typer.Typer(
        cls=Commands,
        help="What to change to turn a model's no into a yes.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    made.callback()(_options)
    for name in names:
        command = getattr(import_module(f"geco.cli.{name}"), name)
        if isinstance(command, typer.Typer):
            made.add_typer(command, name=name)
        else:
            made.command(name)(command)
    return made


def main() -> None:
    """Entry point of the ``geco`` command."""
    gc.set_threshold(*SELDOM)
    asked = sys.argv[1:2]
    alone = asked[0] in COMMANDS and "_GECO_COMPLETE" not in os.environ if asked else False
    try:
        application(asked if alone else COMMANDS)()
    except KeyboardInterrupt:
        sys.exit(130)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"geco {__version__}")
        raise typer.Exit


def _options(
    wants_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """What to change to turn a model's no into a yes."""


def __getattr__(name: str) -> Any:
    # ``app`` has every command, for whoever runs commands in this process.
    if name == "app":
        globals()["app"] = application()
        return globals()["app"]
    raise AttributeError(f"module 'geco.cli' has no attribute {name!r}")
