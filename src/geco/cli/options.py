"""Options that more than one command has, and what they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from geco.errors import SettingsError

Data = Annotated[Path, typer.Option(help="The table: .csv, .csv.gz or .parquet.")]
Ways = Annotated[int | None, typer.Option("--k", help="How many different ways to look for; 5 if not said.")]
Seed = Annotated[int | None, typer.Option(help="Same seed, same answer; 0 if not said.")]
Kind = Annotated[str | None, typer.Option("--ways", help="minimal, sets or top: which answers are worth telling.")]
Prove = Annotated[
    str | None, typer.Option(help="quick, no, or seconds: how long to look for a proof that nothing is nearer.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, errors too.")]
Exclude = Annotated[list[str] | None, typer.Option(help="A column to leave out, such as the label; repeatable.")]

_FILES = "Table, model and rules: from geco.toml in this folder, unless said here"
_X = "Whom it is about"


@dataclass(frozen=True)
class Files:
    """Where table, model and rules come from: geco.toml, or options that say otherwise."""

    project: Annotated[
        Path | None, typer.Option(help="A geco.toml elsewhere, or its folder.", rich_help_panel=_FILES)
    ] = None
    model: Annotated[
        Path | None,
        typer.Option(help="The model file: .skops, .json, .ubj, .txt, .cbm, .onnx, .pt.", rich_help_panel=_FILES),
    ] = None
    data: Annotated[
        Path | None, typer.Option(help="The table: .csv, .csv.gz, .parquet, or a folder.", rich_help_panel=_FILES)
    ] = None
    program: Annotated[
        Path | None, typer.Option(help="The PLAF rules; without them all may change.", rich_help_panel=_FILES)
    ] = None
    exclude: Annotated[
        list[str] | None,
        typer.Option(help="A column to leave out, such as the label; repeatable.", rich_help_panel=_FILES),
    ] = None
    trust: Annotated[
        list[str] | None, typer.Option(help="A type the .skops file may contain; repeatable.", rich_help_panel=_FILES)
    ] = None
    trust_pickle: Annotated[
        bool,
        typer.Option("--trust-pickle", help="Read .pkl and .joblib, which can run any code.", rich_help_panel=_FILES),
    ] = False
    target: Annotated[
        str | None,
        typer.Option(help="What is good: a label, a probability (0.7), or low:high.", rich_help_panel=_FILES),
    ] = None
    threshold: Annotated[
        float | None, typer.Option(help="The probability of a good outcome must be above this.", rich_help_panel=_FILES)
    ] = None
    margin: Annotated[
        float | None, typer.Option(help="How far beyond the bare minimum to stay.", rich_help_panel=_FILES)
    ] = None


@dataclass(frozen=True)
class About:
    """Which x is meant."""

    row: Annotated[int | None, typer.Option(help="This row of the table, from 0.", rich_help_panel=_X)] = None
    key: Annotated[
        str | None, typer.Option(help="The row with this value in the project's key column.", rich_help_panel=_X)
    ] = None
    x: Annotated[
        str | None, typer.Option("--x", help="A JSON file with a value per feature; - is stdin.", rich_help_panel=_X)
    ] = None
    set: Annotated[
        list[str] | None,
        typer.Option(help="Another value before asking, such as income=900; repeatable.", rich_help_panel=_X),
    ] = None


def proving(said: str | None) -> str | float | bool | None:
    """What ``--prove`` says, as ``explain`` takes it.

    Examples
    --------
    >>> proving("quick"), proving("no"), proving("2.5")
    ('quick', False, 2.5)
    """
    if said is None or said == "quick":
        return said
    if said == "no":
        return False
    try:
        seconds = float(said)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise SettingsError(f"--prove takes quick, no, or a number of seconds above 0, got {said!r}")
    return seconds


def given(**options: Any) -> dict[str, Any]:
    """Those that were said."""
    return {name: value for name, value in options.items() if value is not None}
