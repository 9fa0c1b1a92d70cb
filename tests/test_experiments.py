"""The experiments' harness: runs resume, one experiment goes from key to page, every claim has its row."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from benchmarks import synthetic_tables
from benchmarks.datasets import DATA
from benchmarks.experiments import drawing, harness, page
from benchmarks.experiments.catalogue import EXPERIMENTS
from benchmarks.experiments.fig4_tradeoff import Tradeoff
from benchmarks.experiments.fig5_network import Network
from benchmarks.experiments.harness import Experiment, Record, Store, Verdict

ROOT = Path(__file__).resolve().parents[1]


class Squares(Experiment):
    """A unit per number; what was run is remembered."""

    name, title = "squares", "Squares"

    def __init__(self) -> None:
        self.ran: list[str] = []

    def keys(self, size: harness.Size) -> list[str]:
        return ["1", "2", "3"] if size == "paper" else ["1", "2"]

    def run(self, key: str) -> list[Record]:
        self.ran.append(key)
        return [{"square": int(key) ** 2}]

    def tables(self, records: Sequence[Record]) -> dict[str, list[Record]]:
        return {"All": [{"square": r["square"]} for r in records]}

    def figures(self, records: Sequence[Record]) -> dict[str, Any]:
        figure, axes = drawing.panels(1, 1)
        drawing.bars(axes[0][0], {r["key"]: r["square"] for r in records}, "square")
        return {"squares": figure}

    def claims(self, records: Sequence[Record]) -> dict[str, Verdict]:
        return {"closest": Verdict(f"{len(records)} squares", False, "they are squares")}


def test_what_is_done_is_not_run_again(tmp_path):
    harness.run([Squares()], "quick", tmp_path)
    again = Squares()
    harness.run([again], "quick", tmp_path)

    assert again.ran == []


def test_a_larger_size_goes_on_where_the_smaller_ended(tmp_path):
    harness.run([Squares()], "quick", tmp_path)
    larger = Squares()
    harness.run([larger], "paper", tmp_path)

    assert larger.ran == ["3"]


def test_records_of_a_unit_without_its_last_line_are_dropped_and_run_again(tmp_path):
    harness.run([Squares()], "quick", tmp_path)
    path = Store("squares", tmp_path).path
    whole = path.read_text()
    path.write_text(whole[: whole.index('{"done": "2"')] + '{"key": "2", "squ')
    again = Squares()
    harness.run([again], "quick", tmp_path)

    assert again.ran == ["2"]
    assert [r["square"] for r in Store("squares", tmp_path).records()] == [1, 4]


def test_a_killed_run_loses_only_the_unit_under_way(tmp_path):
    script = textwrap.dedent(f"""
        import os, signal
        from pathlib import Path
        from benchmarks.experiments import harness
        from tests.test_experiments import Squares
        class Killed(Squares):
            def run(self, key):
                if key == "2":
                    os.kill(os.getpid(), signal.SIGKILL)
                return super().run(key)
        harness.run([Killed()], "quick", Path({str(tmp_path)!r}))
    """)
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    again = Squares()
    harness.run([again], "quick", tmp_path)

    assert ended.returncode == -9, ended.stderr
    assert again.ran == ["2"]


def test_records_stand_under_the_versions_and_the_machine_they_were_measured_on(tmp_path):
    harness.run([Squares()], "quick", tmp_path)
    [header] = Store("squares", tmp_path).facts()

    assert {"python", "geco", "numpy"} <= header["versions"].keys()
    assert header["machine"]["cores"]


def test_the_report_has_a_row_for_every_claim(tmp_path):
    harness.run([Squares()], "quick", tmp_path)
    text = page.write([Squares()], tmp_path / "README.md", tmp_path).read_text()

    assert all(f"| {claim['text']} |" in text for claim in page.claims())
    assert "2 squares | does not, because they are squares" in text


def test_the_report_shows_tables_and_figures(tmp_path):
    harness.run([Squares()], "quick", tmp_path)
    text = page.write([Squares()], tmp_path / "README.md", tmp_path).read_text()

    assert "| square |" in text
    assert "(figures/squares.png)" in text
    assert {f.name for f in (tmp_path / "figures").iterdir()} == {"squares.svg", "squares.png"}


def test_an_experiment_that_was_not_run_is_said_to_be_not_measured(tmp_path):
    text = page.write([Squares()], tmp_path / "README.md", tmp_path).read_text()

    assert "Not measured yet" in text


def test_every_claim_belongs_to_an_experiment_and_has_an_id_of_its_own():
    claims = page.claims()

    assert {claim["experiment"] for claim in claims} == {e.name for e in EXPERIMENTS}
    assert len({claim["id"] for claim in claims}) == len(claims)


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: e.name)
def test_sizes_are_nested(experiment):
    tiny, quick = (experiment.keys(size) for size in ("tiny", "quick"))

    assert len(quick) == len(set(quick))
    assert set(tiny) <= set(quick)


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: e.name)
def test_the_committed_records_answer_the_claims_of_their_experiment(experiment):
    verdicts = experiment.claims(Store(experiment.name).records())

    assert verdicts.keys() == {claim["id"] for claim in page.claims() if claim["experiment"] == experiment.name}


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: e.name)
def test_a_claim_that_does_not_hold_says_why(experiment):
    verdicts = experiment.claims(Store(experiment.name).records())

    assert [name for name, verdict in verdicts.items() if verdict.holds is False and not verdict.because] == []


def test_a_tool_that_found_nothing_does_not_make_a_claim_about_it_hold():
    ours = [r for r in Store("fig5_network").records() if not r["system"].startswith("dice")]
    nothing = {"system": "dice random", "row": 0, "found": False, "valid": False, "seconds": 1.0}
    verdicts = Network().claims([*ours, nothing])

    assert {verdicts[name].holds for name in ("dice-faster", "dice-features", "dice-distance")} == {None}


def test_only_two_systems_are_as_fast_is_refuted_by_a_third():
    records = Store("fig4_tradeoff").records()
    quick = [{**r, "seconds": 1e-4} if r["system"] == "certifai" else r for r in records]
    verdict = Tradeoff().claims(quick)["wit-simcf-as-fast"]

    assert (verdict.holds, "CERT is as fast" in verdict.because) == (False, True)


@pytest.mark.skipif(not DATA.exists(), reason="the shared data are absent; set GECO_DATA to their folder")
@pytest.mark.parametrize("name", synthetic_tables.NAMES)
def test_a_synthetic_table_in_parquet_begins_like_a_shorter_one(name, tmp_path, monkeypatch):
    monkeypatch.setattr(synthetic_tables, "BATCH", 500)
    synthetic_tables.write(name, 1200, tmp_path / "table.parquet")
    written = pd.read_parquet(tmp_path / "table.parquet")
    short = synthetic_tables.load(name, 700)

    assert len(written) == 1200
    pd.testing.assert_frame_equal(written[list(short.frame)].iloc[:700], short.frame, check_dtype=False)


@pytest.mark.skipif(not DATA.exists(), reason="the shared data are absent; set GECO_DATA to their folder")
@pytest.mark.parametrize("name", synthetic_tables.NAMES)
def test_a_synthetic_table_obeys_its_own_program(name):
    data = synthetic_tables.load(name, 300)
    model = lambda frame: np.zeros(len(frame))  # noqa: E731
    explainer = geco.Explainer(model, data.database(), geco.parse_plaf(data.program))
    x = data.frame.iloc[0].to_dict()

    assert explainer.check(x, x) == []
