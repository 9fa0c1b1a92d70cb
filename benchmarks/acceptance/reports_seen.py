"""What is looked for on a report: nothing sticks out or is cut, headings in order, axe-core content, paper as well."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from benchmarks.acceptance.page_times import CHROMIUM, SWITCHES, same_priority
from benchmarks.datasets import REPOSITORY

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDTHS: dict[int, Literal["light", "dark"]] = {390: "light", 1280: "dark"}  # colours do not depend on the width
PAPERS = ("A4", "Letter")
MARGIN = 40  # points: @page leaves more
AUDIT = (REPOSITORY / "tests/browser/audit.js").read_text(encoding="utf-8")
RUN_AXE = "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
# What sticks out of the screen, of its own box or of its picture; a table that may be moved sideways is no fault.
OUTSIDE = """() => {
    const found = [], wide = document.documentElement.clientWidth;
    const name = (e) => `${e.tagName.toLowerCase()} "${(e.textContent ?? "").trim().slice(0, 60)}"`;
    const whole = document.documentElement.scrollWidth;
    if (whole > wide) found.push(`the page is ${whole} wide`);
    for (const e of document.body.querySelectorAll("*")) {
        const box = e.getBoundingClientRect(), moves = e.closest(".rows");
        if (!box.width || e.closest("script, style")) continue;
        if (!moves && (box.left < -0.5 || box.right > wide + 0.5)) found.push(`outside the screen: ${name(e)}`);
        const inline = !(e instanceof HTMLElement) || getComputedStyle(e).display === "inline";
        if (inline || e.matches(".rows, table")) continue;
        if (e.clientWidth && e.scrollWidth > e.clientWidth + 1) found.push(`wider than its box: ${name(e)}`);
    }
    for (const picture of document.querySelectorAll("svg")) {
        const all = picture.getBoundingClientRect(), texts = [...picture.querySelectorAll("text")];
        const boxes = texts.map((text) => text.getBoundingClientRect());
        texts.forEach((text, place) => {
            const box = boxes[place];
            if (box.left < all.left - 1 || box.right > all.right + 1) found.push(`cut in a picture: ${name(text)}`);
            for (const other of boxes.slice(place + 1))
                if (Math.max(box.left, other.left) < Math.min(box.right, other.right) &&
                    Math.max(box.top, other.top) < Math.min(box.bottom, other.bottom))
                    found.push(`one over the other: ${name(text)}`);
        });
    }
    return found;
}"""
WORD = re.compile(r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>')
PAGE = re.compile(r'<page width="(.*?)" height="(.*?)">')


def axe_script() -> str:
    import axe_playwright_python

    return Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")


@contextmanager
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield started
        started.close()


class Seen:
    """Looks at one report after the other; ``wrong`` is what was found."""

    def __init__(self, chromium: Browser, folder: Path, pictures: bool) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.pictures = folder, pictures
        self.screens: dict[int, Page] = {
            width: chromium.new_page(viewport={"width": width, "height": 844}) for width in WIDTHS
        }
        for page in self.screens.values():
            page.goto(folder.resolve().as_uri())  # the process of files is there
        same_priority()
        self.wrong: list[str] = []

    def all(self, kind: str, reports: Iterable[tuple[str, str]]) -> dict[str, Any]:
        """Counts of a kind: files, pages of paper, and how much is wrong."""
        before, files, sheets = len(self.wrong), 0, Counter[int]()
        for name, html in reports:
            file = self.folder / f"{name}.html"
            file.write_text(html, encoding="utf-8")
            for width in WIDTHS:
                self.on_screen(name, file, width)
            for paper in PAPERS:
                sheets[self.on_paper(name, file, paper)] += 1
            files += 1
        pages = ", ".join(f"{number}: {times}" for number, times in sorted(sheets.items()))
        return {"reports": kind, "files": files, "pages of paper": pages, "wrong": len(self.wrong) - before}

    def on_screen(self, name: str, file: Path, width: int) -> None:
        page = self.screens[width]
        page.goto(file.as_uri())
        page.emulate_media(color_scheme=WIDTHS[width])
        page.evaluate(axe_script())
        found = [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in page.evaluate(RUN_AXE)]
        found += page.evaluate(AUDIT) + page.evaluate(OUTSIDE)
        self.wrong += [f"{name} at {width} px, {WIDTHS[width]}: {each}" for each in found]
        if self.pictures:
            page.screenshot(path=self.folder / f"{name}-{width}.png", full_page=not name.startswith("batch"))

    def on_paper(self, name: str, file: Path, paper: str) -> int:
        """Pages that were printed: every letter of the screen is there, within the margins."""
        page, printed = self.screens[1280], self.folder / f"{name}-{paper}.pdf"
        page.pdf(path=printed, format=paper, prefer_css_page_size=False)
        words = subprocess.run(
            ["pdftotext", "-bbox", str(printed), "-"], capture_output=True, check=True, text=True
        ).stdout
        (across, down), *_ = sizes = [(float(w), float(h)) for w, h in PAGE.findall(words)]
        for left, top, right, bottom, word in WORD.findall(words):
            if float(left) < MARGIN or float(right) > across - MARGIN or float(top) < 20 or float(bottom) > down - 20:
                self.wrong.append(f"{name} on {paper}: outside the paper: {word}")
        page.emulate_media(media="print")
        lost = letters(page.inner_text("body")) - letters("".join(word for *_, word in WORD.findall(words)))
        page.emulate_media(media="null")
        if lost.total() > 0:
            self.wrong.append(f"{name} on {paper}: not printed: {dict(lost)}")
        return len(sizes)


def letters(text: str) -> Counter[str]:
    """How often each letter or digit occurs; blanks, hyphens and ligatures are the printer's business."""
    for name, sign in (
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", '"'),
        ("&apos;", "'"),
        ("ﬁ", "fi"),
        ("ﬂ", "fl"),
    ):
        text = text.replace(name, sign)
    return Counter(sign for sign in text if sign.isalnum())
