"""A service of the demo, started once per process of the tests."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

import geco
import geco.demo
from geco.service.run import Server, listen, serve
from geco.service.settings import Settings
from geco.service.source import Source
from geco.service.tokens import Tokens

APPLICANT, STAFF = "applicant-of-the-tests", "staff-of-the-tests-here"


@dataclass
class Running:
    """A service that runs in a thread, and clients of it."""

    url: str
    server: Server
    saved: Path
    source: Source

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def client(self, token: str | None = STAFF, **headers: str) -> httpx.Client:
        authorization = {} if token is None else {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self.url, headers={**authorization, **headers}, timeout=60)


class Served:
    """Serves until the block ends."""

    def __init__(self, source: Source, settings: Settings) -> None:
        self.source, self.settings = source, settings
        self.ready = threading.Event()
        self.socket = listen("127.0.0.1", 0)
        self.error: BaseException | None = None

    def __enter__(self) -> Running:
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        assert self.ready.wait(120)
        if self.error is not None:
            raise self.error
        return Running(
            f"http://127.0.0.1:{self.socket.getsockname()[1]}", self.server, Path(self.source.saved or ""), self.source
        )

    def __exit__(self, *exception: object) -> None:
        self.server.should_exit = True
        self.thread.join(60)
        assert not self.thread.is_alive()

    def _run(self) -> None:
        def told(server: Server) -> None:
            self.server = server
            self.ready.set()

        tokens = Tokens.of_text(f"staff {STAFF}\napplicant {APPLICANT}", "the tests")
        try:
            asyncio.run(serve(self.source, self.settings, tokens, self.socket, told))
        except BaseException as error:
            self.error = error
            self.ready.set()


@pytest.fixture(scope="session")
def explainer() -> geco.Explainer:
    _, model, database, program = geco.demo.load()
    return geco.Explainer(model, database, program, target="good")


@pytest.fixture(scope="session")
def saved(explainer: geco.Explainer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("service") / "demo.geco"
    explainer.save(file)
    return file


@pytest.fixture(scope="session")
def loaded(saved: Path) -> geco.Explainer:
    """What a worker has."""
    return geco.Explainer.load(saved)


@pytest.fixture(scope="session")
def xs() -> list[dict[str, Any]]:
    """Refused applicants and others, as JSON has them."""
    frame = geco.demo.load().frame.drop(columns=geco.demo.LABEL)
    rows: list[dict[str, Any]] = json.loads(frame.head(60).to_json(orient="records"))
    return rows


@pytest.fixture(scope="session")
def x(xs: list[dict[str, Any]]) -> dict[str, Any]:
    return xs[geco.demo.APPLICANT]


@pytest.fixture(scope="session")
def service(saved: Path) -> Iterator[Running]:
    with Served(Source(str(saved)), Settings(queue=16, body_seconds=1.0, jobs=12)) as running:
        yield running


@pytest.fixture(scope="session")
def client(service: Running) -> Iterator[httpx.Client]:
    with service.client() as client:
        yield client
