"""Labels: plain data by feature, in the explainer, in its answers and in the saved file."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import geco
from geco.answers.explanation import Action, Counterfactual
from geco.answers.labels import Label, Wording
from geco.answers.sentences import sentence
from geco.errors import GecoError, SettingsError
from geco.saved.explainer import _with_names
from geco.saved.fields import value_of


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


def test_values_that_are_codes_are_told_by_their_names_in_the_language() -> None:
    job = Label(
        "skill level", values={2: "skilled", 3.0: "highly skilled"}, de={"label": "Können", "values": {"3": "hoch"}}
    )
    way = Counterfactual({}, (Action("job", 2, 3),), 0.1, 0.7, True)
    wording = Wording({"job": job})

    assert sentence(way, {}, wording) == "Change skill level from skilled to highly skilled."
    assert sentence(way, {}, wording, "de") == "Ändern Sie „Können“ von skilled auf hoch."


def test_a_verb_of_another_language_is_not_taken() -> None:
    way, given = Counterfactual({}, (Action("income", 2, 3),), 0.1, 0.7, True), {"label": "pay", "up": "earn more"}
    named = Wording({"income": Label(**given, de={"label": "den Lohn"})})

    assert sentence(way, {}, named) == "Earn more pay from 2 to 3."
    assert sentence(way, {}, named, "de") == "Erhöhen Sie den Lohn von 2 auf 3."
    assert sentence(way, {}, Wording({"income": Label(**given)}), "de") == "Earn more „pay“ von 2 auf 3."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"values": ["a"]}, "values of a Label must be a dict"),
        ({"values": {1: ""}}, "the name of 1 must be some text"),
        ({"de": 3}, "must be a geco.Label"),
        ({"de": {"label": " "}}, "label of a Label must be some text"),
    ],
)
def test_names_that_are_not_text_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(GecoError, match=message):
        Label(**given)


def test_names_of_values_travel_in_the_saved_file_and_files_from_before_them_are_read(tmp_path: Path) -> None:
    made = explainer(labels={"clubs": Label("clubs", values={2: "two"}, de={"label": "Vereine"})})
    made.save(tmp_path / "a.geco")

    assert geco.Explainer.load(tmp_path / "a.geco").labels == made.labels
    old = [["clubs", {"is": "Label", "label": "clubs", "unit": None, "up": None, "down": None}]]
    assert value_of(Mapping[str, Label], _with_names(old)) == {"clubs": Label("clubs")}
