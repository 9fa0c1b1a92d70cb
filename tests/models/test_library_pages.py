"""The examples of the pages about libraries in docs/ run and print what the pages show."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any

import pytest

from conftest import REPOSITORY

PAGES = {
    "scikit-learn": "sklearn",
    "xgboost": "xgboost",
    "lightgbm": "lightgbm",
    "pytorch": "torch",
    "mlflow": "mlflow",
}
EXAMPLE = re.compile(r"```python\n(.*?)```\n+```text\n(.*?)```", re.DOTALL)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", PAGES)
def test_the_example_of_a_library_prints_what_its_page_shows(page: str) -> None:
    pytest.importorskip(PAGES[page])
    text = (REPOSITORY / "docs" / f"{page}.md").read_text(encoding="utf-8")
    [(code, shown)] = EXAMPLE.findall(text)
    printed, names = io.StringIO(), dict[str, Any](__name__=page)
    with contextlib.redirect_stdout(printed):
        exec(compile(code, f"docs/{page}.md", "exec"), names)

    assert printed.getvalue() == shown
