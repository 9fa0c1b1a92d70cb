"""Options that more than one command has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[Path, typer.Option(help="The table: .csv, .csv.gz or .parquet.")]
Model = Annotated[Path | None, typer.Option(help="The model, saved by skops.")]
Rules = Annotated[Path | None, typer.Option("--program", help="The PLAF program; without it everything may change.")]
Target = Annotated[str | None, typer.Option(help="What is good: a label, a probability (0.7), or low:high.")]
Trust = Annotated[list[str] | None, typer.Option(help="A type the model file may contain; repeatable.")]
Exclude = Annotated[list[str] | None, typer.Option(help="A column to leave out, such as the label; repeatable.")]
Ways = Annotated[int, typer.Option("--k", help="How many different ways to look for.")]
Seed = Annotated[int, typer.Option(help="Same seed, same answer.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the explanation as JSON.")]
