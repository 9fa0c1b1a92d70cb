"""FrontierSettings: what a line may cost, and few rows in all, made into numbers."""

from __future__ import annotations

import pytest

import geco
from geco import _core


def settings(
    k: int = 1, groups: int = 14, rows: int | None = None, swept: bool = True, **given: int
) -> _core.FrontierSettings:
    return _core.FrontierSettings.of(k, 0, groups, rows, swept, **given)


def asked(**given: int) -> _core.FrontierSettings:
    return settings(rows=_core.FrontierSettings.ASKED_ROWS, swept=False, **given)


def test_the_defaults_a_user_sees_are_those_of_the_core():
    assert geco.Frontier().per_delta == settings().per_delta
    assert geco.Frontier().patience == settings().patience


def test_whole_lines_are_swept_unless_the_model_affords_fewer_rows():
    assert (settings(rows=None).rows_per_line, settings(rows=120).rows_per_line) == (0, 20)


def test_several_ways_are_looked_for_with_fewer_rows_and_rounds_each():
    one, five = settings(k=1, rows=120), settings(k=5, rows=120)

    assert (one.rows_per_line, one.stalled) == (20, 2)
    assert (five.rows_per_line, five.combinations, five.bases, five.stalled) == (16, 24, 2, 1)


def test_wide_tables_get_more_combinations_and_more_rounds():
    wide = settings(k=5, groups=30)

    assert (wide.combinations, wide.stalled) == (506, 3)


def test_a_line_asked_row_by_row_has_six_times_its_rows_in_the_first_round():
    assert asked(rows_per_line=5).first_rows == 30


def test_all_rows_are_all_rows_in_the_first_round_too():
    assert asked(rows_per_line=0).first_rows == 0


def test_what_the_user_has_set_is_kept():
    given = {
        "parents": 3,
        "rows_per_line": 2,
        "first_rows": 9,
        "per_delta": 1,
        "combinations": 4,
        "max_rounds": 5,
        "patience": 6,
    }
    made = settings(**given)

    assert {name: getattr(made, name) for name in given} == given


@pytest.mark.parametrize(
    ("max_rows", "first_rows", "parents", "combinations"),
    [(20, 7, 1, 1), (50, 15, 1, 2), (1000, 24, 14, 40), (10**12, 24, 14, 2**31 // 25)],
)
def test_few_rows_in_all_go_into_the_first_round_and_then_into_small_ones(max_rows, first_rows, parents, combinations):
    made = asked().within(max_rows, [40, 0, 100])

    assert (made.first_rows, made.parents, made.combinations) == (first_rows, parents, combinations)


def test_a_number_that_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="settings must be positive"):
        settings().but(parents=0)
    with pytest.raises(ValueError, match="no such setting"):
        settings().but(parent=1)
