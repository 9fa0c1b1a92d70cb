"""The compiled forest against the NumPy reference: candidates by row numbers, M_Δ, and whole lines swept at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geco import _core
from geco.models.kinds.forest import Forest, Tree
from geco.models.kinds.link import Link

CODES = 6


@dataclass
class Case:
    """A random forest over random group tables, some columns of which nobody owns."""

    forest: Forest
    columns: list[np.ndarray]
    tables: list[np.ndarray]  # slot 0 included
    constant: np.ndarray
    x: np.ndarray
    rng: np.random.Generator

    @property
    def core(self) -> _core.Forest:
        return _core.Forest.build(self.forest, list(zip(self.columns, self.tables, strict=True)), self.constant)

    def encoded(self, rows: np.ndarray) -> np.ndarray:
        row = self.constant.copy()
        for columns in self.columns:
            row[columns] = self.x[columns]
        out = np.tile(row, (len(rows), 1))
        for g, (columns, table) in enumerate(zip(self.columns, self.tables, strict=True)):
            moved = rows[:, g] != 0
            out[np.ix_(moved, columns)] = table[rows[moved, g]]
        return out

    def candidates(self, n: int) -> np.ndarray:
        drawn = [self.rng.integers(0, len(table), n) for table in self.tables]
        return np.stack(drawn, axis=1).astype(np.int32)

    def neighbours(self, n: int) -> np.ndarray:
        """Candidates that are alike in most groups, for which most tests come out the same."""
        drawn = self.candidates(n)
        return np.where(self.rng.random(drawn.shape) < 0.2, drawn, drawn[0])

    def lines(self, lines: list[tuple[np.ndarray, int, np.ndarray]]) -> tuple[np.ndarray, ...]:
        """Parent, group and rows of each, as the core takes them."""
        parents = np.array([p for p, _, _ in lines], np.int32).reshape(-1, len(self.tables))
        groups = np.array([g for _, g, _ in lines], np.int32)
        offsets = np.cumsum([0, *(len(r) for _, _, r in lines)]).astype(np.int64)
        return parents, groups, offsets, np.concatenate([[], *(r for _, _, r in lines)]).astype(np.int32)


def make(seed: int, **options: bool) -> Case:
    rng = np.random.default_rng(seed)
    widths = rng.integers(0, 4, rng.integers(1, 6))
    owners = rng.permutation(widths.sum() + 2)
    columns = [np.sort(part).astype(np.int32) for part in np.split(owners[:-2], np.cumsum(widths)[:-1])]
    categorical = rng.random(len(owners)) < 0.3
    large = rng.random() < 0.2  # tables of more than 64 cells, trees of hundreds of nodes
    tables = [_values(rng, 150 if large else rng.integers(2, 9), categorical[c]) for c in columns]
    for table in tables:
        table[0] = np.nan
    constant = np.full(len(owners), np.nan)
    constant[owners[-2:]] = _values(rng, 1, categorical[owners[-2:]])[0]
    outputs = int(rng.integers(1, 4))
    joint = bool(rng.random() < 0.5)
    many = 20 if large else rng.integers(1, 9)
    trees = [_tree(rng, categorical, outputs, joint, depth=8 if large else 4) for _ in range(many)]
    forest = Forest.from_trees(
        trees, rng.normal(size=outputs), Link("identity"), divisor=float(rng.integers(1, 4)), **options
    )
    return Case(forest, columns, tables, constant, _values(rng, 1, categorical)[0], rng)


def _values(rng: np.random.Generator, rows: int, categorical: np.ndarray) -> np.ndarray:
    numbers = rng.integers(-4, 5, (rows, len(categorical))) / 2.0
    codes = rng.integers(-1, CODES + 2, (rows, len(categorical))).astype(float)
    values = np.where(categorical, codes, numbers)
    values[rng.random(values.shape) < 0.15] = np.nan
    return values


def _tree(rng: np.random.Generator, categorical: np.ndarray, outputs: int, joint: bool, depth: int) -> Tree:
    nodes: list[tuple[int, float, int, int, bool, bool, int]] = []
    sets: list[np.ndarray] = []

    def grow(depth: int) -> int:
        at = len(nodes)
        nodes.append((-1, 0.0, -1, -1, False, False, -1))
        if depth and rng.random() < 0.85:
            column = int(rng.integers(len(categorical)))
            number = -1
            if categorical[column]:
                number = len(sets)
                sets.append(np.unique(rng.integers(0, CODES, rng.integers(1, 4))))
            threshold, missing_left, zero = (
                rng.integers(-4, 5) / 2.0,
                bool(rng.random() < 0.5),
                bool(rng.random() < 0.1),
            )
            left, right = grow(depth - 1), grow(depth - 1)
            nodes[at] = (column, threshold, left, right, missing_left, zero and number < 0, number)
        return at

    grow(depth)
    column, threshold, left, right, missing_left, zero, number = map(np.array, zip(*nodes, strict=True))
    return Tree(
        column=column.astype(np.int32),
        threshold=threshold.astype(np.float64),
        left=left.astype(np.int32),
        right=right.astype(np.int32),
        value=rng.normal(size=(len(nodes), outputs if joint else 1)),
        missing_left=missing_left,
        zero_missing=zero,
        categories=number.astype(np.int32),
        sets=tuple(s.astype(np.int64) for s in sets),
        output=-1 if joint else int(rng.integers(outputs)),
    )


options = st.fixed_dictionaries({"strict": st.booleans(), "single": st.booleans(), "single_sum": st.booleans()})


@given(seed=st.integers(0, 10**6), options=options)
def test_a_candidate_has_the_sums_of_the_reference_bit_by_bit(seed: int, options: dict[str, bool]) -> None:
    case = make(seed, **options)
    rows = case.neighbours(30) if case.rng.random() < 0.5 else case.candidates(30)
    core = case.core

    sums = core.points(core.anchor(case.x), rows)

    assert np.array_equal(sums, case.forest.sums(case.encoded(rows)))


@given(seed=st.integers(0, 10**6), options=options)
def test_a_specialized_forest_has_the_sums_of_the_whole_bit_by_bit(seed: int, options: dict[str, bool]) -> None:
    case = make(seed, **options)
    core = case.core
    anchor = core.anchor(case.x)
    delta = np.flatnonzero(case.rng.random(core.width) < 0.5).astype(np.int32)
    rows = np.zeros((300, core.width), np.int32)
    rows[:, delta] = case.candidates(300)[:, delta]

    sums = core.specialize(anchor, delta).points(rows[:, delta].copy())

    assert np.array_equal(sums, core.points(anchor, rows))


def test_a_forest_specialized_on_no_group_is_its_leaves_in_x() -> None:
    case = make(3)
    core = case.core

    specialized = core.specialize(core.anchor(case.x), np.zeros(0, np.int32))

    assert specialized.size == len(case.forest.roots)


def test_a_specialized_forest_keeps_its_forest_alive() -> None:
    case = make(3)
    anchor, rows = case.core.anchor(case.x), np.zeros((4, 0), np.int32)

    specialized = case.core.specialize(anchor, np.zeros(0, np.int32))

    assert np.array_equal(specialized.points(rows), case.core.points(anchor, np.zeros((4, case.core.width), np.int32)))


@pytest.mark.parametrize("groups", [[-1], [99], [0, 0]])
def test_groups_that_are_not_a_delta_set_are_refused(groups: list[int]) -> None:
    case = make(3)
    core = case.core

    with pytest.raises(ValueError, match="groups must rise"):
        core.specialize(core.anchor(case.x), np.array(groups, np.int32))


@given(seed=st.integers(0, 10**6), strict=st.booleans(), alike=st.booleans())
def test_a_swept_line_has_the_sums_of_its_rows_one_by_one(seed: int, strict: bool, alike: bool) -> None:
    case = make(seed, strict=strict)
    lines = [
        (parent, g, case.rng.permutation(len(case.tables[g]))[: case.rng.integers(0, len(case.tables[g]) + 1)])
        for parent in (case.neighbours if alike else case.candidates)(20)
        for g in range(len(case.tables))
        if case.rng.random() < 0.8
    ]

    swept, one_by_one = _swept(case, lines)

    assert np.allclose(swept, one_by_one, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("cells", [63, 64, 65, 127, 128, 129, 1000])
@pytest.mark.parametrize("coded", [False, True])
def test_a_line_of_a_group_of_two_columns_is_swept_whatever_the_number_of_its_cells(cells: int, coded: bool) -> None:
    case = _of_two_columns(cells, coded)
    wanted = [np.arange(1, cells + 1), np.arange(1, cells + 1, 7), np.array([cells]), np.array([1]), np.arange(2)]

    swept, one_by_one = _swept(case, [(parent, 0, rows) for parent in case.candidates(3) for rows in wanted])

    assert len(np.unique(case.core.cells(0)[1:])) == cells
    assert np.allclose(swept, one_by_one, rtol=1e-12, atol=1e-12)


def test_a_line_is_swept_where_cells_and_tests_are_too_many_to_mark_each() -> None:
    case = _of_two_columns(6000, True)
    parents, rows = case.candidates(2), case.rng.permutation(6001)[:500]

    swept, one_by_one = _swept(case, [(parent, 0, rows) for parent in parents])

    assert np.allclose(swept, one_by_one, rtol=1e-12, atol=1e-12)


def _of_two_columns(cells: int, coded: bool) -> Case:
    """A group of two columns, the first of which tells all its rows apart, and a group of one column."""
    rng = np.random.default_rng(cells)
    categorical = np.array([False, coded, False])
    second = rng.integers(0, CODES if coded else cells, cells + 1)
    tables = [np.column_stack([np.arange(cells + 1.0), second]), rng.integers(0, cells, (9, 1)).astype(float)]
    trees: list[Tree] = []
    thresholds = rng.permutation(np.arange(1, cells)) + 0.5
    while len(thresholds):
        trees.append(_tree(rng, categorical, outputs=1, joint=True, depth=9))
        trees[-1].threshold[:] = rng.integers(0, cells, len(trees[-1].threshold))
        at = np.flatnonzero(trees[-1].column == 0)[: len(thresholds)]
        trees[-1].threshold[at], thresholds = thresholds[: len(at)], thresholds[len(at) :]
    forest = Forest.from_trees(trees, np.zeros(1), Link("identity"))
    x = np.array([cells / 2, 1.0, 1.0])
    return Case(forest, [np.array([0, 1], np.int32), np.array([2], np.int32)], tables, np.full(3, np.nan), x, rng)


def _swept(case: Case, lines: list[tuple[np.ndarray, int, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """What the rows of these lines add up to, by sweeps and as points."""
    core = case.core
    anchor = core.anchor(case.x)
    parents, groups, offsets, rows = case.lines(lines)
    points = np.repeat(parents, np.diff(offsets), axis=0)
    points[np.arange(len(points)), np.repeat(groups, np.diff(offsets))] = rows
    return core.lines(anchor, parents, groups, offsets, rows), core.points(anchor, points)


@given(seed=st.integers(0, 10**6))
def test_rows_of_one_cell_cannot_be_told_apart(seed: int) -> None:
    case = make(seed)
    core = case.core
    anchor = core.anchor(case.x)
    parent = case.candidates(1)[0]
    for g, table in enumerate(case.tables):
        rows = np.tile(parent, (len(table) - 1, 1))
        rows[:, g] = np.arange(1, len(table))
        sums, cells = core.points(anchor, rows), core.cells(g)[1:]
        for cell in np.unique(cells[cells >= 0]):
            assert (sums[cells == cell] == sums[cells == cell][0]).all()


@pytest.mark.parametrize("row", [-1, 99])
def test_a_row_that_does_not_exist_is_refused(row: int) -> None:
    case = make(3)
    core = case.core
    anchor, parent = core.anchor(case.x), case.candidates(1)
    offsets, wrong = np.array([0, 1]), np.array([row], np.int32)

    with pytest.raises(ValueError, match="no such row"):
        core.points(anchor, np.full_like(parent, row))
    with pytest.raises(ValueError, match="no such row"):
        core.lines(anchor, parent, np.array([0], np.int32), offsets, wrong)
    with pytest.raises(ValueError, match="no such row"):
        core.specialize(anchor, np.array([0], np.int32)).points(wrong[:, None])


def test_a_child_before_its_parent_is_refused() -> None:
    case = make(3)
    case.forest.left[0] = 0

    with pytest.raises(ValueError, match="after its parent"):
        _ = case.core


def _space(case: Case) -> _core.Space:
    """All rows of the tables to choose from, at random costs."""
    sizes = [len(table) for table in case.tables]
    none = np.zeros(0, np.int8)
    groups = [(np.ones(n, np.uint8), np.ones(n), case.rng.random(n), np.zeros(n), none, True, 1) for n in sizes]
    return _core.Space.build(groups, [], [], list(range(len(sizes))))


@given(st.integers(0, 2**32))
def test_thin_keeps_the_nearest_row_of_each_cell_but_that_of_x(seed):
    case = make(seed)
    core, space = case.core, _space(case)
    own = [int(case.rng.integers(0, len(table))) for table in case.tables]
    thinned = core.thin(space, own)

    for g, row_of_x in enumerate(own):
        cells = core.cells(g).tolist()
        taken, kept = {cells[row_of_x]} if row_of_x else set(), []
        for row in space.choices(g).tolist():
            if cells[row] < 0 or cells[row] not in taken:
                kept.append(row)
            taken.add(cells[row])
        assert thinned.choices(g).tolist() == kept


def test_thin_leaves_the_space_it_is_given_as_it_is():
    case = make(3)
    space = _space(case)
    before = [space.choices(g).tolist() for g in range(space.width)]
    thinned = case.core.thin(space, [0] * space.width)

    assert [space.choices(g).tolist() for g in range(space.width)] == before
    assert sum(len(thinned.choices(g)) for g in range(space.width)) < sum(map(len, before))
