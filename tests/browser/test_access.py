"""For everybody: names of controls, contrast, order of headings, size of what is pressed; and other people's pages."""

from __future__ import annotations

import json
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import OPEN
from geco.service.settings import Settings
from service.conftest import APPLICANT, Running, Served

X = dict[str, Any]
AUDIT = Path(__file__).with_name("audit.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("path", "role", "width"), [("/", "applicant", 390), ("/desk/", "staff", 1280), ("/evidence/", "staff", 1280)]
)
def test_everything_has_a_name_is_readable_and_can_be_hit(
    opened: OPEN, people: list[X], path: str, role: str, width: int, scheme: Any
) -> None:
    page = opened(path, x=people[3], width=width, role=role)
    page.emulate_media(color_scheme=scheme)
    expect(page.locator("geco-plans article, geco-desk .dot, geco-evidence .facts").first).to_be_visible()

    assert page.evaluate(AUDIT) == []


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None: ...


def test_an_element_works_in_a_bare_page_of_another_origin(
    browser: Browser, running: Running, people: list[X], tmp_path: Path
) -> None:
    bank = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path))
    threading.Thread(target=bank.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{bank.server_address[1]}"
    with Served(running.source, Settings(origins=(origin,))) as service:
        (tmp_path / "index.html").write_text(
            f"""<!doctype html><title>A bank</title><h1>Your loan</h1><geco-plans service="{service.url}"></geco-plans>
            <script type="module">
            import "{service.url}/plans.js";
            const plans = document.querySelector("geco-plans");
            plans.token = "{APPLICANT}";
            plans.addEventListener("geco-plans", (event) => {{ document.title = event.detail.plans.decision; }});
            plans.x = {json.dumps(people[3])};
            </script>""",
            encoding="utf-8",
        )
        page = browser.new_page()
        page.goto(f"{origin}/index.html")

        expect(page.locator("geco-plans article")).to_have_count(3)
        expect(page).to_have_title("The decision was no. Any one of these plans would change that.")
        page.close()
    bank.shutdown()


def test_an_element_shows_plain_data_without_any_service(opened: OPEN, people: list[X]) -> None:
    page = opened(x=people[3])
    expect(page.locator("geco-plans article")).to_have_count(3)
    page.evaluate(
        """() => {
            const given = document.querySelector("geco-plans"), made = document.createElement("geco-plans");
            made.id = "plain";
            made.data = {...given.data, texts: given.texts, schema: given.schema};
            document.body.append(made);
        }"""
    )

    expect(page.locator("#plain article")).to_have_count(3)
    expect(page.locator("#plain").get_by_role("button", name="I can’t")).to_have_count(0)


SILENT = """async (texts) => {
    const { Kernel } = await import("./kernel.js");
    const kernel = new Kernel({get: () => texts, send: () => {}, on: () => {}, off: () => {}});
    kernel.seconds = 0.1;
    const plans = document.querySelector("geco-plans");
    plans.source = kernel;
}"""


def test_a_kernel_that_does_not_answer_is_said_so(opened: OPEN, running: Running) -> None:
    page = opened()
    expect(page.get_by_role("button", name="Show my plans")).to_be_visible()
    with running.client(None) as nobody:
        page.evaluate(SILENT, {"en": nobody.get("/texts/en").json()})

    expect(page.get_by_role("alert")).to_contain_text("kernel does not answer")
