"""The examples of the pages about libraries in docs/ run and print what the pages show."""

from __future__ import annotations

import contextlib
import io
import re
import textwrap
from typing import Any

import pytest

from conftest import REPOSITORY

PAGES = {
    "scikit-learn": "sklearn",
    "xgboost": "xgboost",
    "lightgbm": "lightgbm",
    "catboost": "catboost",
    "pytorch": "torch",
    "onnx": "skl2onnx",
    "mlflow": "mlflow",
}
EXAMPLE = re.compile(r"```python\n(.*?)```\n+ *```text\n(.*?)```", re.DOTALL)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_library_print_what_its_page_shows(page: str) -> None:
    pytest.importorskip(PAGES[page])
    text = (REPOSITORY / "docs" / f"{page}.md").read_text(encoding="utf-8")
    examples = EXAMPLE.findall(text)
    names = dict[str, Any](__name__=page)
    printed = []
    for code, _ in examples:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(textwrap.dedent(code), f"docs/{page}.md", "exec"), names)
        printed.append(out.getvalue())

    assert examples and printed == [textwrap.dedent(shown) for _, shown in examples]
