"""What there is: features and their values, what rules allow, whether rules fit."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from geco.service.front import Fronted
from geco.service.replies import ASKED, AllowedReply, CheckedRules, SchemaReply, replies
from geco.service.schemas import AllowedFor, CheckRules

router = APIRouter(prefix="/v1", tags=["describing"])


@router.get("/schema", responses=replies(SchemaReply, 400, 401, 429, 500, 503))
async def schema(front: Fronted) -> Response:
    """The features with kinds, ranges or values, how common they are, and what the rules say of each."""
    return await front.schema()


@router.post("/schema", responses=replies(AllowedReply, *ASKED))
async def allowed(asked: AllowedFor, request: Request, front: Fronted) -> Response:
    """What the rules allow each feature to become for this x."""
    return await front.answer(request, "allowed", asked.arguments())


@router.post("/rules:check", responses=replies(CheckedRules, *ASKED))
async def check_rules(asked: CheckRules, request: Request, front: Fronted) -> Response:
    """Whether rules fit the features, with the place of every mistake."""
    return await front.answer(request, "check_rules", asked.arguments())
