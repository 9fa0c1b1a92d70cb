"""Promises of a ledger under a new model; the notice of a refusal; the page of many."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import geco
import geco.demo
from geco.errors import SettingsError
from geco.report.notice import notice, reason_lines
from geco.report.promises import broken_promises

TABLE = pd.DataFrame({"pay": [*range(0, 100, 5)] * 2, "town": ["a", "b"] * 20})


def tree(limit: int) -> DecisionTreeClassifier:
    return DecisionTreeClassifier().fit(TABLE[["pay"]], TABLE.pay > limit)


def explainer(limit: int = 40) -> geco.Explainer:
    labels = {"pay": geco.Label("monthly pay", unit="€")}
    return geco.Explainer(tree(limit), geco.Database.from_frame(TABLE), labels=labels, codes={"pay": ("07", "Too low")})


def test_promises_that_a_stricter_model_breaks_are_listed_with_what_takes_their_place(tmp_path: Path) -> None:
    today, refused = explainer(), [{"pay": pay, "town": "a"} for pay in (10, 20, 30)]
    with geco.Ledger(tmp_path / "given.db") as ledger:
        for number, x in enumerate(refused):
            ledger.append(today.explain(x, k=1), person=f"p{number}", until="2027-01-31")
        ledger.append(today.explain(refused[0], k=1), person="late", until="2026-01-31")

        broken = list(broken_promises(ledger, today, tree(60), on="2027-01-01"))
        kept = list(broken_promises(ledger, today, tree(40), on="2027-01-01"))

    assert [each.entry.person for each in broken] == ["p0", "p1", "p2"]
    assert all(each.answer.instead is not None and each.answer.instead.values["pay"] > 60 for each in broken)
    assert "entry 1 to p0: answer 1 is no longer good; instead: pay 10" in str(broken[0])
    assert kept == []


def test_a_notice_has_the_codes_and_words_of_the_lender() -> None:
    asked = explainer()
    text = notice(asked.reasons({"pay": 10, "town": "a"}), asked._parts.wording)

    assert "1. Too low (code 07)" in text and text.startswith("The application could not be approved")
    assert "pay" not in text


def test_a_feature_without_a_code_is_told_beside_what_it_was_compared_with() -> None:
    asked = geco.Explainer(tree(40), geco.Database.from_frame(TABLE), labels={"pay": geco.Label("pay", unit="€")})
    reasons = asked.reasons({"pay": 10, "town": "a"})

    assert reason_lines(reasons, asked._parts.wording) == [
        f"Pay: 10 €, compared with {reasons.reasons[0].against} € in approved applications"
    ]
    assert reason_lines(reasons, asked._parts.wording, "de")[0].startswith("Pay: 10 €, gegenüber")


def test_there_is_no_notice_of_an_approval_and_never_a_feature_that_may_not_be_named() -> None:
    asked = explainer()
    with pytest.raises(SettingsError, match="the decision is a yes"):
        notice(asked.reasons({"pay": 90, "town": "a"}), asked._parts.wording)

    assert "No single item" in notice(asked.reasons({"pay": 10, "town": "a"}, never=["pay"]), asked._parts.wording)


def test_the_page_of_many_has_a_line_for_each_and_the_summary(tmp_path: Path) -> None:
    asked = explainer()
    frame = pd.DataFrame({"who": ["<Anna>", "Bo", "Cy"], "pay": [10, 90, 30], "town": ["a", "b", "a"]})
    explanations = asked.explain_many(frame, id="who")
    html = explanations.to_html(tmp_path / "all.html", summary=asked.summary(explanations))

    assert html == (tmp_path / "all.html").read_text("utf-8")
    assert html.count("Raise monthly pay from") == 2 and "&lt;Anna&gt;" in html and "<Anna>" not in html
    assert "yes already" in html and "<script>" in html
    assert "<script>" not in explanations.to_html(script=False)


def test_a_german_notice_has_the_german_text_of_a_code_and_the_other_where_there_is_none() -> None:
    frame, model, database, program = geco.demo.load()
    codes = {"credit_amount": {"code": "01", "text": "The amount", "de": "Die Höhe"}, "checking_account": "The account"}
    explainer = geco.Explainer(model, database, program, target="good", codes=codes)

    lines = reason_lines(explainer.reasons(frame.drop(columns="risk").iloc[10]), explainer.wording, "de")

    assert {"Die Höhe (Code 01)", "The account"} <= set(lines)
