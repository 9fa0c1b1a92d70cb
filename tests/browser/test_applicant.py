"""The applicant's page: plans, limits, what stands in the way; by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import OPEN

X = dict[str, Any]
REFUSED = 3
PLANS = "geco-plans article"


def settled(page: Page) -> None:
    """Nothing is asked any more."""
    expect(page.locator("geco-plans div[aria-busy='false']")).to_have_count(1)


def test_plans_are_shown_and_token_and_figures_leave_the_address(
    opened: OPEN, people: list[X], pictured: Callable[..., None]
) -> None:
    page = opened(x=people[REFUSED])

    expect(page.locator(PLANS)).to_have_count(3)
    expect(page.get_by_role("heading", level=1)).to_contain_text("The decision was no")
    assert "#" not in page.url
    assert page.evaluate("sessionStorage.getItem('geco.token')")
    assert page.evaluate("localStorage.length") == 0
    pictured(page, "plans")
    pictured(page, "first-screen", whole=False)


@pytest.mark.parametrize("width", [390, 1280])
def test_what_a_person_cannot_do_is_in_no_plan_any_more_until_it_is_taken_back(
    opened: OPEN, people: list[X], width: int
) -> None:
    page = opened(x=people[REFUSED], width=width)
    step = page.locator("geco-plans .step").first
    text = step.locator("strong").inner_text()
    step.get_by_role("button", name="I can’t").click()
    expect(page.get_by_role("heading", name="What you told us")).to_be_visible()

    expect(page.locator("geco-plans .step strong", has_text=text)).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("geco-plans .step strong", has_text=text)).not_to_have_count(0)


def test_a_bound_on_a_step_is_kept_by_the_plans(opened: OPEN, people: list[X]) -> None:
    page = opened(x=people[REFUSED])
    page.get_by_role("button", name="Not below … amount of the loan").first.click()
    field = page.get_by_label("amount of the loan: not below")
    field.fill("nonsense")
    field.press("Enter")
    expect(page.get_by_text("Please enter a number.")).to_be_visible()
    field.fill("7,500")
    field.press("Enter")
    expect(page.get_by_text("Amount of the loan: not below 7,500 DM")).to_be_visible()

    settled(page)
    amounts = page.evaluate(
        "document.querySelector('geco-plans').data.explanation.counterfactuals.map((way) => way.values.credit_amount)"
    )
    assert amounts and min(amounts) >= 7500


def test_a_bound_that_today_is_at_already_is_told_back_as_what_it_means(opened: OPEN, people: list[X]) -> None:
    page = opened(x=people[REFUSED])
    page.get_by_role("button", name="Not below … amount of the loan").first.click()
    page.get_by_label("amount of the loan: not below").fill("8000")
    page.keyboard.press("Enter")

    told = "Amount of the loan: not below 8,000 DM. It is 7,882 DM already, so it stays as it is"
    expect(page.get_by_text(told, exact=True)).to_be_visible()


def test_where_no_plan_is_left_the_page_names_what_blocks_and_takes_it_back(
    opened: OPEN, people: list[X], pictured: Callable[..., None]
) -> None:
    page = opened(x=people[REFUSED])
    expect(page.locator(PLANS)).to_have_count(3)
    for _ in range(12):
        button = page.locator("geco-plans .step button[data-key^='cannot:']").first
        if button.count() == 0:
            break
        button.click()
        settled(page)

    expect(page.get_by_role("heading", name="What stands in the way")).to_be_visible()
    expect(page.get_by_text("Without this a plan would be:").first).to_be_visible()
    expect(page.get_by_text("You said that you can’t change it: ").first).to_be_visible()
    pictured(page, "no-plan-left")
    page.locator("geco-plans [part='blocked']").get_by_role("button", name="Take back").first.click()
    expect(page.locator(PLANS)).not_to_have_count(0)


def test_by_keyboard_alone_a_step_is_refused_and_the_focus_stays_with_it(opened: OPEN, people: list[X]) -> None:
    page = opened(x=people[REFUSED])
    expect(page.locator(PLANS)).to_have_count(3)
    for _ in range(12):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.shadowRoot?.activeElement?.dataset.key ?? ''")
        if focused.startswith("cannot:"):
            break
    page.keyboard.press("Space")
    expect(page.get_by_role("heading", name="What you told us")).to_be_visible()
    settled(page)

    feature = focused.partition(":")[2]
    now = page.evaluate("document.activeElement.shadowRoot?.activeElement?.dataset.key ?? ''")
    assert now == f"back:{feature}"


def test_who_has_a_yes_already_is_told_so(opened: OPEN, people: list[X], pictured: Callable[..., None]) -> None:
    page = opened(x=people[0])

    expect(page.get_by_role("heading", level=1)).to_contain_text("The decision is yes already")
    expect(page.locator(PLANS)).to_have_count(0)
    pictured(page, "already-good")


def test_german_is_one_press_away(opened: OPEN, people: list[X], pictured: Callable[..., None]) -> None:
    page = opened(x=people[REFUSED])
    page.get_by_role("button", name="Deutsch").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("Die Entscheidung war ein Nein")
    expect(page.locator(PLANS).first.get_by_role("button", name="Das kann ich nicht").first).to_be_visible()
    expect(page.get_by_text("Ändern Sie „Qualifikation“ von gelernt auf hoch qualifiziert")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "de"
    pictured(page, "german")


def test_without_a_valid_token_the_page_says_what_to_do(
    opened: OPEN, people: list[X], pictured: Callable[..., None]
) -> None:
    page = opened(x=people[REFUSED], token="wrong")

    expect(page.get_by_role("alert")).to_contain_text("without a valid access")
    expect(page.get_by_role("button", name="Deutsch")).to_be_visible()
    expect(page.get_by_role("button", name="Share")).to_have_count(0)
    pictured(page, "error")


def test_while_the_network_is_gone_plans_stay_and_can_be_asked_for_again(
    opened: OPEN, people: list[X], pictured: Callable[..., None]
) -> None:
    page = opened(x=people[REFUSED])
    expect(page.locator(PLANS)).to_have_count(3)
    page.context.set_offline(True)
    page.get_by_role("button", name="Hard for me").first.click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(page.locator(PLANS)).to_have_count(3)
    pictured(page, "offline")
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()

    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(PLANS)).to_have_count(3)


def test_a_plan_is_kept_only_if_the_person_says_so_and_can_be_forgotten(opened: OPEN, people: list[X]) -> None:
    page = opened(x=people[REFUSED])
    page.get_by_role("button", name="Keep this plan").first.click()
    assert page.evaluate("localStorage.length") == 0
    page.get_by_role("button", name="Yes, keep it").click()
    assert page.evaluate("localStorage.length") == 1
    expect(page.get_by_role("button", name="Forget it")).to_be_in_viewport()
    page.reload()
    page.get_by_text("The plan you kept").click()
    page.get_by_role("button", name="Forget it").click()

    assert page.evaluate("localStorage.length") == 0


def test_what_changes_no_plan_is_answered_in_words(opened: OPEN, people: list[X]) -> None:
    page = opened(x=people[REFUSED])
    page.get_by_role("button", name="Not below").first.click()
    page.get_by_role("button", name="Ask again").first.click()

    expect(page.get_by_role("status")).to_contain_text("The same plans")


def test_a_shared_link_has_no_token_and_no_figures_unless_the_person_says_so(opened: OPEN, people: list[X]) -> None:
    page = opened(x=people[REFUSED])
    page.get_by_role("button", name="Share").click()
    field = page.get_by_label("Copy this link:")

    assert "token" not in field.input_value() and "7882" not in field.input_value()
    page.get_by_label("With my figures in the link").check()
    assert "7882" in field.input_value() and "token" not in field.input_value()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == field.input_value()


def test_the_rules_that_plans_keep_are_told_in_words_without_the_persons_own(opened: OPEN, people: list[X]) -> None:
    page = opened(x=people[REFUSED])
    page.locator("geco-plans .step").first.get_by_role("button", name="I can’t").click()
    expect(page.get_by_role("heading", name="What you told us")).to_be_visible()
    settled(page)
    page.get_by_text("How these plans were found").click()

    expect(page.get_by_text("Never changed: sex, purpose.")).to_be_visible()


def test_reasons_are_shown_on_demand(opened: OPEN, people: list[X]) -> None:
    page = opened(x=people[REFUSED])
    page.get_by_text("Why was it a no?").click()

    expect(page.locator("geco-plans [part='reasons'] li").first).to_be_visible()


def test_without_figures_a_form_asks_for_them(opened: OPEN, people: list[X]) -> None:
    page = opened(width=1280)
    page.get_by_role("button", name="Show my plans").click()
    expect(page.locator("geco-plans [aria-invalid='true']").first).to_be_focused()
    x = people[REFUSED]
    for label in page.locator("geco-plans .fields label").all():
        name = label.evaluate("(e) => e.firstChild.textContent")
        value = {"skill level": x["job"], "amount of the loan": x["credit_amount"], "months to repay": x["duration"]}
        value |= {"savings": x["saving_accounts"], "checking account": x["checking_account"]}
        given = str(value.get(name, x.get(name)))
        if label.locator("select").count():
            label.locator("select").select_option(label={"2": "skilled", "free": "rent-free"}.get(given, given))
        else:
            label.locator("input").fill(given)
    page.get_by_role("button", name="Show my plans").click()

    expect(page.locator(PLANS)).to_have_count(3)


def test_dark_is_as_readable_as_light(opened: OPEN, people: list[X], pictured: Callable[..., None]) -> None:
    page = opened(x=people[REFUSED])
    page.emulate_media(color_scheme="dark")
    expect(page.locator(PLANS)).to_have_count(3)
    pictured(page, "dark")

    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(20, 24, 29)"


def test_while_an_answer_is_on_its_way_the_page_says_so_and_keeps_the_cards(
    opened: OPEN, people: list[X], pictured: Callable[..., None]
) -> None:
    page = opened()
    expect(page.get_by_role("button", name="Show my plans")).to_be_visible()
    held: list[Any] = []
    page.route("**/v1/plans", lambda route: held.append(route))
    page.evaluate("(x) => { document.querySelector('geco-plans').x = x; }", people[REFUSED])
    expect(page.get_by_text("Looking for plans …")).to_be_visible()
    pictured(page, "loading")
    held.pop().continue_()
    expect(page.locator(PLANS)).to_have_count(3)
    page.get_by_role("button", name="Hard for me").first.click()
    expect(page.get_by_text("Looking for other plans …")).to_be_visible()

    expect(page.locator(PLANS)).to_have_count(3)
    expect(page.locator("geco-plans .cards.busy")).to_have_count(1)
    held.pop().continue_()
    expect(page.locator("geco-plans .cards.busy")).to_have_count(0)


FORTY = """() => {
    const plans = document.querySelector("geco-plans"), told = structuredClone(plans.data);
    const long = "the number of months since the last change of the main employment";
    const { why } = told.plans.stays[0], value = "1,234,567.89 €";
    const more = Array.from({length: 40}, (_, place) => ({feature: `f${place}`, name: `${long} ${place}`, value, why}));
    told.plans.stays.push(...more);
    told.plans.plans[0].steps[0].text = `Lower ${long} to 1,234,567.89 €`;
    told.plans.plans[0].steps[0].now = "now 98,765,432.10 €";
    plans.data = told;
}"""


def test_forty_features_and_long_names_fit_a_phone(
    opened: OPEN, people: list[X], pictured: Callable[..., None]
) -> None:
    page = opened(x=people[REFUSED])
    expect(page.locator(PLANS)).to_have_count(3)
    page.evaluate(FORTY)
    expect(page.get_by_text("Lower the number of months since")).to_be_visible()
    pictured(page, "forty-features")

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("geco-plans [part='stays'] > ul > li").count() == 6
