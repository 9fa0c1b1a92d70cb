"""The quick start of docs/service.md, run as it is written; all but R."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from conftest import REPOSITORY
from tests.service.conftest import APPLICANT, Running

PAGE = (REPOSITORY / "docs" / "service.md").read_text(encoding="utf-8")


def example(language: str) -> str:
    [code] = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(code)


def ran(command: list[str], service: Running, folder: Path, x: dict[str, Any]) -> str:
    (folder / "x.json").write_text(json.dumps(x))
    environment = {**os.environ, "URL": service.url, "TOKEN": APPLICANT}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout


def test_curl(service: Running, tmp_path: Path, x: dict[str, Any]) -> None:
    answer = json.loads(ran(["bash", "-c", example("sh")], service, tmp_path, x))

    assert answer["status"] == "found" and len(answer["counterfactuals"]) == 3


def test_python(service: Running, x: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example("py"), "docs/service.md", "exec"), {"URL": service.url, "TOKEN": APPLICANT, "x": x})

    printed = capsys.readouterr().out
    assert printed.count("{") == 3 and "age" not in printed


def test_javascript(service: Running, tmp_path: Path, x: dict[str, Any]) -> None:
    given = 'const { URL, TOKEN } = process.env; const x = JSON.parse(require("fs").readFileSync("x.json"));'
    (tmp_path / "ask.cjs").write_text(f"{given}\n(async () => {{\n{example('js')}\n}})();\n")
    printed = ran(["node", "ask.cjs"], service, tmp_path, x)

    assert "feature" in printed
