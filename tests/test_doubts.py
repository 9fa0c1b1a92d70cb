"""Warnings of an Explainer: about the rules, the table and the model; strict makes errors of them."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from typer.testing import CliRunner

import geco
from geco.cli import app
from geco.errors import DataError, InstanceError, PlafError

FRAME = pd.DataFrame(
    {"age": [20 + i for i in range(30)], "job": ["clerk", "nurse"] * 15, "card": ["no"] * 15 + ["yes"] * 15}
)
FOREST = RandomForestClassifier(n_estimators=3, random_state=0).fit(FRAME[["age"]], FRAME.card)


def explainer(rules: str = "", model: Any = FOREST, exclude: tuple[str, ...] = (), **settings: Any) -> geco.Explainer:
    database = geco.Database.from_frame(FRAME, exclude=exclude)
    return geco.Explainer(model, database, geco.parse_plaf(rules), target=settings.pop("target", "yes"), **settings)


def test_a_label_left_in_the_table_is_named_and_one_that_rules_need_is_not() -> None:
    made = explainer("FIXED job")

    assert [w.message for w in made.warnings] == ["your model does not read 'card'; is it the label?"]
    assert "exclude=['card']" in made.describe()


def test_a_dead_rule_is_a_warning_of_the_explainer_and_of_its_saved_file(tmp_path: Path) -> None:
    made = explainer("PLAF x_cf.job = 'Clerk'", exclude=("card",))
    made.save(tmp_path / "saved.geco")

    assert [w.code for w in made.warnings] == ["unseen-value"]
    assert geco.Explainer.load(tmp_path / "saved.geco", FOREST).warnings == made.warnings


def test_strict_makes_errors_of_warnings() -> None:
    with pytest.raises(PlafError, match="'Clerk' never occurs in 'job'"):
        explainer("PLAF x_cf.job = 'Clerk'", exclude=("card",), strict=True)
    with pytest.raises(DataError, match="your model does not read 'card'"):
        explainer("FIXED job", strict=True)


def test_strict_accepts_a_program_without_doubts() -> None:
    assert explainer("FIXED job; PLAF x_cf.age <= x.age + 5", exclude=("card",), strict=True).warnings == ()


@pytest.mark.parametrize(
    "function",
    [
        FOREST.predict_proba,
        functools.partial(FOREST.predict_proba),
        lambda rows: FOREST.predict_proba(rows[["age"]])[:, 1],
    ],
    ids=["method", "partial", "lambda"],
)
def test_a_function_that_only_asks_a_model_is_seen_through(function: Any) -> None:
    frame = FRAME[["age"]]
    made = geco.Explainer(function, geco.Database.from_frame(frame), target=0.5 if "lambda" in str(function) else 1)

    assert [w.message for w in made.warnings] == [
        "the model is a function that only asks a RandomForestClassifier, which geco could read"
    ]


def test_a_function_that_does_more_is_left_alone() -> None:
    def scored(rows: pd.DataFrame) -> Any:
        return FOREST.predict_proba(rows[["age"]].clip(upper=40))[:, 1]

    assert geco.Explainer(scored, geco.Database.from_frame(FRAME[["age"]]), target=0.5).warnings == ()


def test_a_frame_given_to_explain_hears_of_explain_many() -> None:
    made = explainer("FIXED job", exclude=("card",))
    with pytest.raises(InstanceError, match=r"got a frame of 30 rows; explain them all with explain_many\(frame\)"):
        made.explain(FRAME)
    with pytest.raises(InstanceError, match="got list; for several rows use explain_many"):
        made.explain([{"age": 20, "job": "clerk"}])


def test_check_prints_warnings_and_with_strict_ends_with_an_error(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "rules.plaf").write_text("PLAF x_cf.job = 'Clerk'\nPLAF x_cf.card = 'yes'", encoding="utf-8")
    table = ["--data", str(tmp_path / "table.csv")]
    loose = CliRunner().invoke(app, ["check", str(tmp_path / "rules.plaf"), *table])
    strict = CliRunner().invoke(app, ["check", str(tmp_path / "rules.plaf"), *table, "--strict"])
    excluded = CliRunner().invoke(app, ["check", str(tmp_path / "rules.plaf"), *table, "--exclude", "card"])

    assert loose.exit_code == 0 and "did you mean 'clerk'?" in loose.output
    assert strict.exit_code == 1 and "did you mean 'clerk'?" in strict.output
    assert excluded.exit_code == 2 and "'card' is excluded from the database" in excluded.output
