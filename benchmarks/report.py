"""Tables on the screen, summaries in results/ and everything measured in results/raw/."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

RESULTS = Path(__file__).resolve().parents[1] / "results"
DOCS = RESULTS.parent / "docs"


def show(title: str, rows: Sequence[dict[str, Any]]) -> None:
    """Print one table, a line per row."""
    print(f"\n{title}")
    cells = [list(rows[0]), *([_short(row.get(name)) for name in rows[0]] for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
    for line in cells:
        print("  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)), flush=True)


def markdown(rows: Sequence[dict[str, Any]]) -> str:
    """The same table for a document."""
    lines = [list(rows[0]), ["---"] * len(rows[0]), *([_short(row.get(name)) for name in rows[0]] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_table(page: str, name: str, rows: Sequence[dict[str, Any]]) -> None:
    """Put a table between its marks in a page of docs/."""
    path = DOCS / f"{page}.md"
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    inside = f"{begin}\n{markdown(rows)}\n{end}"
    text, found = re.subn(f"{begin}.*{end}", lambda _: inside, path.read_text("utf-8"), flags=re.DOTALL)
    assert found == 1, f"{path} has no place for {name}"
    path.write_text(text, encoding="utf-8")


def save(name: str, summary: Any, records: Any = None) -> None:
    """Write the summary to results/<name>.json and, if given, every record to results/raw/<name>.json."""
    (RESULTS / "raw").mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(summary, indent=1, default=float) + "\n", encoding="utf-8")
    if records is not None:
        (RESULTS / "raw" / f"{name}.json").write_text(json.dumps(records, default=float), encoding="utf-8")


def _short(figure: Any) -> str:
    if figure is None:
        return "-"
    if isinstance(figure, str):
        return figure
    if isinstance(figure, (bool, np.bool_)):
        return "yes" if figure else "NO"
    return f"{figure:,.0f}" if isinstance(figure, int) or abs(figure) >= 1000 else f"{figure:.4g}"
