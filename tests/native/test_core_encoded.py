"""Encoded: the encoded row of an x put together from the tables of its groups."""

import gc

import numpy as np
import pytest

from geco import _core

COLUMNS = (np.array([2], np.int32), np.array([0, 3], np.int32), np.zeros(0, np.int32))
VALUES = (np.array([[np.nan], [5.0]]), np.array([[np.nan, np.nan], [6.0, 7.0], [8.0, 9.0]]), np.zeros((4, 0)))
CONSTANT = np.array([np.nan, 1.5, np.nan, np.nan])


def test_every_group_fills_its_columns_and_no_group_the_constant_ones():
    encoded = _core.Encoded(CONSTANT, COLUMNS, VALUES)

    assert encoded.row([1, 2, 3]).tolist() == [8.0, 1.5, 5.0, 9.0]


def test_slot_0_is_unknown():
    row = _core.Encoded(CONSTANT, COLUMNS, VALUES).row([0, 1, 0])

    assert np.isnan(row[2]) and row[[0, 1, 3]].tolist() == [6.0, 1.5, 7.0]


def test_the_tables_live_as_long_as_what_looks_at_them():
    encoded = _core.Encoded(CONSTANT.copy(), (np.array([0], np.int32),), (np.full((3, 1), 4.0),))
    gc.collect()

    assert encoded.row([2])[0] == 4.0


@pytest.mark.parametrize("values", [np.asfortranarray(np.ones((3, 2))), np.ones((3, 2), np.float32)])
def test_tables_that_would_have_to_be_copied_are_refused(values):
    with pytest.raises(TypeError):
        _core.Encoded(CONSTANT, (np.array([0, 1], np.int32),), (values,))


@pytest.mark.parametrize("rows", [[1, 3, 0], [2, 0, 0], [-1, 0, 0], [1, 1], [0, 0, -1]])
def test_rows_that_are_not_there_are_refused(rows):
    with pytest.raises(ValueError, match="row: "):
        _core.Encoded(CONSTANT, COLUMNS, VALUES).row(rows)


@pytest.mark.parametrize(
    ("columns", "values"),
    [
        (COLUMNS, VALUES[:2]),
        (COLUMNS[:1], (VALUES[1],)),
        ((np.array([4], np.int32),), VALUES[:1]),
        ((np.array([-1], np.int32),), VALUES[:1]),
    ],
)
def test_tables_that_do_not_fit_are_refused(columns, values):
    with pytest.raises(ValueError, match="encoded: "):
        _core.Encoded(CONSTANT, columns, values)
