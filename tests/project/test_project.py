"""geco.open: the parts of a project, and what does not fit together."""

# ruff: noqa: E501  (messages are shown as they are)

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

import geco
from geco.errors import DataError, InstanceError, ModelError, ProjectError, SettingsError
from geco.project.findings import findings
from loans import TOML, fitted, people, write_project


def test_a_project_explains_a_row_by_number_and_by_key_alike(tmp_path: Path) -> None:
    project = geco.open(write_project(tmp_path))
    x = project.row(7)

    assert x == project.row(key=4007) == project.row(key="4007")
    assert "customer" not in x and "repaid" not in x
    assert project.explain(x) == project.explainer.explain(x, k=2)


def test_a_project_is_the_explainer_of_its_parts(tmp_path: Path) -> None:
    project = geco.open(write_project(tmp_path))
    database = geco.Database.from_frame(people(), exclude=["repaid", "customer"])
    explainer = geco.Explainer(fitted(), database, geco.parse_plaf("FIXED age"), target="yes")
    bad = [row for row in range(40) if project.explain(project.row(row)).status == "found"][:5]

    assert bad
    assert all(
        project.explain(project.row(r)).counterfactuals == explainer.explain(project.row(r), k=2).counterfactuals
        for r in bad
    )


@pytest.mark.parametrize(("key", "message"), [(1, "no row of the table"), (None, "give the number of a row")])
def test_a_row_that_is_not_there_is_one_clear_error(key: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises((InstanceError, SettingsError), match=message):
        geco.open(write_project(tmp_path)).row(key=key)


def test_the_table_may_come_from_a_query(tmp_path: Path) -> None:
    toml = write_project(tmp_path, TOML.replace('source = "loans.csv"', 'connection = "loans.db"\nquery = "loans"'))
    with sqlite3.connect(toml.parent / "loans.db") as connection:
        people().to_sql("loans", connection, index=False)

    assert geco.open(toml).row(7) == geco.open(write_project(tmp_path)).row(7)


def test_the_table_may_be_a_folder(tmp_path: Path) -> None:
    toml = write_project(tmp_path, TOML.replace("loans.csv", "parts"))
    (toml.parent / "parts").mkdir()
    (toml.parent / "loans.csv").rename(toml.parent / "parts" / "a.csv")

    assert geco.open(toml).database.rows == len(people())


def test_steps_of_features_are_steps_of_the_distance(tmp_path: Path) -> None:
    project = geco.open(
        write_project(tmp_path, TOML + "[features.income]\nstep = 300\n[distance]\nsteps = { amount = 500 }\n")
    )

    assert project.params.steps == {"income": 300, "amount": 500}


def test_words_of_features_are_labels_of_the_explainer(tmp_path: Path) -> None:
    words = '[features.income]\nlabel = "monthly income"\nunit = "€"\nstep = 50\n[features.age]\nkind = "continuous"\n'
    labels = geco.open(write_project(tmp_path, TOML + words)).explainer.labels

    assert labels == {"income": geco.Label("monthly income", unit="€")}


def test_a_distance_that_does_not_add_up_names_its_table(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"geco.toml:\d+: alpha \+ beta"):
        geco.open(write_project(tmp_path, TOML + "[distance]\nalpha = 0.9\nbeta = 0.9\n")).params  # noqa: B018


@pytest.mark.parametrize(
    ("changed", "to", "error", "message"),
    [
        ('label = "repaid"', 'label = "repayed"', ProjectError, r":4: label in \[data\]: the table has no column 'repayed'; did you mean 'repaid'"),
        ('key = "customer"', 'key = "id"', ProjectError, r":5: key in \[data\]: .* its columns are customer, age, "),
        ("loans.csv", "loan.csv", ProjectError, r":3: source in \[data\] names .*loan.csv', .* did you mean 'loans.csv'"),
        ("model.skops", "modle.skops", ProjectError, r":8: file in \[model\] .* did you mean 'model.skops'"),
        ("rules.plaf", "rule.plaf", ProjectError, r":12: file in \[rules\] .* did you mean 'rules.plaf'"),
        ("model.skops", "loans.csv", ModelError, "ends in .csv, which says no kind of model"),
        ('file = "model.skops"', "", ProjectError, "the project has no model yet"),
        ('file = "model.skops"', 'python = "json:nothing"', ModelError, "cannot be loaded"),
        ('file = "model.skops"', 'python = "json"', ProjectError, "must be package.module:attribute"),
        ('label = "repaid"', 'label = "repaid"\nexclude = ["age"]', DataError, r"1 of the 4 columns .* 'age' \(the project leaves it out\)"),
        ('target = "yes"', 'output = "logit"', ProjectError, r"output in \[model\] is for .pt files only"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_with_its_place(
    changed: str, to: str, error: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=message):
        geco.open(write_project(tmp_path, TOML.replace(changed, to))).explainer  # noqa: B018


def test_a_renamed_column_is_listed_with_the_one_that_is_there(tmp_path: Path) -> None:
    toml = write_project(tmp_path)
    table = toml.parent / "loans.csv"
    table.write_text(table.read_text().replace("income", "incomes", 1))
    with pytest.raises(DataError) as caught:
        geco.open(toml).explainer  # noqa: B018

    assert "'income' (did you mean 'incomes'?)" in str(caught.value)
    assert "does not read: incomes" in str(caught.value)


def test_a_model_in_python_is_found_beside_the_project(tmp_path: Path) -> None:
    toml = write_project(
        tmp_path, TOML.replace('file = "model.skops"\ntarget = "yes"', 'python = "my_scoring:approve"')
    )
    (toml.parent / "my_scoring.py").write_text("def approve(frame):\n    return (frame['income'] > 3000) * 0.8\n")
    project = geco.open(toml)

    assert project.explain(project.row(0)).target == "P(good) > 0.5"


@pytest.mark.parametrize(("target", "words"), [('"no"', "P(no) > 0.5"), ('["no"]\nthreshold = 0.7', "P(no) > 0.7")])
def test_target_and_threshold_reach_the_explainer(target: str, words: str, tmp_path: Path) -> None:
    project = geco.open(write_project(tmp_path, TOML.replace('target = "yes"', f"target = {target}")))

    assert project.explainer.model.goal.words == words


def test_findings_name_everything_that_is_wrong_at_once(tmp_path: Path) -> None:
    broken = TOML.replace("model.skops", "none.skops") + "[features.incme]\nunit = '€'\n"
    found = findings(geco.open(write_project(tmp_path, broken, rules="FIXED agee\n")))
    messages = "\n".join(map(str, found.errors))

    assert len(found.errors) == 3
    assert "none.skops" in messages and "did you mean 'income'" in messages and "did you mean 'age'" in messages


def test_findings_count_rules_that_nobody_has_reviewed(tmp_path: Path) -> None:
    rules = "FIXED age  # unreviewed\nPLAF x_cf.income <= 9000  # unreviewed\n"

    assert findings(geco.open(write_project(tmp_path, rules=rules))).unreviewed == 2
