"""Pictures of questions: what stands where, and what is said beside it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pandas as pd
import pytest

import geco

NAMES = [f"a rather long name {n}" for n in range(60)]
FRAME = pd.DataFrame({
    "income": [None if n % 11 == 0 else float(n * 10) for n in range(120)],
    "year": [2000 + n % 9 for n in range(120)],
    "job": [NAMES[n % 60] for n in range(120)],
    "age": [20 + n % 40 for n in range(120)],
    "level": [n % 4 for n in range(120)],
})  # fmt: skip
RULES = "INCREASE age, level PLAF IF x_cf.level > x.level THEN x_cf.age >= x.age + 2"
BEGIN: dict[str, Any] = {"income": 30.0, "year": 2003, "job": NAMES[3], "age": 25, "level": 1}


@pytest.fixture(scope="module")
def explainer() -> geco.Explainer:
    def model(frame: pd.DataFrame) -> Any:
        rich = frame["income"].astype(float).fillna(0) / 1000 + frame["level"] / 10
        return (rich + 0.4 * (frame["job"] == NAMES[50]) + 0.01 * (frame["year"] - 2000)) / 2

    return geco.Explainer(model, geco.Database.from_frame(FRAME), geco.parse_plaf(RULES))


def test_a_missing_value_stands_beside_the_numbers(explainer: geco.Explainer) -> None:
    ax = explainer.smallest({**BEGIN, "income": None}, "income").plot()
    at = {line.get_label(): line.get_xdata()[0] for line in ax.lines}

    assert ax.figure.get_size_inches()[1] < 5
    assert "missing" in [text.get_text() for text in ax.texts]
    assert at["x: missing"] < 0 < next(place for name, place in at.items() if name.startswith("answer: "))


def test_what_is_allowed_with_more_changes_is_told_apart(explainer: geco.Explainer) -> None:
    found = explainer.smallest(BEGIN, "level")
    curve = found.curve

    assert curve is not None and curve.values == (0, 1, 2, 3)
    assert (curve.allowed, curve.dragging) == ((False, True, False, False), (False, False, True, True))
    for value, allowed, dragging in zip(curve.values, curve.allowed, curve.dragging, strict=True):
        said = explainer.what_if(BEGIN, level=value)
        assert (said.allowed, bool(said.dragged)) == (allowed, dragging)
    assert "allowed with\nmore changes" in [text.get_text() for text in found.plot().get_legend().get_texts()]


def test_of_many_categories_some_are_drawn_x_among_them(explainer: geco.Explainer) -> None:
    ax = explainer.smallest(BEGIN, "job").plot()
    names = [label.get_text().replace("\n", " ") for label in ax.get_yticklabels()]

    assert len(names) == 24 and f"“{NAMES[3]}”" in names
    assert ax.get_xlabel() == "M (24 of 60 values are drawn)"


def test_years_have_no_separators(explainer: geco.Explainer) -> None:
    ax = explainer.smallest(BEGIN, "year").plot()
    strip = explainer.plot_strips(explainer.what_if(BEGIN, year=2008)).axes[0]

    assert ax.xaxis.get_major_formatter()(2003, 0) == "2003"
    assert strip.xaxis.get_major_formatter()(2003, 0) == "2003"


def test_strips_are_drawn_of_rows_and_of_what_ifs_and_names_do_not_overlap(explainer: geco.Explainer) -> None:
    figure = explainer.plot_strips(explainer.what_if(BEGIN, job=NAMES[50], income=900.0))
    figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in figure.axes[1].get_xticklabels()]

    assert "what if" in [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert figure.axes[1].get_xticklabels()[0].get_rotation() or not any(a.overlaps(b) for a, b in pairwise(boxes))
    assert explainer.plot_strips(explainer.nearest_row(BEGIN)).axes


def test_a_tradeoff_is_not_beaten_by_the_far_end_of_a_single_change(explainer: geco.Explainer) -> None:
    front = explainer.tradeoffs(BEGIN, k=2)
    singles = [p for p in front.points if p.changed == 1]

    assert max(p.counterfactual.outcome for p in singles) >= explainer.what_if(BEGIN, income=1180.0).outcome
    assert not any(a.dominates(b) for a in front.points for b in front.points)
