"""Straight: a question that fits goes to its route at once; all else takes the framework's way to the same route.

The framework's way reads the body again, looks through the routes and gathers what the route depends on: a third of
the time that the front process has for a request (benchmarks/acceptance/service.py). Whatever does not fit takes it,
so that there is one place where misfits are described.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import get_type_hints

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from pydantic import ValidationError
from starlette.types import ASGIApp, Receive, Scope, Send

from geco.service.front import Front
from geco.service.handlers import on_refused
from geco.service.problems import Refused
from geco.service.schemas import Asked

QUESTION = ["asked", "request", "front"]  # what a route takes that is nothing but a question


@dataclass(frozen=True)
class Way:
    """A route that takes a question."""

    route: APIRoute
    asked: type[Asked]
    answer: Callable[[Asked, Request, Front], Awaitable[Response]]


class Straight:
    """Middleware, innermost: bodies have been read."""

    def __init__(self, app: ASGIApp, front: Front, routers: Iterable[APIRouter]) -> None:
        self.app, self.front, self.ways = app, front, ways(routers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        way = self.ways.get(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        try:
            asked = None if way is None else way.asked.model_validate(scope["geco.json"])
        except ValidationError:
            asked = None
        if way is None or asked is None:
            await self.app(scope, receive, send)
            return
        scope["route"] = way.route
        request = Request(scope, receive)
        try:
            response = await way.answer(asked, request, self.front)
        except Refused as error:
            response = await on_refused(request, error)
        await response(scope, receive, send)


def ways(routers: Iterable[APIRouter]) -> dict[str, Way]:
    """By path: routes that take a question and nothing else, from everybody."""
    found = {}
    for route in (route for router in routers for route in router.routes):
        if isinstance(route, APIRoute) and route.methods == {"POST"} and not route.dependencies:
            hints = get_type_hints(route.endpoint)
            if [name for name in hints if name != "return"] == QUESTION:
                found[route.path] = Way(route, hints["asked"], route.endpoint)
    return found
