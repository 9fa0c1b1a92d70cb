"""The repository keeps its word: examples run, nothing is skipped in CI, no trace of the machine it was made on."""

from __future__ import annotations

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
