"""run: start the workers, serve until told to stop, then end what is under way and stop."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import uvicorn

from geco.errors import SettingsError, shown
from geco.service.app import create_app
from geco.service.front import Front
from geco.service.jobs import Jobs
from geco.service.recorder import Recorder
from geco.service.settings import Settings
from geco.service.source import Source
from geco.service.tokens import Tokens
from geco.service.workers import Pool

LAST_SECONDS = 15  # for requests that are under way when the service is told to stop
MOST_CONNECTIONS = 1_000
IDLE_SECONDS = 15


class Server(uvicorn.Server):
    """uvicorn, but whoever runs it looks after signals: it would raise them again before workers are ended."""

    on_exit: Callable[[], None]  # streams of events would keep it waiting

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.on_exit()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


async def serve(
    source: Source,
    settings: Settings,
    tokens: Tokens,
    listening: socket.socket,
    on_start: Callable[[Server], None] | None = None,
) -> None:
    """Serve on a socket that listens already, until SIGINT or SIGTERM, or ``should_exit`` of the server."""
    pool = Pool(source, settings.workers, 1, settings.queue, settings.grace)
    recorder = Recorder(settings.ledger)
    jobs = Jobs(Pool(source, 1, 0, settings.jobs, settings.grace), recorder, settings)
    try:
        await pool.start()
        server = Server(_config(create_app(Front(pool, jobs, recorder, settings), tokens)))
        server.on_exit = jobs.stopping.set
        _stop_on_signals(server)
        if on_start is not None:
            on_start(server)
        await server.serve([listening])
    finally:
        await jobs.close()
        await pool.close()
        recorder.close()


def listen(host: str, port: int) -> socket.socket:
    """A socket of this address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Made by hand: asyncio sends without delay only where the protocol is named, and 40 ms are lost otherwise.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(1024)
        return listening
    except (OSError, TypeError, UnicodeError) as error:  # a name that is none is a TypeError
        listening.close()
        why = getattr(error, "strerror", None) or error
        raise SettingsError(f"cannot listen on {shown(host)} port {port}: {why}") from error


def log_to_stderr(level: str) -> None:
    """One line per request: id, method, route, status, milliseconds. Never what was sent."""
    logging.basicConfig(stream=sys.stderr, level=level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    for name in ("geco", "uvicorn", "uvicorn.error", "asyncio"):
        logging.getLogger(name).setLevel("WARNING")
    logging.getLogger("geco.service").setLevel(level.upper())


def _config(app: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=LAST_SECONDS,
        limit_concurrency=MOST_CONNECTIONS,
        proxy_headers=False,
    )


def _stop_on_signals(server: Server) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, server.handle_exit, number, None)
        except (NotImplementedError, RuntimeError, ValueError):  # not the main thread: stopped by should_exit
            return
