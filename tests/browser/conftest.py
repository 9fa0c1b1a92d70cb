"""The demo's service and a real browser; without one these tests are skipped."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from PIL import Image

import geco
import geco.demo
from geco.demo.written import write_demo
from geco.service.settings import Settings
from geco.service.source import Source
from service.conftest import APPLICANT, STAFF, Running, Served

pytest.importorskip("playwright.sync_api", reason="needs playwright: make test-browser")
from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM = os.environ.get("GECO_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# Told by the browser; the page says it in its own words.
EXPECTED = (
    "ERR_INTERNET_DISCONNECTED",
    "401 (Unauthorized)",
    "403 (Forbidden)",
    "404 (Not Found)",
    "422 (Unprocessable",
)
OPEN = Callable[..., Page]
expect.set_options(timeout=15_000)  # machines may be busy


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("needs a browser: install chromium, or name it with GECO_CHROMIUM")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield started
        started.close()


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The demo as a project, as ``geco demo --serve`` has it."""
    folder = write_demo(tmp_path_factory.mktemp("browser") / "loans")
    with Served(Source(None, project=str(folder / "geco.toml")), Settings()) as running:
        yield running


@pytest.fixture(scope="session")
def people() -> list[dict[str, Any]]:
    frame = geco.demo.load().frame.drop(columns=geco.demo.LABEL)
    rows: list[dict[str, Any]] = json.loads(frame.head(60).to_json(orient="records"))
    return rows


@pytest.fixture
def opened(browser: Browser, running: Running) -> Iterator[OPEN]:
    """Opens a page with a token and an x in the fragment; complaints of the browser fail the test."""
    pages: list[tuple[Any, list[str]]] = []

    def open(
        path: str = "/",
        x: dict[str, Any] | None = None,
        width: int = 390,
        role: str = "applicant",
        touch: bool = False,
        **words: str,
    ) -> Page:
        size = {"width": width, "height": 844}
        context = browser.new_context(viewport=size, locale="en-GB", has_touch=touch, is_mobile=touch)
        page, complaints = context.new_page(), []
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        pages.append((context, complaints))
        said = {"token": APPLICANT if role == "applicant" else STAFF, **words}
        page.goto(f"{running.url}{path}#{urlencode({**said, **({} if x is None else {'x': json.dumps(x)})})}")
        return page

    yield open
    for context, complaints in pages:
        context.close()
        assert [each for each in complaints if not any(known in each for known in EXPECTED)] == []


AUDIT = Path(__file__).with_name("audit.js").read_text(encoding="utf-8")
AXE = """async (inside) =>
    (await axe.run(inside ? document.querySelector(inside) : document, {resultTypes: ['violations']})).violations"""


@pytest.fixture(scope="session")
def audited() -> Callable[..., list[str]]:
    """What axe-core finds on a page, and what our own audit does; empty if nobody would stumble.

    ``inside`` names an element of ours on a page that is not: axe-core looks at that alone.
    """
    axe = pytest.importorskip("axe_playwright_python", reason="needs axe-core: make test-browser")
    source = Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8")

    def audit(page: Page, inside: str | None = None) -> list[str]:
        page.evaluate(source)
        found = [(each["id"], each["help"], each["nodes"][0]) for each in page.evaluate(AXE, inside)]
        return [
            *([] if inside else page.evaluate(AUDIT)),
            *(f"{name}: {words} {node['target']} {node['html']}" for name, words, node in found),
        ]

    return audit


FIGURES = Path(os.environ["GECO_FIGURES"]) if "GECO_FIGURES" in os.environ else None


@pytest.fixture
def pictured() -> Callable[..., None]:
    """Keeps a picture where GECO_FIGURES names a folder; docs/figures/page was made that way."""

    def keep(page: Page, name: str, whole: bool = True) -> None:
        if FIGURES is not None:
            FIGURES.mkdir(parents=True, exist_ok=True)
            kept = FIGURES / f"{name}.png"
            page.screenshot(path=kept, full_page=whole)
            Image.open(kept).convert("RGB").quantize(96, dither=Image.Dither.NONE).save(kept, optimize=True)

    return keep
