"""The short way to a route and the framework's: the same answers, and nobody gets past a guard."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import httpx
import pytest

from geco.service import straight
from geco.service.app import ROUTERS, create_app
from geco.service.frames import Frame
from geco.service.front import Front
from geco.service.jobs import Jobs
from geco.service.openapi import EXAMPLES
from geco.service.queue import Ticket
from geco.service.recorder import Recorder
from geco.service.settings import Settings
from geco.service.tokens import Tokens
from geco.service.workers import Pool

X = {"age": 22, "income": 900.5, "housing": None}
MISFITS = [None, [], {}, {"x": 1}, {"x": X, "k": "3"}, {"x": X, "nobody": 1}, {"rows": [X, {"age": [1]}]}, {"x": {}}]


class Echo:
    """A pool whose workers answer with what they are asked."""

    def put(self, ticket: Ticket) -> None:
        said = json.dumps([ticket.do, ticket.arguments]).encode()
        ticket.finish(Frame({"status": 200, "model_rows": 1}, said))


Said = tuple[int, bytes, list[tuple[str, str]]]


async def replies(requests: list[tuple[str, bytes]]) -> tuple[list[Said], list[str]]:
    """What a service says to each of these, and how many of which kind it has counted then."""
    front = Front(cast(Pool, Echo()), cast(Jobs, None), Recorder(None), Settings())
    transport = httpx.ASGITransport(create_app(front, Tokens(())))
    found = []
    async with httpx.AsyncClient(transport=transport, base_url="http://geco") as client:
        for number, (path, body) in enumerate(requests):
            headers = {"Content-Type": "application/json", "X-Request-ID": str(number), "Idempotency-Key": str(number)}
            for _ in range(2):  # the second is replayed
                reply = await client.post(path, content=body, headers=headers)
                found.append((reply.status_code, reply.content, sorted(reply.headers.items())))
    return found, [line for line in front.metrics.text({}).splitlines() if "_count" in line]


def filled(value: Any) -> Any:
    """An example, with an x in it."""
    if isinstance(value, dict):
        return {name: filled(each) for name, each in value.items()}
    return X if value == "X" else [X] if value == ["X"] else value


def test_both_ways_lead_to_the_same_answers_and_misfits(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, bytes]] = []
    for path, way in straight.ways(ROUTERS).items():
        bodies = MISFITS if path == "/v1/jobs" else [filled(EXAMPLES[way.asked.__name__]), *MISFITS]
        asked.extend((path, json.dumps(body).encode()) for body in bodies)
        asked.append((path, b""))
    short = asyncio.run(replies(asked))
    monkeypatch.setattr(straight, "ways", lambda _: {})
    long = asyncio.run(replies(asked))

    assert short == long
    assert {status for status, _, _ in short[0]} == {200, 422}


def test_what_is_for_staff_does_not_go_straight() -> None:
    taken = straight.ways(ROUTERS)

    assert "/v1/explain" in taken
    assert not taken.keys() & {"/v1/nearest_row", "/v1/summary", "/v1/rows"}
