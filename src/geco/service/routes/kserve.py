"""KServe: its V1 protocol on our own path, and the health of its V2."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import JSONResponse

from geco.service.front import Front, Fronted
from geco.service.handlers import respond
from geco.service.problems import problem, refused
from geco.service.replies import (
    ASKED,
    KServeExplanations,
    KServePredictions,
    Live,
    ModelNames,
    ModelReady,
    Ready,
    replies,
)
from geco.service.schemas import KServe

router = APIRouter(tags=["KServe"])
Model = Annotated[str, Path(description="The model's name, see GET /v1/models.", examples=["geco"], max_length=200)]


@router.get("/v1/models", responses=replies(ModelNames, 400, 401))
async def models(front: Fronted) -> JSONResponse:
    """The name of the model that is served."""
    return JSONResponse({"models": [front.settings.name]})


@router.get("/v1/models/{model}", responses=replies(ModelReady, 400, 401, 404, 422))
async def model(model: Model, front: Fronted) -> JSONResponse:
    """Whether it is ready."""
    _known(model, front)
    return JSONResponse({"name": model, "ready": front.pool.alive > 0})


@router.post("/v1/models/{model}:predict", responses=replies(KServePredictions, 404, *ASKED))
async def predict(model: Model, asked: KServe, request: Request, front: Fronted) -> Response:
    """The model's number for each instance."""
    return await front.answer(request, "kserve_predict", _instances(model, asked, front))


@router.post("/v1/models/{model}:explain", responses=replies(KServeExplanations, 404, *ASKED))
async def explain(model: Model, asked: KServe, request: Request, front: Fronted) -> Response:
    """What to change in each instance."""
    return await front.answer(request, "kserve_explain", _instances(model, asked, front))


@router.get("/v2/health/live", responses=replies(Live))
async def live() -> JSONResponse:
    """Whether the front process answers."""
    return JSONResponse({"live": True})


@router.get("/v2/health/ready", responses=replies(Ready, 503))
async def ready(front: Fronted) -> Response:
    """Whether a worker is there."""
    if not front.pool.alive:
        return respond(problem(503, "worker", "no worker is ready"), {"Retry-After": "1"})
    return JSONResponse({"ready": True})


def _known(model: str, front: Front) -> None:
    if model != front.settings.name:
        raise refused(404, "model", f"there is no such model; this one is called {front.settings.name!r}")


def _instances(model: str, asked: KServe, front: Front) -> dict[str, Any]:
    _known(model, front)
    given = asked.arguments()
    if len(given) != 1:
        raise refused(422, "request", "give either instances or inputs")
    return {"instances": next(iter(given.values()))}
