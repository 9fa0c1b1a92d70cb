"""Whatever is given instead of a setting, a path, a label, a row or a model comes back as one of our errors."""

from __future__ import annotations

import json
import sqlite3
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

import geco
from fuzzing.hostile import Raising, RaisingMapping, deep
from fuzzing.models import ANSWERS, Answering, Odd, good
from fuzzing.people import database, explainer, people, xs
from geco.answers.explanations import never_begun
from geco.errors import DataError, GecoError, InstanceError, ModelError, SettingsError, TargetError, shown

TOO_LARGE = pytest.param(10**400, id="10**400")


@pytest.mark.parametrize("value", [Raising(), deep(3_000), "x" * 100_000, np.arange(10**6)])
def test_any_value_can_be_shown_in_a_message(value: Any) -> None:
    assert 0 < len(shown(value)) <= 80


@pytest.mark.parametrize("value", [deep(3_000), Raising(), "x" * 100_000, np.timedelta64(1, "D")])
def test_a_setting_that_is_not_a_whole_number_is_named_whatever_it_is(value: Any) -> None:
    with pytest.raises(SettingsError, match="k must be a whole number of at least 1, got") as error:
        explainer("black box").explain(xs()[0], k=value)

    assert len(str(error.value)) < 200


@pytest.mark.parametrize("value", [deep(3_000), Raising(), TOO_LARGE, np.timedelta64(1, "D"), "x" * 100_000])
@pytest.mark.parametrize("name", ["alpha", "weights", "costs", "steps", "scale", "min_support"])
def test_a_setting_of_the_distance_that_makes_no_sense_is_named(name: str, value: Any) -> None:
    with pytest.raises(SettingsError, match=rf"^{name} must be"):
        geco.Params(**{name: value})


@pytest.mark.parametrize("value", [np.void(b"abc"), pd.Series([1, 2]), np.ones((2, 2))])
def test_a_scale_that_cannot_be_compared_is_named(value: Any) -> None:
    with pytest.raises(SettingsError, match=r"^scale must be"):
        geco.Params(scale=value)


def test_settings_by_feature_that_cannot_be_read_are_named() -> None:
    with pytest.raises(SettingsError, match="costs cannot be read: ZeroDivisionError"):
        geco.Params(costs=RaisingMapping())


@pytest.mark.parametrize(
    "labels", [np.ones((2, 2)), pd.DataFrame({"a": [1]}), pd.NA, Raising(), deep(3_000), [[1]], [], np.zeros(0)]
)
def test_a_label_that_no_model_can_have_is_refused(labels: Any) -> None:
    with pytest.raises(TargetError):
        geco.Target(labels=labels)


def test_a_label_in_an_array_without_dimensions_is_a_label() -> None:
    assert geco.Target(labels=np.array(5.0)).labels == (5.0,)


@pytest.mark.parametrize("value", [deep(3_000), Raising(), TOO_LARGE, np.timedelta64(1, "D")])
@pytest.mark.parametrize("name", ["threshold", "margin", "interval"])
def test_a_target_that_is_not_a_number_is_named(name: str, value: Any) -> None:
    with pytest.raises((TargetError, SettingsError), match=name):
        geco.Target(**{name: (value, None) if name == "interval" else value})


@pytest.mark.parametrize("value", [1, "progress", pd.NaT, deep(3_000)])
def test_an_on_round_that_cannot_be_called_is_refused(value: Any) -> None:
    with pytest.raises(SettingsError, match="on_round must be a function"):
        explainer("black box").explain(xs()[0], on_round=value)


@pytest.mark.parametrize("name", ["progress"])
def test_a_switch_is_on_or_off(name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} must be True or False"):
        explainer("black box").explain_many(xs(), **{name: Raising()})


@pytest.mark.parametrize("x", [RaisingMapping(), {**xs()[0], "age": Raising()}, {**xs()[0], "age": deep(3_000)}])
def test_an_x_that_cannot_be_read_is_said_to_be(x: Any) -> None:
    with pytest.raises(InstanceError):
        explainer("black box").explain(x)


def test_a_signalling_nan_is_missing() -> None:
    assert explainer("black box").explain({**xs()[0], "income": Decimal("sNaN")}).x["income"] is None


def test_rows_that_cannot_be_read_are_named() -> None:
    def rows() -> Any:
        yield xs()[0]
        raise ZeroDivisionError("no more")

    with pytest.raises(InstanceError, match="rows cannot be read: ZeroDivisionError: no more"):
        explainer("black box").explain_many(rows())


def test_rows_without_a_length_are_said_to_be_unreadable() -> None:
    with pytest.raises(InstanceError, match="rows cannot be read"):
        explainer("black box").explain_many(Raising())


@pytest.mark.parametrize("given", [np.array(5), Raising(), {"a": 1}])
def test_something_that_is_not_an_explanation_cannot_be_rechecked(given: Any) -> None:
    with pytest.raises(SettingsError, match="explanations must be what explain or explain_many returned"):
        explainer("black box").recheck(given, good)


@pytest.mark.parametrize("value", [np.float32(1), np.zeros(2, [("a", int)]), (i for i in range(2)), pd.NA, Raising()])
@pytest.mark.parametrize("name", ["classes_", "feature_names_in_", "feature_name_"])
def test_a_model_with_strange_attributes_is_a_model_that_cannot_be_looked_at(name: str, value: Any) -> None:
    model = Odd(lambda frame: np.stack([1 - good(frame), good(frame)], axis=1), **{name: value})

    with pytest.raises(GecoError):
        geco.Explainer(model, database())


def test_a_model_of_no_known_kind_is_no_regressor() -> None:
    model = Odd(good, _estimator_type=np.array([1, 2]))

    assert geco.Explainer(model, database()).model.output == "probability"


@pytest.mark.parametrize("answer", ["labels", "mixed labels", "three columns", "objects", "raising", "transposed"])
def test_a_model_that_answers_in_another_form_later_is_an_error(answer: str) -> None:
    made = geco.Explainer(Answering(ANSWERS[answer], only_later=True), database())

    with pytest.raises(ModelError):
        made.explain(xs()[0])


def test_numbers_beyond_all_floats_are_not_an_answer() -> None:
    with pytest.raises(ModelError, match="the model"):
        geco.Explainer(lambda frame: [10**400] * len(frame), database(), target=(1, None))


@pytest.mark.parametrize(
    "path", [5, None, Raising(), deep(3_000), b"it", np.array("it"), "\ud800", "a\0b", ("a",), "x" * 5_000]
)
def test_something_that_is_not_a_path_is_one_clear_error(path: Any) -> None:
    for call in (explainer("black box").save, geco.Explainer.load, geco.read_plaf):
        with pytest.raises(SettingsError, match=r"^path.* (must be text|cannot be the name of a file)"):
            call(path)


def test_the_people_of_the_fuzzer_are_explained() -> None:
    assert explainer("compiled").explain(xs()[0], k=1).status == "found"
    assert len(people()) == 150


def test_text_that_is_not_unicode_is_shown_in_a_frame_of_objects() -> None:
    row = {**xs()[0], "since": "\ud800"}

    assert explainer("black box").explain_many([row])[0].to_frame()["since"].tolist() == ["\ud800"]


@pytest.mark.parametrize("exclude", [5, Raising(), range(3), [None], np.array(5), TOO_LARGE, "age", "x" * 100_000])
def test_what_is_not_a_list_of_columns_cannot_be_excluded(exclude: Any) -> None:
    with pytest.raises(DataError, match=r"^exclude"):
        geco.Database.from_frame(people(), exclude=exclude)


@pytest.mark.parametrize("kinds", [5, "age", pd.DataFrame({"a": [1]}), pd.NA, Raising(), RaisingMapping(), dict])
def test_kinds_that_are_not_a_dict_by_feature_are_refused(kinds: Any) -> None:
    with pytest.raises(DataError, match=r"^kinds must be a dict by feature"):
        geco.Database.from_frame(people(), kinds=kinds)


@pytest.mark.parametrize("kind", [5, None, np.array(5), Raising(), [[]], deep(3_000), ["a", "a"]])
def test_an_unknown_kind_is_refused(kind: Any) -> None:
    with pytest.raises(DataError, match=r"^kinds\['home'\]"):
        geco.Database.from_frame(people(), kinds={"home": kind})


@pytest.mark.parametrize("query", [5, None, b"t", "SELECT '\ud800'", Raising()])
def test_what_is_not_a_query_is_refused(query: Any) -> None:
    with sqlite3.connect(":memory:") as connection, pytest.raises(DataError, match=r"^query"):
        geco.Database.from_sql(query, connection)


class Nameless:
    """Cannot be shown. Older versions of NumPy ask more of an object than that before pandas can hold it."""

    def __repr__(self) -> str:
        raise ZeroDivisionError("I have no name")


def test_a_column_whose_name_cannot_be_shown_is_refused() -> None:
    with pytest.raises(DataError, match="column names must be text, not a Nameless"):
        geco.Database.from_frame(people().rename(columns={"age": Nameless()}))


@pytest.mark.parametrize(
    "value", [Decimal("1e999"), Decimal("NaN"), Decimal("sNaN"), Nameless(), deep(3_000), b"x", 1j]
)
def test_a_failed_row_is_plain_data_whatever_it_holds(value: Any) -> None:
    made = explainer("black box").explain_many([{**xs()[0], "member": value}])[0]

    assert json.loads(made.to_json())["status"] in ("failed", "found")
    assert str(made) and made._repr_html_() and len(made.to_frame())


@pytest.mark.parametrize("key", [float("-inf"), None, pd.NaT, (1, 2), Nameless(), 3])
def test_a_failed_row_is_plain_data_whatever_it_names(key: Any) -> None:
    row = {name: value for name, value in xs()[0].items() if name != "age"}
    made = explainer("black box").explain_many([{**row, key: 1}])[0]

    assert made.status == "failed"
    assert len(json.loads(made.to_json())["x"]) == len(row) + 1


def test_a_model_that_raises_whatever_is_asked_of_it_is_our_error() -> None:
    with pytest.raises(geco.GecoError):
        geco.Explainer(Raising(), geco.Database.from_frame(people()))


@pytest.mark.parametrize("value", [10**400, -(10**400), Decimal("1e400")])
@pytest.mark.parametrize("feature", ["age", "id"])
def test_a_whole_number_beyond_all_floats_is_one_clear_error(feature: str, value: Any) -> None:
    with pytest.raises(InstanceError, match=f"'?{feature}'?"):
        explainer("compiled").explain({**xs()[0], feature: value})


def test_a_row_that_raises_is_a_row_of_the_batch() -> None:
    [explanation] = explainer("compiled").explain_many([RaisingMapping()])

    assert (explanation.status, explanation.x) == ("failed", {})
    assert never_begun(RaisingMapping(), "").x == {}
