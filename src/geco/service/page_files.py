"""The static files of the page, with a policy that lets nothing but themselves run."""

from __future__ import annotations

from pathlib import Path

from starlette.routing import Match, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from geco.service.outer import PAGE_POLICY


class Pages(Mount):
    """The page at /, for what it has: other paths are left to the routes, which know the methods they take."""

    def __init__(self, folder: Path) -> None:
        super().__init__("/", app=PageFiles(folder))
        self._has = {"", *(file.relative_to(folder).as_posix() for file in folder.rglob("*"))}

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        there = str(scope.get("path", "")).strip("/") in self._has
        return super().matches(scope) if there else (Match.NONE, {})


class PageFiles(StaticFiles):
    """index.html at /, the other files beside it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, html=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                policy = (b"content-security-policy", PAGE_POLICY.encode())
                message = {**message, "headers": [*message["headers"], policy, (b"cache-control", b"no-cache")]}
            await send(message)

        await super().__call__(scope, receive, sending)
