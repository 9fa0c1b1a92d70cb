"""The repository keeps its word: examples run, nothing is skipped in CI, no trace of the machine it was made on."""

from __future__ import annotations

import ast
import contextlib
import doctest
import hashlib
import importlib
import io
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import benchmarks
import geco

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = sorted(m.name for m in pkgutil.walk_packages(benchmarks.__path__, "benchmarks."))
BENCHMARKS.remove("benchmarks.peers.dice_runner")  # belongs to the environment of DiCE
MODULES = sorted(m.name for m in pkgutil.walk_packages(geco.__path__, "geco.") if not m.name.endswith("_core"))


def listed_files() -> list[Path]:
    """The files that git knows."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


def sources(folder: str, *suffixes: str) -> list[Path]:
    return [f for f in listed_files() if f.suffix in suffixes and f.is_relative_to(ROOT / folder)]


MOST_LINES = 300
MOST_LINES_OF_A_FUNCTION = 40
LISTS_OF_BINDINGS = {"bind_exact", "bind_archive"}  # one entry after the other, nothing to understand


def test_no_module_is_longer_than_one_can_keep_in_mind() -> None:
    files = sources("src", ".py") + sources("native", ".cpp", ".hpp")
    lengths = {str(f.relative_to(ROOT)): len(text_of(f).splitlines()) for f in files}

    assert len(lengths) > 200
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}
    assert lengths["src/geco/algorithm1.py"] <= 120


def test_no_function_has_a_body_of_more_than_forty_lines() -> None:
    bodies = [b for f in sources("src", ".py") for b in python_bodies(text_of(f))]
    bodies += [b for f in sources("native", ".cpp", ".hpp") for b in native_bodies(text_of(f))]

    assert len(bodies) > 1000
    assert {name: n for name, n in bodies if n > MOST_LINES_OF_A_FUNCTION and name not in LISTS_OF_BINDINGS} == {}


def python_bodies(text: str) -> Iterator[tuple[str, int]]:
    """Names of functions and the lines of their bodies, docstrings left out."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            yield node.name, (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def native_bodies(text: str) -> Iterator[tuple[str, int]]:
    """The same for C++ as clang-format lays it out; a block counts like a function, as it is part of a longer one."""
    lines, opened, head = text.splitlines(), list[tuple[int, str]](), ""
    for number, line in enumerate(lines):
        code = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'|//.*', "", line)
        head = line if re.match(r"(  )?\w", line) else head  # where a signature of several lines begins
        for brace in re.findall("[{}]", code):
            if brace == "{":
                opened.append((number, head))
                continue
            begin, signature = opened.pop()
            if line in ("}", "  }") and not re.match(r"\s*(namespace|struct|class|enum)\b", signature):
                name = re.search(r"(\w+)\(", signature)
                yield name[1] if name else signature, number - begin - 1
    assert not opened


def test_the_path_of_an_explanation_goes_through_files_that_exist() -> None:
    [path] = re.findall(r"## The path of one `explain\(x\)`\n(.*?)\n## ", text_of(ROOT / "ARCHITECTURE.md"), re.DOTALL)
    steps = re.findall(r"^\| \d+ \| `([^`]+)`", path, re.MULTILINE)

    assert 10 <= len(steps) <= 15
    assert [step for step in steps if not (ROOT / "src" / "geco" / step).is_file()] == []


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_run(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))

    assert failed == 0


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_can_be_imported(name: str) -> None:
    assert importlib.import_module(name).__doc__


def test_the_readme_example_prints_what_the_readme_shows() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    code, shown = re.findall(r"```python\n(.*?)```\n+(?:[^`\n][^`]*?\n+)?```text\n(.*?)```", readme, re.DOTALL)[0]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {"__name__": "readme"})

    assert printed.getvalue() == shown


def test_files_named_in_the_documents_exist() -> None:
    pages = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *(ROOT / "docs").rglob("*.md")]
    link = re.compile(r"\]\(([^)#:]+)\)")
    links = [(page, target) for page in pages for target in link.findall(page.read_text(encoding="utf-8"))]
    absent = [f"{page.name}: {target}" for page, target in links if not (page.parent / target).exists()]

    assert links
    assert absent == []


def test_no_file_names_a_place_on_someones_machine() -> None:
    place = re.compile("|".join(f"(?<![\\w.])/{folder}/\\w" for folder in ("work", "root", "home", "Users")))
    files = listed_files()
    found = [f.name for f in files if place.search(text_of(f))]

    assert len(files) > 20
    assert found == []


def test_no_page_or_message_installs_the_other_project_of_our_import_name() -> None:
    wrong = re.compile(r"pip install (?:-\S+ )*['\"]?geco(?!-explain)\b|(?<![\w-])geco\[[a-z]")
    suffixes = {".md", ".py", ".toml", ".yml", ""}
    said = [(f.name, m[0]) for f in listed_files() if f.suffix in suffixes for m in wrong.finditer(text_of(f))]

    assert wrong.search("pip install -U " + "geco") and not wrong.search("pip install 'geco-explain[demo]'")
    assert said == []


def test_the_licence_is_the_exact_text_of_apache_2() -> None:
    digest = hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest()

    assert digest == "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"


@pytest.mark.parametrize(("ci", "code"), [("0", 0), ("1", 1)])
@pytest.mark.parametrize(
    "skipping", ["def test_it():\n    pytest.skip('why')\n", "pytest.importorskip('no_such_package_at_all')\n"]
)
def test_a_skipped_test_fails_in_ci_and_only_there(skipping: str, ci: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path / "tests")
    (tmp_path / "tests" / "test_it.py").write_text(f"import pytest\n\ndef test_runs():\n    pass\n\n{skipping}")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    run = subprocess.run(command, cwd=tmp_path, env={**os.environ, "GECO_CI": ci}, capture_output=True, text=True)
    # A module that skips itself leaves pytest with nothing collected outside CI, and with a collection error in it.
    expected = {0: (0, 5), 1: (1, 2)}[code]

    assert run.returncode in expected, run.stdout


@pytest.mark.parametrize("variable", ["SLOW", "ONCE"])
def test_what_the_makefile_leaves_out_exists(variable: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    [names] = re.findall(rf"^{variable} := (.*)$", makefile, re.MULTILINE)

    assert [name for name in names.split() if not (ROOT / "tests" / name).exists()] == []


def test_ci_says_so_when_the_data_sets_are_absent(tmp_path: Path) -> None:
    environment = {**os.environ, "GECO_DATA": str(tmp_path)}
    run = subprocess.run([ROOT / ".ci" / "run"], env=environment, capture_output=True, text=True)

    assert run.returncode == 1
    assert "set GECO_DATA" in run.stderr
