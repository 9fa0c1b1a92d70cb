"""The acceptance run on a few rows: Credit and Adult, a decision tree as a black box, complete programs, k = 5.

All rows and the timings: ``python -m benchmarks.acceptance.core``.
"""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks import protocol
from benchmarks.acceptance import core
from oracles.exact_tree import ExactTree

pytestmark = pytest.mark.skipif(
    not protocol.available(), reason="the peers' protocol is absent; set GECO_PEERS to its folder"
)
ROWS = 12


@pytest.fixture(scope="module", params=["credit", "adult"])
def figures(request: pytest.FixtureRequest) -> dict[str, Any]:
    return core.run(request.param, ROWS)


def test_every_row_gets_an_answer(figures):
    assert figures["found %"] == 100


def test_no_answer_breaks_a_rule_by_either_checker(figures):
    assert (figures["violations by explainer.check"], figures["violations by the second checker"]) == (0, 0)


def test_the_model_confirms_every_answer(figures):
    assert figures["confirmed by the model %"] == 100


def test_the_best_answer_changes_few_features(figures):
    assert figures["changed features of the best"] <= 1.5


def test_the_best_answer_is_near_the_exact_optimum(figures):
    assert 1 - 1e-9 <= figures["ratio to the optimum"] <= 1.5


def test_the_model_is_asked_about_at_most_20000_rows(figures):
    assert figures["model rows"] <= 20_000


@pytest.mark.parametrize("dataset", ["credit", "adult"])
def test_the_exact_oracle_agrees_with_the_stored_optimum_on_every_row(dataset):
    cell, stored = protocol.cell(dataset, "dt"), protocol.results(dataset, "dt", "exact_dt")
    oracle = ExactTree(cell.frame, cell.program, cell.pipeline, implications=False)

    assert [oracle.distance(cell.x(row)) for row in cell.rows] == pytest.approx(
        [stored[row]["dist"] for row in cell.rows], abs=1e-12
    )
