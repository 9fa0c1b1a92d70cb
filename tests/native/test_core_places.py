"""places: where the values of candidates stand, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geco import _core

WIDTH = 3
GROUPS = np.array([2, 0, 0, 1], np.int32)
STARTS = np.array([0, 10, 20, 30])
ROW = st.lists(st.integers(0, 9), min_size=WIDTH, max_size=WIDTH)


@given(st.lists(st.tuples(st.lists(ROW, max_size=4), ROW), max_size=3))
def test_slot_0_stands_for_the_rows_like_x(parts):
    rows = [np.array(each, np.int32).reshape(-1, WIDTH) for each, _ in parts]
    like_x = [np.array(each, np.int32) for _, each in parts]
    found = [np.where(each == 0, like, each) for each, like in zip(rows, like_x, strict=True)]
    expected = np.concatenate([np.zeros((0, WIDTH), int), *found])[:, GROUPS].T + STARTS[:, None]

    assert _core.places(rows, like_x, GROUPS, STARTS).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("rows", "like_x", "groups"), [([[0, 0]], [0, 0, 0], [0]), ([[0]], [0], [1]), ([[0]], [0], [-1]), ([[0]], [0], [])]
)
def test_candidates_of_other_tables_are_refused(rows, like_x, groups):
    rows, like_x = np.array(rows, np.int32), np.array(like_x, np.int32)

    with pytest.raises(ValueError, match="places"):
        _core.places([rows], [like_x], np.array(groups, np.int32), np.array([0]))
    with pytest.raises(ValueError, match="places"):
        _core.places([rows], [], np.array([0], np.int32), np.array([0]))
