"""``geco batch``: every row of a table explained, the answers in a folder."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from geco.cli.asked import Asked
from geco.cli.flattened import flattened
from geco.cli.opened import open_project
from geco.cli.options import AsJson, Kind, Seed, Ways, given, proving
from geco.cli.output import show, show_json
from geco.errors import SettingsError

if TYPE_CHECKING:
    from geco.engines.batch import Batch, Ordered
    from geco.explainer import Explainer

    Made = tuple[Batch, Explainer]

_WHOM = "Whom to explain"
_HOW = "How it is carried out; none of this changes the answers"


@dataclass(frozen=True)
class Whom:
    """The input: files, a query or an earlier batch."""

    rows: Annotated[
        str | None, typer.Option("--in", help="A .parquet or .csv file, a folder or a pattern.", rich_help_panel=_WHOM)
    ] = None
    sql: Annotated[str | None, typer.Option(help="A SELECT on --connection, with ORDER BY.", rich_help_panel=_WHOM)] = (
        None
    )
    connection: Annotated[
        Path | None, typer.Option(help="The DuckDB or SQLite file that --sql is asked of.", rich_help_panel=_WHOM)
    ] = None
    recheck: Annotated[
        Path | None,
        typer.Option(help="A complete batch: do its answers hold under this model?", rich_help_panel=_WHOM),
    ] = None
    key: Annotated[
        str | None, typer.Option(help="A column of the input that the answers carry.", rich_help_panel=_WHOM)
    ] = None


@dataclass(frozen=True)
class How:
    """Engine, workers, and what to do with a folder that is there already."""

    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with what an interrupted run has left.", rich_help_panel=_HOW)
    ] = False
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Explain rows again that failed.", rich_help_panel=_HOW)
    ] = False
    workers: Annotated[
        int | None, typer.Option(help="Processes; as many as there are cores if not said.", rich_help_panel=_HOW)
    ] = None
    threads: Annotated[
        int | None, typer.Option(help="Threads of the native core in each process.", rich_help_panel=_HOW)
    ] = None
    engine: Annotated[str, typer.Option(help="local, or ray.", rich_help_panel=_HOW)] = "local"
    address: Annotated[
        str | None, typer.Option(help="Of a Ray cluster, such as head:6379 or auto.", rich_help_panel=_HOW)
    ] = None


@flattened
def batch(
    files: Asked,
    whom: Whom,
    how: How,
    out: Annotated[Path, typer.Option(help="The folder to write; a new one, or with --resume an unfinished batch.")],
    k: Ways = None,
    seed: Seed = None,
    ways: Kind = None,
    prove: Annotated[
        str | None, typer.Option(help="quick or no: whether a proof is looked for that nothing is nearer.")
    ] = None,
    format: Annotated[str, typer.Option(help="parquet, jsonl or csv.")] = "parquet",
    part_rows: Annotated[int, typer.Option(help="Rows of the input per part file.")] = 2000,
    report: Annotated[bool, typer.Option(help="Also a page about the batch, OUT/report.html.")] = True,
    by: Annotated[str | None, typer.Option(help="On that page: the column whose groups stand side by side.")] = None,
    as_json: AsJson = False,
) -> None:
    """Explain every row of a table; killed at any moment, it goes on with --resume.

    Examples: geco batch --in applicants.parquet --out answers, geco batch --recheck answers --out rechecked
    """
    from geco.engines.batch import Ordered

    whose = [option is not None for option in (whom.rows, whom.sql, whom.recheck)]
    if sum(whose) != 1 or (whom.sql is None) != (whom.connection is None):
        raise SettingsError("say whom to explain: give one of --in PATH, --sql QUERY with --connection, or --recheck")
    _log_to_stderr()
    order = Ordered(how.engine, how.workers, how.threads, how.resume, how.retry_failed, address=how.address)
    carry_out = _explained if whom.recheck is None else _rechecked
    said = given(k=k, seed=seed, ways=ways, prove=proving(prove))
    made, explainer = carry_out(files, whom, out, said, (format, part_rows, order))
    page = out / "report.html" if report and made.rows and made.manifest["format"] != "csv" else None
    if page is not None:
        made.to_html(explainer, page, by=by)
    if as_json:
        content = {name: value for name, value in made.manifest.items() if name != "parts"}
        show_json("batch", {**content, "page": None if page is None else str(page)})
    else:
        show(str(made), *([] if page is None else [f"about them: {page}"]))
    if made.statuses.get("failed"):
        raise typer.Exit(1)


def _explained(files: Asked, whom: Whom, out: Path, said: dict[str, Any], how: tuple[str, int, Ordered]) -> Made:
    from geco.engines.asked import asked, key_name
    from geco.engines.batch import carry_out
    from geco.engines.inputs import source_of
    from geco.engines.shipped import ship
    from geco.project.modelfiles import Trusted

    explainer: Any = files.saved or open_project(files)
    trusted = Trusted(files.trust or (), files.trust_pickle)
    shipped = ship(explainer, files.model if files.saved else None, trusted)
    question, key = asked(explainer, shipped.explainer.method, **said), key_name(explainer, whom.key)
    rows = whom.rows if whom.sql is None else whom.sql
    source = source_of(rows, shipped.explainer.domain, key, whom.connection)
    return carry_out(shipped, source, out, key, question, *how), shipped.explainer


def _rechecked(files: Asked, whom: Whom, out: Path, said: dict[str, Any], how: tuple[str, int, Ordered]) -> Made:
    from geco.engines.batch import Batch, recheck_batch
    from geco.engines.shipped import ship_renewed
    from geco.project.modelfiles import Trusted

    if whom.key is not None or said:
        left = ", ".join(f"--{name}" for name in (*said, *(["key"] if whom.key is not None else [])))
        raise SettingsError(f"--recheck takes answers and keys as they are there; leave out {left}")
    trusted = Trusted(files.trust or (), files.trust_pickle)
    explainer: Any = files.saved or open_project(files)
    shipped = ship_renewed(explainer, files.model if files.saved else None, trusted)
    return recheck_batch(Batch.open(whom.recheck or ""), shipped, out, *how), shipped.explainer


def _log_to_stderr() -> None:
    """Lines for a log where there is no terminal to show a bar on."""
    if not sys.stderr.isatty():
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
        log = logging.getLogger("geco.batch")
        log.handlers, log.propagate = [handler], False
        log.setLevel(logging.INFO)
