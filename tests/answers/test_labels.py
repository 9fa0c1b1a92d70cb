"""Labels: plain data by feature, in the explainer, in its answers and in the saved file."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import geco
from geco.answers.labels import Label
from geco.errors import SettingsError


def explainer(**settings: Any) -> geco.Explainer:
    frame = pd.DataFrame(
        {
            "income": np.arange(40, dtype="float32") * np.float32(0.1),
            "active": [0, 1] * 20,
            "since": [1990 + i % 20 for i in range(40)],
            "clubs": [i % 3 for i in range(40)],
        }
    )
    model = DecisionTreeClassifier(max_depth=2).fit(frame, frame.income > 2)
    return geco.Explainer(model, geco.Database.from_frame(frame), **settings)


def test_an_explainer_and_its_explanations_carry_the_labels() -> None:
    made = explainer(labels={"income": Label("monthly income", unit="€"), "active": "member"})

    assert made.labels == {"income": Label("monthly income", "€"), "active": Label("member")}
    assert made.explain({"income": 0, "active": 0, "since": 1999, "clubs": 0}).wording.labels == made.labels


def test_what_is_known_of_the_columns_is_found_out_once() -> None:
    wording = explainer().explain({"income": 0, "active": 0, "since": 1999, "clubs": 0}).wording

    assert wording.narrow == {"income": "float32"}
    assert wording.flags == {"active"}
    assert wording.years == {"since"}


def test_labels_travel_in_the_saved_file_and_in_a_pickle(tmp_path: Path) -> None:
    made = explainer(labels={"income": Label("monthly income", "€", "earn", "give up")})
    made.save(tmp_path / "saved.geco")
    for again in (geco.Explainer.load(tmp_path / "saved.geco"), pickle.loads(pickle.dumps(made))):
        assert again.labels == made.labels
        assert again._parts.wording == made._parts.wording


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"incom": "pay"}, r"labels: D has no feature 'incom' \(did you mean 'income'\?\)"),
        ({"income": 3}, r"labels\['income'\] must be a geco.Label"),
        ({"income": {"name": "pay"}}, r"labels\['income'\] must be a geco.Label"),
        ({"income": ""}, "label of a Label must be some text, got ''"),
        (["income"], "labels must be a dict by feature"),
    ],
)
def test_a_label_that_makes_no_sense_is_refused(labels: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        explainer(labels=labels)


def test_completion_lists_the_public_names() -> None:
    assert set(geco.__all__) <= set(dir(geco))
    assert not [name for name in dir(geco) if name.startswith("_") and not name.startswith("__")]
