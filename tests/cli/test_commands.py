"""The command line as a user sees it: output, messages, exit codes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import geco.demo
from geco.cli import app

GERMAN = Path(geco.demo.__file__).parent
TABLE = ["--data", str(GERMAN / "german.csv"), "--exclude", "risk"]
GOOD = ["--target", "good"]


def run(*arguments: str, code: int = 0) -> str:
    """Output and errors of one command; fails if it ends with another exit code or with a traceback."""
    result = CliRunner().invoke(app, list(arguments), env={"COLUMNS": "100"})

    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.output


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from skops.io import dump

    path = tmp_path_factory.mktemp("model") / "model.skops"
    dump(geco.demo.load().model, path)
    return path


@pytest.fixture(scope="module")
def trusted(model_file: Path) -> list[str]:
    from skops.io import get_untrusted_types

    return [part for name in get_untrusted_types(file=model_file) for part in ("--trust", name)]


def test_the_help_imports_nothing_heavy() -> None:
    heavy = ["numpy", "duckdb", "pandas", "sklearn", "lark"]
    code = f"import sys, geco.cli; print([m for m in {heavy} if m in sys.modules])"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert output.strip() == "[]"


def test_a_saved_explainer_needs_neither_duckdb_nor_the_grammar_nor_other_commands() -> None:
    heavy = ["duckdb", "lark", "pandas", "geco.baselines.mace", "geco.questions.summary", "geco.doubts"]
    code = f"import sys, geco.explainer; print([m for m in {heavy} if m in sys.modules])"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert output.strip() == "[]"


def test_a_command_reads_no_other_command() -> None:
    code = (
        "import sys, geco.cli; sys.argv = ['geco', 'describe', '--help']\n"
        "try: geco.cli.main()\n"
        "except SystemExit: print([m for m in geco.cli.COMMANDS if f'geco.cli.{m}' in sys.modules])"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert output.splitlines()[-1] == "['describe']"


def test_version_is_that_of_the_package() -> None:
    assert run("--version") == f"geco {geco.__version__}\n"


# demo


def test_the_demo_shows_who_asked_the_ways_a_sentence_each_and_the_time() -> None:
    output = run("demo")

    assert "a man of 45 asking for 7,882 over 42 months" in output
    assert all(f"way {number}" in output and f"\n{number}. " in output for number in range(1, 6))
    assert "5 different ways in " in output


def test_fewer_ways_than_asked_for_are_said_to_be_fewer() -> None:
    output = " ".join(run("demo", "--k", "40").split())

    found = re.search(r"(\d+) of 40 ways: ", output)
    assert found and f"{found[1]} different ways in " in output


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_demo_fits_the_terminal(width: int) -> None:
    output = CliRunner().invoke(app, ["demo"], env={"COLUMNS": str(width)}).output

    assert all(f"way {number}" in output for number in range(1, 6))

    assert max(len(line.rstrip()) for line in output.splitlines()) <= width
    assert "checking_account" in output


def test_the_demo_as_json_is_the_explanation() -> None:
    answer = json.loads(run("demo", "--json", "--k", "2", "--applicant", "10"))

    assert answer["status"] == "found"
    assert len(answer["counterfactuals"]) == 2


def test_the_demo_says_so_when_the_applicant_is_accepted_already() -> None:
    output = run("demo", "--applicant", "0")

    assert ": yes" in output
    assert "way 1" not in output


def test_an_applicant_who_does_not_exist_is_one_clear_error() -> None:
    assert run("demo", "--applicant", "1000", code=2) == (
        "error: there is no applicant 1000; give a number from 0 to 999\n"
    )


# check


def test_check_prints_groups_domain_sizes_and_rules() -> None:
    output = run("check", str(GERMAN / "german.plaf"), *TABLE)

    assert output.startswith("ok: 8 groups, 10 rules, 1,000 rows of data\n")
    assert "PLAF IF x_cf.job > x.job THEN x_cf.age >= x.age + 2" in output
    assert any(line.split()[-1] == "3" for line in output.splitlines() if line.startswith("housing"))


def test_check_counts_one_rule_as_one(tmp_path: Path) -> None:
    (tmp_path / "rules.plaf").write_text("FIXED age\n")

    assert ", 1 rule, " in run("check", str(tmp_path / "rules.plaf"), *TABLE).splitlines()[0]


def test_check_prints_all_diagnostics_and_fails(tmp_path: Path) -> None:
    program = tmp_path / "wrong.plaf"
    program.write_text("PLAF x_cf.agee >= x.age\nPLAF x_cf.sex > 3\n")
    output = run("check", str(program), *TABLE, code=2)

    assert f"{program}:1:" in output
    assert "did you mean 'age'?" in output
    assert f"{program}:2:" in output


def test_check_of_a_table_that_does_not_exist_is_one_clear_error(tmp_path: Path) -> None:
    output = run("check", str(GERMAN / "german.plaf"), "--data", str(tmp_path / "none.csv"), code=2)

    assert output.startswith("error: ")
    assert "none.csv" in output


# explain


def test_explain_of_a_row_agrees_with_the_demo(model_file: Path, trusted: list[str]) -> None:
    arguments = ["--model", str(model_file), *TABLE, "--program", str(GERMAN / "german.plaf"), *trusted, *GOOD]
    ours = json.loads(run("explain", *arguments, "--row", "10", "--json"))
    demo = json.loads(run("demo", "--applicant", "10", "--json"))

    assert ours["x"] == demo["x"]
    assert ours["status"] == "found"


def test_explain_reads_the_instance_from_json(model_file: Path, trusted: list[str], tmp_path: Path) -> None:
    frame = geco.demo.load().frame.drop(columns="risk")
    (tmp_path / "x.json").write_text(frame.iloc[10].to_json())
    instance = ["--x", str(tmp_path / "x.json"), "--k", "1"]
    output = run("explain", "--model", str(model_file), *TABLE, *GOOD, *trusted, *instance)

    assert "way 1" in output
    assert "1 way in " in output


@pytest.mark.parametrize(("target", "words"), [("good", "P(good) > 0.5"), ("bad", "P(bad) > 0.5")])
def test_explain_takes_a_label_as_target(target: str, words: str, model_file: Path, trusted: list[str]) -> None:
    arguments = ["--model", str(model_file), *TABLE, *trusted, "--row", "10", "--json", "--target", target]

    assert json.loads(run("explain", *arguments))["target"] == words


def test_explain_without_a_target_lists_the_classes(model_file: Path, trusted: list[str]) -> None:
    output = run("explain", "--model", str(model_file), *TABLE, *trusted, "--row", "10", code=2)

    assert output.startswith("error: ")
    assert "'bad', 'good'" in output


def test_explain_names_the_types_it_does_not_trust(tmp_path: Path) -> None:
    from skops.io import dump

    dump(argparse_namespace(), tmp_path / "odd.skops")
    output = run("explain", "--model", str(tmp_path / "odd.skops"), *TABLE, "--row", "1", code=2)

    assert "not trusted: argparse.Namespace; " in output
    assert "add --trust argparse.Namespace, or " in output


def test_explain_refuses_a_model_file_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "model.pkl").write_bytes(b"\x80\x04N.")
    output = run("explain", "--model", str(tmp_path / "model.pkl"), *TABLE, "--row", "1", code=2)

    assert "model.pkl is a pickle, which can run any code" in output
    assert "add --trust-pickle" in output


@pytest.mark.parametrize("arguments", [[], ["--row", "1", "--x", "x.json"]])
def test_explain_wants_exactly_one_instance(arguments: list[str], model_file: Path) -> None:
    output = run("explain", "--model", str(model_file), *TABLE, *arguments, code=2)

    assert output == "error: say what to explain: give one of --row NUMBER, --key KEY or --x FILE.json\n"


def test_explain_of_a_row_past_the_end_is_one_clear_error(model_file: Path) -> None:
    output = run("explain", "--model", str(model_file), *TABLE, "--row", "1000", code=2)

    assert "has no row 1000; give a number from 0 to 999" in output


def test_a_model_of_a_class_that_is_not_installed_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from skops.io import dump

    (tmp_path / "elsewhere.py").write_text("class Model:\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    import elsewhere

    dump(elsewhere.Model(), tmp_path / "model.skops")
    monkeypatch.delitem(sys.modules, "elsewhere")
    (tmp_path / "elsewhere.py").write_text("")
    trust = ["--trust", "elsewhere.Model"]
    output = run("explain", "--model", str(tmp_path / "model.skops"), *TABLE, *trust, "--row", "1", code=2)

    assert "model.skops cannot be loaded here" in output


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "is not JSON"), ("[" * 100_000, "is not JSON"), ("[1]", "must hold one object")],
    ids=["cut short", "nested without end", "a list"],
)
def test_explain_of_a_broken_json_file_is_one_clear_error(
    text: str, message: str, model_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "x.json").write_text(text)
    output = run("explain", "--model", str(model_file), *TABLE, "--x", str(tmp_path / "x.json"), code=2)

    assert message in output


# save


@pytest.fixture(scope="module")
def saved(model_file: Path, trusted: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "german.geco"
    arguments = ["--model", str(model_file), *TABLE, "--program", str(GERMAN / "german.plaf"), *trusted, *GOOD]
    output = run("save", *arguments, "--to", str(path))

    assert output.startswith(f"ok: {path}, ") and output.endswith(" kB for 1,000 rows of data\n")
    return path


@pytest.fixture
def applicant(tmp_path: Path) -> Path:
    (tmp_path / "x.json").write_text(geco.demo.load().frame.drop(columns="risk").iloc[10].to_json())
    return tmp_path / "x.json"


def test_explain_from_a_saved_explainer_gives_the_answers_of_its_files(
    saved: Path, applicant: Path, model_file: Path, trusted: list[str]
) -> None:
    model = ["--model", str(model_file), *trusted]
    rules = ["--program", str(GERMAN / "german.plaf"), *GOOD]
    alone, confirmed, built = (
        json.loads(run("explain", *arguments, "--x", str(applicant), "--json"))
        for arguments in (["--saved", str(saved)], ["--saved", str(saved), *model], [*model, *TABLE, *rules])
    )

    assert confirmed["counterfactuals"] == built["counterfactuals"]
    assert [cf["values"] for cf in alone["counterfactuals"]] == [cf["values"] for cf in built["counterfactuals"]]
    assert not any(cf["confirmed"] for cf in alone["counterfactuals"])


def test_explain_says_what_goes_with_a_saved_explainer(saved: Path, applicant: Path) -> None:
    assert "give it --x FILE.json" in run("explain", "--saved", str(saved), "--row", "1", code=2)
    assert "or give --project, or --model and --data" in run("explain", "--x", str(applicant), code=2)
    assert "is not a saved explainer" in run("explain", "--saved", str(applicant), "--x", str(applicant), code=2)


def test_control_c_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(geco.demo, "load", interrupted)

    assert run("demo", code=130).strip() == "interrupted"


def argparse_namespace() -> Any:
    from argparse import Namespace

    return Namespace(a=1)
