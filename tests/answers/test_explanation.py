"""Explanations as data, text, HTML and plain words; all made by hand, no search involved."""

from __future__ import annotations

import datetime as dt
import json
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geco.answers.explanation import Action, Counterfactual, Explanation
from geco.answers.range import Range
from geco.answers.values import shorten, show
from geco.errors import GecoError
from geco.trace import Size, Trace
from oracles.schema import against_schema

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "explanation.schema.json").read_text(encoding="utf-8"))
RULE = "PLAF IF x_cf.job > x.job THEN x_cf.age >= x.age + 2"


def way(*changes: Action, distance: float = 0.012, outcome: float = 0.83, confirmed: bool = True) -> Counterfactual:
    values = {"income": 1, "age": 2} | {action.feature: action.after for action in changes}
    return Counterfactual(values, changes, distance, outcome, confirmed, tuple(a.feature for a in changes))


def explanation(*cfs: Counterfactual, **settings: Any) -> Explanation:
    given: dict[str, Any] = {"x": {"income": 1, "age": 2}, "outcome": 0.31, "target": "P(good) > 0.5"}
    given |= {"status": "found", "stopped_by": "converged", "reason": "the best 5 did not change"}
    return Explanation(**given | {"counterfactuals": cfs} | settings)


# Data


def test_to_dict_follows_the_published_schema() -> None:
    trace = Trace(generations=3, model_calls=4, sizes=[Size(2, 1, 20)], dropped={RULE: 7}, seconds={"mutate": 0.1})
    full = explanation(way(Action("age", 20, 22, RULE)), nearest_miss=way(), notes=("a note",), trace=trace)

    assert against_schema(SCHEMA, full.to_dict()) == []


def test_the_schema_check_notices_a_missing_an_unknown_and_a_mistyped_key() -> None:
    broken = explanation(way()).to_dict() | {"status": "perhaps", "extra": 1, "seconds": "long"}
    del broken["x"]

    assert len(against_schema(SCHEMA, broken)) == 4


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.int64(3), 3), (np.float32(0.5), 0.5), (np.bool_(True), True), (np.str_("a"), "a"),
        (float("nan"), None), (np.datetime64("NaT"), None), (None, None), (float("inf"), "inf"),
        (dt.date(2020, 1, 2), "2020-01-02"), (dt.datetime(2020, 1, 2, 3, 4), "2020-01-02T03:04:00"),
        (np.datetime64("2020-01-02"), "2020-01-02"),
    ],
)  # fmt: skip
def test_to_json_writes_any_value_a_table_may_hold(value: Any, expected: Any) -> None:
    text = explanation(x={"f": value}).to_json()

    assert json.loads(text)["x"]["f"] == expected


def test_pandas_missing_values_become_null() -> None:
    pd = pytest.importorskip("pandas")

    assert explanation(x={"a": pd.NA, "b": pd.NaT}).to_dict()["x"] == {"a": None, "b": None}


def test_to_frame_has_x_first_then_the_counterfactuals() -> None:
    frame = explanation(way(Action("age", 2, 5)), way(Action("income", 1, 9))).to_frame()

    assert frame.to_dict("list") == {
        "income": [1, 1, 9], "age": [2, 5, 2], "distance": [0.0, 0.012, 0.012], "outcome": [0.31, 0.83, 0.83],
    }  # fmt: skip


def test_to_frame_keeps_integers_whole_beside_missing_values() -> None:
    frame = explanation(way(Action("age", None, 5)), x={"income": 1, "age": None}).to_frame()

    assert [repr(v) for v in frame["age"]] == ["nan", "5"]


def test_to_frame_makes_room_for_a_feature_called_distance() -> None:
    cf = Counterfactual({"distance": 8}, (Action("distance", 7, 8),), 0.1, 0.9, True)

    assert list(explanation(cf, x={"distance": 7}).to_frame().columns) == ["distance", "distance_", "outcome"]


def test_to_frame_without_pandas_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(GecoError, match=r"to_frame needs pandas.*to_dict"):
        explanation().to_frame()


def test_time_and_trace_do_not_count_when_explanations_are_compared() -> None:
    assert explanation(way(), seconds=1.0, trace=Trace(model_calls=1)) == explanation(way(), seconds=2.0)


# Text


def test_the_text_has_one_line_per_way() -> None:
    text = str(explanation(way(Action("CapitalGain", 0, 4787))))

    assert text.splitlines()[1] == "1. CapitalGain 0 ▶ 4,787   dist 0.012   M 0.83"


def test_the_text_joins_changes_and_names_the_rule_that_requires_one() -> None:
    text = str(explanation(way(Action("job", 1, 2), Action("age", 20, 22, RULE))))

    assert text.splitlines()[1:] == [
        "1. job 1 ▶ 2, age 20 ▶ 22*   dist 0.012   M 0.83",
        "   * age: required by IF x_cf.job > x.job THEN x_cf.age >= x.age + 2",
    ]


def test_the_text_gives_status_reason_nearest_miss_and_notes_when_nothing_was_found() -> None:
    miss = way(Action("age", 2, 5), outcome=0.48, confirmed=False)
    ending = {"status": "none_found", "stopped_by": "budget", "reason": "2,000 rows were not enough"}
    text = str(explanation(**ending, nearest_miss=miss, notes=("income was never seen",)))

    assert text.splitlines() == [
        "M(x) 0.31, wanted P(good) > 0.5",
        "none found (budget): 2,000 rows were not enough",
        "nearest miss: age 2 ▶ 5   dist 0.012   M 0.48   not confirmed",
        "note: income was never seen",
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.1, "0.1"), (4787, "4787"), (1 / 3, repr(1 / 3)), (np.float64(0.1), "0.1"), (None, "missing"), (True, "True"),
     (dt.datetime(2020, 1, 2), "2020-01-02"), (dt.datetime(2020, 1, 2, 3, 4), "2020-01-02 03:04:00")],
)  # fmt: skip
def test_values_are_shown_exactly(value: Any, expected: str) -> None:
    assert show(value) == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [(0.50001, "0.50001"), (0.5, "0.5"), (1.0, "1"), (1234.56, "1,235"), (1e-5, "1e-05")],
)
def test_a_shortened_number_never_hides_a_small_difference(number: float, expected: str) -> None:
    assert shorten(number) == expected


# HTML


class Cells(HTMLParser):
    """The text of all marked cells, and a check that tags close."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.marked: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "mark":
            self.marked.append(data)


def test_the_html_marks_exactly_the_changed_values() -> None:
    cells = Cells()
    cells.feed(explanation(way(Action("job", 1, 2)), way(Action("age", 20, 22, RULE)))._repr_html_())

    assert (cells.marked, cells.open) == (["2", "22*"], [])


def test_the_html_escapes_names_values_rules_and_notes() -> None:
    evil = "<script>\"'&"
    html = explanation(way(Action(evil, evil, evil, evil)), target=evil, notes=(evil,))._repr_html_()

    assert "<script>" not in html
    assert "\"'&" not in html


def test_the_html_shows_the_nearest_miss_when_nothing_was_found() -> None:
    html = explanation(status="none_found", nearest_miss=way(Action("age", 2, 5)))._repr_html_()

    assert "nearest miss" in html
    assert "none found (converged): the best 5 did not change" in html


# Plain words


# Trace


def test_laps_of_one_operator_add_up() -> None:
    trace = Trace()
    for _ in range(2):
        with trace.lap("mutate"):
            before = trace.seconds.get("mutate", 0.0)

    assert list(trace.seconds) == ["mutate"]
    assert trace.seconds["mutate"] > before > 0


def test_a_lap_counts_even_if_the_operator_fails() -> None:
    trace = Trace()
    with pytest.raises(RuntimeError), trace.lap("mutate"):
        raise RuntimeError

    assert "mutate" in trace.seconds


def test_compression_compares_the_listing_with_the_papers_measure() -> None:
    assert Trace(sizes=[Size(10, 8, 100), Size(10, 8, 50)]).compression == 7.5


def test_what_else_would_do_has_columns_of_its_own() -> None:
    cf = replace(way(Action("age", 2, 5)), ranges={"age": Range(4, 9), "job": Range("a", "a", others=("b", "c"))})
    frame = explanation(cf, way(Action("income", 1, 9))).to_frame()

    assert frame["age_low"].tolist() == [None, 4, None] and frame["age_high"].tolist() == [None, 9, None]
    assert frame["job_others"].tolist() == [None, ("b", "c"), None]


def test_fewer_ways_than_were_asked_for_are_said_and_why() -> None:
    few = replace(explanation(way(Action("age", 2, 5))), k=5, stopped_by="deadline")

    assert "1 of 5 ways: the time was up" in str(few).splitlines()
    assert "1 von 5 Wegen: die Zeit war um" in few.text("de")
    assert "1 of 5 ways: the time was up" in few._repr_html_()
    assert "of 1 ways" not in str(replace(few, k=1))


def test_german_has_its_own_decimal_point_everywhere() -> None:
    doubtful = replace(explanation(way(Action("age", 2, 5))), target="P(1.5) > 0.5", proven=False, gap=0.0087)

    assert doubtful.text("de").splitlines()[0].endswith("gewünscht P(1.5) > 0,5")
    assert "um höchstens 0,0087 nähere" in doubtful.text("de") and "by at most 0.0087" in doubtful.text()


def test_the_class_that_results_is_said() -> None:
    several = explanation(replace(way(Action("age", 2, 5)), predicted="gold"))

    assert several.sentence(several.counterfactuals[0]).endswith("The model then predicts gold.")
    assert several.sentence(several.counterfactuals[0], "de").endswith("Das Modell sagt dann gold voraus.")
    assert "(gold)" in str(several) and "(gold)" in several._repr_html_()
    assert Explanation.from_json(several.to_json()).counterfactuals[0].predicted == "gold"


def test_an_x_that_is_good_and_breaks_a_rule_is_not_told_that_the_decision_was_no() -> None:
    kept = replace(explanation(way(Action("age", 2, 5))), good=True)

    assert "says yes as it is, but a rule is broken" in str(kept)
    assert kept.plans().decision.startswith("The decision is yes, but a rule is broken.")


def test_every_answer_has_a_sentence_and_nothing_else_has() -> None:
    told = explanation(way(Action("income", 1, 3)), way(Action("age", 2, 5)))

    assert told.sentences() == [told.sentence(cf) for cf in told.counterfactuals]
    assert told.sentences("de")[1] == "Erhöhen Sie „age“ von 2 auf 5."
    with pytest.raises(TypeError, match=r"sentence takes one of explanation\.counterfactuals, got 0"):
        told.sentence(0)  # type: ignore[arg-type]


def test_an_outcome_never_reads_as_the_limit_that_it_is_beyond() -> None:
    hair = Counterfactual({"a": 2}, (Action("a", 1, 2),), 0.5, 0.5000000000000001, True)
    explanation = Explanation({"a": 1}, 0.3, "P(good) > 0.5", "found", "converged", "", (hair,))

    assert "dist 0.5   M 0.5000000000000001" in str(explanation)
    assert "0,5000000000000001" in explanation.text("de")
    assert "0.5000000000000001" in explanation._repr_html_()


def test_print_says_why_an_answer_may_be_nearer_than_the_one_before_it() -> None:
    def way(distance: float, unrounded: Counterfactual | None = None) -> Counterfactual:
        return Counterfactual({"a": 2}, (Action("a", 1, 2),), distance, 0.7, True, unrounded=unrounded)

    def printed(*ways: Counterfactual) -> str:
        return str(Explanation({"a": 1}, 0.3, "P(good) > 0.5", "found", "converged", "", ways))

    assert "sorted before rounding: a rounder value may be a little farther" in printed(way(0.3, way(0.1)), way(0.2))
    assert "sorted" not in printed(way(0.2, way(0.1)), way(0.3))


def test_print_names_a_few_of_many_categories_that_would_do() -> None:
    others = Range("b", "b", others=tuple("cdefg"))
    cf = Counterfactual({"a": "b"}, (Action("a", "a", "b", categorical=True),), 0.1, 0.7, True, ranges={"a": others})
    explanation = Explanation({"a": "a"}, 0.3, "P(good) > 0.5", "found", "converged", "", (cf,))

    assert "a a ▶ b [c | d | e | 2 others]" in str(explanation)
