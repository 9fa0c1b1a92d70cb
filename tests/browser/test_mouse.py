"""Each person's whole path by mouse, at both widths; test_keyboard.py has the same without one."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from browser.conftest import OPEN
from browser.test_keyboard import FITS, WIDTHS

X = dict[str, Any]


@WIDTHS
def test_an_applicant_refuses_a_step_bounds_another_reads_the_reasons_and_keeps_a_plan(
    opened: OPEN, people: list[X], width: int
) -> None:
    page = opened(x=people[3], width=width, touch=width == 390)
    expect(page.locator("geco-plans article")).to_have_count(3)
    page.get_by_role("button", name="I can’t: Change skill level").first.click()
    expect(page.get_by_text("Skill level: you can’t change it")).to_be_visible()
    expect(page.locator("geco-plans .step strong", has_text="skill level")).to_have_count(0)
    page.get_by_role("button", name="Hard for me").first.click()
    expect(page.get_by_role("listitem").filter(has_text="hard for you")).to_be_visible()
    expect(page.locator("geco-plans .cards.busy")).to_have_count(0)
    page.get_by_role("button", name="Not below … amount of the loan").first.click()
    page.get_by_label("amount of the loan: not below").fill("7500")
    page.get_by_role("button", name="Ask again").click()
    expect(page.get_by_text("Amount of the loan: not below 7,500 DM")).to_be_visible()
    expect(page.locator("geco-plans .cards.busy")).to_have_count(0)
    page.get_by_role("button", name="Keep this plan").first.click()
    page.get_by_role("button", name="Yes, keep it").click()
    assert page.evaluate("localStorage.length") == 1
    page.get_by_text("Why was it a no?").click()

    expect(page.locator("geco-plans [part='reasons'] li").first).to_be_visible()
    assert page.evaluate(FITS)


@WIDTHS
def test_an_officer_shows_a_row_tries_a_way_moves_a_value_adds_a_rule_and_saves_the_report(
    opened: OPEN, width: int
) -> None:
    page = opened("/desk/", role="staff", width=width, touch=width == 390)
    page.get_by_label("Row of the table").fill("3")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("columnheader", name="Way 1")).to_be_visible()
    page.get_by_role("button", name="Try: Way 2").click()
    verdict = page.locator("geco-whatif .verdict strong")
    expect(verdict).to_have_text("yes")
    page.get_by_role("button", name="Back to the case").click()
    expect(verdict).to_have_text("no")
    months = page.get_by_label("months to repay")
    months.and_(page.locator("[type=range]")).fill("39")
    expect(months.and_(page.locator(".number"))).to_have_value("39")
    page.locator("geco-desk .dot").first.click()
    page.get_by_label("Further rules for this case").fill("FIXED duration, credit_amount")
    page.get_by_role("button", name="Try these rules").click()
    expect(page.get_by_role("rowheader", name="amount of the loan")).to_have_count(0)
    page.get_by_role("button", name="Without them").click()
    expect(page.get_by_role("rowheader", name="amount of the loan")).not_to_have_count(0)
    with page.expect_download() as report:
        page.get_by_role("button", name="Save the report").click()

    assert report.value.suggested_filename == "report.html"
    assert page.evaluate(FITS)


@WIDTHS
def test_a_validator_explains_a_sample_by_group_and_goes_to_one_of_its_cases(opened: OPEN, width: int) -> None:
    page = opened("/evidence/", role="staff", width=width, touch=width == 390)
    expect(page.get_by_role("row", name="Digest of the model")).to_be_visible()
    page.get_by_label("How many").fill("20")
    page.get_by_label("Groups").select_option("sex")
    page.get_by_role("button", name="Explain the sample").click()
    expect(page.get_by_text("got an answer: ")).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="3", exact=True).click()

    expect(page.get_by_role("columnheader", name="Way 1")).to_be_visible()
    assert page.evaluate(FITS)
