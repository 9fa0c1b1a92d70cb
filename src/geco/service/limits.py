"""Bodies: read within bounds of size and time, and strict JSON, before the framework sees them."""

from __future__ import annotations

import asyncio
import json
import math
from contextlib import suppress
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from geco.service.handlers import respond
from geco.service.problems import Refused, refused
from geco.service.settings import DEEPEST, LARGEST_INTEGER, Settings

DRAINED = 8  # times the size of a body
DRAINED_SECONDS = 1.0


class Bodies:
    """Middleware: 411, 413, 415, 408 or 422 for what is not a JSON body of the size allowed."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in ("POST", "PUT", "PATCH"):
            await self.app(scope, receive, send)
            return
        try:
            scope["geco.body"] = body = await self._read(Headers(scope=scope), receive)
            scope["geco.json"] = read_json(body) if body else None
        except Refused as error:
            if error.document["status"] == 413:
                await self._drain(receive)
            await respond(error.document, error.headers)(scope, receive, send)
            return
        await self.app(scope, _replayed(body, receive), send)

    async def _read(self, headers: Headers, receive: Receive) -> bytes:
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length[:20]) > self.settings.body:
            raise self._too_large()
        try:
            async with asyncio.timeout(self.settings.body_seconds):
                body = await self._received(receive)
        except TimeoutError:
            raise refused(408, "slow", "the body did not arrive in time", {"Connection": "close"}) from None
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if body and kind != "application/json":
            raise refused(415, "media-type", "send JSON, with Content-Type: application/json")
        return body

    async def _received(self, receive: Receive) -> bytes:
        parts, size, more = [], 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise refused(400, "disconnected", "the client went away")
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self.settings.body:
                raise self._too_large()
            more = message.get("more_body", False)
        return b"".join(parts)

    async def _drain(self, receive: Receive) -> None:
        """Throw away some of what still comes: a client that is cut off while it sends does not see why."""
        size, more = 0, True
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAINED_SECONDS):
                while more and size < DRAINED * self.settings.body:
                    message = await receive()
                    size += len(message.get("body", b""))
                    more = message.get("more_body", False)

    def _too_large(self) -> Refused:
        detail = f"a body may have at most {self.settings.body:,} bytes"
        return refused(413, "size", detail, {"Connection": "close"})


def read_json(body: bytes) -> Any:
    """Standard JSON in UTF-8: finite numbers, text without half characters, not too deep.

    Examples
    --------
    >>> read_json(b'{"age": 22}')
    {'age': 22}
    >>> read_json(b"[NaN]")
    Traceback (most recent call last):
    ...
    geco.service.problems.Refused: the body is not JSON: NaN is no number of JSON
    """
    if _depth(body) > DEEPEST:
        raise refused(422, "too-deep", f"the body is nested more than {DEEPEST} deep")
    try:
        read = json.loads(body.decode(), parse_constant=_no_constant, parse_float=_float, parse_int=_integer)
        if b"\\u" in body:
            json.dumps(read, ensure_ascii=False).encode()
    except UnicodeError:
        raise refused(422, "json", "the body is not JSON: it is not UTF-8, or has half of a character") from None
    except (ValueError, RecursionError) as error:
        raise refused(422, "json", f"the body is not JSON: {str(error)[:200]}") from None
    return read


def _depth(body: bytes) -> int:
    """How deep brackets go, those in text included: nobody's x has 32 of them open at once."""
    depth = deepest = 0
    if body.count(b"[") + body.count(b"{") <= DEEPEST:
        return 0
    for byte in body:
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]} is beyond all numbers")
    return value


def _integer(text: str) -> int:
    if len(text) > 25 or abs(int(text)) > LARGEST_INTEGER:
        raise ValueError(f"{text[:40]} is beyond 64 bits")
    return int(text)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body once more, then whatever else comes."""
    given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return given.pop() if given else await receive()

    return again
