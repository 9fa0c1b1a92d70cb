"""For everybody: names of controls, contrast, order of headings, size of what is pressed; and other people's pages."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import OPEN
from geco.service.settings import Settings
from service.conftest import APPLICANT, Running, Served

X = dict[str, Any]


PAGES = [("/", "applicant"), ("/desk/", "staff"), ("/evidence/", "staff")]
SHOWN = "geco-plans article, geco-desk .dot, geco-evidence [part='answers']"


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(("path", "role"), PAGES)
def test_nobody_stumbles_over_a_page(
    opened: OPEN, people: list[X], audited: Callable[[Page], list[str]], path: str, role: str, width: int
) -> None:
    page = opened(path, x=people[3], width=width, role=role, touch=width == 390)
    if path == "/evidence/":
        page.get_by_role("button", name="Explain the sample").click()
    expect(page.locator(SHOWN).first).to_be_visible(timeout=60_000)
    expect(page.locator("geco-plans, geco-desk, geco-evidence").locator("> div[aria-busy='true']")).to_have_count(0)
    assert audited(page) == []
    page.emulate_media(color_scheme="dark")

    assert audited(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nobody_stumbles_over_what_is_opened(
    opened: OPEN, people: list[X], audited: Callable[[Page], list[str]]
) -> None:
    page = opened(x=people[3], touch=True)
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Not below … amount of the loan").first.click()
    page.get_by_role("button", name="Keep this plan").first.click()
    for opener in page.locator("geco-plans summary").all():
        opener.click()
    expect(page.locator("geco-plans [part='reasons'] li").first).to_be_visible()

    assert audited(page) == []


def test_nobody_stumbles_over_the_form_the_error_and_where_nothing_is_left(
    opened: OPEN, people: list[X], audited: Callable[[Page], list[str]]
) -> None:
    form = opened(touch=True)
    expect(form.get_by_role("button", name="Show my plans")).to_be_visible()
    assert audited(form) == []
    error = opened(x=people[3], touch=True, token="wrong")
    expect(error.get_by_role("alert")).to_be_visible()
    assert audited(error) == []
    page = opened(x=people[3], touch=True)
    expect(page.locator("geco-plans article")).to_have_count(3)
    page.evaluate(
        """() => {
            const plans = document.querySelector("geco-plans");
            for (const each of plans.schema.features) plans.limits.add({kind: "cannot", feature: each.name});
            plans.ask();
        }"""
    )
    expect(page.get_by_role("heading", name="What stands in the way")).to_be_visible()

    assert audited(page) == []


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None: ...


def test_an_element_works_in_a_bare_page_of_another_origin(
    browser: Browser, running: Running, people: list[X], tmp_path: Path, audited: Callable[..., list[str]]
) -> None:
    bank = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path))
    threading.Thread(target=bank.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{bank.server_address[1]}"
    with Served(running.source, Settings(origins=(origin,))) as service:
        (tmp_path / "index.html").write_text(
            f"""<!doctype html><html lang="en"><title>A bank</title>
            <main><geco-plans service="{service.url}"></geco-plans></main>
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
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(f"{origin}/index.html")

        expect(page.locator("geco-plans article")).to_have_count(3)
        expect(page).to_have_title("The decision was no. Any one of these plans would change that.")
        page.get_by_role("button", name="I can’t").first.click()
        expect(page.get_by_role("heading", name="What you told us")).to_be_visible()
        expect(page.locator("geco-plans div[aria-busy='false']")).to_have_count(1)
        assert audited(page) == []
        # The bank has no icon, and the element asks once before it is given its token.
        assert [each for each in complaints if "404" not in each and "401 (Unauthorized)" not in each] == []
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
