"""Rules as a person reads them on the printed page."""

from __future__ import annotations

import re

import pytest

import geco
import geco.demo
from geco.answers.labels import Label, Wording
from geco.answers.rules import rules_in_words
from geco.answers.speech import Speech
from geco.answers.texts.sheet import SHEETS

WORDING = Wording({"age": Label("age", unit="years"), "job": Label("job", values={"1": "skilled"})})


def told(rule: str, language: str = "en") -> str:
    [line] = rules_in_words([rule], SHEETS[language], Speech(WORDING, language))
    return line


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("FIXED sex", "Never changed: sex."),
        ("PLAF x_cf.sex = x.sex", "Never changed: sex."),
        ("INCREASE age", "Never lowered: age."),
        ("PLAF x.age >= x_cf.age", "Never raised: age."),
        ("PLAF x_cf.age <= x.age + 5", "Age goes up by at most 5 years."),
        ("PLAF x_cf.age >= x.age - 1", "Age goes down by at most 1."),
        ("PLAF x_cf.pay >= 0.5 * x.pay", "Pay is at least 0.5 times what it is today."),
        ("PLAF 2000 <= x_cf.pay", "Pay is at least 2,000."),
        ("PLAF x_cf.pay <= x_cf.limit", "Pay is at most limit."),
        ("PLAF x_cf.age BETWEEN 18 AND 65", "Age is between 18 years and 65 years."),
        ("PLAF x_cf.home IN ('own', 'free')", "Home is one of “own”, “free”."),
        (
            "PLAF IF x_cf.job > x.job AND x.home = 'own' THEN x_cf.age >= x.age + 2",
            "If job goes up and today’s home is “own”, then age goes up by at least 2 years.",
        ),
        ("PLAF x_cf.a + x_cf.b <= 7", "x_cf.a + x_cf.b <= 7"),
        ("PLAF what is this", "what is this"),
    ],
)
def test_a_rule_has_plain_words_or_stays_as_it_was_written(rule: str, words: str) -> None:
    assert told(rule) == words


def test_rules_of_one_kind_share_a_line_that_names_each_feature_once() -> None:
    written = ["FIXED sex", "PLAF x_cf.sex = x.sex", "FIXED age", "INCREASE pay"]

    lines = rules_in_words(written, SHEETS["de"], Speech(WORDING, "de"))

    assert lines == ["Nie geändert: sex, age.", "Nie gesenkt: pay."]


def test_both_languages_say_the_same_clauses_with_the_same_braces() -> None:
    english, german = SHEETS["en"].clauses, SHEETS["de"].clauses

    assert english.keys() == german.keys()
    for name, words in english.items():
        assert re.findall(r"{\w+}", words) == re.findall(r"{\w+}", german[name]), name


def test_the_page_lists_every_rule_and_says_what_the_plans_rest_on() -> None:
    frame, model, database, program = geco.demo.load()
    explanation = geco.Explainer(model, database, program, target="good").explain(frame.drop(columns="risk").iloc[10])

    page = explanation.to_html()

    assert "Never changed: sex, purpose." in page
    assert "put to the model that decided" in page and "not a promise" in page
    assert page.index("The rules</h2>") < page.index("Evidence</h2>")


def test_plans_that_the_model_was_not_asked_about_are_said_to_be_so() -> None:
    frame, model, database, program = geco.demo.load()
    explainer = geco.Explainer(model, database, program, target="good", verify=False)

    page = explainer.explain(frame.drop(columns="risk").iloc[10]).to_html()

    assert "were not put to the model itself" in page and "its answer was yes" not in page


def test_the_page_of_a_yes_says_how_long_it_holds_and_lists_no_rules() -> None:
    frame, model, database, program = geco.demo.load()
    features = frame.drop(columns="risk")
    good = features[model.predict(features) == "good"].iloc[0]

    page = geco.Explainer(model, database, program, target="good").explain(good).to_html()

    assert "It holds while that, the model and the rules stay as they are." in page
    assert "The rules</h2>" not in page
