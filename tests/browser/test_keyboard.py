"""Each person's whole path by keyboard alone, on a phone's width and on a desk's; nothing sticks out at the side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import OPEN

X = dict[str, Any]
# Where the focus is, inside of elements too, with the words that a screen reader says.
FOCUSED = """() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    const labels = [...(at?.labels ?? [])].map((label) => label.textContent).join(" ");
    return at?.getAttribute("aria-label") || labels || at?.textContent || "";
}"""
FITS = "document.documentElement.scrollWidth <= innerWidth"
WIDTHS = pytest.mark.parametrize("width", [390, 1280])


def tab_to(page: Page, words: str, key: str = "Tab") -> None:
    """Tab until what has the focus is called that."""
    seen = []
    for _ in range(150):
        page.keyboard.press(key)
        seen.append(page.evaluate(FOCUSED).strip())
        if seen[-1].startswith(words):
            return
    raise AssertionError(f"{words!r} is not reached by {key}: {list(dict.fromkeys(seen))}")


@WIDTHS
def test_an_applicant_refuses_a_step_bounds_another_reads_the_reasons_and_keeps_a_plan(
    opened: OPEN, people: list[X], width: int
) -> None:
    page = opened(x=people[3], width=width)
    expect(page.locator("geco-plans article")).to_have_count(3)
    tab_to(page, "I can’t: Change skill level")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Skill level: you can’t change it")).to_be_visible()
    expect(page.locator("geco-plans .step strong", has_text="skill level")).to_have_count(0)
    tab_to(page, "Not below … amount of the loan")
    page.keyboard.press("Enter")
    page.keyboard.type("7500")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Amount of the loan: not below 7,500 DM")).to_be_visible()
    expect(page.locator("geco-plans .cards.busy")).to_have_count(0)
    tab_to(page, "Keep this plan")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # the focus is on "Yes, keep it"
    assert page.evaluate("localStorage.length") == 1
    tab_to(page, "Why was it a no?")
    page.keyboard.press("Enter")

    expect(page.locator("geco-plans [part='reasons'] li").first).to_be_visible()
    assert page.evaluate(FITS)


@WIDTHS
def test_an_officer_shows_a_row_tries_a_way_moves_a_value_adds_a_rule_and_saves_the_report(
    opened: OPEN, width: int, pictured: Callable[..., None]
) -> None:
    page = opened("/desk/", role="staff", width=width)
    tab_to(page, "Row of the table")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="Way 1")).to_be_visible()
    expect(page.get_by_role("heading", name="Trade-offs")).to_be_visible(timeout=60_000)
    pictured(page, f"desk-{width}")
    tab_to(page, "Try: Way 2")
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED) == "Try: Way 2"  # it stays where it was
    verdict = page.locator("geco-whatif .verdict strong")
    expect(verdict).to_have_text("yes")
    tab_to(page, "Back to the case")
    page.keyboard.press("Enter")
    expect(verdict).to_have_text("no")
    tab_to(page, "months to repay")
    page.keyboard.press("Tab")  # from the field to the slider
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(page.get_by_label("months to repay").and_(page.locator(".number"))).to_have_value("39")
    tab_to(page, "Further rules for this case")
    page.keyboard.type("FIXED duration, credit_amount")
    expect(page.get_by_role("button", name="Try these rules")).to_be_enabled()
    tab_to(page, "Try these rules")
    page.keyboard.press("Enter")
    expect(page.get_by_role("rowheader", name="amount of the loan")).to_have_count(0)
    expect(page.get_by_role("button", name="Without them")).to_be_visible()
    tab_to(page, "Save the report")
    with page.expect_download() as report:
        page.keyboard.press("Enter")

    assert report.value.suggested_filename == "report.html"
    assert page.evaluate(FITS)


def test_the_focus_stays_on_a_button_while_further_answers_arrive(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280)
    held: list[Route] = []
    page.route("**/v1/tradeoffs", lambda route: held.append(route))
    tab_to(page, "Row of the table")
    page.keyboard.type("3")
    with page.expect_request("**/v1/tradeoffs"):
        page.keyboard.press("Enter")
    tab_to(page, "Save the report")
    held[0].continue_()
    expect(page.get_by_role("heading", name="Trade-offs")).to_be_visible(timeout=60_000)

    assert page.evaluate(FOCUSED) == "Save the report"


@WIDTHS
def test_a_validator_explains_a_sample_by_group_and_goes_to_one_of_its_cases(
    opened: OPEN, width: int, pictured: Callable[..., None]
) -> None:
    page = opened("/evidence/", role="staff", width=width)
    expect(page.get_by_role("row", name="Digest of the model")).to_be_visible()
    tab_to(page, "How many")
    page.keyboard.type("20")
    tab_to(page, "Groups")
    page.keyboard.type("sex")
    tab_to(page, "Explain the sample")
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="female")).to_be_visible(timeout=60_000)
    assert page.evaluate(FITS)
    pictured(page, f"evidence-{width}")
    tab_to(page, "3")
    page.keyboard.press("Enter")

    expect(page.get_by_role("columnheader", name="Way 1")).to_be_visible()
    assert page.evaluate(FITS)
