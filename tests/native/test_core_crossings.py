"""Crossings: along a line that is straight between breaks the nearest good row is asked about, and few others are."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_core_along import JUDGES, NAN, SIZE, Case, random_case, scoring

from geco import _core
from geco.models.kinds.link import Link

MONOTONE = [judge for judge in JUDGES if judge != "interval"]


class Lines:
    """The lines of one parent of a case, with what the model says of it known."""

    def __init__(self, case: Case, parent: npt.NDArray[np.int32], known: bool = True) -> None:
        core, self.case, self.parent = case.space, case, parent
        archive = _core.Archive(core)
        claims = _core.Claims(core, archive)
        made = _core.Swept(claims, _core.FrontierSettings.of(5, 0, 2, 120, True), case.scoring if known else None)
        assert len(archive.claim(core, parent[None]))
        self.good = bool(case.good(parent[None])[0])
        archive.score(core, parent[None], np.array([0.5 + self.good / 4]), np.zeros(1))
        found = _core.Round()
        sight = _core.Sight(1, math.inf, math.inf)
        made.begin(sight, found)
        self.whole = made.expand(_core.Parent(0), sight, found)
        _, _, groups, offsets, rows = found.arrays(2)
        self.rows = {int(g): rows[low:high] for g, (low, high) in zip(groups, pairwise(offsets), strict=True)}

    def costs(self, group: int) -> npt.NDArray[np.float64]:
        """How far rows are, slot 0 included."""
        away = np.abs(self.case.numbers[group] - self.case.x[group])
        away[0] = 0
        return away

    def choices(self, group: int) -> npt.NDArray[np.int32]:
        """By definition: whoever may be chosen, nearer than the present one if that is good, nearest first."""
        costs, now = self.costs(group), self.parent[group]
        rows = np.array([r for r in self.case.space.choices(group) if r != now], np.int32)
        if self.good:
            rows = rows[costs[rows] < costs[now]]
        return rows[np.argsort(costs[rows], kind="stable")]

    def good_rows(self, group: int) -> npt.NDArray[np.int32]:
        rows = self.choices(group)
        return rows[self.case.good(self.case.along(self.parent, group)[rows])]


def parents(case: Case, seed: int) -> npt.NDArray[np.int32]:
    rng = np.random.default_rng(seed)
    drawn = np.stack([rng.choice([0, *case.space.choices(g)], 30) for g in range(2)], axis=1).astype(np.int32)
    drawn = drawn[(drawn > 0).any(axis=1) & (case.space.first_broken(drawn) == -1)]
    return np.ascontiguousarray(drawn[:6])


@pytest.mark.parametrize("judge", MONOTONE)
@pytest.mark.parametrize("hidden", [0, 3, 40])
@given(seed=st.integers(0, 10**6), size=st.sampled_from([1.0, 1e-3]))
@example(seed=1970, size=1.0)  # many rows of one encoded value, on the very edge
@example(seed=235018, size=1.0)  # on the edge on either side of x
@settings(max_examples=25, deadline=None)
def test_a_line_asks_about_its_nearest_good_row_and_hardly_beyond(judge, hidden, seed, size):
    case = random_case(seed, judge, hidden, size)
    for parent in parents(case, seed):
        lines, sampled = Lines(case, parent), Lines(case, parent, known=False)
        for group, rows in lines.rows.items():
            if rows.tolist() == sampled.rows[group].tolist():  # rules, or values that are folded
                continue
            costs, good = lines.costs(group), lines.good_rows(group)
            assert (np.diff(costs[rows]) >= 0).all()
            assert not len(good) or costs[good[0]] in costs[np.intersect1d(rows, good)]
            beyond = costs[rows] > costs[good[0]] if len(good) else np.zeros(len(rows), bool)
            # The next one and the first that is surely good; on the other side these two and the crossing.
            assert beyond.sum() <= 5


def used(judge: str = "threshold", hidden: int = 12) -> list[tuple[Lines, int]]:
    """Lines whose rows were chosen by where they turn good."""
    found = []
    for seed in range(30):
        case = random_case(seed, judge, hidden)
        for parent in parents(case, seed):
            lines, sampled = Lines(case, parent), Lines(case, parent, known=False)
            found += [(lines, g) for g, rows in lines.rows.items() if rows.tolist() != sampled.rows[g].tolist()]
    return found


@pytest.mark.parametrize("hidden", [0, 12])
def test_most_lines_are_known_and_few_of_their_rows_are_asked_about(hidden):
    lines = used("threshold", hidden)

    assert len(lines) > 100
    assert np.mean([len(found.rows[group]) for found, group in lines]) < 12


def test_a_model_that_is_good_between_two_numbers_is_asked_as_before():
    assert not used("interval")


def test_where_a_line_gains_less_from_there_on_is_asked_about():
    """2 relu(v) − 1.9 relu(v − bend): steep up to the bend, nearly flat behind it."""
    bend, case = SIZE // 3, random_case(3)
    numbers = np.array([NAN, *np.linspace(0.1, 1.0, SIZE), NAN])
    form = [(1.0, 1.0, 1.0, 1.0, 0.0, False, False)]
    tables = [(numbers[None], np.ones(SIZE + 2), form, None, True)] * 2
    deployment = _core.Deployment.build(tables, [], [0, 1], (0.0, 1.0, 0.0, 2.0, 1.0), held=0)
    weights = [np.array([[1.0, 1.0], [0.0, 0.0]]), np.array([[2.0], [-1.9]])]
    biases = [np.array([0.0, -numbers[bend] - 1e-7]), np.array([-10.0])]
    relu = [[("relu", 0.0, np.zeros(0), np.zeros(0))]]
    columns = [(np.array([g], np.int32), np.nan_to_num(numbers)[:, None]) for g in range(2)]
    network = _core.Network.build(weights, biases, relu, columns, np.full(2, NAN))
    verdict = _core.Verdict(Link("expit").core, False, [], False, JUDGES["threshold"])
    case.x, case.numbers, case.space = [0.0, 0.0], [numbers] * 2, deployment.space([0.0, 0.0], [], b"", [], 1000)[0]
    case.scoring = _core.Scoring(network, network.anchor(np.zeros(2)), verdict)

    assert bend in Lines(case, np.zeros(2, np.int32)).rows[0]


def test_a_good_parent_is_seen_whole_once_its_lines_are_known():
    lines = [found for found, _ in used() if found.good]

    assert lines
    assert all(found.whole for found in lines if all(len(rows) < 20 for rows in found.rows.values()))


def test_a_model_of_another_domain_is_refused():
    case = random_case(1)
    other = scoring(np.random.default_rng(1), [np.zeros((4, 1))] * 2, "threshold", 3, 1.0)
    claims = _core.Claims(case.space, _core.Archive(case.space))

    with pytest.raises(ValueError, match="another domain"):
        _core.Swept(claims, _core.FrontierSettings.of(1, 0, 2, 120, True), other)
