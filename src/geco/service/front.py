"""Front: one request on its way from a route to a worker and back."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from time import perf_counter
from typing import Annotated, Any

from fastapi import Depends, Request, Response

from geco.service.frames import Frame
from geco.service.handlers import respond
from geco.service.idempotency import Idempotency
from geco.service.jobs import Jobs
from geco.service.metrics import Metrics
from geco.service.problems import Refused, problem, refused
from geco.service.queue import Full, Lost, Ticket
from geco.service.recorder import Recorder
from geco.service.settings import Settings
from geco.service.workers import Pool

USUAL_SECONDS = 0.05  # of an answer, before the first is known
TIMED = frozenset(
    (
        *("explain", "explain_many", "kserve_explain", "plans", "smallest", "obstacles", "tradeoffs", "nearest_row"),
        *("summary", "report"),
    )
)  # what takes a deadline


@dataclass(eq=False)
class Front:
    """What all routes share."""

    pool: Pool
    jobs: Jobs
    recorder: Recorder
    settings: Settings
    metrics: Metrics = field(default_factory=Metrics)
    usual: float = USUAL_SECONDS

    def __post_init__(self) -> None:
        self.idempotency = Idempotency(self.settings.kept_seconds)
        self._schema: bytes | None = None

    async def answer(
        self, request: Request, do: str, arguments: dict[str, Any], media: str = "application/json"
    ) -> Response:
        """Have a worker answer; the same answer again for the same Idempotency-Key."""
        return await self.idempotency.once(request, lambda: self.ask(do, arguments, media))

    async def ask(self, do: str, arguments: dict[str, Any], media: str = "application/json") -> Response:
        """Have a worker answer."""
        started, person = perf_counter(), self.recorder.person(arguments)
        frame = await self._frame(do, arguments)
        self.usual += 0.1 * (perf_counter() - started - self.usual)
        response = self.response(frame, media)
        if response.status_code == 200:
            response.headers.update(await self.recorder.record(do, frame.body, person))
        return response

    async def schema(self) -> Response:
        """What GET /v1/schema answers: always the same, so asked of a worker once."""
        if self._schema is None:
            response = await self.ask("schema", {})
            if response.status_code != 200:
                return response
            self._schema = bytes(response.body)
        return Response(self._schema, media_type="application/json")

    def response(self, frame: Frame, media: str = "application/json") -> Response:
        """What the worker said, as it goes to the client."""
        self.metrics.model_rows += frame.header.get("model_rows", 0)
        if "problem" in frame.header:
            return respond(frame.header["problem"])
        return Response(frame.body, frame.header["status"], media_type=media)

    async def _frame(self, do: str, arguments: dict[str, Any]) -> Frame:
        timed = {"deadline": self.within(arguments)} if do in TIMED else {}
        ticket = Ticket(do, {**arguments, **timed}, self.settings.deadline)
        try:
            self.pool.put(ticket)
        except Full:
            raise self.busy() from None
        try:
            return await ticket.answer
        except Lost as error:
            raise refused(503, "worker", f"not answered: {error}; ask again", {"Retry-After": "1"}) from None

    def within(self, arguments: dict[str, Any]) -> float:
        """Seconds for a request: what it asks for, at most what the service allows."""
        asked = arguments.get("deadline")
        return self.settings.deadline if asked is None else min(float(asked), self.settings.deadline)

    def busy(self) -> Refused:
        """429, with a guess when it is worth asking again."""
        seconds = self.usual * (len(self.pool.line) + 1) / max(1, self.pool.size)
        wait = str(max(1, min(60, math.ceil(seconds))))
        return refused(
            429, "busy", f"{len(self.pool.line)} requests wait already; ask again later", {"Retry-After": wait}
        )


# Not plain functions: the framework would run those on a thread of their own.
async def front_of(request: Request) -> Front:
    front: Front = request.app.state.front
    return front


async def staff_only(request: Request) -> None:
    """403 for an applicant."""
    if not request.scope["geco.caller"].may("staff"):
        raise Refused(problem(403, "role", "this is for staff; the token sent is an applicant's"))


Fronted = Annotated[Front, Depends(front_of)]
StaffOnly = Depends(staff_only)
