"""The page of a batch: what it counts, whom it draws, and that it says what ``explain`` says."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest

import geco
from engines import small
from geco.errors import BatchError, SettingsError


def run(out: Path, **more: object) -> geco.Batch:
    return geco.batch(small.explainer(), small.table(), out, key="customer", part_rows=5, workers=1, **more)


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_the_page_tells_everybody_what_to_change(tmp_path: Path, format: str) -> None:
    page = unescape(run(tmp_path / "out", format=format).to_html(small.explainer(), tmp_path / "page.html"))
    explained = [small.explainer().explain(x) for x in small.features().to_dict("records")]

    assert unescape((tmp_path / "page.html").read_text(encoding="utf-8")) == page
    for explanation in explained:
        for cf in explanation.counterfactuals[:1]:
            first = explanation.sentence(cf).split(" to ")[0]  # whether the range ends there is not in the files
            assert first in page
    assert all(str(customer) in page for customer in small.table()["customer"])
    assert "drawn at random" not in page


def test_of_many_rows_some_are_drawn_and_all_are_counted(tmp_path: Path) -> None:
    made = run(tmp_path / "out")
    page = made.to_html(small.explainer(), rows=8, by="housing", language="de")

    assert page == made.to_html(small.explainer(), rows=8, by="housing", language="de")
    assert "Was folgt, betrifft 8 dieser 30 Zeilen" in page
    assert page.count('class="plan-text"') == 8
    assert all(f"{count}\N{NO-BREAK SPACE}(" in page for count in made.statuses.values())


def test_what_cannot_be_reported_is_said(tmp_path: Path) -> None:
    with pytest.raises(BatchError, match="a batch in CSV, whose fields have no types; report on Parquet"):
        run(tmp_path / "csv", format="csv").to_html(small.explainer())
    with pytest.raises(SettingsError, match="by: D has no feature 'house'"):
        run(tmp_path / "out").to_html(small.explainer(), by="house")
