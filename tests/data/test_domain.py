"""Group tables: rows, numbers, counts, spreads, and looking values up."""

import math

import numpy as np
import pandas as pd
import pytest

from geco.data import domain, grouptable
from geco.data.database import Database
from geco.data.domain import Domain
from geco.data.spread import Spread, spread_of
from geco.errors import DataError, InstanceError


def build(columns, groups=None, onehots=None, kinds=None):
    database = Database.from_frame(pd.DataFrame(columns), kinds=kinds)
    return Domain.build(database, groups or [[name] for name in database.schema.names], database.schema, onehots)


@pytest.fixture
def people():
    return build(
        {
            "age": [30, 41, 30, 25],
            "job": ["clerk", "none", "clerk", None],
            "town": ["Rome", "Bonn", "Rome", "clerk"],
            "level": ["mid", "low", "high", "mid"],
        },
        groups=[["age"], ["job", "town"], ["level"]],
        kinds={"level": ["low", "mid", "high"]},
    )


def test_slot_0_of_every_table_is_left_for_x(people):
    for table in people.tables:
        assert table.counts[0] == 0
        assert all(values[0] is None for values in table.values.values())
        assert all(math.isnan(numbers[0]) for numbers in table.numbers.values())


def test_rows_are_sorted_by_value_and_numbered_from_1(people):
    table = people.tables[0]

    assert table.values["age"].tolist() == [None, 25, 30, 41]
    assert (table.counts.tolist(), table.rows) == ([0, 1, 2, 1], 3)


def test_rows_of_several_features_are_sorted_feature_by_feature_missing_last(people):
    table = people.tables[1]

    assert list(zip(table.values["job"][1:], table.values["town"][1:], table.counts[1:].tolist(), strict=True)) == [
        ("clerk", "Rome", 2),
        ("none", "Bonn", 1),
        (None, "clerk", 1),
    ]


def test_ordinal_text_is_sorted_and_numbered_by_its_order(people):
    table = people.tables[2]

    assert table.values["level"].tolist() == [None, "low", "mid", "high"]
    assert table.numbers["level"][1:].tolist() == [0.0, 1.0, 2.0]


def test_text_of_two_features_shares_one_dictionary(people):
    assert people.number("job", "clerk") == people.number("town", "clerk") == people.tables[1].numbers["town"][3]
    assert people.number("job", "none") != people.number("town", "Bonn")


def test_an_order_added_later_counts():
    database = Database.from_frame(pd.DataFrame({"level": ["mid", "low", "high"]}))
    schema = database.schema.with_orders({"level": ["low", "mid", "high"]})
    tables = Domain.build(database, [["level"]], schema).tables

    assert tables[0].values["level"].tolist() == [None, "low", "mid", "high"]


def test_an_order_may_list_more_than_occurs_but_not_less():
    more = build({"f": ["b", None]}, kinds={"f": ["a", "b"]})

    assert more.tables[0].numbers["f"][1] == 1.0
    with pytest.raises(DataError, match=r"^f has 'c', but its order is 'a' < 'b'; list every value$"):
        build({"f": ["a", "c"]}, kinds={"f": ["a", "b"]})


def test_text_called_ordinal_without_an_order_is_coded_like_any_text():
    assert build({"f": ["b", "a"]}, kinds={"f": "ordinal"}).tables[0].numbers["f"][1:].tolist() == [0.0, 1.0]


def test_categories_that_do_not_occur_are_not_rows():
    table = build({"f": pd.Categorical(["b"], categories=["a", "b", "c"], ordered=True)}).tables[0]

    assert (table.values["f"].tolist(), table.numbers["f"][1:].tolist()) == ([None, "b"], [1.0])


def test_groups_must_hold_each_feature_once():
    for groups in ([["a"]], [["a"], ["a", "b"]], [["a"], ["b"], ["c"]]):
        with pytest.raises(DataError, match="groups must hold each feature exactly once"):
            build({"a": [1], "b": [2]}, groups=groups)


def test_a_onehot_group_goes_by_its_name():
    tables = build({"red": [1, 0], "green": [0, 1], "age": [1, 2]}, [["red", "green"], ["age"]], ["color", None]).tables

    assert [(t.name, t.onehot) for t in tables] == [("color", "color"), ("age", None)]


def test_a_group_goes_by_its_features(people):
    assert [table.name for table in people.tables] == ["age", "job, town", "level"]
    assert people.group_of == {"age": 0, "job": 1, "town": 1, "level": 2}


def test_dates_are_numbered_in_days():
    tables = build({"d": pd.to_datetime(["1970-01-02 12:00", "1969-12-31 00:00"])}).tables

    assert tables[0].numbers["d"][1:].tolist() == [-1.0, 1.5]


def test_integers_beyond_the_precision_of_floats_keep_their_values():
    table = build({"f": [2**53 + 1, 2**53]}).tables[0]

    assert table.values["f"].tolist() == [None, 2**53, 2**53 + 1]
    assert table.numbers["f"][1:].tolist() == [2.0**53, 2.0**53]


def test_find_gives_the_row_with_these_values(people):
    for g, table in enumerate(people.tables):
        for row in range(1, table.rows + 1):
            assert people.find(g, {name: table.values[name][row] for name in table.features}) == row


def test_find_gives_0_for_a_row_that_is_not_there(people):
    [age] = people.tables[0].features
    assert people.find(0, {age: 26}) == people.find(0, {age: 99}) == people.find(0, {age: None}) == 0
    assert people.find(1, {"job": "clerk", "town": "Bonn"}) == 0
    assert people.find(1, {"job": None, "town": "Bonn"}) == 0


@pytest.mark.parametrize("values", [[1.5, 2.5, 2.5, None], [3, 1, 2], ["b", "a", None], [2**60, 2**60 + 1, None]])
def test_find_in_a_table_of_one_feature_gives_each_of_its_values_and_no_other(values):
    made = build({"f": pd.Series(values, dtype=object)})
    known = made.tables[0].values["f"][1:].tolist()
    others = [other for other in (None, "z" if "a" in values else 99) if other not in known]

    assert [made.find(0, {"f": value}) for value in known] == list(range(1, len(known) + 1))
    assert [made.find(0, {"f": value}) for value in others] == [0] * len(others)


def test_unseen_text_has_a_number_of_its_own(people):
    unseen = people.number("job", "pilot")

    assert unseen == people.number("town", "pilot") < 0
    assert unseen != people.number("job", "sailor")
    assert unseen == build({"job": ["x"]}).number("job", "pilot")


def test_unseen_ordinal_text_is_refused(people):
    with pytest.raises(InstanceError, match="level has no value 'top'; in order its values are 'low' < 'mid' < 'high'"):
        people.number("level", "top")


def test_spread_counts_repeated_values():
    spread = build({"f": [1.0, 2.0, 2.0, 9.0, None]}).spread["f"]
    known = np.array([1.0, 2.0, 2.0, 9.0])

    assert spread == Spread(8.0, 0.5, float(known.std()), 1.0, 9.0)


def test_the_deviation_of_numbers_far_from_zero_is_not_that_of_a_rounded_mean():
    numbers, counts = np.array([-(2.0**53), -(2.0**53) + 2]), np.array([115, 24])

    assert spread_of(numbers, counts).std == pytest.approx(2 * np.sqrt(115 * 24) / 139, rel=1e-12)


def test_the_deviation_of_the_smallest_numbers_there_are_is_rounded_once():
    numbers, counts = np.array([2, 11, 20]) * 5e-324, np.array([64, 40, 40])

    assert spread_of(numbers, counts).std == 8 * 5e-324  # of 7.5


def test_median_deviation_is_that_of_the_repeated_values():
    rng = np.random.default_rng(0)
    for _ in range(50):
        numbers, counts = rng.integers(0, 9, 5).astype(float), rng.integers(1, 5, 5)
        repeated = np.repeat(numbers, counts)

        assert spread_of(numbers, counts).mad == np.median(np.abs(repeated - np.median(repeated)))


def test_constant_and_wholly_missing_features_have_no_spread():
    spread = build({"constant": [0.1, 0.1, 0.1], "gone": [np.nan, np.nan, np.nan]}).spread

    assert spread == {"constant": Spread(0.0, 0.0, 0.0, 0.1, 0.1), "gone": Spread(0.0, 0.0, 0.0, 0.0, 0.0)}


def test_the_spread_of_huge_numbers_is_finite():
    spread = build({"f": [-1.7e308, 1.7e308, 1.0]}).spread["f"]

    assert all(0 < value < math.inf for value in (spread.range, spread.mad, spread.std))


def test_categorical_features_have_the_range_1():
    spread = build({"t": ["a", "b"], "b": [True, False], "code": [5, 90]}, kinds={"code": "categorical"}).spread

    assert {name: s.range for name, s in spread.items()} == {"t": 1.0, "b": 1.0, "code": 1.0}
    assert (spread["code"].minimum, spread["code"].maximum) == (5.0, 90.0)


def test_ordinal_text_has_the_range_of_its_ranks(people):
    assert people.spread["level"].range == 2.0


def test_a_wholly_missing_feature_has_one_row():
    table = build({"f": [None, None]}).tables[0]

    assert (table.rows, table.values["f"].tolist(), table.counts.tolist()) == (1, [None, None], [0, 2])


def test_30000_values_are_all_rows():
    table = build({"f": np.random.default_rng(0).permutation(30_000) / 7}).tables[0]

    assert (table.rows, table.sampled_from) == (30_000, None)
    assert (np.diff(table.numbers["f"][1:]) > 0).all()


@pytest.fixture
def cut(monkeypatch):
    monkeypatch.setattr(domain, "MAX_ROWS", 100)
    frame = pd.DataFrame({"f": np.arange(1000.0), "h": 1.0, "g": [f"t{i}" for i in range(1000)]})
    frame = pd.concat([frame, *[frame[500:550]] * 1000])
    return lambda seed=0: build(frame.sample(frac=1, random_state=seed), groups=[["f", "h"], ["g"]])


def test_a_table_with_too_many_rows_is_cut_and_says_so(cut):
    assert [(t.rows, t.sampled_from) for t in cut().tables] == [(100, 1000), (100, 1000)]


def test_one_ordered_feature_alone_keeps_all_its_values(monkeypatch):
    monkeypatch.setattr(domain, "MAX_ROWS", 100)
    days = pd.date_range("2020-01-01", periods=1000)
    tables = build({"f": np.arange(1000.0), "day": days}, groups=[["f"], ["day"]]).tables

    assert [(t.rows, t.sampled_from) for t in tables] == [(1000, None), (1000, None)]


def test_the_cut_keeps_extremes_and_the_frequent(cut):
    kept = set(cut().tables[0].values["f"][1:])

    assert {0.0, 999.0} | set(np.arange(500.0, 550.0)) <= kept


def test_the_cut_does_not_depend_on_the_order_of_rows(cut):
    first, second = cut(seed=1).tables, cut(seed=2).tables

    assert [t.values[n].tolist() for t, n in zip(first, "fg", strict=True)] == [
        t.values[n].tolist() for t, n in zip(second, "fg", strict=True)
    ]


def test_spread_is_taken_before_the_cut(cut):
    expected = spread_of(np.arange(1000.0), np.where((np.arange(1000) >= 500) & (np.arange(1000) < 550), 1001, 1))

    assert cut().spread["f"] == expected


def test_text_that_was_cut_counts_as_unseen(cut):
    table = cut().tables[1]
    gone = next(f"t{i}" for i in range(1000) if f"t{i}" not in set(table.values["g"]))

    assert cut().number("g", gone) < 0


def test_the_limit_is_what_the_documentation_says():
    assert grouptable.MAX_ROWS == domain.MAX_ROWS == 200_000


def test_memory_grows_with_the_rows():
    assert build({"f": np.arange(1000)}).memory_bytes > 10 * build({"f": np.arange(10)}).memory_bytes
