"""The outermost layer: request ids, security headers, a line in the log, metrics, tokens, and no traceback ever."""

from __future__ import annotations

import logging
import re
import secrets
import traceback
from collections.abc import Iterable
from time import perf_counter

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from geco.service.handlers import respond
from geco.service.metrics import Metrics
from geco.service.problems import problem
from geco.service.tokens import Tokens

LOG = logging.getLogger("geco.service")
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
GUARDED = ("/v1/", "/metrics")
SECURITY = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)


class Outer:
    """Middleware around everything."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = perf_counter(), 500
        scope["geco.id"] = request_id(Headers(scope=scope).get("x-request-id"))

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = with_security(message["headers"], scope["geco.id"])
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except Exception as error:  # no message: it may hold what was sent
            places = "".join(traceback.format_tb(error.__traceback__))
            LOG.error("%s %s\n%s", scope["geco.id"], type(error).__name__, places)
            failure = respond(problem(500, "internal", "the service made a mistake; it has been logged"))
            await failure(scope, receive, sending)
        finally:
            self._note(scope, status, perf_counter() - started)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        """The route, not the path: a path may have a key of a row in it."""
        route = getattr(scope.get("route"), "path", "") or "other"
        method = scope["method"] if scope["method"] in METHODS else "other"
        self.metrics.answered(route, method, status, seconds)
        LOG.info("%s %s %s %d %.1f ms", scope["geco.id"], method, route, status, 1e3 * seconds)


class Guard:
    """Middleware: 401 before anything of a request without a token is read."""

    def __init__(self, app: ASGIApp, tokens: Tokens) -> None:
        self.app, self.tokens = app, tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(GUARDED):
            caller = self.tokens.caller(Headers(scope=scope).get("authorization"))
            if caller is None:
                detail = "send a token that this service knows: Authorization: Bearer TOKEN"
                refusal = respond(problem(401, "token", detail), {"WWW-Authenticate": 'Bearer realm="geco"'})
                await refusal(scope, receive, send)
                return
            scope["geco.caller"] = caller
        await self.app(scope, receive, send)


def with_security(headers: Iterable[tuple[bytes, bytes]], id: str) -> list[tuple[bytes, bytes]]:
    """What a route says itself stays."""
    said = list(headers)
    names = {name for name, _ in said}
    return [*said, (b"x-request-id", id.encode()), *(each for each in SECURITY if each[0] not in names)]


def request_id(given: str | None) -> str:
    """The client's if it is a plain word, else one of ours."""
    return given if given is not None and REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
