"""``geco batch`` as a user sees it: output, messages, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

import geco
from geco.cli import app

RULES = "PLAF x_cf.age >= x.age\n"
MODEL = "def model(frame):\n    return (frame['age'] + 2 * frame['income'] > 70) * 1.0\n"
PROJECT = """
[data]
source = "people.csv"
key = "customer"
[model]
python = "scoring_of_batches:model"
[rules]
file = "rules.plaf"
[search]
k = 2
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a project; the commands run in it."""
    frame = pd.DataFrame({"customer": range(100, 140), "age": range(20, 60), "income": [n % 11 for n in range(40)]})
    frame.to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "rules.plaf").write_text(RULES)
    (tmp_path / "scoring_of_batches.py").write_text(MODEL)
    (tmp_path / "geco.toml").write_text(PROJECT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, code: int = 0) -> str:
    """Output and talk of one command; fails if it ends with another exit code."""
    result = CliRunner().invoke(app, ["batch", *arguments], env={"COLUMNS": "100"})

    assert result.exit_code == code, result.output
    return result.output


def json_of(output: str) -> Any:
    """What follows the lines of the log."""
    return json.loads(output[output.index("{") :])


def test_a_project_is_all_it_needs(project: Path) -> None:
    output = run("--in", "people.csv", "--out", "answers", "--workers", "1", "--format", "jsonl")
    first = json.loads((project / "answers" / "rows" / "part-000000.jsonl").read_text().splitlines()[0])
    manifest = json.loads((project / "answers" / "manifest.json").read_text())

    assert "\n40 rows, " in output and "\nthe nearest answers change " in output
    assert "40 rows in " in output
    assert first["key"] == "100"
    assert (manifest["question"]["k"], manifest["key"]) == (2, "customer")


def test_ways_and_proof_are_asked_of_every_row(project: Path) -> None:
    run("--in", "people.csv", "--out", "answers", "--workers", "1", "--ways", "sets", "--prove", "no")
    manifest = json.loads((project / "answers" / "manifest.json").read_text())

    assert (manifest["question"]["ways"], manifest["question"]["prove"]) == ("sets", False)


def test_a_saved_black_box_asks_for_its_model(project: Path) -> None:
    geco.open("geco.toml").explainer.save("credit.geco")
    refused = run("--saved", "credit.geco", "--in", "people.csv", "--out", "answers", "--json", code=2)

    assert "cannot be asked without it" in json_of(refused)["error"]["message"]


def test_resume_with_another_k_names_it_and_exits_with_2(project: Path) -> None:
    arguments = ["--in", "people.csv", "--out", "answers", "--workers", "1"]
    run(*arguments)
    again = run(*arguments, "--resume", "--json")
    refused = run(*arguments, "--resume", "--k", "3", code=2)

    assert json_of(again)["rows"] == 40 and "parts" not in json_of(again)
    assert "question.k (2 then, 3 now)" in refused


def test_rows_that_failed_are_counted_and_the_exit_code_is_1(project: Path) -> None:
    (project / "in.csv").write_text("customer,age,income\n1,30,5\n2,old,5\n")
    output = run("--in", "in.csv", "--out", "answers", "--workers", "1", code=1)

    assert "1 failed" in output


def test_a_page_about_the_batch_is_written_unless_that_is_not_wanted(project: Path) -> None:
    with_page = run("--in", "people.csv", "--out", "a", "--workers", "1")
    without = run("--in", "people.csv", "--out", "b", "--workers", "1", "--no-report")

    assert "about them: a/report.html" in with_page
    assert "What would change these decisions" in (project / "a" / "report.html").read_text(encoding="utf-8")
    assert "report.html" not in without and not (project / "b" / "report.html").exists()


def test_a_batch_is_rechecked_under_the_model_of_the_project(project: Path) -> None:
    run("--in", "people.csv", "--out", "may", "--workers", "1")
    (project / "stricter_of_batches.py").write_text(MODEL.replace("> 70", "> 71"))
    (project / "geco.toml").write_text(PROJECT.replace("scoring_of", "stricter_of"))
    output = run("--recheck", "may", "--out", "june", "--workers", "1", "--format", "jsonl")
    answers = [json.loads(line) for line in (project / "june" / "answers" / "part-000000.jsonl").open()]

    assert "\n40 rows, " in output
    assert {answer["holds"] for answer in answers} >= {False, None}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "say whom to explain: give one of --in PATH"),
        (["--recheck", "nothing"], "nothing holds no complete batch"),
        (["--recheck", "nothing", "--k", "2", "--ways", "sets"], "leave out --k, --ways"),
        (["--in", "people.csv", "--prove", "2"], "a batch takes --prove quick or --prove no"),
        (["--in", "people.csv", "--prove", "never"], "--prove takes quick, no, or a number of seconds"),
        (["--in", "people.csv", "--ways", "all"], "'all'"),
        (["--in", "people.csv", "--sql", "SELECT 1"], "say whom to explain"),
        (["--in", "nobody.csv"], "there is no file 'nobody.csv'"),
        (["--in", "people.csv", "--key", "costumer"], "did you mean 'customer'"),
        (["--in", "people.csv", "--format", "xml"], "format must be 'parquet', 'jsonl' or 'csv'"),
    ],
)
def test_what_is_wrong_is_one_sentence(arguments: list[str], message: str, project: Path) -> None:
    output = run("--out", "answers", *arguments, code=2)

    assert message in output and output.count("\n") == 1
