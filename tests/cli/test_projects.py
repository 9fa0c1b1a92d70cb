"""The way of an analyst: init, suggest, check, explain; files are written whole, and never over others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import geco
from geco.cli import app
from loans import fitted, people, write_project


def run(*arguments: str, code: int = 0, stdin: str | None = None) -> str:
    result = CliRunner().invoke(app, list(arguments), input=stdin, env={"COLUMNS": "100"})

    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


def as_json(*arguments: str, code: int = 0, stdin: str | None = None) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run(*arguments, "--json", code=code, stdin=stdin))
    assert answer["schema_version"] == 1
    return answer


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the files of a project, and no geco.toml yet."""
    write_project(tmp_path)
    (tmp_path / "geco.toml").unlink()
    (tmp_path / "rules.plaf").unlink()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_from_a_table_and_a_model_to_an_explanation(folder: Path) -> None:
    begun = run("init", "loans.csv", "--label", "repaid", "--model", "model.skops")
    suggested = run("suggest", "--write")
    checked = run("check")
    explained = run("explain", "--key", "4000")

    assert "key: customer, left out" in begun and "next: geco suggest" in begun
    assert "added to rules.plaf" in suggested
    assert "ok: 4 groups, 1 rule, 400 rows" in checked and "1 suggested rule is unreviewed" in checked
    assert "wanted P(yes)" in explained or "way 1" in explained


def test_init_guesses_the_good_outcome_and_says_so(folder: Path) -> None:
    run("init", "loans.csv", "--label", "repaid", "--model", "model.skops")

    assert 'target = "yes"   # the good outcome, guessed from "no", "yes"' in (folder / "geco.toml").read_text()


@pytest.mark.parametrize(
    ("label", "values", "target"),
    [
        ("deny", ("yes", "no"), 'target = "no"'),
        ("default_next_month", (1, 0), "target = 0"),
        ("NoDefaultNextMonth", (1, 0), "target = 1"),
        ("grade", ("A", "B"), '# target =   # the good outcome: one of "A", "B"'),
    ],
)
def test_init_looks_at_the_name_of_the_label(label: str, values: tuple[Any, Any], target: str, folder: Path) -> None:
    people().assign(**{label: [values[n % 2] for n in range(400)]}).to_csv("t.csv", index=False)
    run("init", "t.csv", "--label", label)

    assert target in (folder / "geco.toml").read_text()


def test_init_never_writes_over_a_file(folder: Path) -> None:
    (folder / "rules.plaf").write_text("mine")
    output = run("init", "loans.csv", code=2)

    assert "rules.plaf is there already, and nothing was written" in output
    assert sorted(p.name for p in folder.iterdir()) == ["loans.csv", "model.skops", "rules.plaf"]
    assert (folder / "rules.plaf").read_text() == "mine"


def test_what_init_writes_is_a_project_without_problems(folder: Path) -> None:
    (folder / "sub").mkdir()
    run("init", "loans.csv", "--label", "repaid", "--model", "model.skops", "--to", "sub")

    assert as_json("check", "--project", "sub")["ok"] is True
    assert geco.open("sub").settings.get("data", "source") == "../loans.csv"


def test_init_sees_onehot_sets_codes_and_dates(folder: Path) -> None:
    import pandas as pd

    frame = pd.get_dummies(people(), columns=["housing"]).assign(
        zip_code=[10000 + n % 7 for n in range(400)], since=pd.date_range("2020-01-01", periods=400).astype(str)
    )
    frame.to_csv("wide.csv", index=False)
    seen = as_json("init", "wide.csv", "--label", "repaid")

    assert seen["key"] == "customer"
    assert seen["codes"] == ["zip_code"] and seen["dates"] == ["since"]
    assert seen["onehots"] == ["ONEHOT housing: housing_free, housing_own, housing_rent"]
    assert geco.open(folder).database.schema["zip_code"].kind == "categorical"


def test_suggest_written_twice_changes_nothing(project: Path) -> None:
    run("suggest", "--write")
    once = (project / "rules.plaf").read_text()
    output = run("suggest", "--write")

    assert (project / "rules.plaf").read_text() == once
    assert "nothing new" in output


def test_suggest_without_write_touches_nothing(project: Path) -> None:
    before = (project / "rules.plaf").read_bytes()
    (project / "rules.plaf").write_bytes(before)
    run("suggest")

    assert (project / "rules.plaf").read_bytes() == before


def test_strict_counts_unreviewed_rules_as_findings(project: Path) -> None:
    (project / "rules.plaf").write_text("FIXED age  # unreviewed\n")

    assert as_json("check")["unreviewed"] == 1
    assert "unreviewed" in run("check", "--strict", code=1)


def test_check_reports_everything_that_is_wrong_at_once(project: Path) -> None:
    (project / "rules.plaf").write_text("FIXED agee\nPLAF x_cf.incme > 3\n")
    (project / "model.skops").write_bytes(b"no")
    answer = as_json("check", code=2)

    assert [error["type"] for error in answer["errors"]] == ["ModelError", "PlafError"]
    assert len(answer["errors"][1]["problems"]) == 2


def test_an_explanation_by_row_key_json_and_stdin_is_the_same(project: Path) -> None:
    x = json.dumps(geco.open(project).row(3))
    (project / "x.json").write_text(x)
    answers = [
        as_json("explain", "--row", "3"),
        as_json("explain", "--key", "4003"),
        as_json("explain", "--x", "x.json"),
        as_json("explain", "--x", "-", stdin=x),
    ]

    assert len({json.dumps([a["x"], a["counterfactuals"]]) for a in answers}) == 1


def test_set_asks_about_another_value(project: Path) -> None:
    assert as_json("explain", "--row", "3", "--set", "income=100000")["x"]["income"] == 100000
    assert "'incme=3': write FEATURE=VALUE" in run("explain", "--row", "3", "--set", "incme=3", code=2)
    assert "income takes a number, and 'much' is none" in run("explain", "--row", "3", "--set", "income=much", code=2)


def test_no_answer_is_exit_code_1(project: Path) -> None:
    (project / "rules.plaf").write_text("FIXED age, income, amount, housing\n")

    assert as_json("explain", "--row", refused(), code=1)["status"] == "infeasible"


def test_errors_are_json_too(project: Path) -> None:
    answer = as_json("explain", "--row", "4000", code=2)

    assert answer["error"]["type"] == "DataError"
    assert as_json("explain", "--rwo", "1", code=2)["error"]["message"].startswith("No such option")


def test_python_says_the_same_as_the_command(project: Path) -> None:
    opened = geco.open(project)
    for row in range(3):
        code = 0 if opened.explain(opened.row(row)).status in ("found", "already_good") else 1
        answer = as_json("explain", "--row", str(row), code=code)
        ours = json.loads(opened.explain(opened.row(row)).to_json())

        assert answer["counterfactuals"] == ours["counterfactuals"]


@pytest.mark.parametrize(
    "command", ["init", "suggest", "check", "describe", "explain", "save", "demo", "compare", "whatif", "obstacles"]
)
def test_every_command_shows_an_example_in_its_help(command: str) -> None:
    output = run(command, "--help")

    assert "Example" in output and f"geco {command}" in output


def test_a_reader_that_leaves_and_a_full_disk_end_without_a_traceback(project: Path) -> None:
    command = f"{sys.executable} -m geco suggest --json"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    left = subprocess.run(
        f"set -o pipefail; {command} | true",
        shell=True,
        executable="/bin/bash",
        env=environment,
        capture_output=True,
        text=True,
    )
    full = subprocess.run(f"{command} > /dev/full", shell=True, env=environment, capture_output=True, text=True)

    assert (left.returncode, left.stderr) == (0, "")
    assert (full.returncode, full.stderr) == (2, "error: the answer could not be written: No space left on device\n")


def test_limits_of_one_question_are_kept(project: Path) -> None:
    refused = next(r for r in range(60) if geco.open(project).explain(geco.open(project).row(r)).counterfactuals)
    free = as_json(
        "explain", "--row", str(refused), "--only", "income,amount", "--rule", "PLAF x_cf.amount >= x.amount"
    )
    changed = {action["feature"] for cf in free["counterfactuals"] for action in cf["changes"]}

    assert changed == {"income"}


def test_a_saved_project_takes_rows_of_its_table_and_another_target(project: Path) -> None:
    run("save", "--to", "loans.geco")
    answer = as_json("explain", "--saved", "loans.geco", "--key", "4003", "--threshold", "0.6")
    saved = ["explain", "--saved", "loans.geco", "--row", "3", "--target", "no"]

    assert answer["x"] == as_json("explain", "--row", "3")["x"]
    assert answer["target"] == "P(yes) > 0.6"
    assert "give the model, too, with --model" in run(*saved, code=2)
    assert as_json(*saved, "--model", "model.skops")["target"] == "P(no) > 0.5"
    assert "is there already" in run("save", "--to", "loans.geco", code=2)


def test_the_demo_can_be_written_as_a_project(tmp_path: Path) -> None:
    run("demo", "--write", str(tmp_path / "loans"))
    answer = as_json("explain", "--project", str(tmp_path / "loans"), "--row", "3")

    assert answer["counterfactuals"] == as_json("demo", "--applicant", "3")["counterfactuals"]
    assert as_json("check", "--project", str(tmp_path / "loans"))["ok"]
    assert "is there already" in run("demo", "--write", str(tmp_path / "loans"), code=2)


@cache
def refused() -> str:
    """The first row that the model refuses."""
    frame = people()[["age", "income", "amount", "housing"]]
    return str(list(fitted().predict(frame)).index("no"))


@pytest.mark.parametrize(
    ("command", "python"),
    [
        (["obstacles"], lambda e, x: e.obstacles(x)),
        (["reasons", "--n", "2"], lambda e, x: e.reasons(x, n=2)),
        (["tradeoffs", "--k", "2"], lambda e, x: e.tradeoffs(x, k=2)),
        (["smallest", "income"], lambda e, x: e.smallest(x, "income")),
        (["whatif", "--set", "income=6000"], lambda e, x: e.what_if(x, income=6000)),
        (["whatif", "income=6000", "age=40"], lambda e, x: e.what_if(x, income=6000, age=40)),
    ],
    ids=["obstacles", "reasons", "tradeoffs", "smallest", "whatif", "whatif without --set"],
)
def test_a_question_at_the_command_line_is_that_of_the_library(command: list[str], python: Any, project: Path) -> None:
    row = refused()
    opened = geco.open(project)
    answer = as_json(*command, "--row", row)
    ours = python(opened.explainer, opened.row(int(row))).to_dict()
    told = run(*command, "--row", row)
    clocks = ("seconds", "trace", "made", "schema_version", "command")

    assert {k: v for k, v in answer.items() if k not in clocks} == {
        k: v for k, v in json.loads(json.dumps(ours)).items() if k not in clocks
    }
    assert "Traceback" not in told and told.strip()


def test_a_saved_explainer_reads_one_row_of_the_table_as_all_of_it(project: Path) -> None:
    run("save", "--to", "loans.geco")
    asked = ["explain", "--saved", "loans.geco", "--model", "model.skops"]
    key = str(people()["customer"].iloc[int(refused())])
    clocks = ("seconds", "trace", "made")
    answers = [
        as_json("explain", "--row", refused()),
        as_json(*asked, "--row", refused()),
        as_json(*asked, "--key", key),
    ]

    assert [{k: v for k, v in each.items() if k not in clocks} for each in answers[1:]] == [
        {k: v for k, v in answers[0].items() if k not in clocks}
    ] * 2
    assert "from 0 to 399" in run(*asked, "--row", "400", code=2)
    assert "no row of the table with customer = '1'" in run(*asked, "--key", "1", code=2)


def test_reason_codes_of_the_project_are_told(project: Path) -> None:
    with (project / "geco.toml").open("a") as file:
        file.write('[reasons]\nincome = { code = "07", text = "Income too low" }\n')
    answer = as_json("reasons", "--row", refused())

    [income] = [reason for reason in answer["reasons"] if reason["feature"] == "income"]

    assert (income["code"], income["text"]) == ("07", "Income too low")


def test_a_model_file_without_labels_begins_with_a_threshold(folder: Path) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    frame = people()
    numbers = frame[["age", "income", "amount"]]
    fitted = lightgbm.LGBMClassifier(n_estimators=5, verbose=-1).fit(numbers, frame["repaid"] == "yes")
    fitted.booster_.save_model("model.txt")
    run("init", "loans.csv", "--label", "repaid", "--model", "model.txt")

    assert "threshold = 0.5   # of the probability" in Path("geco.toml").read_text()
    assert "ok: " in run("check")


def test_check_names_a_row_that_is_refused(project: Path) -> None:
    assert f"try: geco explain --row {refused()}" in run("check")


def test_compare_sets_methods_side_by_side(project: Path) -> None:
    answer = as_json("compare", "--row", refused(), "--methods", "frontier,wit", "--methods", "exact")

    nearest = {name: each["counterfactuals"][0]["distance"] for name, each in answer["methods"].items()}

    assert list(nearest) == ["frontier", "wit", "exact"]
    assert nearest["exact"] <= nearest["wit"]


def test_a_proof_is_looked_for_as_long_as_is_said(project: Path) -> None:
    row = next(r for r in range(60) if geco.open(project).explain(geco.open(project).row(r)).counterfactuals)
    asked = ["explain", "--row", str(row)]
    quick, none = as_json(*asked), as_json(*asked, "--prove", "no")
    toml = (project / "geco.toml").read_text().replace("[search]", "[search]\nprove = false")
    (project / "geco.toml").write_text(toml)

    assert quick["proven"] is not None
    assert none["proven"] is None
    assert as_json(*asked)["proven"] is None
    assert as_json(*asked, "--prove", "20")["proven"] is True
    assert "--prove takes quick, no, or a number of seconds" in run(*asked, "--prove", "x", code=2)
    assert as_json("compare", *asked[1:], "--methods", "frontier", "--ways", "top", "--k", "2")["methods"]
