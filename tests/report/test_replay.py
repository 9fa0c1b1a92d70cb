"""Records: the same comes out, or what has changed is named."""

from __future__ import annotations

import copy
import json
from typing import Any

import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import geco
import geco.demo
from geco.errors import RecordError
from geco.report.replay import replay

TABLE = pd.DataFrame({"pay": range(0, 100, 5), "debt": [7 * n % 20 for n in range(20)], "town": ["a", "b"] * 10})
GOOD = (TABLE.pay - TABLE.debt > 40).astype(int)
RULES = "FIXED town\nPLAF x_cf.debt <= x.debt"
X = {"pay": 20, "debt": 11, "town": "a"}


def explainer(table: pd.DataFrame = TABLE, good: Any = GOOD, rules: str = RULES, **more: Any) -> geco.Explainer:
    model = DecisionTreeClassifier(random_state=0).fit(table[["pay", "debt"]], good)
    return geco.Explainer(model, geco.Database.from_frame(table), geco.parse_plaf(rules), **more)


def record(**question: Any) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(explainer().explain(X, **question).to_json())
    return told


@pytest.mark.parametrize(
    "question",
    [
        {},
        {"k": 1, "seed": 3},
        {"fixed": ["debt"]},
        {"only": ["pay"], "rules": "PLAF x_cf.pay <= 90"},
        {"target": 0.7, "margin": 0.05},
        {"params": geco.Params(weights={"pay": 2.0}), "max_evals": 500},
        {"ways": "top"},
    ],
)
def test_a_record_of_the_same_parts_comes_out_the_same(question: dict[str, Any]) -> None:
    result = replay(record(**question), explainer())

    assert result, str(result)
    assert result.causes == ()


@pytest.mark.parametrize(
    ("now", "cause"),
    [
        (explainer(good=(TABLE.pay - TABLE.debt > 60).astype(int)), "the model"),
        (explainer(rules="FIXED town\nPLAF x_cf.debt < x.debt"), "the rules"),
        (explainer(TABLE.assign(town=["a", "b"] * 9 + ["a", "c"])), "the data"),
        (explainer(params=geco.Params(alpha=0.5, beta=0.5)), "settings (params)"),
    ],
)
def test_what_has_changed_is_named(now: geco.Explainer, cause: str) -> None:
    assert replay(record(), now).causes == (cause,)


def test_another_version_and_another_x_are_named() -> None:
    told = record()
    told["made"]["version"] = "0.0.1"
    told["x"]["pay"] = 25
    result = replay(told, explainer())

    assert result.causes[0].startswith("geco itself (0.0.1")
    assert not result and result.differences


def test_what_was_written_otherwise_is_shown_where_it_differs() -> None:
    told = record()
    told["counterfactuals"][0]["values"]["pay"] = 99
    result = replay(told, explainer())

    assert not result
    assert result.differences[0].startswith("counterfactuals[0].values.pay: was 99, is ")


def test_a_run_that_a_clock_had_cut_is_checked_for_validity_only() -> None:
    told = record()
    told["stopped_by"] = "deadline"
    wrong = copy.deepcopy(told)
    wrong["counterfactuals"][0]["values"] |= {"debt": 19, "pay": 5}

    assert replay(told, explainer()).valid_only and replay(told, explainer())
    assert "cannot be repeated" in str(replay(told, explainer()))
    assert not replay(wrong, explainer())


@pytest.mark.parametrize("wrong", [{}, {"made": None}, {"made": {"record": 1}}, [1], "text"])
def test_what_is_not_a_record_is_refused(wrong: Any) -> None:
    with pytest.raises(RecordError, match="this is no record"):
        replay(wrong, explainer())


def test_a_record_of_a_newer_format_is_refused() -> None:
    told = record()
    told["made"]["record"] = 99

    with pytest.raises(RecordError, match="format 99"):
        replay(told, explainer())


def test_a_record_from_before_ranges_knew_the_ends_of_d_is_replayed_the_same() -> None:
    frame, model, database, program = geco.demo.load()
    explainer = geco.Explainer(model, database, program, target="good")
    record = json.loads(explainer.explain(frame.drop(columns="risk").iloc[3]).to_json())
    runs = [run for cf in record["counterfactuals"] for run in cf["ranges"].values()]
    for run in runs:
        del run["lowest"], run["highest"]

    assert runs and replay(record, explainer).same
    del record["proven"]
    assert not replay(record, explainer).same
