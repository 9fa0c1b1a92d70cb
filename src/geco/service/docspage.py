"""The OpenAPI document as plain HTML: no script, no style sheet, no request to another host."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from fastapi.responses import HTMLResponse

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "pre{background:#f4f4f4;padding:.7rem;overflow:auto}code{font-size:.95em}summary{cursor:pointer;padding:.3rem 0}"
    "details{border-bottom:1px solid #ddd}.m{display:inline-block;min-width:4.5rem;font-weight:600}"
)


def docs_page(document: dict[str, Any]) -> HTMLResponse:
    """Every path with what it takes and what it answers."""
    parts = [f"<h1>{escape(document['info']['title'])} {escape(document['info']['version'])}</h1>"]
    parts.append(f"<p>{_words(document['info'].get('description', ''))}</p>")
    parts.append('<p>The same for programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p><h2>Paths</h2>')
    for path, methods in document["paths"].items():
        parts.extend(_operation(method, path, operation) for method, operation in methods.items())
    parts.append("<h2>Schemas</h2>")
    for name, schema in sorted(document["components"]["schemas"].items()):
        shown = escape(json.dumps(schema, indent=2, ensure_ascii=False))
        parts.append(f'<details id="{escape(name)}"><summary>{escape(name)}</summary><pre>{shown}</pre></details>')
    sized = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head = f"{sized}<title>geco</title><style>{STYLE}</style>"
    page = f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>'
    policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    return HTMLResponse(page, headers={"Content-Security-Policy": policy})


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    inner = [f"<p>{_words(operation.get('description', ''))}</p>"]
    for media in operation.get("requestBody", {}).get("content", {}).values():
        inner.append(f"<p>Takes {_named(media['schema'])}</p>")
        if "example" in media:
            inner.append(f"<pre>{escape(json.dumps(media['example'], indent=2, ensure_ascii=False))}</pre>")
    answers = "".join(_answer(status, response) for status, response in operation["responses"].items())
    inner.append(f"<ul>{answers}</ul>")
    title = f'<span class="m">{escape(method.upper())}</span> <code>{escape(path)}</code>'
    return f"<details><summary>{title}</summary>{''.join(inner)}</details>"


def _answer(status: str, response: dict[str, Any]) -> str:
    kinds = ", ".join(_named(media.get("schema", {})) for media in response.get("content", {}).values())
    return f"<li>{escape(status)} {escape(response.get('description', ''))} {kinds}</li>"


def _named(schema: dict[str, Any]) -> str:
    name = schema.get("$ref", "").rpartition("/")[2]
    return f'<a href="#{escape(name)}">{escape(name)}</a>' if name else escape(schema.get("type", ""))


def _words(text: str) -> str:
    """Text with `code` in it."""
    return "".join(
        f"<code>{escape(part)}</code>" if number % 2 else escape(part)
        for number, part in enumerate(text.replace("``", "`").split("`"))
    )
