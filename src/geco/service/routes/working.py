"""Jobs: begun, looked at, followed and cancelled."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Path, Request, Response
from fastapi.responses import StreamingResponse

from geco.service.front import Fronted
from geco.service.jobs import Job
from geco.service.problems import refused
from geco.service.replies import ASKED, JobReply, replies
from geco.service.schemas import BeginJob

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])
Id = Annotated[str, Path(description="As POST /v1/jobs gave it.", max_length=100)]
LastEvent = Annotated[int, Header(ge=0, le=2**53, description="The last event that was seen.")]
LOOKED_AT = (400, 401, 404, 422)
EVENT = {"type": "object", "properties": {part: {"type": "string"} for part in ("id", "event", "data")}}


@router.post("", status_code=202, responses=replies(JobReply, *ASKED, status=202))
async def begin(asked: BeginJob, request: Request, front: Fronted) -> Response:
    """Begin a job: one explanation, or many. Where it can be looked at is in ``Location``."""
    given = asked.arguments()
    if len(given) != 1:
        raise refused(422, "request", "give one of explain and explain_many")
    [(do, arguments)] = given.items()

    async def made() -> Response:
        job = front.jobs.begin(request.scope["geco.caller"], do, arguments)
        return _shown(job, 202, {"Location": f"/v1/jobs/{job.id}"})

    return await front.idempotency.once(request, made)


@router.get("/{id}", responses=replies(JobReply, *LOOKED_AT))
async def look(id: Id, request: Request, front: Fronted) -> Response:
    """How far it is, and its result once it is done."""
    return _shown(front.jobs.of(id, request.scope["geco.caller"]))


@router.delete("/{id}", responses=replies(JobReply, *LOOKED_AT))
async def cancel(id: Id, request: Request, front: Fronted) -> Response:
    """End it after the round it is in; forget it, with its result, if it has ended."""
    job = front.jobs.of(id, request.scope["geco.caller"])
    front.jobs.cancel(job)
    return _shown(job)


@router.get(
    "/{id}/events",
    response_class=StreamingResponse,
    responses={
        200: {"description": "Events", "content": {"text/event-stream": {"schema": EVENT}}},
        **replies(None, *LOOKED_AT),
    },
)
async def events(id: Id, request: Request, front: Fronted, last_event_id: LastEvent = 0) -> StreamingResponse:
    """Server-sent events: ``progress`` after every round (round, best so far) or every few rows, then how it ended."""
    job = front.jobs.of(id, request.scope["geco.caller"])
    return StreamingResponse(front.jobs.events(job, last_event_id), media_type="text/event-stream")


def _shown(job: Job, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(job.document, status, headers, media_type="application/json")
