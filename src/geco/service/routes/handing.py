"""One feature alone, real rows, many people together, and a page to hand out."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from geco.service.front import Fronted, StaffOnly
from geco.service.replies import ASKED, published, replies
from geco.service.schemas import NearestRow, Report, Smallest, Summary

router = APIRouter(prefix="/v1", tags=["questions"])
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"


@router.post("/smallest", responses=published("smallest"))
async def smallest(asked: Smallest, request: Request, front: Fronted) -> Response:
    """How far this one thing must move."""
    return await front.answer(request, "smallest", asked.arguments())


@router.post("/nearest_row", dependencies=[StaffOnly], responses=published("nearest_row", 403))
async def nearest_row(asked: NearestRow, request: Request, front: Fronted) -> Response:
    """Who is like x and was approved: a real row, so for staff."""
    return await front.answer(request, "nearest_row", asked.arguments())


@router.post("/summary", dependencies=[StaffOnly], responses=published("summary", 403))
async def summary(asked: Summary, request: Request, front: Fronted) -> Response:
    """How many of these rows can be helped, by what and at what cost; for staff."""
    return await front.answer(request, "summary", asked.arguments())


@router.post(
    "/report",
    response_class=Response,
    responses={
        200: {"description": "A page", "content": {"text/html": {"schema": {"type": "string"}}}},
        **replies(None, *ASKED),
    },
)
async def report(asked: Report, request: Request, front: Fronted) -> Response:
    """A page to hand out: plans, what stays, reasons, and the evidence behind them."""
    response = await front.answer(request, "report", asked.arguments(), media="text/html; charset=utf-8")
    if response.status_code == 200:
        response.headers["Content-Security-Policy"] = REPORT_POLICY
    return response
