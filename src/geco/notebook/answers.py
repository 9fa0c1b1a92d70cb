"""What the elements ask of a service, answered by the explainer at hand: path and method ▶ what a worker does."""

from __future__ import annotations

import json
from typing import Any

from geco.service.answering import answer
from geco.service.problems import problem
from geco.service.source import Served
from geco.service.told import Told

Message = dict[str, Any]
POST = {
    "/v1/plans": "plans",
    "/v1/schema": "allowed",
    "/v1/what_if": "what_if",
    "/v1/predict": "predict",
    "/v1/obstacles": "obstacles",
    "/v1/reasons": "reasons",
    "/v1/tradeoffs": "tradeoffs",
    "/v1/rules:check": "check_rules",
    "/v1/report": "report",
    "/v1/rows": "row",
}
ROW = "/v1/rows/"


def reply(served: Served, message: Message) -> Message:
    """The answer to one question; whatever is wrong with it, there is an answer.

    Examples
    --------
    >>> reply(Served(None), {"id": "1", "path": "/v1/tea", "method": "GET", "body": None})["status"]
    404
    """
    asked = _asked(message)
    if asked is None:
        return _said(message, problem(404, "path", f"a notebook does not answer {message.get('path')!r}"))
    do, arguments = asked
    made = answer(served, do, arguments, Told())
    if made.header["status"] != 200:
        return _said(message, made.header["problem"])
    kind = "text/html" if do == "report" else "application/json"
    return {"id": message["id"], "status": 200, "type": kind, "text": made.body.decode()}


def _asked(message: Message) -> tuple[str, dict[str, Any]] | None:
    """What a worker calls it, and with what."""
    path, body = str(message.get("path")), message.get("body")
    if message.get("method") == "POST" and path in POST and isinstance(body, dict):
        return POST[path], dict(body)
    if message.get("method") == "GET" and path == "/v1/schema":
        return "schema", {}
    number = path.removeprefix(ROW)
    if message.get("method") == "GET" and path.startswith(ROW) and number.isascii() and number.isdigit():
        return "row", {"number": int(number)}
    return None


def _said(message: Message, document: Message) -> Message:
    text = json.dumps(document, ensure_ascii=False)
    return {"id": message.get("id"), "status": document["status"], "type": "application/problem+json", "text": text}
