"""What is known near x: sums along lines are those of all trees walked, to the last bit, whatever is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geco import _core
from native.test_core_forest import Case, _of_two_columns, make


class Near:
    """Parents and lines, most of which stay within some rows of each group."""

    def __init__(self, case: Case) -> None:
        self.case, self.core = case, case.core
        self.anchor = self.core.anchor(case.x)
        self.near = _core.NearX()
        self.number = 0
        self.within: list[np.ndarray] = []

    def look(self, share: float) -> tuple[np.ndarray, ...]:
        """Lines of x with about so many of all rows."""
        rng = self.case.rng
        self.number += 1
        self.within = [np.flatnonzero(rng.random(len(table)) < share) for table in self.case.tables]
        x = np.zeros(len(self.within), np.int32)
        return self.case.lines([(x, g, np.union1d([0], rows)) for g, rows in enumerate(self.within)])

    def lines(self, parents: int, beyond: float) -> tuple[np.ndarray, ...]:
        """Some rows are taken from anywhere."""
        rng, lines = self.case.rng, []
        drawn = [[0, *rows] if rng.random() > beyond else np.arange(len(t))
                 for rows, t in zip(self.within, self.case.tables, strict=True)]  # fmt: skip
        for _ in range(parents):
            moved = rng.random(len(drawn)) < 0.4
            parent = np.array([rng.choice(rows) if m else 0 for rows, m in zip(drawn, moved, strict=True)], np.int32)
            for g, rows in enumerate(drawn):
                if rng.random() < 0.8:
                    lines.append((parent, g, rng.permutation(rows)[: rng.integers(1, len(rows) + 1)]))
        return self.case.lines(lines)

    def check(self, of_x: tuple[np.ndarray, ...], lines: tuple[np.ndarray, ...]) -> None:
        known = self.near.lines(self.core, self.anchor, self.number, of_x, lines)
        assert np.array_equal(known, self.core.lines(self.anchor, *lines))
        points = lines[0]
        known_points = self.near.points(self.core, self.anchor, points)
        assert np.array_equal(known_points, self.core.points(self.anchor, points))


@given(seed=st.integers(0, 10**6), strict=st.booleans(), beyond=st.sampled_from([0.0, 0.0, 0.3]))
def test_lines_near_x_are_the_same_to_the_last_bit(seed: int, strict: bool, beyond: float) -> None:
    near = Near(make(seed, strict=strict))
    for share in near.case.rng.permutation([0.2, 0.5, 0.9]):
        of_x = near.look(share)
        for _ in range(2):
            near.check(of_x, near.lines(12, beyond))


@pytest.mark.parametrize("seed", [seed for seed in range(80) if make(seed).core.trees > 16])
def test_trees_cut_down_for_the_first_lines_serve_what_lies_within_them_and_no_more(seed: int) -> None:
    near = Near(make(seed))
    for share, beyond in ((0.01, 0.0), (0.01, 0.5), (0.02, 1.0), (0.01, 1.0)):
        of_x = near.look(share)
        near.check(of_x, near.lines(8, beyond))


@pytest.mark.parametrize("cells", [63, 65, 1000, 6000])
@pytest.mark.parametrize("coded", [False, True])
def test_lines_near_x_are_the_same_whatever_the_number_of_cells(cells: int, coded: bool) -> None:
    near = Near(_of_two_columns(cells, coded))
    for share in (0.05, 0.6, 0.02):
        near.check(near.look(share), near.lines(8, 0.0))


def test_what_is_known_is_made_anew_under_another_number() -> None:
    near = Near(make(7))
    of_x = near.look(0.9)
    lines = near.lines(10, 0.0)
    near.check(of_x, lines)
    less = near.look(0.1)

    near.check(less, lines)
    near.check(of_x, lines)


def test_lines_that_are_not_of_x_are_refused() -> None:
    near = Near(make(7))
    parents, *line = near.look(0.9)

    with pytest.raises(ValueError, match="not of x"):
        near.near.lines(near.core, near.anchor, 1, (np.ones_like(parents), *line), near.lines(2, 0.0))


@pytest.mark.parametrize("leaf", [np.inf, -np.inf, np.nan])
def test_a_leaf_that_is_no_finite_number_is_told_row_by_row(leaf: float) -> None:
    case = make(11)
    case.forest.value[case.forest.column < 0] = np.where(
        case.rng.random((case.forest.column < 0).sum()) < 0.2, leaf, 1.0
    )[:, None]
    core = case.core
    anchor = core.anchor(case.x)
    parents, groups, offsets, rows = case.lines(
        [(p, g, np.arange(len(t))) for p in case.candidates(5) for g, t in enumerate(case.tables)]
    )
    points = np.repeat(parents, np.diff(offsets), axis=0)
    points[np.arange(len(points)), np.repeat(groups, np.diff(offsets))] = rows

    assert np.array_equal(
        core.lines(anchor, parents, groups, offsets, rows), core.points(anchor, points), equal_nan=True
    )
