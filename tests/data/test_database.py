"""What a Database says about itself, and what it refuses."""

import datetime as dt
import multiprocessing
import threading

import numpy as np
import pandas as pd
import pytest

from geco.data.database import Database
from geco.errors import DataError


@pytest.fixture
def people():
    return pd.DataFrame(
        {
            "age": [30, 41, 30, 25],
            "income": [1000.5, np.nan, 1000.5, 0.0],
            "job": ["clerk", "none", "clerk", None],
            "married": [True, False, True, True],
            "since": pd.to_datetime(["2020-01-01", "2021-06-30", "2020-01-01", None]),
        }
    )


def message(call, *args, **kwargs):
    with pytest.raises(DataError) as caught:
        call(*args, **kwargs)
    return str(caught.value)


def test_types_and_kinds_are_inferred(people):
    schema = Database.from_frame(people).schema

    assert [(f.name, f.type, f.kind) for f in schema] == [
        ("age", "integer", "continuous"),
        ("income", "number", "continuous"),
        ("job", "text", "categorical"),
        ("married", "boolean", "categorical"),
        ("since", "datetime", "ordinal"),
    ]


def test_distinct_rows_come_with_counts_sorted_and_missing_last(people):
    values, counts = Database.from_frame(people).distinct(["job", "age"])

    assert list(zip(*(v.tolist() for v in values), counts.tolist(), strict=True)) == [
        ("clerk", 30, 2),
        ("none", 41, 1),
        (None, 25, 1),
    ]


def test_raw_values_are_plain_python(people):
    database = Database.from_frame(people)
    types = {name: {type(v) for v in database.distinct([name])[0][0]} for name in database.schema.names}

    assert types == {
        "age": {int},
        "income": {float, type(None)},
        "job": {str, type(None)},
        "married": {bool},
        "since": {dt.datetime, type(None)},
    }


def test_excluded_columns_are_not_features(people):
    database = Database.from_frame(people, exclude=["married", "since"])

    assert database.schema.names == ("age", "income", "job")


def test_excluded_columns_may_hold_anything(people):
    people["list"] = [[1], [2], [3], [4]]

    assert Database.from_frame(people, exclude=["list"]).rows == 4


def test_excluding_an_unknown_column_suggests_a_known_one(people):
    assert message(Database.from_frame, people, exclude=["marrid"]) == (
        "exclude: there is no column 'marrid' (did you mean 'married'?)"
    )


def test_exclude_given_as_text_is_refused(people):
    assert (
        message(Database.from_frame, people, exclude="age") == "exclude must be a list of column names: exclude=['age']"
    )


def test_excluding_everything_is_refused(people):
    assert "leaves no feature" in message(Database.from_frame, people, exclude=list(people.columns))


def test_a_frame_without_columns_is_refused():
    assert message(Database.from_frame, pd.DataFrame(index=[1, 2])) == "the database has no columns"


def test_a_frame_without_rows_is_refused(people):
    assert message(Database.from_frame, people[:0]) == "the database has no rows; at least one is needed"


def test_one_row_is_enough(people):
    database = Database.from_frame(people[:1])

    assert (database.rows, database.distinct(["age"])[0][0].tolist()) == (1, [30])


def test_kinds_override_what_is_inferred(people):
    schema = Database.from_frame(people, kinds={"age": "ordinal", "job": ["none", "clerk"]}).schema

    assert (schema["age"].kind, schema["job"].kind, schema["job"].order) == ("ordinal", "ordinal", ("none", "clerk"))


def test_text_may_be_called_ordinal_before_its_order_is_known(people):
    feature = Database.from_frame(people, kinds={"job": "ordinal"}).schema["job"]

    assert (feature.kind, feature.order) == ("ordinal", None)


def test_kinds_of_excluded_columns_are_ignored(people):
    database = Database.from_frame(people, exclude=["job"], kinds={"job": "ordinal"})

    assert "job" not in database.schema


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ({"agee": "ordinal"}, "kinds: there is no column 'agee' (did you mean 'age'?)"),
        (
            {"age": "ordinall"},
            "kinds['age'] is 'ordinall' (did you mean 'ordinal'?); "
            "say categorical, ordinal, continuous or a list of values",
        ),
        ({"age": ["1", "2"]}, "kinds['age'] lists an order, but the column is integer; say 'ordinal' instead"),
        (
            {"job": ["clerk", "clerk"]},
            "kinds['job']: the list must name each text value once, from lowest to highest, not ['clerk', 'clerk']",
        ),
        (
            {"job": "continuous"},
            "kinds['job']: text cannot be continuous; give its values from lowest to highest as a list, "
            "or write ORDER job: ... in PLAF",
        ),
    ],
)
def test_wrong_kinds_are_explained(people, kinds, expected):
    assert message(Database.from_frame, people, kinds=kinds) == expected


def test_changing_the_frame_afterwards_changes_nothing(people):
    database = Database.from_frame(people)
    people.loc[:, "age"] = 99
    people.loc[:, "job"] = "changed"

    assert [v.tolist() for v in database.distinct(["age"])[0]] == [[25, 30, 41]]
    assert [v.tolist() for v in database.distinct(["job"])[0]] == [["clerk", "none", None]]


def test_names_may_be_anything():
    names = ["hours per week", 'say "hi"', "it's", "größe", "select", "A", "a", "c0", "n", ""]
    database = Database.from_frame(pd.DataFrame([range(len(names))], columns=names))

    assert [database.distinct([name])[0][0].tolist() for name in names] == [[i] for i in range(len(names))]


def test_an_unknown_feature_is_named():
    database = Database.from_frame(pd.DataFrame({"age": [1]}))

    assert message(database.distinct, ["agee"]) == "the database has no feature 'agee' (did you mean 'age'?)"


def test_two_columns_of_one_name_are_refused():
    frame = pd.DataFrame([[1, 2]], columns=["a", "a"])

    assert message(Database.from_frame, frame) == "two columns are called 'a'; rename or drop one of them"


def test_column_names_that_are_not_text_are_refused():
    assert (
        message(Database.from_frame, pd.DataFrame([[1]]))
        == "column names must be text, not 0; rename the columns first"
    )


def test_something_that_is_not_a_frame_is_refused():
    assert message(Database.from_frame, [[1, 2]]).startswith("expected a pandas or polars DataFrame or a pyarrow Table")


def test_several_threads_may_ask_at_once(people):
    database = Database.from_frame(pd.concat([people] * 1000))
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(database.distinct(["age"])[1].tolist())) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [[1000, 2000, 1000]] * 8


def test_a_forked_process_makes_databases_of_its_own(people):
    Database.from_frame(people)
    child = multiprocessing.get_context("fork").Process(target=Database.from_frame, args=(people,))
    child.start()
    child.join(60)

    assert child.exitcode == 0
