"""Reports in a real browser, a few; benchmarks/acceptance/reports.py looks at hundreds in the same way."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import geco
import geco.demo

pytest.importorskip("axe_playwright_python", reason="needs axe-core: make test-browser")
from benchmarks.acceptance.reports import wide
from benchmarks.acceptance.reports_seen import Seen


@pytest.fixture
def seen(browser: Browser, tmp_path: Path) -> Seen:
    if shutil.which("pdftotext") is None:
        pytest.skip("needs pdftotext: install poppler-utils")
    return Seen(browser, tmp_path, pictures=False)


@pytest.fixture(scope="module")
def explainer() -> geco.Explainer:
    _, model, database, program = geco.demo.load()
    return geco.Explainer(model, database, program, target="good")


def test_a_report_fits_screens_and_paper_in_both_languages(seen: Seen, explainer: geco.Explainer) -> None:
    x = geco.demo.load().frame.drop(columns="risk").iloc[3]
    found, none = explainer.explain(x), explainer.explain(x, fixed=[name for name in x.index if name != "housing"])
    row = seen.all(
        "one", [(f"{n}-{to}", e.to_html(language=to)) for to in ["en", "de"] for n, e in [("a", found), ("b", none)]]
    )

    assert seen.wrong == []
    assert row["files"] == 4


def test_forty_features_with_long_names_fit_screens_and_paper(seen: Seen) -> None:
    explainer, refused = wide()
    explanation = explainer.explain(refused.iloc[0], k=3)
    assert explanation.counterfactuals
    seen.all("wide", [("wide", explanation.to_html(language="de", reasons=["months " * 40]))])

    assert seen.wrong == []


def test_a_batch_fits_screens_and_paper(seen: Seen, explainer: geco.Explainer) -> None:
    explanations = explainer.explain_many(geco.demo.load().frame.drop(columns="risk").head(30), k=1)
    summary = explainer.summary(explanations, by="housing")
    seen.all("batch", [(to, explanations.to_html(language=to, summary=summary)) for to in ("en", "de")])

    assert seen.wrong == []
