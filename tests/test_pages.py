"""The examples of the pages named below run and print what the pages in docs/ show.

GECO_GOLDEN=write writes what they print into the pages; read the difference before you commit it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from typing import Any

import pytest

from conftest import REPOSITORY

QUESTIONS = ("limits", "what_if", "smallest", "obstacles", "tradeoffs", "reasons", "nearest_row", "steps", "summary")
PAGES = (
    "targets",
    "costs",
    "tables",
    "compiled",
    "saved",
    "updates",
    "project",
    "report",
    "page",
    *(f"questions/{name}" for name in QUESTIONS),
)
EXAMPLE = re.compile(r"```python\n(.*?)```\n+```text\n(.*?)```", re.DOTALL)


def printed(code: str, page: str, names: dict[str, Any]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, f"docs/{page}.md", "exec"), names)
    return out.getvalue()


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_print_what_it_shows(page: str) -> None:
    path = REPOSITORY / "docs" / f"{page}.md"
    text = path.read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": page}
    examples = EXAMPLE.findall(text)
    outputs = [printed(code, page, names) for code, _ in examples]
    if os.environ.get("GECO_GOLDEN") == "write":
        for (code, shown), output in zip(examples, outputs, strict=True):
            text = text.replace(f"{code}```\n\n```text\n{shown}```", f"{code}```\n\n```text\n{output}```")
        path.write_text(text, encoding="utf-8")
        return

    assert len(examples) == text.count("```python")
    assert outputs == [shown for _, shown in examples]
