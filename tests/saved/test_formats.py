"""Files of earlier formats are still read."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

import geco

HERE = Path(__file__).parent


def test_a_file_of_format_1_gives_the_answer_it_gave_then() -> None:
    """Made by the last geco of format 1: FIXED id, GROUP at, n, INCREASE at, and a tree on n and pay."""
    assert (HERE / "format1.geco").read_bytes()[8:12] == bytes([1, 0, 0, 0])
    explainer = geco.Explainer.load(HERE / "format1.geco")
    x = {"id": 2**62 + 2048, "at": dt.datetime(2024, 1, 3, 12, 30), "n": 2, "pay": 501.0}
    [cf] = explainer.explain(x, k=1).counterfactuals

    assert cf.values == {**x, "pay": 1252.5}
    assert cf.distance == pytest.approx(0.10714285714285714, rel=1e-12)
