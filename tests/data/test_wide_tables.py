"""Sets of columns that change together: one-hot columns by GROUP and by ONEHOT, and 764 columns in 34 groups."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import geco
from asking import METHODS, explain, found

pytestmark = pytest.mark.parametrize("method", METHODS)

COLORS = ["color_red", "color_green", "color_blue", "color_grey"]
BY = {"GROUP": f"GROUP {', '.join(COLORS)}", "ONEHOT": f"ONEHOT color: {', '.join(COLORS)}"}
by_both = pytest.mark.parametrize("by", BY)


def cars(dtype: str = "int64") -> pd.DataFrame:
    rng = np.random.default_rng(5)
    hot = np.eye(4, dtype=int)[rng.integers(0, 4, 200)]
    return pd.DataFrame({**{c: hot[:, i] for i, c in enumerate(COLORS)}, "km": rng.integers(0, 90, 200)}).astype(
        dict.fromkeys(COLORS, dtype)
    )


def likes_blue(frame: pd.DataFrame) -> np.ndarray:
    """Two ones would be liked even more."""
    hot = frame[COLORS].to_numpy(float)
    return 0.1 + 0.5 * hot[:, 2] + 0.2 * hot[:, 1] + 0.1 * (hot.sum(axis=1) > 1) - frame["km"].to_numpy() / 1000


@by_both
@pytest.mark.parametrize("dtype", ["int64", "bool", "float64", "uint8"])
def test_there_are_never_two_ones(by, dtype, method):
    frame = cars(dtype)
    x = frame[frame["color_red"] == 1].iloc[0]
    explanation = found(likes_blue, frame, x, method, BY[by])

    assert {sum(cf.values[c] for c in COLORS) for cf in explanation.counterfactuals} == {1}


def test_a_onehot_set_is_one_change_and_one_feature(method):
    frame = cars()
    x = frame[frame["color_red"] == 1].iloc[0]
    explanation = found(likes_blue, frame, x, method, BY["ONEHOT"])
    best = explanation.counterfactuals[0]

    assert [(a.feature, a.before, a.after) for a in best.changes] == [("color", "red", "blue")]
    assert best.distance == 0.5


def test_a_plain_group_counts_each_of_its_columns(method):
    frame = cars()
    x = frame[frame["color_red"] == 1].iloc[0]
    best = found(likes_blue, frame, x, method, BY["GROUP"]).counterfactuals[0]

    assert {a.feature for a in best.changes} == {"color_red", "color_blue"}
    assert best.distance == pytest.approx(2 / 5)


@by_both
def test_an_x_without_any_one_is_accepted(by, method):
    x = {**dict.fromkeys(COLORS, 0), "km": 10}
    explanation = found(likes_blue, cars(), x, method, BY[by])

    assert all(sum(cf.values[c] for c in COLORS) in (0, 1) for cf in explanation.counterfactuals)


@pytest.fixture(scope="module")
def wide() -> tuple[pd.DataFrame, str, np.ndarray]:
    """764 columns: 33 one-hot sets of 23 columns each and 5 quantities that change together, as in Yelp."""
    rng = np.random.default_rng(9)
    hot = [np.eye(23, dtype=np.int8)[rng.integers(0, 23, 300)] for _ in range(33)]
    names = [[f"s{g}_{i}" for i in range(23)] for g in range(33)]
    frame = pd.DataFrame(np.hstack(hot), columns=[n for g in names for n in g])
    quantities = pd.DataFrame({f"q{i}": rng.integers(0, 9, 300) for i in range(5)})
    program = "\n".join(f"ONEHOT s{g}: {', '.join(names[g])}" for g in range(33)) + "\nGROUP q0, q1, q2, q3, q4"
    weights = rng.normal(size=764)
    return pd.concat([frame, quantities], axis=1), program, weights


def test_764_columns_in_34_groups_are_answered(wide, method):
    frame, program, weights = wide
    model = lambda f: 1 / (1 + np.exp(3 - f.to_numpy(float) @ weights / 6))  # noqa: E731
    x = frame.iloc[int(np.argmin(model(frame)))]
    explanation = found(model, frame, x, method, program, k=2)

    assert frame.shape[1] == 764
    assert len(geco.parse_plaf(program).groups) == 34
    assert all(cf.values[f"s{g}_0"] in (0, 1) for cf in explanation.counterfactuals for g in range(33))
    assert all(
        sum(cf.values[f"s{g}_{i}"] for i in range(23)) == 1 for cf in explanation.counterfactuals for g in range(33)
    )


def test_764_columns_and_an_x_without_an_answer_come_to_an_end(wide, method):
    frame, program, _ = wide
    explanation = explain(lambda f: np.full(len(f), 0.2), frame, frame.iloc[0], method, program, k=1)

    assert explanation.status == "none_found"
