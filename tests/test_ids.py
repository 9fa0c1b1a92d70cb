"""explain_iter and ids: rows as they end, with what the user calls them, and never an id among the values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import polars as pl
import pytest
from sklearn.tree import DecisionTreeClassifier

import geco
from geco.errors import SettingsError

FRAME = pd.DataFrame({"income": [1000 + 10 * i for i in range(60)], "region": [i % 7 for i in range(60)]})
TREE = DecisionTreeClassifier(max_depth=3).fit(FRAME, FRAME.income > 1300)
EXPLAINER = geco.Explainer(TREE, geco.Database.from_frame(FRAME), geco.parse_plaf("FIXED region"))
ASKED = FRAME.head(9).assign(customer=[f"c{i}" for i in range(9)])


@pytest.mark.parametrize(
    "frame", [ASKED, pl.from_pandas(ASKED), ASKED.to_dict("records")], ids=["pandas", "polars", "list"]
)
def test_ids_come_back_with_their_rows_and_are_no_values(frame: Any) -> None:
    many = EXPLAINER.explain_many(frame, k=1, id="customer")

    assert many.ids == tuple(ASKED.customer)
    assert many[2:4].ids == ("c2", "c3")
    assert list(many.to_frame().columns[:3]) == ["row", "customer", "place"]
    assert all("customer" not in {**e.x, **e.counterfactuals[0].values} for e in many)
    assert many == EXPLAINER.explain_many(FRAME.head(9), k=1)


def test_explain_iter_gives_what_explain_many_gives() -> None:
    found = {row: (id, explanation) for row, id, explanation in EXPLAINER.explain_iter(ASKED, id="customer", k=2)}
    many = EXPLAINER.explain_many(ASKED, k=2, id="customer")

    assert [found[row] for row in range(9)] == list(zip(many.ids or (), many, strict=True))


def test_explain_iter_begins_before_the_input_ends() -> None:
    read: list[int] = []

    def rows() -> Iterator[dict[str, Any]]:
        for i in range(100_000):
            read.append(i)
            yield {"income": 1000, "region": 0}

    row, id, explanation = next(EXPLAINER.explain_iter(rows()))

    assert (row, id, explanation.status) == (0, None, "found")
    assert len(read) < 1000


class Stuttering:
    """Fails on every third row."""

    def __init__(self, rows: int) -> None:
        self.rows, self.at = rows, -1

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self

    def __next__(self) -> dict[str, Any]:
        self.at += 1
        if self.at >= self.rows:
            raise StopIteration
        if self.at % 3 == 2:
            raise OSError("connection lost")
        return {"income": 1000, "region": 1, "customer": self.at}


def test_explain_iter_survives_an_error_in_the_input() -> None:
    found = sorted(EXPLAINER.explain_iter(Stuttering(7), id="customer", k=1), key=lambda each: each[0])

    assert [(row, id, e.status) for row, id, e in found] == [
        (0, 0, "found"), (1, 1, "found"), (2, None, "failed"), (3, 3, "found"), (4, 4, "found"), (5, None, "failed"),
        (6, 6, "found"),
    ]  # fmt: skip
    assert found[2][2].reason == "rows cannot be read: OSError: connection lost"


def test_an_input_that_only_fails_ends() -> None:
    def rows() -> Iterator[dict[str, Any]]:
        yield {"income": 1000, "region": 1}
        raise OSError("connection lost")

    found = sorted(EXPLAINER.explain_iter(rows(), k=1), key=lambda each: each[0])

    assert [e.status for _, _, e in found] == ["found", "failed"]


@pytest.mark.parametrize(
    ("id", "message"), [("region", "'region' is a feature of D; exclude it"), (3, "is not the name")]
)
def test_an_id_that_is_a_feature_or_no_name_is_refused(id: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        EXPLAINER.explain_many(ASKED, id=id)


def test_reprs_say_in_a_line_what_there_is() -> None:
    excluded = geco.Database.from_frame(FRAME, exclude=["region"])

    assert repr(EXPLAINER) == (
        "<Explainer of DecisionTreeClassifier.predict_proba: P(True) > 0.5; 60 rows, 2 features, 1 rule>"
    )
    assert repr(excluded) == "<Database of 60 rows: 1 feature, 1 column excluded>"


def test_notebooks_show_explainer_database_and_explanations_as_tables() -> None:
    many = EXPLAINER.explain_many(ASKED, k=1, id="customer")
    for shown in (EXPLAINER, geco.Database.from_frame(FRAME), many):
        assert shown._repr_html_().count("<table>") >= 1
    assert "c3" in many._repr_html_() and "Raise income from" in many._repr_html_()


def test_describe_tells_the_features_of_a_mixed_group_apart() -> None:
    frame = FRAME.assign(job=["a", "b"] * 30)
    tree = DecisionTreeClassifier(max_depth=3).fit(frame[["income"]], frame.income > 1300)
    made = geco.Explainer(tree, geco.Database.from_frame(frame), geco.parse_plaf("GROUP income, job; FIXED region"))

    assert "  income, job: 60 rows, income continuous, 1,000 to 1,590; job categorical, job not read" in made.describe()
    assert "  region: 7 rows, continuous, 0 to 6, not read by the model" in made.describe()
