"""How a problem becomes a response, whoever found it: we, or the framework."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from geco.errors import MOST_SHOWN
from geco.service.problems import MEDIA, TITLES, Refused, problem


def respond(document: dict[str, Any], headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(document, document["status"], headers=headers, media_type=MEDIA)


async def on_refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return respond(error.document, error.headers)


async def on_http(_: Request, error: Exception) -> Response:
    """What the framework refuses: unknown paths, methods that a path does not have."""
    assert isinstance(error, HTTPException)
    status = error.status_code if error.status_code in TITLES else 400
    kinds = {404: "path", 405: "method"}
    details = {404: "there is nothing here; GET /docs lists the paths", 405: "this path does not take that method"}
    document = problem(status, kinds.get(status, "request"), details.get(status, str(error.detail)))
    return respond(document, dict(error.headers or {}))


async def on_invalid(_: Request, error: Exception) -> Response:
    """A body or parameter that does not fit: where and why, but not what was sent."""
    assert isinstance(error, RequestValidationError)
    found = [
        {"where": [str(part)[:100] for part in each["loc"]][:10], "what": str(each["msg"])[:300]}
        for each in error.errors()[:MOST_SHOWN]
    ]
    first = f"{'.'.join(found[0]['where'][1:]) or 'body'}: {found[0]['what']}" if found else ""
    return respond(problem(422, "request", f"the request does not fit: {first}", errors=found))
