"""geco.widget in a real JupyterLab: Python answers, by messages alone."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import geco

pytest.importorskip("jupyterlab", reason="needs jupyterlab: make test-browser")
pytest.importorskip("anywidget", reason="needs anywidget: make test-browser")

TOKEN = "token-of-the-tests"
BEGIN = """import geco, geco.demo
frame, model, database, program = geco.demo.load()
labels = {"credit_amount": geco.Label("amount of the loan", unit="DM"), "duration": geco.Label("months to repay")}
explainer = geco.Explainer(model, database, program, target="good", labels=labels)
"""
CELLS = {
    "plans": [BEGIN + "geco.widget(explainer, frame.iloc[3])"],
    "desk": [BEGIN + 'geco.widget(explainer, frame.iloc[3], show="desk")'],
    "two": [
        BEGIN + 'tried = geco.widget(explainer, frame.iloc[3], show="whatif")\ntried',
        'geco.widget(explainer, frame.iloc[3], language="de")',
        'print("tried", tried.what_if["values"]["duration"], round(tried.what_if["outcome"], 3))',
    ],
}
OWN = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTERLAB_SETTINGS_DIR")
# Nothing is fetched from elsewhere, and nobody is asked whether to.
SWITCHES = [
    "--no-browser",
    "--allow-root",
    f"--IdentityProvider.token={TOKEN}",
    "--ServerApp.port_retries=0",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.news_url=None",
    "--LabApp.extension_manager=readonly",
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """JupyterLab with a notebook for each entry of CELLS; gives its address."""
    home = tmp_path_factory.mktemp("jupyter")
    folder = home / "notebooks"
    folder.mkdir()
    for name, cells in CELLS.items():
        (folder / f"{name}.ipynb").write_text(json.dumps(notebook(cells)), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    asks = home / "JUPYTERLAB_SETTINGS_DIR/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
    asks.parent.mkdir(parents=True)
    asks.write_text('{"fetchNews": "false"}')
    own = {name: str(home / name) for name in OWN} | {"PYTHONPATH": str(Path(geco.__file__).parents[1])}
    command = [sys.executable, "-m", "jupyterlab", f"--port={port}", f"--ServerApp.root_dir={folder}", *SWITCHES]
    with (home / "log").open("w") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **own})
        try:
            answers(f"http://127.0.0.1:{port}/api", server, home / "log")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(30)


def notebook(cells: list[str]) -> dict[str, object]:
    code = [
        {"cell_type": "code", "id": f"c{n}", "metadata": {}, "source": text, "outputs": [], "execution_count": None}
        for n, text in enumerate(cells)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"cells": code, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def answers(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Waits until the server does."""
    for _ in range(240):
        assert server.poll() is None, log.read_text()
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.25)
    raise AssertionError(log.read_text())


@pytest.fixture
def ran(browser: Browser, lab: str) -> Iterator[Callable[[str], Page]]:
    """Opens a notebook and runs its cells; a request to any other host fails the test."""
    pages, elsewhere = [], []

    def run(name: str, cells: int = 1) -> Page:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
        page = context.new_page()
        pages.append(context)
        page.on("request", lambda asked: None if _near(asked.url, lab) else elsewhere.append(asked.url))
        page.goto(f"{lab}/lab/tree/{name}.ipynb?reset&token={TOKEN}")
        expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(len(CELLS[name]), timeout=60_000)
        expect(page.get_by_text("| Idle")).to_be_visible(timeout=60_000)
        page.locator(".jp-Notebook .jp-CodeCell").first.click()
        for _ in range(cells):
            page.keyboard.press("Shift+Enter")
        return page

    yield run
    for context in pages:
        context.close()
    assert elsewhere == []


def _near(url: str, lab: str) -> bool:
    return url.startswith((lab, lab.replace("http:", "ws:"), "blob:", "data:"))


def test_plans_are_shown_and_a_limit_is_answered_by_the_kernel(
    ran: Callable[[str], Page], pictured: Callable[..., None], audited: Callable[..., list[str]]
) -> None:
    page = ran("plans")
    expect(page.locator("geco-plans article")).to_have_count(3, timeout=60_000)
    assert audited(page, inside="geco-plans") == []
    pictured(page, "notebook", whole=False)
    text = page.locator("geco-plans .step strong").first.inner_text()
    page.locator("geco-plans .step").first.get_by_role("button", name="I can’t").click()

    expect(page.get_by_role("heading", name="What you told us")).to_be_visible()
    expect(page.locator("geco-plans .step strong", has_text=text)).to_have_count(0)
    page.get_by_text("Why was it a no?").click()
    expect(page.locator("geco-plans [part='reasons'] li").first).to_be_visible()


def test_what_is_typed_into_a_field_is_no_command_of_the_notebook_and_python_has_the_answer(
    ran: Callable[[str], Page],
) -> None:
    page = ran("two")
    months = page.get_by_label("months to repay").and_(page.locator(".number"))
    expect(months).to_have_value("42", timeout=60_000)
    months.click()
    for key in "ddxb":  # delete, cut, insert below
        months.press(key)
    months.fill("12")
    months.press("Tab")
    expect(page.locator("geco-whatif .verdict")).to_contain_text("0.359")

    expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(3)
    page.locator(".jp-Notebook .jp-CodeCell").nth(2).locator(".jp-Editor").click()
    page.keyboard.press("Shift+Enter")
    expect(page.get_by_text("tried 12 0.359")).to_be_visible()


def test_two_widgets_share_the_modules_and_speak_their_own_languages(ran: Callable[[str], Page]) -> None:
    page = ran("two", cells=2)

    expect(page.locator("geco-whatif .field").first).to_be_visible(timeout=60_000)
    expect(page.get_by_role("heading", name="Die Entscheidung war ein Nein")).to_be_visible()


def test_the_desk_checks_rules_and_follows_the_theme(
    ran: Callable[[str], Page], audited: Callable[..., list[str]]
) -> None:
    page = ran("desk")
    expect(page.get_by_role("columnheader", name="Way 1")).to_be_visible(timeout=60_000)
    assert audited(page, inside="geco-desk") == []
    page.get_by_label("Further rules for this case").fill("PLAF x_cf.duratoin <= 24")
    expect(page.locator("geco-desk .diagnostics")).to_contain_text("did you mean 'duration'")
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")

    assert page.evaluate("getComputedStyle(document.querySelector('geco-desk')).color") == "rgb(236, 239, 243)"
