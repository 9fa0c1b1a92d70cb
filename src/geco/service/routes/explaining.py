"""What to change, and what the model says."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from geco.service.front import Fronted
from geco.service.replies import ASKED, Explanation, Explanations, Predictions, replies
from geco.service.schemas import Explain, ExplainMany, Predict

router = APIRouter(prefix="/v1", tags=["explaining"])


@router.post("/explain", responses=replies(Explanation, *ASKED))
async def explain(asked: Explain, request: Request, front: Fronted) -> Response:
    """What to change in x to make the outcome good."""
    return await front.answer(request, "explain", asked.arguments())


@router.post("/explain_many", responses=replies(Explanations, *ASKED))
async def explain_many(asked: ExplainMany, request: Request, front: Fronted) -> Response:
    """The same for several instances; one that cannot be explained has the status ``failed``."""
    return await front.answer(request, "explain_many", asked.arguments())


@router.post("/predict", responses=replies(Predictions, *ASKED))
async def predict(asked: Predict, request: Request, front: Fronted) -> Response:
    """What the model says of each row."""
    return await front.answer(request, "predict", asked.arguments())
