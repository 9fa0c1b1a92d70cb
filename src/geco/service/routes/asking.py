"""What people ask next: plans in their language, what stands in the way, reasons, what if; and rows for staff."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from geco.answers.texts.screen import SCREENS
from geco.service.front import Fronted, StaffOnly
from geco.service.replies import ASKED, PlansReply, Question, Row, SomeRows, replies
from geco.service.schemas import FindRow, Language, Obstacles, Plans, Reasons, Tradeoffs, WhatIf

router = APIRouter(tags=["asking"])


@router.get("/texts/{language}", include_in_schema=False)
async def texts(language: Language) -> JSONResponse:
    """What the page itself says; nobody's secret."""
    return JSONResponse(SCREENS[language], headers={"Cache-Control": "no-cache"})


@router.post("/v1/plans", responses=replies(PlansReply, *ASKED))
async def plans(asked: Plans, request: Request, front: Fronted) -> Response:
    """What to change in x, as plans in a person's language."""
    return await front.answer(request, "plans", asked.arguments())


@router.post("/v1/obstacles", responses=replies(Question, *ASKED))
async def obstacles(asked: Obstacles, request: Request, front: Fronted) -> Response:
    """What stands in the way: each rule with its price; where there is no answer, what to give up."""
    return await front.answer(request, "obstacles", asked.arguments())


@router.post("/v1/reasons", responses=replies(Question, *ASKED))
async def reasons(asked: Reasons, request: Request, front: Fronted) -> Response:
    """Why x was refused."""
    return await front.answer(request, "reasons", asked.arguments())


@router.post("/v1/what_if", responses=replies(Question, *ASKED))
async def what_if(asked: WhatIf, request: Request, front: Fronted) -> Response:
    """What the model would say of x with these changes, and which rules they break."""
    return await front.answer(request, "what_if", asked.arguments())


@router.post("/v1/tradeoffs", responses=replies(Question, *ASKED))
async def tradeoffs(asked: Tradeoffs, request: Request, front: Fronted) -> Response:
    """The front of distance, number of changes and outcome."""
    return await front.answer(request, "tradeoffs", asked.arguments())


Number = Annotated[int, Path(ge=0, le=10**12, description="From 0.")]


First = Annotated[int, Query(ge=0, le=10**12, description="From 0.")]
Count = Annotated[int, Query(ge=1, le=500, description="How many.")]


@router.get("/v1/rows", dependencies=[StaffOnly], responses=replies(SomeRows, 403, *ASKED))
async def rows(front: Fronted, first: First = 0, count: Count = 1) -> Response:
    """Some rows of the project's table; fewer where it ends."""
    return await front.ask("rows", {"first": first, "count": count})


@router.post("/v1/rows", dependencies=[StaffOnly], responses=replies(Row, 403, *ASKED))
async def find_row(asked: FindRow, request: Request, front: Fronted) -> Response:
    """The row with this key, which is no part of a path: it may tell who somebody is."""
    return await front.answer(request, "row", asked.arguments())


@router.get("/v1/rows/{number}", dependencies=[StaffOnly], responses=replies(Row, 403, *ASKED))
async def row(number: Number, front: Fronted) -> Response:
    """A row of the project's table; needs the token of staff."""
    return await front.ask("row", {"number": number})
