"""The demo's page in a real browser: how long until the first plan is on screen, and until *I can't* is answered.

    python -m benchmarks.acceptance.page_times [--openings 30] [--starts 3] [--answers 200]

``geco demo --serve`` as a user starts it, Chromium on the loopback, every opening without a cache. An opening is
measured from the start of the navigation to the frame that shows the first plan; *I can't* from the press to the frame
that shows the answer, and, where no plan is left, to the frame that names what blocks. Needs playwright and Chromium.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import numpy as np

import geco.demo
from benchmarks.report import save, show

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = os.environ.get("GECO_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
WIDTHS = (390, 1280)
PLAN = "document.querySelector('geco-plans')?.shadowRoot?.querySelector('article')"
# The end of the first frame that has a plan: what was drawn is on screen.
FIRST = f"""window.firstPlan = new Promise((resolve) => {{
    const look = () => {PLAN} ? setTimeout(() => resolve(performance.now())) : requestAnimationFrame(look);
    requestAnimationFrame(look);
}})"""
# Presses, and waits for frames: the answer's, and where nothing is left that of what blocks.
PRESS = """(place) => new Promise((resolve) => {
    const plans = document.querySelector("geco-plans"), root = plans.shadowRoot;
    const button = root.querySelectorAll(".step button[data-key^='cannot:']")[place];
    if (!button) return resolve(null);
    const from = performance.now(), told = plans.told;
    const until = (holds, then) => {
        const look = () => holds() ? setTimeout(() => then(performance.now() - from)) : requestAnimationFrame(look);
        requestAnimationFrame(look);
    };
    button.click();
    until(() => plans.error || (plans.told !== told && !plans.busy), (answer) => {
        if (plans.error) throw plans.error;
        if (plans.told.plans.plans.length) return resolve({answer, blocked: null});
        until(() => plans.blocked, (blocked) => resolve({answer, blocked}));
    });
})"""


@contextmanager
def demo() -> Iterator[str]:
    """``geco demo --serve``; gives the address it would open in a browser."""
    command = [sys.executable, "-m", "geco", "demo", "--serve"]
    service = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "BROWSER": "true"})
    try:
        assert service.stderr is not None
        for line in service.stderr:
            if found := re.search(r"applicant's page: (\S+)", line):
                yield found.group(1)
                return
        raise RuntimeError("the demo did not start")
    finally:
        service.terminate()
        service.wait(30)


@contextmanager
def opened(browser: Browser, url: str, width: int) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": width, "height": 844}, locale="en-GB")
    page = context.new_page()
    page.goto(f"{url.partition('#')[0]}v2/health/live")  # the process of this origin is there, and nothing of the page
    same_priority()
    page.add_init_script(FIRST)
    page.goto(url)
    page.evaluate("window.firstPlan")
    yield page
    context.close()


def same_priority() -> None:
    """Chromium sets that of its threads itself; here they get that of this script (``nice`` on a busy machine)."""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    for thread in Path("/proc").glob("[0-9]*/task/[0-9]*"):
        try:
            chromium = "chrom" in (thread.parents[1] / "cmdline").read_text()
            if chromium and os.getpriority(os.PRIO_PROCESS, int(thread.name)) > own:
                os.setpriority(os.PRIO_PROCESS, int(thread.name), own)
        except OSError:  # gone meanwhile, or not ours
            continue


def openings(browser: Browser, count: int) -> list[dict[str, Any]]:
    """The demo started anew and its page opened: the first time, which warms the service up, and again."""
    found = []
    with demo() as url:
        for place in range(count):
            width = WIDTHS[place % len(WIDTHS)]
            with opened(browser, url, width) as page:
                found.append({"place": place, "width": width, "ms": page.evaluate("window.firstPlan")})
    return found


def answers(browser: Browser, count: int) -> list[dict[str, Any]]:
    """Refused applicants of the demo say *I can't* to one step after the other, until no plan is left."""
    frame, model, *_ = geco.demo.load()
    people = frame.drop(columns=geco.demo.LABEL)
    refused = people[model.predict(people) != geco.demo.GOOD]
    found: list[dict[str, Any]] = []
    with demo() as url:
        bare, _, fragment = url.partition("#")
        token = re.search(r"token=([^&]+)", fragment)
        assert token is not None
        for place, (_, x) in enumerate(refused.iterrows()):
            link = f"{bare}#{urlencode({'token': token.group(1), 'x': x.to_json()})}"
            with opened(browser, link, WIDTHS[place % len(WIDTHS)]) as page:
                while (took := page.evaluate(PRESS, 0)) is not None:
                    found.append(took)
            if len(found) >= count:
                return found
    return found


def figures(name: str, milliseconds: list[float], limit: float | None) -> dict[str, Any]:
    middle, high, most = np.percentile(milliseconds, [50, 95, 100])
    row = {"what": name, "times": len(milliseconds), "median ms": middle, "p95 ms": high, "most ms": most}
    return {**row, "allowed ms": limit}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--openings", type=int, default=30)
    parser.add_argument("--starts", type=int, default=3, help="how often the demo is started")
    parser.add_argument("--answers", type=int, default=200)
    asked = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        shown = [each for _ in range(asked.starts) for each in openings(browser, asked.openings // asked.starts)]
        said = answers(browser, asked.answers)
        browser.close()
    rows = [
        figures("first plan, the demo just started", [each["ms"] for each in shown if each["place"] == 0], 1_000),
        figures("first plan, all openings", [each["ms"] for each in shown], 1_000),
        figures("I can't: answered", [each["answer"] for each in said], 300),
        figures("I can't: what blocks is named", [each["blocked"] for each in said if each["blocked"]], None),
    ]
    show("the page of the demo", rows)
    save("page_times", rows, {"openings": shown, "answers": said})


if __name__ == "__main__":
    main()
