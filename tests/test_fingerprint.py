"""Digests of an explainer: the same for the same parts, another for any other part."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import geco
from geco.fingerprint import Fingerprint, fingerprint

TABLE = pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6], "b": ["x", "y", "x", "y", "x", "y"], "n": [1, 1, 2, 2, 3, 3]})
GOOD = np.array([0, 0, 0, 1, 1, 1])
RULES = "FIXED b\nPLAF x_cf.a >= x.a"


def explainer(table: pd.DataFrame = TABLE, good: np.ndarray = GOOD, rules: str = RULES) -> geco.Explainer:
    model = DecisionTreeClassifier(random_state=0).fit(table[["a", "n"]], good)
    return geco.Explainer(model, geco.Database.from_frame(table), geco.parse_plaf(rules))


def of(explainer: geco.Explainer) -> Fingerprint:
    return fingerprint(explainer._parts)


def test_the_same_parts_have_the_same_fingerprint() -> None:
    shuffled = TABLE.sample(frac=1, random_state=3)

    assert of(explainer()) == of(explainer())
    assert of(explainer()).data == of(explainer(shuffled, GOOD[shuffled.index])).data


def test_a_saved_and_a_pickled_explainer_have_the_fingerprint_of_the_one_they_come_from(tmp_path: Path) -> None:
    first = explainer()
    first.save(tmp_path / "e.geco")

    assert of(geco.Explainer.load(tmp_path / "e.geco")) == of(first)
    assert of(pickle.loads(pickle.dumps(first))) == of(first)


@pytest.mark.parametrize(
    ("other", "changed"),
    [
        (explainer(good=np.array([0, 0, 1, 1, 1, 1])), "model"),
        (explainer(rules="FIXED b\nPLAF x_cf.a > x.a"), "rules"),
        (explainer(TABLE.assign(b=["x", "y", "x", "y", "x", "z"])), "data"),
        (explainer(TABLE.assign(b=["x", "y", "x", "y", "y", "y"])), "data"),
    ],
)
def test_one_part_that_differs_is_the_one_that_shows(other: geco.Explainer, changed: str) -> None:
    before, after = of(explainer()).to_dict(), of(other).to_dict()

    assert [name for name in before if before[name] != after[name]] == [changed]


def test_a_rule_written_in_another_way_is_the_same_rule() -> None:
    assert of(explainer(rules="fixed b ; PLAF cf.a≥x.a  # grows")).rules == of(explainer()).rules


def test_a_black_box_has_no_digest_and_says_why() -> None:
    black_box = geco.Explainer(lambda f: (f.a > 3) * 1.0, geco.Database.from_frame(TABLE))

    assert of(black_box).model is None
    assert "not compiled" in of(black_box).model_is
