"""The examples about batches run as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from conftest import REPOSITORY


def run(name: str, folder: Path) -> str:
    command = [sys.executable, str(REPOSITORY / "examples" / name)]
    ended = subprocess.run(command, cwd=folder, env=dict(os.environ), capture_output=True, text=True)

    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_example_on_one_machine_goes_on_where_it_was(tmp_path: Path) -> None:
    first = run("batch_on_one_machine.py", tmp_path)

    assert first.startswith("1,000 rows, ")
    assert run("batch_on_one_machine.py", tmp_path) == first


def test_the_example_on_ray_writes_answers(tmp_path: Path) -> None:
    assert " answers in " in run("batch_on_ray.py", tmp_path)
