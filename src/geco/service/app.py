"""The app: routes, and what stands around them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from geco.service import handlers
from geco.service.docspage import docs_page
from geco.service.front import Front
from geco.service.limits import Bodies
from geco.service.openapi import document
from geco.service.outer import Guard, Outer
from geco.service.page_files import Pages
from geco.service.problems import Refused
from geco.service.routes import asking, describing, explaining, handing, kserve, running, working
from geco.service.straight import Straight
from geco.service.tokens import Tokens

ROUTERS = [subject.router for subject in (explaining, asking, handing, describing, working, kserve, running)]
PAGE = Path(__file__).with_name("page")


def create_app(front: Front, tokens: Tokens) -> FastAPI:
    """Everything but the server; ``front.pool`` is started and closed by whoever calls this."""
    app = FastAPI(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        middleware=_middleware(front, tokens),
        exception_handlers={
            Refused: handlers.on_refused,
            HTTPException: handlers.on_http,
            RequestValidationError: handlers.on_invalid,
        },
    )
    app.state.front = front
    for router in ROUTERS:
        app.include_router(router)
    _documents(app, front)
    if PAGE.is_dir():
        app.router.routes.append(Pages(PAGE))
    return app


def _middleware(front: Front, tokens: Tokens) -> list[Middleware]:
    """Outermost first."""
    origins = list(front.settings.origins)
    headers = ["Authorization", "Content-Type", "Idempotency-Key", "X-Request-ID"]
    shown = ["X-Request-ID", "Retry-After", "Location"]
    cors = Middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=headers,
        expose_headers=shown,
    )
    return [
        Middleware(Outer, metrics=front.metrics),
        *([cors] if origins else []),
        Middleware(Guard, tokens=tokens),
        Middleware(Bodies, settings=front.settings),
        Middleware(Straight, front=front, routers=ROUTERS),
    ]


def _documents(app: FastAPI, front: Front) -> None:
    """The OpenAPI document and a page that shows it, without a request to any other host."""

    @cache
    def made() -> dict[str, Any]:
        return document(app, front.pool.facts)

    @app.get("/openapi.json", include_in_schema=False)
    async def openapi() -> JSONResponse:
        return JSONResponse(made())

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return docs_page(made())
