"""The validator's page: what answers are made of, and a sample as a job."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from browser.conftest import OPEN


def test_a_sample_is_explained_by_group_and_each_answer_leads_to_the_desk(
    opened: OPEN, pictured: Callable[..., None]
) -> None:
    page = opened("/evidence/", role="staff", width=1280)
    expect(page.get_by_role("row", name="Digest of the model")).to_be_visible()
    page.get_by_label("How many").fill("20")
    page.get_by_label("Groups").select_option("sex")
    page.get_by_role("button", name="Explain the sample").click()

    expect(page.get_by_role("columnheader", name="female")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("got an answer: ")).to_be_visible()
    pictured(page, "evidence")
    page.get_by_role("link", name="3", exact=True).click()
    expect(page.get_by_role("columnheader", name="Way 1")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("columnheader", name="female")).to_be_visible()
    expect(page.get_by_label("How many", exact=True)).to_have_value("20")


def test_a_sample_that_the_service_has_forgotten_is_forgotten_here(opened: OPEN) -> None:
    page = opened("/evidence/", role="staff", width=1280)
    page.evaluate("sessionStorage.setItem('geco.sample', JSON.stringify({id: 'gone', first: 0, count: 5, by: ''}))")
    page.reload()
    expect(page.get_by_label("How many")).to_have_value("5")

    expect(page.get_by_role("button", name="Explain the sample")).to_be_enabled()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_an_applicants_token_shows_no_evidence_of_rows(opened: OPEN) -> None:
    page = opened("/evidence/", role="applicant", width=1280)

    expect(page.get_by_role("alert")).to_be_visible()
