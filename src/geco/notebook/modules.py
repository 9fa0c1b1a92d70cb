"""The ES modules of the page as the one module that anywidget loads: the files themselves, not a copy of them."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import geco.service

PAGE = Path(geco.service.__file__).with_name("page")
ENTRY = "widget.js"


@functools.cache
def one_module() -> str:
    """widget.js, with the text of every other module before it, from which it makes them in the browser."""
    sources = {file.name: file.read_text(encoding="utf-8") for file in sorted(PAGE.glob("*.js")) if file.name != ENTRY}
    return f"const SOURCES = {json.dumps(sources, ensure_ascii=False)};\n{(PAGE / ENTRY).read_text(encoding='utf-8')}"
