"""Options that more than one command has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[Path, typer.Option(help="The table: .csv, .csv.gz or .parquet.")]
Exclude = Annotated[list[str] | None, typer.Option(help="A column to leave out, such as the label; repeatable.")]
Ways = Annotated[int, typer.Option("--k", help="How many different ways to look for.")]
Seed = Annotated[int, typer.Option(help="Same seed, same answer.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the explanation as JSON.")]
