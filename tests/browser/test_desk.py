"""The officer's desk: a row, ways side by side, what if, further rules."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from browser.conftest import OPEN

X = dict[str, Any]


def test_a_row_of_the_table_is_shown_with_ways_prices_reasons_and_tradeoffs(
    opened: OPEN, pictured: Callable[..., None]
) -> None:
    page = opened("/desk/", role="staff", width=1280)
    page.get_by_label("Row of the table").fill("3")
    page.get_by_role("button", name="Show", exact=True).click()

    expect(page.get_by_role("columnheader", name="Way 1")).to_be_visible()
    expect(page.get_by_role("heading", name="What the rules cost")).to_be_visible()
    expect(page.get_by_role("heading", name="Reasons for the decision")).to_be_visible()
    expect(page.locator("geco-desk .dot").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    pictured(page, "desk")


def test_a_case_with_a_yes_has_no_trade_offs_and_no_prices_of_rules(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.get_by_label("Row of the table").fill("0")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("The decision is yes already")
    expect(page.locator("geco-whatif .verdict strong")).to_have_text("yes")

    expect(page.get_by_role("heading", name="What the rules cost")).to_have_count(0)
    assert not {"obstacles", "tradeoffs"} & {*asked}


def test_a_way_that_is_tried_moves_the_values_and_the_model_says_yes(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280, row="3")
    expect(page.locator("geco-whatif .verdict strong")).to_have_text("no")
    page.get_by_role("button", name="Try: Way 1").click()

    expect(page.locator("geco-whatif .verdict strong")).to_have_text("yes")
    page.get_by_role("button", name="Back to the case").click()
    expect(page.locator("geco-whatif .verdict strong")).to_have_text("no")


def test_what_is_being_typed_stays_while_further_answers_arrive(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280)
    held: list[Any] = []
    page.route("**/v1/obstacles", lambda route: held.append(route))
    page.get_by_label("Row of the table").fill("3")
    page.get_by_role("button", name="Show", exact=True).click()
    age = page.get_by_label("age", exact=True).and_(page.locator(".number"))
    expect(age).to_have_value("45")
    age.fill("7")
    page.get_by_label("Further rules for this case").press_sequentially("FIX")
    held.pop().continue_()
    expect(page.get_by_role("heading", name="Reasons for the decision")).to_be_visible()

    expect(age).to_have_value("7")
    page.keyboard.type("ED")
    expect(page.get_by_label("Further rules for this case")).to_have_value("FIXED")


def test_figures_are_written_as_in_the_language_of_the_page(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280, row="3", language="de")
    figures = page.locator("geco-desk tr.figure")
    expect(figures.nth(1)).to_contain_text(re.compile(r"Abstand.*0,\d+"))

    expect(page.get_by_text("Abstand: wie viel sich insgesamt ändert.")).to_be_visible()
    expect(page.locator("geco-whatif .verdict p").first).to_contain_text(re.compile(r"0,\d+"))


def test_a_value_against_a_rule_lights_the_rule(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280, row="3")
    field = page.get_by_label("age", exact=True).and_(page.locator(".number"))
    expect(field).to_have_value("45")
    field.fill("70")
    field.press("Enter")

    expect(page.locator("geco-whatif .lights .broken")).to_contain_text("x_cf.age <= x.age + 5")


def test_rules_are_checked_as_they_are_typed_and_tried_on_a_press(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280, row="3")
    text = page.get_by_label("Further rules for this case")
    text.fill("PLAF x_cf.duratoin <= 24")
    expect(page.locator("geco-desk .diagnostics")).to_contain_text("^^^^")
    text.fill("FIXED duration, credit_amount")
    expect(page.get_by_role("button", name="Try these rules")).to_be_enabled()
    page.get_by_role("button", name="Try these rules").click()

    expect(page.get_by_role("rowheader", name="amount of the loan")).to_have_count(0)
    expect(page.get_by_role("columnheader", name="Way 1")).to_be_visible()


def test_what_if_keeps_the_rules_that_are_tried(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280, row="3")
    lights = page.locator("geco-whatif .lights")
    expect(lights).to_contain_text("FIXED sex")
    page.get_by_label("Further rules for this case").fill("PLAF x_cf.duration <= 50")
    page.get_by_role("button", name="Try these rules").click()
    expect(lights).to_contain_text("x_cf.duration <= 50")
    expect(lights.locator(".broken")).to_have_count(0)
    months = page.get_by_label("months to repay", exact=True).and_(page.locator(".number"))
    expect(months.locator("xpath=..")).to_contain_text("to 48")
    months.fill("60")
    months.press("Enter")

    expect(lights.locator(".broken")).to_contain_text("x_cf.duration <= 50")
    page.get_by_role("button", name="Without them").click()
    expect(lights).not_to_contain_text("x_cf.duration <= 50")


def test_where_rules_leave_one_way_the_trade_offs_say_so(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280)
    page.route("**/v1/tradeoffs", lambda route: route.fulfill(json={"points": []}))
    page.get_by_label("Row of the table").fill("3")
    page.get_by_role("button", name="Show", exact=True).click()

    expect(page.get_by_text("there is nothing to weigh up")).to_be_visible()


def test_a_pasted_case_is_shown_and_nonsense_is_refused(opened: OPEN, people: list[X]) -> None:
    page = opened("/desk/", role="staff", width=1280)
    page.get_by_text("Or as JSON").click()
    text = page.get_by_label("A case as JSON")
    text.fill("[1, 2")
    page.get_by_role("button", name="Show this case").click()
    expect(page.get_by_role("alert")).to_contain_text("not a JSON object")
    text.fill(json.dumps(people[3]))
    page.get_by_role("button", name="Show this case").click()

    expect(page.get_by_role("columnheader", name="Way 1")).to_be_visible()


def test_the_report_and_the_answer_can_be_saved(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280, row="3")
    with page.expect_download() as report:
        page.get_by_role("button", name="Save the report").click()
    with page.expect_download() as answer:
        page.get_by_role("button", name="Save as JSON").click()

    assert "<!doctype html>" in report.value.path().read_text(encoding="utf-8")
    assert json.loads(answer.value.path().read_text(encoding="utf-8"))["status"] == "found"


def test_an_applicants_token_opens_no_rows(opened: OPEN) -> None:
    page = opened("/desk/", role="applicant", width=1280, row="3")

    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Way 1")).to_have_count(0)


def test_only_a_project_with_a_key_asks_for_one(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280)
    page.get_by_text("Or as JSON").click()
    expect(page.get_by_label("A case as JSON")).to_be_visible()
    expect(page.get_by_label("Key of the row")).to_have_count(0)
    page.route("**/v1/schema", lambda route: route.fulfill(json={**route.fetch().json(), "keyed": True}))
    page.reload()
    page.get_by_text("By key, or as JSON").click()

    expect(page.get_by_label("Key of the row")).to_be_visible()


def test_a_row_that_is_not_there_and_values_of_no_row_are_told_in_the_language_of_the_page(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280, row="5000", language="de")
    expect(page.get_by_role("alert")).to_have_text("Die Tabelle hat keine Zeile mit dieser Nummer.")
    page.get_by_label("Zeile der Tabelle").fill("3")
    page.get_by_role("button", name="Zeigen", exact=True).click()
    field = page.get_by_label("Alter", exact=True).and_(page.locator(".number"))
    expect(field).to_have_value("45")
    field.fill("71")
    field.press("Enter")

    expect(page.locator("geco-whatif .verdict")).to_contain_text("Keine Zeile der Tabelle hat 71")


def test_changes_that_lie_side_by_side_stand_each_under_its_own_way(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280, row="9")
    expect(page.locator("geco-desk td.then + td.then").first).to_be_visible()
    lefts = page.locator("geco-desk [part=ways] table").evaluate(
        """table => [...table.rows].filter(row => row.className !== "spread").map(row =>
            [...row.cells].map(cell => Math.round(cell.getBoundingClientRect().left)))"""
    )

    assert all(row == lefts[0] for row in lefts)


def test_rules_that_are_tried_too_early_are_refused_where_they_were_written(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280, row="3")
    page.get_by_label("Further rules for this case").fill("PLAF x_cf.duratoin <= 24")
    page.get_by_role("button", name="Try these rules").click()

    expect(page.locator("geco-desk .diagnostics")).to_contain_text("^^^^")
    expect(page.get_by_role("alert").filter(has_text="duratoin")).to_have_count(0)


def test_a_trade_off_that_is_tried_brings_its_outcome_into_view(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280, row="3")
    page.locator("geco-desk .points button").last.click()

    expect(page.locator("geco-whatif .verdict strong")).to_be_in_viewport()
    expect(page.locator("geco-whatif .verdict strong")).to_have_text("yes")


APART = """svg => [...svg.querySelectorAll("text:not(.tick)")].map(text => text.getBoundingClientRect()).every(
    (a, place, all) => all.slice(place + 1).every(b =>
        a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top))"""


def test_numbers_in_pictures_do_not_overlap(opened: OPEN) -> None:
    page = opened("/desk/", role="staff", width=1280, row="3")
    expect(page.locator("geco-desk svg.tradeoffs")).to_be_visible()

    assert page.locator("geco-desk svg.tradeoffs").evaluate(APART)
    assert all(strip.evaluate(APART) for strip in page.locator("geco-desk .spread svg").all())


def test_without_a_valid_token_staff_is_told_so(opened: OPEN) -> None:
    page = opened("/desk/", token="none", width=1280)

    expect(page.get_by_role("alert")).to_contain_text("without a valid access")
