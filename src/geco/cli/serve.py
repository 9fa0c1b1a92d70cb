"""``geco serve``: an explainer behind a URL."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from geco.cli.flattened import flattened
from geco.cli.opened import NO_PROJECT
from geco.cli.output import say
from geco.errors import GecoError, SettingsError

if TYPE_CHECKING:
    from geco.service.settings import Settings
    from geco.service.source import Source
    from geco.service.tokens import Tokens

VARIABLE = "GECO_TOKENS"
LOOPBACK = ("127.0.0.1", "::1", "localhost")
_SAFETY = "Who may ask, and how much"


@dataclass(frozen=True)
class Limits:
    """Who may ask, and how much."""

    token_file: Annotated[
        Path | None,
        typer.Option(help=f"Lines such as 'staff TOKEN'; else {VARIABLE}, else made up.", rich_help_panel=_SAFETY),
    ] = None
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Let everybody ask as an applicant.", rich_help_panel=_SAFETY)
    ] = False
    cors: Annotated[
        list[str] | None, typer.Option(help="An origin whose pages may ask; repeatable.", rich_help_panel=_SAFETY)
    ] = None
    deadline: Annotated[
        float, typer.Option(min=0.001, help="Seconds that an answer may take at most.", rich_help_panel=_SAFETY)
    ] = 10.0
    queue: Annotated[
        int, typer.Option(min=1, help="Requests that may wait; others get 429.", rich_help_panel=_SAFETY)
    ] = 64
    body: Annotated[int, typer.Option(min=1000, help="Bytes of a request at most.", rich_help_panel=_SAFETY)] = (
        1_000_000
    )


@flattened
def serve(
    limits: Limits,
    what: Annotated[
        Path | None,
        typer.Argument(help="A geco.toml or an explainer made by geco save.", metavar="[geco.toml | SAVED.geco]"),
    ] = None,
    model: Annotated[Path | None, typer.Option(help="The model file of a saved explainer.")] = None,
    trust: Annotated[list[str] | None, typer.Option(help="A type the .skops file may contain; repeatable.")] = None,
    trust_pickle: Annotated[bool, typer.Option("--trust-pickle", help="Read .pkl and .joblib files.")] = False,
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets others in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Processes that explain.")] = 1,
    name: Annotated[str, typer.Option(help="The model's name in KServe's paths.")] = "geco",
    ledger: Annotated[Path | None, typer.Option(help="Write every answer to this ledger, such as given.db.")] = None,
    log: Annotated[str, typer.Option(help="How much to log: debug, info, warning or error.")] = "info",
) -> None:
    """Serve explanations over HTTP: an API with documents at /docs, KServe's protocol, metrics.

    Examples: geco serve, geco serve credit.geco --model model.skops --workers 2
    """
    if log not in ("debug", "info", "warning", "error"):
        raise SettingsError(f"--log must be debug, info, warning or error, not {log}")
    tokens = _tokens(limits)
    try:
        from geco.service.run import listen, log_to_stderr
        from geco.service.settings import Settings
    except ImportError as error:
        raise GecoError(f"geco serve needs {error.name}: pip install 'geco-explain[serve]'") from error
    settings = Settings(
        name=name,
        workers=workers,
        queue=limits.queue,
        body=limits.body,
        deadline=limits.deadline,
        ledger=None if ledger is None else str(ledger),
        origins=tuple(limits.cors or ()),
    )
    log_to_stderr(log)
    listening = listen(host, port)
    made_up = limits.token_file is None and not limits.no_token and VARIABLE not in os.environ
    where = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
    with tempfile.TemporaryDirectory(prefix="geco-serve-") as folder:
        source = _source(what, model, trust or [], trust_pickle, Path(folder))
        run_service(source, settings, tokens, listening, lambda _: _tell(where, tokens, made_up, host))


def run_service(source: Source, settings: Settings, tokens: Tokens, listening: Any, told: Any) -> None:
    """Serve until told to stop."""
    import asyncio

    from geco.service.run import serve as run

    asyncio.run(run(source, settings, tokens, listening, told))


def _source(what: Path | None, model: Path | None, trust: list[str], pickle: bool, folder: Path) -> Source:
    from geco.service.source import Source

    what = what or Path("geco.toml")
    if what.suffix != ".toml" and not what.is_dir():
        return Source(str(what), None if model is None else str(model), tuple(trust), pickle)
    if not what.exists():
        raise SettingsError(NO_PROJECT)
    if model is not None or trust or pickle:
        raise SettingsError("a geco.toml names its model and what it trusts; leave --model and --trust out")
    return project_source(what, folder)


def project_source(project: Path, folder: Path) -> Source:
    """A project, prepared in this folder."""
    from geco.service.source import Source

    return Source(_saved(project, folder), project=str(project))


def _saved(project: Path, folder: Path) -> str | None:
    """Prepared once for all workers, in a process of its own: this one needs neither table nor model.

    What cannot be saved every worker builds for itself; a mistake in the project comes up there, too.
    """
    file = folder / "project.geco"
    command = [sys.executable, "-m", "geco", "save", "--project", str(project), "--to", str(file)]
    done = subprocess.run(command, capture_output=True, check=False)
    return str(file) if done.returncode == 0 else None


def _tokens(limits: Limits) -> Tokens:
    from geco.service.tokens import Tokens

    if limits.no_token:
        if limits.token_file is not None:
            raise SettingsError("--no-token and --token-file contradict each other; give one of them")
        return Tokens(())
    if limits.token_file is not None:
        return Tokens.of_file(limits.token_file)
    if VARIABLE in os.environ:
        return Tokens.of_text(os.environ[VARIABLE], f"the environment's {VARIABLE}")
    return Tokens.made_up()


def _tell(where: str, tokens: Tokens, made_up: bool, host: str) -> None:
    """Where it is and, once, the tokens that were made up."""
    say(f"serving on {where}, documents at {where}/docs; stop with Ctrl-C")
    if made_up:
        for token, role in tokens.by_token:
            say(f"token for {role}: {token}")
    if tokens.open and host not in LOOPBACK:
        say("anyone who reaches this address may ask: there is no token")
