"""The examples of the pages named below run and print what the pages in docs/ show."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any

import pytest

from conftest import REPOSITORY

PAGES = ("targets", "costs", "tables", "compiled", "saved", "updates")
EXAMPLE = re.compile(r"```python\n(.*?)```\n+```text\n(.*?)```", re.DOTALL)


def printed(code: str, page: str, names: dict[str, Any]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, f"docs/{page}.md", "exec"), names)
    return out.getvalue()


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_print_what_it_shows(page: str) -> None:
    text = (REPOSITORY / "docs" / f"{page}.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": page}
    examples = EXAMPLE.findall(text)

    assert len(examples) == text.count("```python")
    assert [printed(code, page, names) for code, _ in examples] == [shown for _, shown in examples]
