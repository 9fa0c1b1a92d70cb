"""Values that no float holds, in rules, in distances and on their way to the model: long integers and datetimes."""

from __future__ import annotations

import datetime as dt
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import geco
from geco.data.values import number_of, ticks_of
from geco.errors import DataError, InternalError, PlafError
from geco.space.exact import parts_of

LONG = 2**53
METHODS = ["frontier", "genetic", "wit"]
NEAR = geco.Params(alpha=0, beta=1, gamma=0)


def explained(frame: Any, program: str, x: dict[str, Any], good: Any, **settings: Any) -> geco.Explanation:
    settings = {"params": NEAR, **settings}
    explainer = geco.Explainer(good, geco.Database.from_frame(frame), geco.parse_plaf(program), **settings)
    return explainer.explain(x, k=1)


def above(feature: str, value: Any) -> Any:
    return lambda d: np.where([v > value for v in d[feature]], 0.9, 0.1)


@pytest.mark.parametrize("method", METHODS)
def test_a_fixed_identifier_of_64_bits_is_not_changed_to_its_neighbour(method: str) -> None:
    frame = pd.DataFrame({"id": [LONG, LONG + 1] * 10, "a": range(20)})
    found = explained(frame, "FIXED id", {"id": LONG, "a": 3}, above("id", LONG), method=method)

    assert found.status == "none_found"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("start", [LONG, 2**62, 2**63 - 8, -(2**63)])
def test_neighbours_of_64_bits_are_told_apart_by_rules_and_by_distance(method: str, start: int) -> None:
    frame = pd.DataFrame({"id": [start + i for i in range(6)] * 3})
    rule = "PLAF x_cf.id > x.id\nPLAF x_cf.id <= x.id + 2"
    [cf] = explained(frame, rule, {"id": start + 1}, above("id", start + 2), method=method).counterfactuals

    assert cf.values == {"id": start + 3}
    assert cf.distance == pytest.approx(2 / 5, rel=1e-12)


def test_x_beyond_2_53_is_not_good_already_because_it_is_rounded() -> None:
    frame = pd.DataFrame({"id": [LONG, LONG + 2] * 5})
    found = explained(frame, f"PLAF x_cf.id = {LONG}", {"id": LONG + 1}, lambda d: np.full(len(d), 0.9), target=1)

    assert found.status == "found"
    assert found.counterfactuals[0].values == {"id": LONG}


def test_x_one_beyond_the_last_whole_float_is_another_value_than_that_float() -> None:
    frame = pd.DataFrame({"id": [0, 2**53] * 5, "a": [0, 1] * 5})
    found = explained(
        frame, "GROUP id, a", {"id": 2**53 + 1, "a": 0}, above("a", 0), params=geco.Params(alpha=1, beta=0)
    )

    assert found.counterfactuals[0].values == {"id": 2**53, "a": 1}
    assert found.counterfactuals[0].distance == 1.0


def test_a_literal_beyond_2_53_is_not_rounded() -> None:
    frame = pd.DataFrame({"id": [1, 2, LONG - 1]})
    found = explained(frame, f"PLAF x_cf.id < {LONG + 1}", {"id": LONG + 1}, lambda d: np.full(len(d), 0.9), target=1)

    assert found.status == "found"


def test_two_long_columns_are_compared_exactly_across_groups() -> None:
    frame = pd.DataFrame({"a": [LONG, LONG + 1, LONG + 2], "b": [2**62, LONG + 1, LONG + 3]})
    explainer = geco.Explainer(
        above("a", LONG), geco.Database.from_frame(frame), geco.parse_plaf("PLAF x_cf.b >= x_cf.a + 1")
    )
    found = explainer.explain({"a": LONG, "b": LONG + 1}, k=5)

    assert [cf.values for cf in found.counterfactuals] == [{"a": LONG + 1, "b": LONG + 3}]


@pytest.mark.parametrize("scale", ["range", "mad", "std"])
def test_identifiers_that_span_all_of_64_bits_have_the_distance_of_fractions(scale: str) -> None:
    values = [-(2**63), 5, 6, 7, 8, 9, 2**63 - 1]
    frame = pd.DataFrame({"id": values})
    [cf] = explained(
        frame,
        "PLAF x_cf.id > x.id",
        {"id": 6},
        above("id", 7),
        params=geco.Params(alpha=0, beta=1, gamma=0, scale=scale),
    ).counterfactuals
    apart = {"range": 2**64 - 1, "mad": 2, "std": np.std(np.array(values, object).astype(float))}

    assert cf.values == {"id": 8}
    assert cf.distance == pytest.approx(2 / apart[scale], rel=1e-9)


def test_unsigned_integers_are_exact_as_well() -> None:
    frame = pd.DataFrame({"id": np.array([2**64 - 3, 2**64 - 2, 2**64 - 1], np.uint64)})
    [cf] = explained(frame, "INCREASE id", {"id": 2**64 - 2}, above("id", 2**64 - 2)).counterfactuals

    assert cf.values == {"id": 2**64 - 1}
    assert cf.distance == 0.5


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("PLAF x_cf.id * x_cf.a > 3", "only sums, differences and multiples"),
        ("PLAF x_cf.id * 65 > x_cf.a", "factors are too large"),
        ("PLAF x_cf.id > x_cf.part + 1", "'part' has fractions"),
        ("PLAF x_cf.at > x.at + x_cf.part", "'part' has fractions"),
    ],
)
def test_a_rule_that_cannot_be_exact_is_refused_with_what_to_do(rule: str, says: str) -> None:
    at = [dt.datetime(2024, 1, i) for i in (1, 2, 3)]
    frame = pd.DataFrame({"id": [LONG + 1, LONG + 2, 3], "a": [1, 2, 3], "part": [0.5, 1.5, 2.5], "at": at})

    with pytest.raises(DataError, match=f"must be compared exactly, .*{says}"):
        geco.Explainer(above("a", 1), geco.Database.from_frame(frame), geco.parse_plaf(rule))


def test_long_integers_may_be_compared_with_fractions_that_are_not_calculated() -> None:
    frame = pd.DataFrame({"id": [LONG + 1, LONG + 3, 7], "part": [float(LONG + 2), 7.5, 6.5]})
    explainer = geco.Explainer(
        above("part", 7), geco.Database.from_frame(frame), geco.parse_plaf("PLAF x_cf.part < x_cf.id")
    )
    ways = {tuple(cf.values.values()) for cf in explainer.explain({"id": 7, "part": 6.5}, ways="top").counterfactuals}

    assert ways == {(LONG + 1, 7.5), (LONG + 3, 7.5), (LONG + 3, float(LONG + 2))}


def test_a_fixed_datetime_of_the_year_2999_is_feasible() -> None:
    until = [dt.datetime(2999, 5, 31, 23, 11, 3, 99014 + i) for i in (-4, -3, -2, -1, 0, 1, 2, 3, 4)]
    frame = pd.DataFrame({"until": np.array(until, "datetime64[us]"), "a": range(9)})
    found = explained(frame, "FIXED until", {"until": until[4], "a": 2}, above("a", 5))

    assert found.status == "found"
    assert found.counterfactuals[0].values == {"until": until[4], "a": 6}


@pytest.mark.parametrize("unit", ["us", "ns"])
def test_a_column_whose_whole_range_is_a_few_ticks_has_exact_distances(unit: str) -> None:
    first = np.datetime64("2024-02-29T23:59:59", unit)
    frame = pd.DataFrame({"at": first + np.arange(9)})
    [cf] = explained(frame, "INCREASE at", {"at": frame["at"][2]}, above("at", frame["at"][6])).counterfactuals

    assert cf.values["at"] == frame["at"][7]
    assert cf.distance == pytest.approx(5 / 8, rel=1e-12)


@pytest.mark.parametrize("days", [1, 30, 366])
@pytest.mark.parametrize("rule", ["<", "<=", "=", ">=", ">", "!="])
def test_a_datetime_some_days_later_is_where_the_calendar_has_it(rule: str, days: int) -> None:
    x = dt.datetime(2023, 3, 7, 13, 11, 17, 123457)
    others = [x + dt.timedelta(days) + dt.timedelta(microseconds=i) for i in (-1, 0, 1)]
    frame = pd.DataFrame({"at": np.array([x, *others], "datetime64[us]")})
    explainer = geco.Explainer(
        lambda d: np.where(d["at"] == x, 0.1, 0.9),
        geco.Database.from_frame(frame),
        geco.parse_plaf(f"PLAF x_cf.at {rule} x.at + {days}"),
    )
    allowed = {"<": (0,), "<=": (0, 1), "=": (1,), ">=": (1, 2), ">": (2,), "!=": (0, 2)}[rule]
    found = explainer.explain({"at": x}, k=5, ways="top").counterfactuals

    assert {cf.values["at"] for cf in found} == {others[i] for i in allowed}


def test_spans_of_two_datetimes_and_a_column_of_days_are_exact() -> None:
    start, end = dt.datetime(2024, 1, 1, 8, 0, 0, 1), dt.datetime(2024, 3, 1, 8, 0, 0, 1)
    frame = pd.DataFrame(
        {"start": [start] * 3, "end": [end, end + dt.timedelta(microseconds=1), end], "n": [60, 59, 61]}
    )
    program = "PLAF (x_cf.end - x_cf.start) / 2 <= 30\nPLAF x_cf.end >= x_cf.start + x_cf.n"
    explainer = geco.Explainer(
        lambda d: np.full(len(d), 0.9), geco.Database.from_frame(frame), geco.parse_plaf(program), target=1
    )

    def broken(end: dt.datetime, n: int) -> int:
        return len(explainer.check({"start": start, "end": end, "n": n}, {"start": start, "end": end, "n": n}))

    assert [broken(end, 60), broken(end, 61), broken(end + dt.timedelta(microseconds=1), 60)] == [0, 1, 1]
    assert explainer.explain({"start": start, "end": end, "n": 60}).status == "already_good"
    assert explainer.explain({"start": start, "end": end, "n": 61}).status == "found"


def test_nanoseconds_reach_the_model_as_the_user_has_them() -> None:
    seen: list[Any] = []
    at = np.datetime64("2024-02-29T23:59:59.999999001", "ns") + np.arange(6)
    frame = pd.DataFrame({"at": at, "a": range(6)})

    def model(d: pd.DataFrame) -> np.ndarray:
        seen.extend(d["at"].to_numpy())
        return np.where(d["at"] == at[4], 0.9, 0.1)

    found = explained(frame, "", {"at": pd.Timestamp(at[2]), "a": 1}, model)

    assert found.counterfactuals[0].values["at"] == pd.Timestamp(at[4])
    assert set(seen) <= set(at)
    assert explained(frame, "", {"at": at[4], "a": 1}, model).status == "already_good"


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_nanoseconds_of_other_libraries_are_kept_too(library: str) -> None:
    frames = pytest.importorskip(library)
    at = np.datetime64("2024-02-29T23:59:59.999999001", "ns") + np.arange(4)
    frame = frames.DataFrame({"at": at}) if library == "polars" else frames.table({"at": frames.array(at)})

    def model(d: Any) -> np.ndarray:
        return np.where(np.asarray(d["at"].to_numpy()) == at[3], 0.9, 0.1)

    found = explained(frame, "", {"at": at[1]}, model)
    unseen = explained(frame, "", {"at": at[3] + 7}, model)

    assert pd.Timestamp(found.counterfactuals[0].values["at"]).to_datetime64() == at[3]
    assert unseen.status == "found"


@given(st.datetimes(dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31)))
def test_a_datetime_alone_and_in_a_column_has_one_number(value: dt.datetime) -> None:
    database = geco.Database.from_frame(pd.DataFrame({"at": np.array([value], "datetime64[us]")}))
    columns, _ = database.project(["at"])

    assert columns[0].numbers().tolist() == [number_of(value)]
    assert number_of(value) == pytest.approx(float(Fraction(ticks_of(value), 86_400 * 10**9)), rel=1e-15)


@given(st.fractions(-(2**70), 2**70) | st.integers(-(2**64), 2**64).map(Fraction))
def test_the_two_parts_of_a_number_have_its_sign_and_never_reach_the_next_whole_number(number: Fraction) -> None:
    high, low = map(Fraction, parts_of(number))

    assert high % 2**22 == 0 and abs(low) < 2**22
    assert (high + low == number) or (number.denominator > 1 and (high + low) // 1 == number // 1)


def test_the_sign_of_zero_is_the_users_own() -> None:
    frame = pd.DataFrame({"a": [-0.0, 1.0, 2.0], "b": [0.0, 1.0, 2.0]})
    seen: list[float] = []

    def model(d: pd.DataFrame) -> np.ndarray:
        seen.extend(d["a"])
        return np.where(np.signbit(d["a"]), 0.9, 0.1)

    [cf] = explained(frame, "", {"a": 1.0, "b": -0.0}, model).counterfactuals

    assert np.signbit(cf.values["a"]) and np.signbit(cf.values["b"])
    assert any(np.signbit(v) for v in seen)


def test_x_with_a_zero_of_the_other_sign_reaches_the_model_as_it_is() -> None:
    frame = pd.DataFrame({"a": [-0.0, 1.0, 2.0]})
    model = lambda d: np.where(np.signbit(d["a"]), 0.9, 0.1)  # noqa: E731

    assert explained(frame, "", {"a": -0.0}, model).status == "already_good"
    assert explained(frame, "", {"a": 0.0}, model).status == "none_found"


@pytest.mark.parametrize("dtype", ["float32", "Float32", "float16"])
def test_x_is_rounded_as_the_column_of_less_than_64_bits_is(dtype: str) -> None:
    frame = pd.DataFrame({"a": np.arange(20) / 10}).astype(dtype)
    narrow = frame["a"].astype("float64")[7]
    explainer = geco.Explainer(above("a", 1.5), geco.Database.from_frame(frame))
    explanation = explainer.explain({"a": 0.7}, k=1)

    assert narrow != 0.7
    assert explanation.x == {"a": narrow}
    assert not [note for note in explanation.notes if "never occurs" in note]


def test_a_range_above_the_largest_float_divides_like_any_other() -> None:
    frame = pd.DataFrame({"a": [-1.7e308, -1e308, 0.0, 1e308, 1.7e308]})
    [cf] = explained(frame, "", {"a": -1.7e308}, above("a", 0.5)).counterfactuals

    assert cf.distance == pytest.approx(2.7 / 3.4, rel=1e-12)


def test_a_change_too_small_for_a_float_counts_as_a_change() -> None:
    frame = pd.DataFrame({"a": [0.0, 5e-324, 1e300], "b": [0, 1, 2]})
    [cf] = explained(
        frame,
        "FIXED b",
        {"a": 0.0, "b": 1},
        lambda d: np.where(d["a"] == 5e-324, 0.9, 0.1),
        params=geco.Params(1, 0, 0),
    ).counterfactuals

    assert cf.distance == 0.5


def test_an_answer_that_fails_the_check_is_never_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"a": range(9)})
    explainer = geco.Explainer(above("a", 5), geco.Database.from_frame(frame))
    monkeypatch.setattr(type(explainer.deployment.check), "__call__", lambda *_: ["PLAF x_cf.a < 3 is broken"])

    with pytest.raises(InternalError, match=r"PLAF x_cf\.a < 3 is broken; this is a fault of geco and not yours"):
        explainer.explain({"a": 1})
    assert [e.status for e in explainer.explain_many([{"a": 1}, {"a": 7}])] == ["failed", "already_good"]


def test_an_error_in_a_program_can_be_pickled() -> None:
    with pytest.raises(PlafError) as caught:
        geco.parse_plaf("PLAF x_cf.a >\nPLAF x_cf.b <")
    again = pickle.loads(pickle.dumps(caught.value))

    assert str(again) == str(caught.value) and again.code == caught.value.code


def test_a_saved_explainer_keeps_long_integers_datetimes_and_nanoseconds(tmp_path: Any) -> None:
    at = np.datetime64("2024-02-29T23:59:59.999999001", "ns") + np.arange(8)
    frame = pd.DataFrame({"id": [2**62 + i for i in range(8)], "at": at, "a": np.arange(8) / 10, "n": range(8)})
    frame["a"] = frame["a"].astype("float32")
    tree = DecisionTreeClassifier(random_state=0).fit(frame[["a", "n"]], frame["n"] > 4)
    model = lambda d: tree.predict_proba(d[["a", "n"]])[:, 1]  # noqa: E731
    program = geco.parse_plaf("GROUP id, n\nGROUP at, a\nPLAF x_cf.id <= x.id + 4\nPLAF x_cf.at > x.at")
    explainer = geco.Explainer(model, geco.Database.from_frame(frame), program)
    x = {"id": 2**62 + 2, "at": at[2], "a": 0.2, "n": 2}
    explainer.save(tmp_path / "it.geco")
    again = geco.Explainer.load(tmp_path / "it.geco", model)

    assert again.explain(x).to_dict()["counterfactuals"] == explainer.explain(x).to_dict()["counterfactuals"]
    assert explainer.explain(x).status == "found"
