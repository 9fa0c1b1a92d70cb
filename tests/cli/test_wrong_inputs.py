"""What people get wrong at the command line: one paragraph that says what to do, the right exit code, no traceback, and
no file made, changed or half written."""

# ruff: noqa: E501  (one case a line)

from __future__ import annotations

import gzip
import json
import pickle
import resource
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from geco.cli import app
from geco.project.project import Project
from loans import TOML, people, write_project

LINES_AT_MOST = 12


class Wrong(NamedTuple):
    """A command, what it answers, and what is put into the folder before."""

    command: str
    says: str
    files: dict[str, str | bytes] | None = None
    code: int = 2
    stdin: str | None = None


def toml(changed: str = "", to: str = "", more: str = "") -> dict[str, str | bytes]:
    assert changed in TOML
    return {"geco.toml": (TOML.replace(changed, to) if changed else TOML) + more}


def table(text: str | bytes, name: str = "loans.csv") -> dict[str, str | bytes]:
    return {name: text}


def model(name: str, content: bytes = b"{ not a model") -> dict[str, str | bytes]:
    return {name: content, **toml("model.skops", name)}


def python(reference: str, code: str = "") -> dict[str, str | bytes]:
    return {"own_model.py": code, **toml('file = "model.skops"\ntarget = "yes"', f'python = "{reference}"')}


def database(query: str) -> dict[str, str | bytes]:
    return {"loans.db": _sqlite(), **toml('source = "loans.csv"', f'connection = "loans.db"\nquery = "{query}"')}


@cache
def _sqlite() -> bytes:
    connection = sqlite3.connect(":memory:")
    people().to_sql("loans", connection, index=False)
    return connection.serialize()


@cache
def csv() -> str:
    return str(people().to_csv(index=False))


def x(**changes: Any) -> dict[str, str | bytes]:
    person = {"age": 30, "income": 1000, "amount": 5000, "housing": "rent", **changes}
    return {"x.json": json.dumps({name: value for name, value in person.items() if value is not ...})}


ROW = "explain --row 3"
X = "explain --x x.json"
CASES = {
    # the project file
    "project elsewhere": Wrong(
        "explain --project none.toml --row 1", "none.toml: there is no such file; make one with: geco init"
    ),
    "folder without project": Wrong(
        "explain --project empty --row 1", "empty/geco.toml: there is no such file", {"empty/a": ""}
    ),
    "toml not closed": Wrong(ROW, "geco.toml:1:", {"geco.toml": "[data"}),
    "toml text without quotes": Wrong(ROW, "text is written in quotes", {"geco.toml": "[data]\nsource = loans.csv"}),
    "toml key twice": Wrong(ROW, "a key may be given once", {"geco.toml": '[data]\nsource = "a"\nsource = "b"'}),
    "toml unknown key": Wrong(ROW, "unknown key 'lable' in [data]; did you mean 'label'?", toml("label", "lable")),
    "toml unknown table": Wrong(ROW, "unknown table [rulez]; did you mean [rules]?", toml("[rules]", "[rulez]")),
    "toml wrong type": Wrong(
        ROW, "k in [search] must be a whole number of at least 1, got '2'", toml("k = 2", 'k = "2"')
    ),
    "toml not UTF-8": Wrong(ROW, "is not UTF-8 text; save the file as UTF-8", {"geco.toml": b"\xff\xfe"}),
    "toml empty": Wrong(ROW, '[data] names no table; add source = "table.csv"', {"geco.toml": ""}),
    "toml feature unknown": Wrong(
        "check",
        "[features] names 'incme', and the table has no such column; did you mean 'income'?",
        toml(more="[features.incme]\nunit = '€'"),
    ),
    "toml reason unknown": Wrong(
        "check",
        "[reasons] names 'salary', and the table has no such column",
        toml(more="[reasons]\nsalary = { code = '1' }"),
    ),
    "toml weight unknown": Wrong(
        "check", "[distance.weights] names 'incme'", toml(more="[distance]\nweights = { incme = 2 }")
    ),
    "toml weights off": Wrong(
        "check", "alpha + beta + gamma must be 1", toml(more="[distance]\nalpha = 0.9\nbeta = 0.9")
    ),
    "toml interval and target": Wrong(
        ROW,
        "goes with neither target nor threshold",
        {"geco.toml": TOML.replace('target = "yes"', 'target = "yes"\ninterval = [1, 2]')},
    ),
    # the table
    "table missing": Wrong(
        ROW,
        "source in [data] names 'lons.csv', and there is no such file; did you mean 'loans.csv'?",
        toml("loans.csv", "lons.csv"),
    ),
    "table of another kind": Wrong(
        ROW, "expected a name that ends in .csv, .csv.gz or .parquet", {"t.xlsx": b"PK", **toml("loans.csv", "t.xlsx")}
    ),
    "table folder empty": Wrong(
        ROW,
        "has no file whose name ends in .csv, .csv.gz or .parquet",
        {"parts/readme": "", **toml("loans.csv", "parts")},
    ),
    "table empty": Wrong(ROW, "loans.csv", table("")),
    "table header alone": Wrong(
        ROW, "the table has no rows; at least one is needed", table("customer,age,income,amount,housing,repaid\n")
    ),
    "table with a long line": Wrong(ROW, "loans.csv", table(csv() + "1,2,3,4,5,6,7,8\n")),
    "table with a name twice": Wrong(ROW, "age", table(csv().replace("customer,age", "age,age"))),
    "table not UTF-8": Wrong(ROW, "UTF-8", table(csv().encode() + b"1,2,3,4,\xff\xff,yes\n")),
    "table unreadable": Wrong(ROW, "loans.csv", {"loans.csv": "@/proc/self/mem"}),
    "parquet damaged": Wrong(ROW, "t.parquet", {"t.parquet": b"PAR1 no", **toml("loans.csv", "t.parquet")}),
    "gzip damaged": Wrong(
        ROW, "t.csv.gz", {"t.csv.gz": gzip.compress(b"a,b\n1,2\n" * 99)[:25], **toml("loans.csv", "t.csv.gz")}
    ),
    "label missing": Wrong(
        ROW, "label in [data]: the table has no column 'repayed'; did you mean 'repaid'?", toml('"repaid"', '"repayed"')
    ),
    "key missing": Wrong(
        ROW,
        "key in [data]: the table has no column 'client'; its columns are customer, age",
        toml('"customer"', '"client"'),
    ),
    "exclude missing": Wrong(ROW + " --exclude agee", "the table has no column 'agee'; did you mean 'age'?"),
    "exclude all": Wrong(
        ROW + " --exclude age --exclude income --exclude amount --exclude housing", "leaves no feature"
    ),
    "infinite value": Wrong(
        ROW,
        "column 'income' has infinite values; mark them as missing",
        table(csv() + "9999,30,inf,100,rent,yes\n"),
    ),
    "connection missing": Wrong(
        ROW,
        "connection in [data] names 'none.db', and there is no such file",
        toml('source = "loans.csv"', 'connection = "none.db"\nquery = "loans"'),
    ),
    "connection no database": Wrong(ROW, "loans.db", {**database("loans"), "loans.db": b"hello"}),
    "query wrong": Wrong(ROW, "cannot run", database("SELECT nothing FROM loans")),
    "query of no table": Wrong(ROW, "cannot run", database("lons")),
    "query that deletes": Wrong(ROW, "DROP TABLE loans", database("DROP TABLE loans")),
    "text where numbers were": Wrong(
        ROW,
        "the model wants a number where the table has the text 'much'; mend that column",
        table(csv() + "9999,30,much,100,rent,yes\n"),
    ),
    "column renamed": Wrong(ROW, "'income' (did you mean 'incomes'?)", table(csv().replace("income", "incomes", 1))),
    "column left out": Wrong(ROW + " --exclude age", "'age' (the project leaves it out)"),
    # the model
    "model missing": Wrong(
        ROW,
        "file in [model] names 'mdel.skops', and there is no such file; did you mean 'model.skops'?",
        toml("model.skops", "mdel.skops"),
    ),
    "model option missing": Wrong(ROW + " --model none.json", "'none.json', and there is no such file"),
    "model folder": Wrong(ROW, "is a folder, not a model file", {"m.skops/a": "", **toml("model.skops", "m.skops")}),
    "model of no kind": Wrong(ROW, "ends in .h5, which says no kind of model; model files are .skops", model("m.h5")),
    "model not named": Wrong(
        ROW, 'the project has no model yet; add [model] with file = "model.json"', toml('file = "model.skops"', "")
    ),
    "skops damaged": Wrong(ROW, "m.skops is not a skops file", model("m.skops")),
    "pickle": Wrong(
        ROW, "m.pkl is a pickle, which can run any code of whoever made it", model("m.pkl", pickle.dumps(1))
    ),
    "joblib": Wrong(ROW, "or, if you made the file yourself, add --trust-pickle", model("m.joblib", pickle.dumps(1))),
    "pickle damaged": Wrong(
        ROW + " --trust-pickle", "m.pkl cannot be loaded here", model("m.pkl", b"\x80\x04nonsense")
    ),
    "pickle of something else": Wrong(ROW + " --trust-pickle", "predict", model("m.pkl", pickle.dumps([1, 2]))),
    "xgboost other json": Wrong(ROW, "m.json cannot be read by XGBoost", model("m.json", b'{"a": 1}')),
    "xgboost damaged": Wrong(ROW, "m.json is not a model of XGBoost", model("m.json", b"<html>")),
    "lightgbm damaged": Wrong(ROW, "m.txt is not a model of LightGBM", model("m.txt")),
    "catboost damaged": Wrong(ROW, "m.cbm cannot be read by CatBoost", model("m.cbm")),
    "onnx damaged": Wrong(ROW, "m.onnx", model("m.onnx")),
    "module missing": Wrong(
        ROW, "python = 'no_such_module:model' in [model] cannot be loaded", python("no_such_module:model")
    ),
    "attribute missing": Wrong(ROW, "cannot be loaded (AttributeError", python("own_model:nothing")),
    "module that raises": Wrong(
        ROW, "cannot be loaded (ValueError: no licence)", python("own_model:a", "raise ValueError('no licence')")
    ),
    "no model at all": Wrong(ROW, "predict", python("own_model:a", "a = 3")),
    "model that raises": Wrong(
        ROW,
        "the model cannot be asked about rows of the table",
        python("own_model:f", "def f(frame):\n    raise KeyError('rate')"),
    ),
    "model that answers too little": Wrong(ROW, "the model", python("own_model:f", "def f(frame):\n    return [0.5]")),
    "target unknown": Wrong(ROW, "the model has no class 'ja'; its classes are 'no', 'yes'", toml('"yes"', '"ja"')),
    "target not said": Wrong(
        ROW, "with --target, or target in [model]; the model's classes are 'no', 'yes'", toml('target = "yes"', "")
    ),
    "target an interval": Wrong(ROW + " --target 1:2", "this one predicts classes"),
    "target an interval upside down": Wrong(ROW + " --target 2:1", "is empty: its low end is above its high end"),
    "threshold too high": Wrong(ROW + " --threshold 1.5", "threshold must be at least 0 and below 1, got 1.5"),
    "margin negative": Wrong(ROW + " --margin -1", "margin must be a number that is not negative"),
    # the rules
    "rules missing": Wrong(
        ROW,
        "file in [rules] names 'rule.plaf', and there is no such file; did you mean 'rules.plaf'?",
        toml("rules.plaf", "rule.plaf"),
    ),
    "rules folder": Wrong(
        ROW, "this is a directory, not a PLAF file", {"r.plaf/a": "", **toml("rules.plaf", "r.plaf")}
    ),
    "rules binary": Wrong(ROW, "this is not a text file in UTF-8", {"rules.plaf": b"\0\1"}),
    "rules syntax": Wrong(ROW, "rules.plaf:1:", {"rules.plaf": "FIXD age"}),
    "rules unknown feature": Wrong(ROW, "did you mean 'age'?", {"rules.plaf": "FIXED agee"}),
    "rules text and number": Wrong(ROW, "rules.plaf:1:", {"rules.plaf": "PLAF x_cf.housing > 3"}),
    "rules in a circle": Wrong(
        ROW,
        "depend on each other in a circle",
        {
            "rules.plaf": "PLAF IF x_cf.age > x.age THEN x_cf.income > x.income\nPLAF IF x_cf.income > x.income THEN x_cf.age > x.age"
        },
    ),
    "groups that overlap": Wrong(ROW, "rules.plaf:2:", {"rules.plaf": "GROUP age, income\nGROUP income, amount"}),
    "rules that nobody can keep": Wrong("explain --row 2 --rule 'PLAF x_cf.age > 200'", "infeasible", code=1),
    "rules that fix everything": Wrong("explain --row 2 --fixed age,income,amount,housing", "infeasible", code=1),
    # whom it is about
    "nobody": Wrong("explain", "say what to explain: give one of --row NUMBER, --key KEY or --x FILE.json"),
    "two": Wrong("explain --row 1 --key 4001", "give one of --row"),
    "row past the end": Wrong("explain --row 400", "the table has no row 400; give a number from 0 to 399"),
    "row negative": Wrong("explain --row -1", "the table has no row -1"),
    "row in words": Wrong("explain --row first", "--row"),
    "key unknown": Wrong(
        "explain --key 7", "no row of the table with customer = '7'; its first keys are 4000, 4001, 4002"
    ),
    "key without column": Wrong(
        "explain --key 7",
        'the project names no key column; add key = "COLUMN" to [data]',
        toml('key = "customer"', 'exclude = ["customer"]'),
    ),
    "key of two": Wrong(
        "explain --key 4001", "2 rows of the table with customer = '4001'", table(csv().replace("\n4002,", "\n4001,"))
    ),
    "x missing": Wrong("explain --x none.json", "cannot read none.json: No such file or directory"),
    "x folder": Wrong("explain --x empty", "cannot read empty", {"empty/a": ""}),
    "x unreadable": Wrong(
        "explain --x mem.json", "cannot read mem.json: Input/output error", {"mem.json": "@/proc/self/mem"}
    ),
    "x no json": Wrong(X, "x.json is not JSON", {"x.json": "{'age': 30}"}),
    "x a list": Wrong(X, "must hold one object with a value per feature", {"x.json": "[1, 2]"}),
    "x without a feature": Wrong(
        X, "the instance has no value for 'income'; give all 4 features of the table", x(income=...)
    ),
    "x misspelled": Wrong(X, "'income' (did you mean 'incme'?)", x(income=..., incme=3)),
    "x with text for a number": Wrong(X, "income", x(income="much")),
    "x with a list": Wrong(X, "income", x(income=[1])),
    "stdin empty": Wrong("explain --x -", "stdin is not JSON", stdin=""),
    "set without equals": Wrong(ROW + " --set income", "'income': write FEATURE=VALUE"),
    "set unknown": Wrong(ROW + " --set incme=3", "(did you mean 'income'?)"),
    "set text for a number": Wrong(ROW + " --set income=much", "income takes a number, and 'much' is none"),
    # the question
    "fixed unknown": Wrong(ROW + " --fixed agee", "the table has no column 'agee' (did you mean 'age'?)"),
    "only unknown": Wrong(ROW + " --only agee", "did you mean 'age'?"),
    "rule with a mistake": Wrong(ROW + " --rule 'PLAF x_cf.agee > 3'", "did you mean 'age'?"),
    "rule that is a group": Wrong(ROW + " --rule 'GROUP age, income'", "GROUP"),
    "k none": Wrong(ROW + " --k 0", "k must be a whole number of at least 1, got 0"),
    "k in words": Wrong(ROW + " --k five", "--k"),
    "seed negative": Wrong(ROW + " --seed -1", "seed must be a whole number of at least 0"),
    "deadline negative": Wrong(ROW + " --deadline -1", "deadline"),
    "method unknown": Wrong(ROW + " --method frontir", "did you mean 'frontier'?"),
    "methods unknown": Wrong("compare --row 1 --methods frontier,exakt", "did you mean 'exact'?"),
    # saved explainers
    "saved missing": Wrong(X + " --saved none.geco", "cannot read none.geco: No such file or directory", x()),
    "saved something else": Wrong(
        X + " --saved loans.csv", "loans.csv is not a saved explainer; make one with geco save", x()
    ),
    "saved with rules": Wrong(
        X + " --saved loans.csv --program rules.plaf", "leave --program out, or save it anew", x()
    ),
    "save over a file": Wrong("save --to loans.csv", "loans.csv is there already; give another name, or --force"),
    "save into no folder": Wrong("save --to none/a.geco", "cannot write none/a.geco: No such file or directory"),
    "save nowhere": Wrong("save", "--to"),
    # other commands
    "init without the table": Wrong("init none.csv", "there is no file 'none.csv'"),
    "init with another label": Wrong(
        "init loans.csv --label repayed", "the table has no column 'repayed' (did you mean 'repaid'?)"
    ),
    "init where there is a project": Wrong(
        "init loans.csv --label repaid", "geco.toml is there already, and nothing was written"
    ),
    "init with half a character": Wrong(
        "init loans.csv --to new --target \ud800", "there is no such character", {"new/x": ""}
    ),
    "serve at half a character": Wrong("serve --port 0 --host \ud800", "cannot listen on '\\ud800' port 0"),
    "serve at a name with a zero": Wrong("serve --port 0 --host a\x00b", "cannot listen on 'a\\x00b' port 0"),
    "init into no folder": Wrong("init loans.csv --to none", "there is no folder none; make it first"),
    "init with a damaged model": Wrong("init loans.csv --model m.json", "m.json", {"m.json": b"<html>"}),
    "suggest without rules": Wrong(
        "suggest --write", "there is no file to add to; add [rules]", toml('[rules]\nfile = "rules.plaf"', "")
    ),
    "check with rules twice": Wrong("check rules.plaf --program rules.plaf", "give the rules once"),
    "demo of nobody": Wrong("demo --applicant 1000", "there is no applicant 1000; give a number from 0 to 999"),
    "command unknown": Wrong("explane --row 1", "explain"),
    "option unknown": Wrong("explain --rwo 1", "--row"),
}


def put(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        if isinstance(content, str) and content.startswith("@"):  # what cannot be read even by its owner
            path.symlink_to(content[1:])
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)


def contents(folder: Path) -> dict[str, object]:
    return {
        str(p): None if p.is_symlink() or p.is_dir() else p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if "__pycache__" not in str(p)
    }


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_project(tmp_path_factory.mktemp("project")).parent


@pytest.fixture
def folder(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(template, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    monkeypatch.delitem(__import__("sys").modules, "own_model", raising=False)
    return tmp_path


def split(command: str) -> list[str]:
    import shlex

    return shlex.split(command)


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_told_in_one_paragraph(name: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    case = CASES[name]
    put(folder, case.files or {})
    before = contents(folder)
    result = CliRunner().invoke(app, split(case.command), input=case.stdin, env={"COLUMNS": "200"})
    told = result.output.strip()

    assert case.says in told
    assert result.exit_code == case.code
    assert "Traceback" not in told and "did not expect" not in told
    assert "\n\n" not in told and len(told.splitlines()) <= LINES_AT_MOST
    assert contents(folder) == before
    assert capfd.readouterr() == ("", "")  # nothing that a library writes on its own


def test_there_are_a_hundred_wrong_inputs() -> None:
    assert len(CASES) >= 100


@pytest.mark.parametrize(
    "name", ["toml unknown key", "table missing", "model missing", "rules syntax", "key unknown", "option unknown"]
)
def test_the_same_is_told_as_json(name: str, folder: Path) -> None:
    case = CASES[name]
    put(folder, case.files or {})
    # Older versions of click put both streams together unless told not to, and newer ones never do.
    apart = {"mix_stderr": False} if "mix_stderr" in signature(CliRunner).parameters else {}
    result = CliRunner(**apart).invoke(app, [*split(case.command), "--json"], input=case.stdin)
    answer = json.loads(result.stdout)

    assert answer["schema_version"] == 1
    assert case.says.split("; ")[0] in json.dumps(answer, ensure_ascii=False)
    assert result.exit_code == 2 and result.stderr == ""


@contextmanager
def at_most(size: int) -> Iterator[None]:
    """Files can be no larger, as on a disk that is full."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize(
    "command",
    ["save --to loans.geco", "suggest --write", "init ../loans.csv --label repaid --to sub", "demo --write demo"],
)
def test_a_full_disk_leaves_nothing_half_written(command: str, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "rules.plaf").write_text("# mine\n" * 20)
    (folder.parent / "loans.csv").write_text(csv())
    before = contents(folder)
    with at_most(200):
        result = CliRunner().invoke(app, split(command))
    made = {name: content for name, content in contents(folder).items() if content is not None}

    assert result.exit_code == 2
    assert "cannot write" in result.output and "File too large" in result.output
    assert made == {name: content for name, content in before.items() if content is not None}


@pytest.mark.parametrize("command", ["explain --row 1", "check", "describe", "save --to a.geco", "compare --row 1"])
def test_control_c_ends_with_130_and_leaves_nothing(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Project, "explainer", property(_interrupted))
    before = contents(folder)
    result = CliRunner().invoke(app, split(command))

    assert (result.exit_code, result.output.strip()) == (130, "interrupted")
    assert contents(folder) == before


@pytest.mark.parametrize(("command", "during"), [("suggest --write", "os.replace"), ("save --to a.geco", "os.replace")])
def test_control_c_while_writing_leaves_the_old_file(
    command: str, during: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(during, _interrupted)
    (folder / "rules.plaf").write_text("")
    before = contents(folder)
    result = CliRunner().invoke(app, split(command))

    assert result.exit_code == 130
    assert contents(folder) == before


def _interrupted(*_: object) -> Any:
    raise KeyboardInterrupt
