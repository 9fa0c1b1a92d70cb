"""Answers kept by Idempotency-Key: the same key and request get the same answer, and nothing is done twice."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic

from fastapi import Request, Response

from geco.service.problems import refused

KEY = re.compile(r"[\x21-\x7e]{1,128}")
MOST_KEPT = 1_000
MOST_BYTES = 32_000_000


@dataclass
class _Entry:
    digest: bytes
    expires: float
    response: Response | None = None  # None while it is being made


class Idempotency:
    """What was answered, per caller and key; bounded in number, size and age."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._entries: OrderedDict[tuple[str, str], _Entry] = OrderedDict()
        self._bytes = 0

    async def once(self, request: Request, make: Callable[[], Awaitable[Response]]) -> Response:
        """The response that was given to this key, or a new one."""
        given = request.headers.get("idempotency-key")
        if given is None:
            return await make()
        if not KEY.fullmatch(given):
            raise refused(422, "idempotency-key", "an Idempotency-Key has 1 to 128 visible ASCII characters")
        key = (request.scope["geco.caller"].name, given)
        digest = _digest(request)
        if (known := self._known(key)) is not None:
            return _again(known, digest)
        entry = self._entries[key] = _Entry(digest, monotonic() + self.seconds)
        try:
            response = await make()
        except BaseException:
            self._entries.pop(key, None)
            raise
        if response.status_code >= 500:
            self._entries.pop(key, None)
            return response
        entry.response = response
        self._bytes += len(response.body)
        self._forget()
        return response

    def _known(self, key: tuple[str, str]) -> _Entry | None:
        entry = self._entries.get(key)
        if entry is not None and entry.response is not None and entry.expires < monotonic():
            self._drop(key)
            return None
        return entry

    def _forget(self) -> None:
        """The oldest go first."""
        while len(self._entries) > MOST_KEPT or (self._bytes > MOST_BYTES and len(self._entries) > 1):
            self._drop(next(iter(self._entries)))

    def _drop(self, key: tuple[str, str]) -> None:
        entry = self._entries.pop(key)
        self._bytes -= len(entry.response.body) if entry.response is not None else 0


def _again(entry: _Entry, digest: bytes) -> Response:
    if entry.digest != digest:
        raise refused(422, "idempotency-key", "this Idempotency-Key was used for another request; take a new one")
    if entry.response is None:
        raise refused(
            409, "idempotency-key", "the first request with this key is still under way", {"Retry-After": "1"}
        )
    kept = entry.response
    headers = {name: value for name, value in kept.headers.items() if name in ("location", "geco-ledger")}
    headers["Idempotency-Replayed"] = "true"
    return Response(kept.body, kept.status_code, headers, media_type=kept.media_type)


def _digest(request: Request) -> bytes:
    body: bytes = request.scope.get("geco.body", b"")
    return hashlib.sha256(f"{request.method} {request.url.path}\n".encode() + body).digest()
