"""Around: what the core refuses, and which number is the roundest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier

import geco
from geco import _core
from geco.answers import nearby, ranges


@pytest.mark.parametrize(
    ("numbers", "chosen", "roundest"),
    [
        ([2087.0, 2091.0, 2100.0, 2150.0, 2200.0], 0, 2),
        ([2087.0, 2091.0], 0, 0),
        ([2100.0, 2150.0], 0, 0),
        ([0.12, 0.125, 0.1], 0, 0),
        ([0.087, 0.09, 0.091], 0, 1),
        ([-2200.0, -2150.0, -2087.0], 2, 0),
        ([1e300, 2e300], 0, 0),
        ([float(np.float32(0.187)), float(np.float32(0.2))], 0, 1),
    ],
)
def test_the_roundest_of_numbers(numbers, chosen, roundest):
    assert _core.roundest(np.sort(numbers), chosen) == roundest


def digits(number: int) -> int:
    return len(str(abs(number)).rstrip("0"))


@given(st.lists(st.integers(1000, 9999), min_size=1, max_size=30, unique=True), st.data())
def test_no_other_number_of_as_many_digits_is_rounder(numbers, data):
    numbers.sort()
    chosen = data.draw(st.integers(0, len(numbers) - 1))
    found = numbers[_core.roundest(np.array(numbers, float), chosen)]

    assert digits(found) == min(map(digits, numbers))
    assert all(abs(numbers.index(n) - chosen) >= abs(numbers.index(found) - chosen)
               for n in numbers if digits(n) == digits(found))  # fmt: skip


def test_outcomes_of_another_number_of_rows_are_refused(around):
    rows = around.ask()[3]

    with pytest.raises(ValueError, match="every row"):
        around.tell(np.ones(len(rows) + 1))


@pytest.mark.parametrize("answers", [[[5]], [[-1]], [[1, 1]]])
def test_rows_that_are_not_there_are_refused(answers, deployment):
    core, space = deployment

    with pytest.raises(ValueError, match="answers"):
        _core.Around(core, space, [1.0], bytes([3]), np.array(answers, np.int32), True, True)


@pytest.mark.parametrize(("x", "natures"), [([], b"\x03"), ([1.0], b""), ([1.0], b"\x09")])
def test_an_x_or_natures_of_other_features_are_refused(x, natures, deployment):
    core, space = deployment

    with pytest.raises(ValueError, match=r"x|natures"):
        _core.Around(core, space, x, natures, np.array([[2]], np.int32), True, True)


@pytest.fixture
def deployment():
    numbers = np.array([[np.nan, 1.0, 2.0, 3.0]])
    table = (numbers, np.ones(4), [(2.0, 1.0, 1.0, 1.0, 0.0, False, False)], None, True)
    core = _core.Deployment.build([table], [], [0], (0.0, 1.0, 0.0, 1.0, 1.0))
    return core, core.space([1.0], [], b"", [], 1000)[0]


@pytest.fixture
def around(deployment):
    core, space = deployment
    return _core.Around(core, space, [1.0], bytes([3]), np.array([[2]], np.int32), True, True)


def test_a_line_is_asked_about_until_both_sides_are_known(around):
    parents, groups, offsets, rows = around.ask()

    assert (parents.tolist(), groups.tolist(), offsets.tolist(), rows.tolist()) == ([[2]], [0], [0, 1], [3])
    around.tell(np.array([0.9]))
    assert not len(around.ask()[3])
    assert around.ranges() == [(0, 0, 0, 2, 3, True, True, [], None)]


@pytest.mark.parametrize("program", ["", "PLAF x_cf.a <= x.a + 0.4\nPLAF IF x_cf.b > x.b THEN x_cf.a >= 0.2"])
def test_rows_that_a_forest_cannot_tell_apart_are_asked_about_once_with_the_same_ranges(program, monkeypatch):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"a": rng.random(3000), "b": rng.random(3000).round(3), "c": rng.integers(0, 9, 3000)})
    label = (frame["a"] + frame["b"] + frame["c"] / 9 + 0.3 * np.sin(20 * frame["a"])) > 1.6
    model = RandomForestClassifier(12, max_depth=6, random_state=0).fit(frame, label)
    explainer = geco.Explainer(model, geco.Database.from_frame(frame), geco.parse_plaf(program))
    refused = frame[model.predict(frame) == 0].head(12)
    asked: list[int] = []

    def explained(by_stretch: bool) -> list[dict[str, Any]]:
        scored = ranges.around if by_stretch else lambda *arguments: ranges.around(*arguments[:4])
        monkeypatch.setattr(nearby, "around", scored)
        monkeypatch.setattr(nearby, "sweep", lambda near, evaluate: swept(near, evaluate.native, asked))
        monkeypatch.setattr(nearby.Nearby, "then", lambda *_: None)
        return [e.to_dict()["counterfactuals"] for e in explainer.explain_many(refused, threads=1)]

    first, once = explained(by_stretch=False), sum(asked)
    asked.clear()

    assert explained(by_stretch=True) == first
    assert sum(asked) < once / 2
    monkeypatch.undo()
    assert [e.to_dict()["counterfactuals"] for e in explainer.explain_many(refused, threads=1)] == first


def test_a_sweep_by_another_domains_model_is_refused(around):
    frame = pd.DataFrame({"a": np.arange(6.0), "b": np.arange(6.0)})
    model = RandomForestClassifier(2, random_state=0).fit(frame, frame["a"] > 2)
    compiled = geco.Explainer(model, geco.Database.from_frame(frame)).compiled
    scoring = _core.Scoring(
        compiled.core, compiled.anchor([1, 1], frame.iloc[0].to_dict(), lambda: frame.head(1)), compiled.verdict
    )

    with pytest.raises(ValueError, match="another domain"):
        around.sweep(scoring)


def swept(near: _core.Around, scoring: _core.Scoring, asked: list[int]) -> bool:
    """As the core does it, question by question; counts the rows that are asked about."""
    while len((lines := near.ask())[3]):
        asked.append(len(lines[3]))
        near.tell(scoring.score(lines[0][:0], *lines, float("inf"))[0])
    return True
