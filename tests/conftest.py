"""Shared fixtures: where the data sets are, and no skipping in CI."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

REPOSITORY = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("GECO_DATA") or REPOSITORY.parent / "shared" / "data")
IN_CI = os.environ.get("GECO_CI") == "1"

# Tests run on two workers; models that start threads of their own would only get in each other's way.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# A busy machine is no fault of the code, and a CI run must show the same twice.
settings.register_profile("geco", deadline=None, derandomize=IN_CI)
settings.load_profile("geco")


def dataset_path(name: str) -> Path:
    """A file of the shared data sets, such as ``credit.csv``; skips the test where it is absent."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not in the data folder; set GECO_DATA to the folder that holds it")
    return path


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of the shared data sets; skips the test where it is absent."""
    return dataset_path("datasets.json").parent


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    return _fail_if_skipped(report) if not hasattr(report, "wasxfail") else report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, Any]:
    report = yield
    return _fail_if_skipped(report)


def _fail_if_skipped(report: Any) -> Any:
    """In CI everything must run: what would be skipped elsewhere fails there."""
    if IN_CI and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped, but GECO_CI=1 forbids skipping: {report.longrepr}"
    return report
