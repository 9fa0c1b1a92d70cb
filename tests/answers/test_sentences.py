"""Sentences: what the person does, what a rule asks for, what the model needs; numbers as people write them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import fields
from string import Formatter
from typing import Any

import pytest

from geco.answers.explanation import Action, Counterfactual
from geco.answers.labels import Label, Wording
from geco.answers.range import Range
from geco.answers.sentences import sentence
from geco.answers.speech import Speech
from geco.answers.texts import LANGUAGES, Texts
from geco.errors import SettingsError

RULE = "PLAF IF x_cf.job > x.job THEN x_cf.age >= x.age + 2"


def told(*changes: Action, ranges: dict[str, Range] | None = None, language: str = "en", **wording: Any) -> str:
    x = {"income": 1, "age": 2, **{a.feature: a.before for a in changes}}
    values = {**x, **{a.feature: a.after for a in changes}}
    cf = Counterfactual(values, changes, 0.1, 0.8, True, ranges=ranges or {})
    return sentence(cf, x, Wording(**wording), language)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([Action("amount", 4587, 4787), Action("housing", "rent", "own")],
         "Raise amount from 4,587 to 4,787 and change housing from rent to own."),
        ([Action("rate", 0.3, 0.1)], "Lower rate from 0.3 to 0.1."),
        ([Action("region", 3, 7, categorical=True)], "Change region from 3 to 7."),
        ([Action("phone", False, True)], "Change phone from no to yes."),
        ([Action("due", dt.date(2020, 1, 2), dt.date(2020, 3, 4))], "Move due from 2020-01-02 to 2020-03-04."),
        ([Action("income", None, 1200)], "State income: 1,200."),
        ([Action("income", 1200, None)], "Leave income blank."),
        ([Action("credit_amount", 1200.0, 2400.0)], "Raise credit amount from 1,200 to 2,400."),
        ([Action("a", 1, 2), Action("b", 1, 2), Action("c", 2, 1)],
         "All of this together: raise a from 1 to 2; raise b from 1 to 2; lower c from 2 to 1."),
        ([Action("use", "car (new)", "radio/TV")], "Change use from “car (new)” to “radio/TV”."),
        ([Action("work", "sales", "?")], "Change work from “sales” to “?”."),
        ([], "Change nothing."),
    ],
)  # fmt: skip
def test_a_sentence_says_what_to_do(changes: list[Action], expected: str) -> None:
    assert told(*changes) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([Action("job", 1, 2), Action("age", 20, 22, RULE)],
         "Raise job from 1 to 2. After a change of job, the rules ask for age 22 or more: raise age from 20 to 22."),
        ([Action("hours", 45, 40, "PLAF x_cf.hours <= 40")],
         "The rules ask for hours 40 or less: lower hours from 45 to 40."),
        ([Action("age", 20, 22, RULE), Action("job", 1, 2, "PLAF x_cf.job >= 2")],
         "Raise job from 1 to 2. After a change of job, the rules ask for age 22 or more: raise age from 20 to 22."),
        ([Action("job", "a", "b"), Action("pay", 9, 5, "PLAF IF x_cf.job = 'b' THEN x_cf.pay IN (4, 5)")],
         "Change job from a to b. After a change of job, the rules ask for pay to be 4 or 5: lower pay from 9 to 5."),
        ([Action("pay", 9, 5, "PLAF x_cf.pay BETWEEN 4 AND 5")],
         "The rules ask for pay from 4 to 5: lower pay from 9 to 5."),
        ([Action("pay", 9, 5, "PLAF x_cf.pay * x_cf.pay <= 30")],
         "The rules ask for “x_cf.pay * x_cf.pay <= 30”: lower pay from 9 to 5."),
        ([Action("age", 9, 12), Action("pay", 3, 9, "PLAF x_cf.pay >= x_cf.age - 3")],
         "Raise age from 9 to 12. The rules ask for pay 9 or more: raise pay from 3 to 9."),
    ],
)  # fmt: skip
def test_what_a_rule_asks_for_is_told_apart_from_what_the_person_does(changes: list[Action], expected: str) -> None:
    assert told(*changes) == expected


def test_where_the_rules_would_be_content_with_less_the_model_is_named() -> None:
    changes = (Action("job", 1, 2), Action("age", 20, 24, RULE))
    said = told(*changes, ranges={"age": Range(24, 24)})

    assert said.endswith("the rules ask for age 22 or more: raise age from 20 to 24; the model needs that much.")
    assert "model" not in told(*changes, ranges={"age": Range(24, 24, least=True)})


def test_that_much_is_not_said_where_less_would_do() -> None:
    changes, ranges = (Action("job", 1, 2), Action("age", 32, 68, RULE)), {"age": Range(62, 85)}

    assert told(*changes, ranges=ranges).endswith(
        "the rules ask for age 34 or more: raise age from 32 to 68 (62 to 85 would do, the rest as here); "
        "the model asks for more than the rules."
    )
    assert told(*changes, ranges=ranges, language="de").endswith(
        "verlangen die Regeln für „age“ mindestens 34: Erhöhen Sie „age“ von 32 auf 68 (62 bis 85 würden genügen, "
        "alles Übrige wie hier); das Modell verlangt mehr als die Regeln."
    )
    nearly = told(*changes, ranges={"age": Range(67, 85)})
    assert nearly.endswith("raise age from 32 to 68 (up to 85, the rest as here); the model needs that much.")


MARRIED = "PLAF IF x_cf.family >= 5 THEN x_cf.married = 'yes'"


def test_a_change_that_leaves_a_rule_nothing_to_ask_for_says_what_it_would_ask() -> None:
    changes = (Action("family", 7, 4, MARRIED),)
    x, values = {"family": 7, "married": "no"}, {"family": 4, "married": "no"}
    cf = Counterfactual(values, changes, 0.1, 0.8, True)

    assert sentence(cf, x) == ("Lower family from 7 to 4; if that stays as it is, the rules ask for married to be yes.")
    assert sentence(cf, x, language="de") == (
        "Senken Sie „family“ von 7 auf 4; bleibt das, wie es ist, verlangen die Regeln für „married“ den Wert yes."
    )


def test_what_a_rule_would_ask_is_worked_out_without_the_change() -> None:
    rule = "PLAF x_cf.age >= x_cf.tenure + 16"
    x, values = {"tenure": 20, "age": 32}, {"tenure": 15, "age": 32}
    cf = Counterfactual(values, (Action("tenure", 20, 15, rule),), 0.1, 0.8, True)

    assert sentence(cf, x) == ("Lower tenure from 20 to 15; if that stays as it is, the rules ask for age 36 or more.")


def test_a_rule_that_spoke_of_x_already_is_not_put_down_to_a_change() -> None:
    changes = (Action("family", 7, 6), Action("married", "no", "yes", MARRIED))

    assert told(*changes) == (
        "Lower family from 7 to 6. The rules ask for married to be yes: change married from no to yes."
    )


def test_at_least_is_said_only_of_a_single_change_whose_range_has_no_end() -> None:
    up, down = Action("pay", 2000, 2100), Action("debt", 90, 70)

    assert (
        told(up, ranges={"pay": Range(2100, 9000, most=True, highest=True)})
        == "Raise pay from 2,000 to at least 2,100."
    )
    assert told(down, ranges={"debt": Range(0, 70, least=True, lowest=True)}) == "Lower debt from 90 to at most 70."
    assert told(up, ranges={"pay": Range(2100, 3400)}) == "Raise pay from 2,000 to 2,100 (up to 3,400)."
    by_rule = Range(2100, 3400, most=True)  # the rules allow no more, and D has more
    assert told(up, ranges={"pay": by_rule}) == "Raise pay from 2,000 to 2,100 (up to 3,400)."
    assert told(up, down, ranges={"pay": Range(2100, 9000, most=True, highest=True), "debt": Range(70, 70)}) == (
        "Raise pay from 2,000 to 2,100 (up to 9,000, the rest as here) and lower debt from 90 to 70."
    )
    assert told(up, down, ranges={"pay": Range(2100, 9000, most=True, highest=True), "debt": Range(60, 70)}) == (
        "Raise pay from 2,000 to 2,100 (up to 9,000) and lower debt from 90 to 70 (down to 60). "
        "Use only one of the brackets, the rest as here."
    )


@pytest.mark.parametrize(
    ("before", "after", "run", "expected"),
    [
        (28, 60, Range(58, 96, most=True, highest=True), "Raise age from 28 to 60 years (58 years or more would do)."),
        (28, 60, Range(59, 96, most=True, highest=True), "Raise age from 28 to at least 60 years."),
        (28, 60, Range(58, 60), "Raise age from 28 to 60 years (58 to 60 years would do)."),
        (90, 40, Range(0, 45, least=True, lowest=True), "Lower age from 90 to 40 years (45 years or less would do)."),
        (90, 40, Range(0, 42, least=True, lowest=True), "Lower age from 90 to at most 40 years."),
    ],
)
def test_at_least_is_not_said_where_noticeably_less_would_do(
    before: int, after: int, run: Range, expected: str
) -> None:
    said = told(Action("age", before, after), ranges={"age": run}, labels={"age": Label("age", "years")})

    assert said == expected


def test_other_categories_that_would_do_are_named() -> None:
    change = Action("job", "a", "b", categorical=True)

    assert told(change, ranges={"job": Range("b", "b", others=("c", "d"))}) == (
        "Change job from a to b (c or d would also do)."
    )
    assert "(c, d, e or 2 others would also do)" in told(change, ranges={"job": Range("b", "b", others=tuple("cdefg"))})


def test_labels_units_and_verbs_of_the_project_are_used() -> None:
    labels = {"income": Label("monthly income", "€", up="earn"), "age": Label("age", "years")}
    said = told(Action("income", 2000, 2100.0), Action("age", 40, 42, RULE), labels=labels)

    assert said == "Earn monthly income from 2,000 to 2,100 €. The rules ask for age 42 years or more: " \
        "raise age from 40 to 42 years."  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([Action("amount", 4587, 4787.5), Action("housing", "rent", "own")],
         "Erhöhen Sie „amount“ von 4.587 auf 4.787,5 und ändern Sie „housing“ von rent auf own."),
        ([Action("job", 1, 2), Action("age", 20, 22, RULE)],
         "Erhöhen Sie „job“ von 1 auf 2. Wenn Sie „job“ ändern, verlangen die Regeln für „age“ mindestens 22: "
         "Erhöhen Sie „age“ von 20 auf 22."),
        ([Action("due", dt.date(2020, 1, 2), dt.date(2020, 3, 4))],
         "Verlegen Sie „due“ von 02.01.2020 auf 04.03.2020."),
        ([Action("phone", True, False)], "Ändern Sie „phone“ von ja auf nein."),
        ([Action("use", "car (new)", "radio/TV")], "Ändern Sie „use“ von „car (new)“ auf „radio/TV“."),
        ([Action("pay", 9, 5, "PLAF x_cf.pay * x_cf.pay <= 30")],
         "Die Regeln verlangen „x_cf.pay * x_cf.pay <= 30“: Senken Sie „pay“ von 9 auf 5."),
    ],
)  # fmt: skip
def test_german(changes: list[Action], expected: str) -> None:
    assert told(*changes, language="de") == expected


def test_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(SettingsError, match="language must be one of 'en', 'de', got 'fr'"):
        told(Action("a", 1, 2), language="fr")


@pytest.mark.parametrize(
    ("feature", "value", "expected"),
    [
        ("pay", 2400.0, "2,400"), ("pay", 0.1 + 0.2, "0.30000000000000004"), ("pay", 1234567.25, "1,234,567.25"),
        ("pay", -0.5, "-0.5"), ("pay", 1e-9, "1e-9"), ("pay", 3e20, "3e+20"), ("pay", 0.0, "0"),
        ("liq", 85.19999694824219, "85.2"), ("liq", 85.2, "85.2"), ("half", 0.0999755859375, "0.1"),
        ("flag", 1, "yes"), ("flag", 0.0, "no"), ("flag", 2, "2"), ("year", 2015, "2015"), ("code", 80331, "80331"),
        ("pay", None, "missing"), ("pay", "", "“”"), ("pay", dt.datetime(2020, 1, 2), "2020-01-02"),
        ("pay", dt.datetime(2020, 1, 2, 9, 30), "2020-01-02 09:30:00"),
    ],
)  # fmt: skip
def test_a_value_reads_as_people_write_it(feature: str, value: Any, expected: str) -> None:
    wording = Wording(
        {}, {"liq": "float32", "half": "float16"}, frozenset({"flag"}), frozenset({"year"}), frozenset({"code"})
    )

    assert Speech(wording).value(feature, value) == expected


def test_every_text_of_every_language_has_the_placeholders_of_the_english_one() -> None:
    def holes(texts: Texts) -> dict[str, set[str]]:
        every = {f.name: getattr(texts, f.name) for f in fields(Texts)}
        flat = {
            f"{name}.{key}": text
            for name, value in every.items()
            for key, text in (value.items() if isinstance(value, Mapping) else [("", value)])
            if isinstance(text, str)
        }
        return {name: {hole for _, hole, _, _ in Formatter().parse(text) if hole} for name, text in flat.items()}

    for texts in LANGUAGES.values():
        assert holes(texts) == holes(LANGUAGES["en"])


@pytest.mark.parametrize(
    ("before", "after", "run", "expected"),
    [
        (0, 5000, None, "Raise pay from 0 to 5,000."),
        (12, 6, None, "Lower pay from 12 to 6."),
        (5951, 5954, Range(5954, 6110), "Raise pay from 5,951 to 5,954 (up to 6,110)."),
        (0, 5000, Range(5000, 9000, most=True, highest=True), "Raise pay from 0 to at least 5,000."),
        (1.007054439, 0.7509038, None, "Lower pay from about 1 to 0.7509038."),
        (
            0.141472281,
            0.243,
            Range(0.243, 9.5, most=True, highest=True),
            "Raise pay from about 0.141 to at least 0.243.",
        ),
        (0.142910033, 9610, None, "Raise pay from about 0.143 to 9,610."),
        (0.578218736, 0.578416791, None, "Raise pay to 0.578416791."),
        (0.9999999, 1, None, "Raise pay to 1."),
        (0.0000012345, 0.5, None, "Raise pay to 0.5."),
        (0.1, 0.25, None, "Raise pay from 0.1 to 0.25."),
        (0.1, 0.25, Range(0.25, 0.3361002), "Raise pay from 0.1 to 0.25 (up to 0.336)."),
        (0.9, 0.034014, Range(0.033543035, 0.034014), "Lower pay from 0.9 to 0.034014 (down to 0.03355)."),
        (1.5, 1, Range(0.9999999, 1), "Lower pay from 1.5 to 1."),
    ],
)
def test_what_is_now_is_told_unless_it_has_too_many_digits(
    before: Any, after: Any, run: Range | None, expected: str
) -> None:
    assert told(Action("pay", before, after), ranges={"pay": run} if run else None) == expected


def test_one_text_that_needs_quotes_has_them_put_around_the_others() -> None:
    change = Action("since", "unemployed", "< 1 year", categorical=True)

    assert told(change, ranges={"since": Range("< 1 year", "< 1 year", others=("long",))}) == (
        "Change since from “unemployed” to “< 1 year” (“long” would also do)."
    )


def test_names_are_told_in_words_unless_two_of_them_would_be_the_same() -> None:
    assert told(Action("DebtRatio", 1, 3)) == "Raise debt ratio from 1 to 3."
    assert told(Action("NumberOfTime30_59DaysPastDue", 1, 3)) == "Raise number of time 30-59 days past due from 1 to 3."
    assert told(Action("DebtRatio", 1, 3), alike=frozenset({"DebtRatio"})) == "Raise DebtRatio from 1 to 3."
    assert told(Action("DebtRatio", 1, 3), language="de") == "Erhöhen Sie „Debt Ratio“ von 1 auf 3."


def test_what_a_rule_asks_is_told_of_the_feature_that_changes() -> None:
    rule = "PLAF x_cf.used <= x_cf.limit"
    change = Action("limit", 80, 104, required_by=rule)

    assert (
        told(change, Action("used", 90, 102))
        == "Raise used from 90 to 102. The rules ask for limit 102 or more: raise limit from 80 to 104."
    )


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Höhe des Kredits", "Senken Sie „Höhe des Kredits“ von 9 auf 5 Monate (bis hinab auf 4 Monate)."),
        ("die Laufzeit", "Senken Sie die Laufzeit von 9 auf 5 Monate (bis hinab auf 4 Monate)."),
        ("Ihre Laufzeit", "Senken Sie Ihre Laufzeit von 9 auf 5 Monate (bis hinab auf 4 Monate)."),
    ],
)
def test_a_german_name_without_an_article_is_in_quotes(label: str, expected: str) -> None:
    labels = {"due": Label("due", "months", de=Label(label, "Monate"))}

    assert told(Action("due", 9, 5), ranges={"due": Range(4, 5)}, language="de", labels=labels) == expected


def test_german_begins_anew_after_a_colon() -> None:
    changes = (Action("a", 1, 2), Action("b", 1, 2), Action("c", 2, 1))

    assert told(*changes, language="de") == (
        "All dies zusammen: Erhöhen Sie „a“ von 1 auf 2; erhöhen Sie „b“ von 1 auf 2; senken Sie „c“ von 2 auf 1."
    )


def test_a_change_that_goes_past_a_rule_does_not_say_that_the_rule_asks_for_all_of_it() -> None:
    rule = "PLAF IF x_cf.ratio > 0.8 THEN x_cf.insured = 'yes'"
    x = {"ratio": 0.9, "insured": "no"}
    cf = Counterfactual({**x, "ratio": 0.5}, (Action("ratio", 0.9, 0.5, rule),), 0.1, 0.8, True)

    assert "otherwise" not in sentence(cf, x)
    assert sentence(cf, x).endswith("if that stays as it is, the rules ask for insured to be yes.")


@pytest.mark.parametrize(
    ("before", "after", "unit", "expected"),
    [
        (2, 1, "points", "Lower rank from 2 points to 1."),
        (1, 2, "points", "Raise rank from 1 to 2 points."),
        (2, 1, "Punkte", "Lower rank from 2 Punkte to 1."),
        (2, 1, "%", "Lower rank from 2 to 1 %."),
        (2, 1, "EUR", "Lower rank from 2 to 1 EUR."),
        (2, 1, "Euro", "Lower rank from 2 to 1 Euro."),
    ],
)
def test_one_has_no_unit_in_the_plural(before: int, after: int, unit: str, expected: str) -> None:
    assert told(Action("rank", before, after), labels={"rank": Label("rank", unit)}) == expected
