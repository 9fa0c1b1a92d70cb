"""How the service itself is doing."""

from __future__ import annotations

from fastapi import APIRouter, Response

from geco.service.front import Fronted, StaffOnly
from geco.service.metrics import MEDIA
from geco.service.replies import replies

router = APIRouter(tags=["running"])


@router.get(
    "/metrics",
    dependencies=[StaffOnly],
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **replies(None, 400, 401, 403)},
)
async def metrics(front: Fronted) -> Response:
    """Counts for Prometheus; needs the token of staff."""
    pool = front.pool
    gauges: dict[str, tuple[str, float]] = {
        "geco_queue_length": ("Requests that wait for a worker.", len(pool.line)),
        "geco_workers": ("Workers that are ready.", pool.alive),
        "geco_workers_busy": ("Workers that are answering.", pool.busy),
        "geco_jobs": ("Jobs that have not ended.", len(front.jobs)),
        "geco_worker_restarts_total": ("Workers that were replaced.", pool.restarts),
    }
    return Response(front.metrics.text(gauges), media_type=MEDIA)
