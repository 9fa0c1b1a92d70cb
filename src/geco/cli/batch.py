"""``geco batch``: every row of a table explained, the answers in a folder."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from geco.cli.asked import Asked
from geco.cli.flattened import flattened
from geco.cli.opened import open_project
from geco.cli.options import AsJson, Seed, Ways
from geco.cli.output import show, show_json
from geco.errors import SettingsError


@flattened
def batch(
    files: Asked,
    out: Annotated[Path, typer.Option(help="The folder to write; a new one, or with --resume an unfinished batch.")],
    rows: Annotated[
        str | None, typer.Option("--in", help="Whom to explain: a .parquet or .csv file, a folder or a pattern.")
    ] = None,
    sql: Annotated[str | None, typer.Option(help="Whom to explain: a SELECT on --connection, with ORDER BY.")] = None,
    connection: Annotated[Path | None, typer.Option(help="The DuckDB or SQLite file that --sql is asked of.")] = None,
    key: Annotated[str | None, typer.Option(help="A column of the input that the answers carry.")] = None,
    k: Ways = None,
    seed: Seed = None,
    format: Annotated[str, typer.Option(help="parquet, jsonl or csv.")] = "parquet",
    part_rows: Annotated[int, typer.Option(help="Rows of the input per part file.")] = 2000,
    engine: Annotated[str, typer.Option(help="local, or ray.")] = "local",
    address: Annotated[str | None, typer.Option(help="Of a Ray cluster, such as ray://head:10001 or auto.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes; as many as there are cores if not said.")] = None,
    threads: Annotated[int | None, typer.Option(help="Threads of the native core in each process.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what an interrupted run has left.")] = False,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Explain rows again that failed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Explain every row of a table; killed at any moment, it goes on with --resume.

    Example: geco batch --in applicants.parquet --out answers --key customer
    """
    if (rows is None) == (sql is None) or (sql is None) != (connection is None):
        raise SettingsError("say whom to explain: give either --in PATH, or --sql QUERY and --connection FILE")
    from geco.engines.asked import asked, key_name
    from geco.engines.batch import Ordered, carry_out
    from geco.engines.inputs import source_of
    from geco.engines.shipped import ship
    from geco.project.modelfiles import Trusted

    _log_to_stderr()
    explainer: Any = files.saved or open_project(files)
    trusted = Trusted(files.trust or (), files.trust_pickle)
    shipped = ship(explainer, files.model if files.saved else None, trusted)
    question, key = asked(explainer, shipped.explainer.method, k=k, seed=seed), key_name(explainer, key)
    source = source_of(rows if sql is None else sql, shipped.explainer.domain, key, connection)
    order = Ordered(engine, workers, threads, resume, retry_failed, address=address)
    made = carry_out(shipped, source, out, key, question, format, part_rows, order)
    if as_json:
        show_json("batch", {name: value for name, value in made.manifest.items() if name != "parts"})
    else:
        show(str(made))
    if made.statuses.get("failed"):
        raise typer.Exit(1)


def _log_to_stderr() -> None:
    """Lines for a log where there is no terminal to show a bar on."""
    if not sys.stderr.isatty():
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
        log = logging.getLogger("geco.batch")
        log.handlers, log.propagate = [handler], False
        log.setLevel(logging.INFO)
