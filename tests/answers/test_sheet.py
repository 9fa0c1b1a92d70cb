"""Plans and the printed page: what a person reads, and the evidence behind it."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import geco
import geco.demo
from geco.answers.explanation import Action, Counterfactual, Explanation
from geco.answers.range import Range
from geco.answers.scale import Scale
from geco.answers.speech import Speech
from geco.errors import DataError, SettingsError
from geco.trace import Trace


@pytest.fixture(scope="module")
def explanation() -> geco.Explanation:
    frame, model, database, program = geco.demo.load()
    labels = {"credit_amount": geco.Label("the loan amount", unit="€"), "duration": "the term"}
    explainer = geco.Explainer(model, database, program, target="good", labels=labels)
    return explainer.explain(frame.drop(columns="risk").iloc[3])


class Reader(HTMLParser):
    """Text of a page, its tags, and whether every one of them is closed."""

    VOID = ("meta", "wbr", "circle", "rect", "line", "text-anchor")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.texts.append(data)


def test_a_plan_has_one_step_per_change_what_the_person_does_first(explanation: geco.Explanation) -> None:
    by_features = {frozenset(a.feature for a in cf.changes): n for n, cf in enumerate(explanation.counterfactuals)}
    plan = explanation.plans(most=5).plans[by_features[frozenset({"job", "age"})]]

    assert [step.feature for step in plan.steps] == ["job", "age"]
    assert plan.steps[0].rule == ""
    assert plan.steps[1].rule == "After a change of job, the rules ask for age 47 or more"


def test_plans_say_what_stays_and_that_the_rules_hold_it(explanation: geco.Explanation) -> None:
    stays = {each.feature: each for each in explanation.plans().stays}

    assert stays["sex"].why == "the rules leave it as it is"
    changed = {a.feature for cf in explanation.counterfactuals[:3] for a in cf.changes}
    assert stays.keys() == set(explanation.x) - changed


def test_a_page_is_whole_and_asks_nobody(explanation: geco.Explanation) -> None:
    html = explanation.to_html(reasons=["07 The loan is large & long"])
    reader = Reader(html)

    assert reader.open == []
    assert not {"script", "link", "img", "iframe"} & set(reader.tags)
    assert "http" not in html and "url(" not in html
    assert "07 The loan is large & long" in reader.texts


def test_a_page_has_every_step_of_its_plans_and_every_digest(explanation: geco.Explanation) -> None:
    told, html = Reader(explanation.to_html()), explanation.to_html()
    steps = [step.text for plan in explanation.plans().plans for step in plan.steps]
    assert explanation.made is not None
    digests = explanation.made.to_dict()["fingerprint"]

    assert steps and all(step in told.texts for step in steps)
    assert all(digests[name] in html for name in ("model", "data", "rules"))


def test_a_page_speaks_german(explanation: geco.Explanation) -> None:
    html = explanation.to_html(language="de")

    assert '<html lang="de">' in html
    assert "Die Entscheidung war ein Nein" in html and "The decision" not in html
    with pytest.raises(SettingsError, match="language must be one of 'en', 'de'"):
        explanation.to_html(language="fr")


def test_a_german_page_writes_numbers_as_germans_do(explanation: geco.Explanation) -> None:
    shown = replace(
        explanation, target="P(good) > 0.5", outcome=0.25, trace=Trace(points_scored=12165, model_rows=1001)
    )
    evidence = "|".join(Reader(shown.to_html(language="de")).texts).partition("Nachweis")[2]

    assert "P(good) > 0,5" in evidence and "|0,25|" in evidence
    assert "12.165 Möglichkeiten" in evidence and "1.001 Zeilen" in evidence


def test_a_german_page_says_that_there_were_no_more_only_where_fewer_were_found(explanation: geco.Explanation) -> None:
    enough, fewer = (replace(explanation, k=k) for k in (len(explanation.counterfactuals), 9))

    assert "weitere wurden nicht gefunden" not in enough.to_html(language="de")
    assert "5 von 9 Wegen: weitere wurden nicht gefunden" in fewer.to_html(language="de")


def test_a_german_page_of_a_black_box_says_in_german_that_it_has_no_digest() -> None:
    frame = pd.DataFrame({"pay": np.arange(50)})
    black = geco.Explainer(lambda f: f["pay"] / 50, geco.Database.from_frame(frame)).explain({"pay": 3})

    assert "not compiled" in black.to_html() and "not compiled" not in black.to_html(language="de")


def test_of_a_rounded_plan_no_page_says_that_nothing_smaller_would_do() -> None:
    exact = Counterfactual({"pay": 2087}, (Action("pay", 1900, 2087),), 0.1, 0.7, True)
    round_ = Counterfactual({"pay": 2100}, (Action("pay", 1900, 2100),), 0.11, 0.7, True, unrounded=exact)
    for cf, rounded in ((exact, False), (round_, True)):
        explanation = Explanation(
            {"pay": 1900}, 0.3, "P(good) > 0.5", "found", "converged", "", (cf,), proven=True, proven_ways=1
        )
        english, german = (Reader(explanation.to_html(language=language)).texts for language in ("en", "de"))

        assert ("no smaller change would do: proved" in english) != rounded
        assert ("keine kleinere Änderung würde genügen: bewiesen" in german) != rounded
        assert ("apart from rounding, no smaller change would do: proved" in english) == rounded
        assert ("vom Runden abgesehen würde keine kleinere Änderung genügen: bewiesen" in german) == rounded
        assert ("the first plan is proved to be the nearest there is" in english) != rounded


def test_beside_at_least_nothing_is_said_of_what_else_would_do() -> None:
    def also(after: int, run: Range) -> str:
        cf = Counterfactual({"pay": after}, (Action("pay", 1000, after),), 0.1, 0.7, True, ranges={"pay": run})
        found = Explanation({"pay": 1000}, 0.3, "P(good) > 0.5", "found", "converged", "", (cf,))
        return found.plans().plans[0].steps[0].also

    assert also(2100, Range(2100, 9000, most=True, highest=True)) == ""
    assert also(2100, Range(1900, 9000, most=True, highest=True)) == "1,900 or more would do"
    assert also(2100, Range(1900, 9000)) == "1,900 to 9,000 would do"


def test_a_page_shows_no_more_decimals_than_a_sentence() -> None:
    change = Action("use", 0.658371401, 0.25)
    cf = Counterfactual({"use": 0.25, "rate": 3.900000095367432}, (change,), 0.1, 0.7, True,
                        ranges={"use": Range(0.103615397, 0.296099450)})  # fmt: skip
    x = {"use": 0.658371401, "rate": 3.900000095367432}
    told = Explanation(x, 0.3, "P(good) > 0.5", "found", "converged", "", (cf,)).plans()

    assert told.plans[0].steps[0].also == "0.11 to 0.296 would do"
    assert told.plans[0].steps[0].now == "now about 0.66"
    assert told.stays[0].value == "about 3.9"


def test_a_page_is_written_where_a_path_is_given(explanation: geco.Explanation, tmp_path: Path) -> None:
    explanation.to_html(tmp_path / "page.html")

    assert (tmp_path / "page.html").read_text("utf-8") == explanation.to_html()
    with pytest.raises(DataError, match="cannot write"):
        explanation.to_html(tmp_path / "no" / "page.html")


def test_names_and_values_cannot_break_the_page() -> None:
    wicked = '<script>alert("x")</script>'
    cf = Counterfactual({wicked: "b&"}, (Action(wicked, "<a>", "b&"),), 0.1, 0.7, True)
    html = Explanation({wicked: "<a>"}, 0.3, "P(<good>) > 0.5", "found", "converged", "<b>", (cf,)).to_html()

    assert Reader(html).open == []
    assert "<script>" not in html and "<a>" not in html


@pytest.mark.parametrize("status", ["already_good", "none_found", "infeasible", "failed"])
def test_without_a_plan_the_page_says_why(status: str) -> None:
    html = Explanation({"a": 1}, 0.3, "P(good) > 0.5", status, "exhausted", "Nothing of it helps.").to_html()  # type: ignore[arg-type]

    assert Reader(html).open == []
    assert ("Nothing of it helps." in html) and "Plan 1" not in html


def test_where_it_is_proved_that_there_is_no_plan_the_decision_says_so() -> None:
    words = ({"a": 1}, 0.3, "P(good) > 0.5", "none_found", "exhausted", "")

    assert "that was looked at" in Explanation(*words, proven=False).plans().decision  # type: ignore[arg-type]
    assert "that is proved" in Explanation(*words, proven=True).plans().decision  # type: ignore[arg-type]


def test_what_stays_is_not_needed_for_this_plan_or_for_these() -> None:
    one, two = (Counterfactual({"a": n, "b": 1}, (Action("a", 0, n),), 0.1, 0.7, True) for n in (1, 2))
    found = [
        Explanation({"a": 0, "b": 1}, 0.3, "P(good) > 0.5", "found", "converged", "", cfs)
        for cfs in ((one,), (one, two))
    ]

    assert [e.plans().stays[0].why for e in found] == ["not needed for this plan", "not needed for these plans"]


def test_what_would_do_as_well_is_said_beside_a_step_and_drawn() -> None:
    ranges = {"pay": Range(2100, 3400)}
    alone = Counterfactual({"pay": 2100}, (Action("pay", 1900, 2100),), 0.1, 0.7, True, ranges=ranges)
    both = Counterfactual(
        {"pay": 2100, "b": 2}, (Action("pay", 1900, 2100), Action("b", 1, 2)), 0.2, 0.7, True, ranges=ranges
    )
    explanation = Explanation({"pay": 1900, "b": 1}, 0.3, "P(good) > 0.5", "found", "converged", "", (alone, both))
    one, two = explanation.plans().plans

    assert one.steps[0].also == "2,100 to 3,400 would do"
    assert two.steps[0].also == "2,100 to 3,400 would do, the rest as here"
    assert explanation.to_html().count('class="run"') == 2


@pytest.mark.parametrize(
    ("outcome", "target", "told"),
    [
        (0.393, "P(good) > 0.5", "39"),
        (0.4996, "P(good) > 0.5", "49.96"),
        (0.50001, "P(good) > 0.5", "50.001"),
        (0.5000000000000001, "P(good) > 0.5", "50.00000000000001"),
        (0.7, "P(good) > 0.7", "70"),
        (1234.5, "at least 2000", "1,234"),
        (0.393, "class b", "0.393"),
    ],
)
def test_a_probability_reads_as_a_number_of_100_and_never_as_the_limit(outcome: float, target: str, told: str) -> None:
    explanation = Explanation({}, outcome, target, "none_found", "converged", "")
    scale = Scale.of(explanation, Speech(explanation.wording))

    assert scale.told(outcome) == told


def test_forty_features_with_long_names_are_all_there() -> None:
    names = [f"a_feature_with_a_rather_long_name_that_nobody_shortened_{i:02}" for i in range(40)]
    frame = pd.DataFrame(np.random.default_rng(0).integers(0, 9, (200, 40)), columns=names)
    explainer = geco.Explainer(lambda f: 0.3 + 0.03 * f[names[0]], geco.Database.from_frame(frame))
    html = explainer.explain({**dict.fromkeys(names, 3), names[0]: 1}).to_html()

    assert all(name.replace("_", " ") in html for name in names)


def test_where_nothing_was_found_a_page_says_whether_that_is_proved_and_what_the_rules_hold(
    explanation: geco.Explanation,
) -> None:
    frame, model, database, program = geco.demo.load()
    explainer = geco.Explainer(model, database, program, target="good")
    x = frame.drop(columns="risk").iloc[3]
    none = explainer.explain(x, fixed=[name for name in x.index if name not in ("sex", "housing")])
    texts = Reader(none.to_html(language="de")).texts

    assert "Es ist bewiesen, dass keine Änderung, die die Regeln zulassen, die Entscheidung wenden würde." in texts
    assert {each.feature for each in none.plans("de").stays} >= {"age", "credit_amount"}
    assert "bewiesen: keine Änderung, die die Regeln zulassen, würde genügen" in texts
    assert "P(good)" not in "".join(texts).partition("Nachweis")[0]


@pytest.mark.parametrize(("language", "word"), [("en", "lower the loan amount"), ("de", "senken Sie the loan amount")])
def test_the_page_of_many_sums_up_in_its_language(explanation: geco.Explanation, language: str, word: str) -> None:
    frame, model, database, program = geco.demo.load()
    labels = {"credit_amount": geco.Label("the loan amount", unit="€")}
    explainer = geco.Explainer(model, database, program, target="good", labels=labels)
    explanations = explainer.explain_many(frame.drop(columns="risk").head(20), k=1)
    summary = explainer.summary(explanations, by="sex")
    texts = Reader(explanations.to_html(language=language, summary=summary)).texts

    assert any(text.lower().startswith(word.lower()) and "€" in text for text in texts)
    assert ("people" in texts) == (language == "en")
    assert ("Personen" in texts) == (language == "de")
    assert any(rule.startswith("PLAF") for rule in texts)
