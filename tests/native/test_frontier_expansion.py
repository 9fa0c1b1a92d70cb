"""Thinned and Swept: the lines of a parent, what is kept of them and what they show."""

from __future__ import annotations

import math

import numpy as np
import pytest
from spaces import Rule, Space, Table

from geco import _core

FIRST = _core.Sight(0, math.inf, math.inf)


class Lines:
    """A strategy over two groups whose row r costs r / 16, with its archive; the start is expanded first."""

    def __init__(
        self, swept: bool, rows: int = 8, rules: tuple[Rule, ...] = (), start: float = 0.1, **numbers: int
    ) -> None:
        costs = [r / 16 for r in range(rows + 1)]
        table = Table(
            [True] * (rows + 1), [1.0] * (rows + 1), costs, [0.0] * (rows + 1), [float(r) for r in range(rows + 1)]
        )
        self.space = Space([table, table], list(rules), [0, 1])
        self.core = self.space.build()
        self.archive = _core.Archive(self.core)
        self.claims = _core.Claims(self.core, self.archive)
        settings = _core.FrontierSettings.of(1, 0, 2, 4, swept).but(**{"rows_per_line": 0, "first_rows": 0, **numbers})
        self.made = (_core.Swept if swept else _core.Thinned)(self.claims, settings)
        self.round = _core.Round()
        self.score([0, 0], start)

    def score(self, rows: list[int], outcome: float) -> int:
        """The number of this candidate in the archive, which has it from now on."""
        before, candidate = len(self.archive), np.array([rows], np.int32)
        assert len(self.archive.claim(self.core, candidate))
        self.archive.score(self.core, candidate, np.array([outcome]), np.array([outcome]))
        return before

    def expand(self, index: int = 0, sight: _core.Sight = FIRST, **parent: bool) -> dict[int, list[int]]:
        """Rows by group."""
        self.round = _core.Round()
        self.made.begin(sight, self.round)
        self.made.expand(_core.Parent(index, **parent), sight, self.round)
        _, _, groups, offsets, rows = self.round.arrays(2)
        return {g: rows[offsets[i] : offsets[i + 1]].tolist() for i, g in enumerate(groups.tolist())}

    def tell(self, outcome, bound: float = math.inf) -> list[int]:
        """What the model says of row r of group g."""
        _, _, groups, offsets, rows = self.round.arrays(2)
        said = [
            outcome(g, r) for i, g in enumerate(groups.tolist()) for r in rows[offsets[i] : offsets[i + 1]].tolist()
        ]
        return self.made.tell(self.round, np.array(said, float), np.array(said, float), bound)

    def kept(self) -> set[tuple[int, ...]]:
        return {tuple(rows) for rows in self.archive.fittest(self.core, 10**6).tolist()}


@pytest.mark.parametrize("swept", [False, True])
def test_all_rows_of_every_line_are_asked_nearest_first(swept):
    assert Lines(swept).expand() == {0: [1, 2, 3, 4, 5, 6, 7, 8], 1: [1, 2, 3, 4, 5, 6, 7, 8]}


@pytest.mark.parametrize("swept", [False, True])
def test_rows_beyond_the_bound_are_left_out(swept):
    assert Lines(swept).expand(sight=_core.Sight(1, 3 / 16, 3 / 16)) == {0: [1, 2], 1: [1, 2]}


@pytest.mark.parametrize("swept", [False, True])
def test_a_counterfactual_is_only_brought_nearer_and_its_undo_is_asked_first(swept):
    lines = Lines(swept)

    assert lines.expand(lines.score([3, 2], 0.9)) == {0: [0, 1, 2], 1: [0, 1]}


def test_swept_lines_look_as_far_as_the_reach_though_the_bound_is_farther():
    assert Lines(True).expand(sight=_core.Sight(1, math.inf, 3 / 16)) == {0: [1, 2], 1: [1, 2]}


def test_thinned_lines_ask_about_few_rows_and_more_of_them_in_the_first_round():
    lines = Lines(False, rows=64, rows_per_line=3, first_rows=30)
    first = lines.expand()
    lines.tell(lambda g, r: 0.2)
    later = lines.expand(lines.score([64, 64], 0.2), _core.Sight(1, math.inf, math.inf))

    assert [len(rows) for rows in first.values()] == [30, 30]
    assert max(map(len, later.values())) <= 4


def test_a_second_look_at_a_thinned_line_asks_about_rows_that_are_new():
    lines = Lines(False, rows=64, rows_per_line=3, first_rows=30)
    first = lines.expand()
    lines.tell(lambda g, r: 0.2)
    second = lines.expand(sight=_core.Sight(1, math.inf, math.inf), again=True)

    assert sorted(first[0] + second[0]) == list(range(1, 65))


def test_thinned_lines_foresee_where_a_candidate_turns_good():
    def outcome(rows: int) -> float:  # 48 rows are enough, of either group or of both
        return 1 / (1 + math.exp(3 - (rows + 0.5) / 16))

    lines = Lines(False, rows=64, start=outcome(0), rows_per_line=3, first_rows=40)
    lines.expand()
    lines.tell(lambda g, r: outcome(r))
    rows = lines.expand(lines.score([24, 1], outcome(25)), _core.Sight(1, math.inf, math.inf))[1]

    assert 24 in rows


def test_what_thinned_lines_showed_is_read_from_the_archive_as_far_as_the_bound():
    lines = Lines(False)
    lines.expand()
    lines.tell(lambda g, r: 0.1 if g else 0.5)
    shown = lines.made.shown(0, 3 / 16)

    assert [(group, row) for group, row, _ in shown] == [(0, 1), (0, 2), (1, 1), (1, 2)]
    assert [round(effect, 9) for _, _, effect in shown] == [round(math.log(9), 9)] * 2 + [0.0] * 2


def test_of_a_swept_line_the_records_up_to_the_first_counterfactual_are_kept():
    lines = Lines(True, plateau_rows=1)
    lines.expand()
    lines.tell(lambda g, r: {2: 0.2, 3: 0.15, 4: 0.6, 6: 0.9}.get(r, 0.0) if g == 0 else 0.0)

    assert {rows for rows in lines.kept() if rows[0]} == {(2, 0), (4, 0)}


def test_a_few_rows_of_a_plateau_are_kept_though_they_set_no_record():
    lines = Lines(True, plateau_rows=2)
    lines.expand()
    lines.tell(lambda g, r: 0.1)

    assert {rows for rows in lines.kept() if rows[0]} == {(3, 0), (7, 0)}


def test_of_a_smooth_line_as_many_rows_are_kept_as_show_its_shape_the_last_among_them():
    lines = Lines(True, rows=40, plateau_rows=1, record_rows=3)
    lines.expand()
    lines.tell(lambda g, r: 0.1 + r / 200 if g == 0 else 0.0)

    assert {rows[0] for rows in lines.kept() if rows[0]} >= {1, 20, 40}
    assert len({rows[0] for rows in lines.kept()}) <= 5


def test_what_swept_lines_showed_stays_until_the_next_round_is_told():
    lines = Lines(True, plateau_rows=1)
    lines.expand()
    lines.tell(lambda g, r: 0.5 if (g, r) == (0, 4) else 0.0)
    first = lines.made.shown(0, math.inf)
    other = lines.score([5, 5], 0.1)
    lines.expand(other, _core.Sight(1, math.inf, math.inf))

    assert (0, 4) in [(group, row) for group, row, _ in first]
    assert lines.made.shown(0, math.inf) == first
    lines.tell(lambda g, r: 0.0)
    assert lines.made.shown(0, math.inf) == []
    assert lines.made.shown(other, math.inf) != []


def test_a_parent_that_is_not_a_base_shows_nothing():
    lines = Lines(True)
    lines.expand(base=False)
    lines.tell(lambda g, r: 0.3)

    assert lines.made.shown(0, math.inf) == []


def test_rows_of_a_swept_line_that_break_a_rule_are_repaired_and_asked_next():
    needs = Rule([(">", ("column", 0), ("constant", 2.0))], (">=", ("column", 1), ("constant", 1.0)), 1)
    lines = Lines(True, rules=(needs,), plateau_rows=1)
    lines.expand()
    repaired = lines.tell(lambda g, r: 0.1 + r / 100 if g == 0 else 0.0)

    assert np.reshape(repaired, (-1, 2)).tolist() == [[3, 1], [4, 1], [5, 1]]
    assert {rows for rows in lines.kept() if rows[0]} == {(1, 0), (2, 0)}


def test_a_thinned_line_asks_about_repaired_rows_as_points():
    needs = Rule([(">", ("column", 0), ("constant", 2.0))], (">=", ("column", 1), ("constant", 1.0)), 1)
    lines = Lines(False, rows=4, rules=(needs,))

    assert lines.expand()[0] == [1, 2]
    assert lines.round.arrays(2)[0].tolist() == [[3, 1], [4, 1]]


def test_only_whole_lines_show_their_nearest_good_row_at_once():
    whole, some, thinned = Lines(True), Lines(True, rows_per_line=3), Lines(False)

    assert (whole.made.whole_lines, some.made.whole_lines, thinned.made.whole_lines) == (True, False, False)


def test_rows_of_a_line_swept_in_part_stand_elsewhere_in_the_next_round():
    lines = Lines(True, rows=64, rows_per_line=5)
    rounds = [lines.expand(sight=_core.Sight(i, math.inf, math.inf))[0] for i in (1, 2)]

    assert [len(rows) for rows in rounds] == [5, 5]
    assert set(rounds[0]).isdisjoint(rounds[1])


def test_what_is_kept_of_swept_lines_is_as_far_as_the_space_says_and_is_found_again():
    costs = [[0.0, *(0.1 * (r + 1) * (g + 1) / 7 for r in range(6))] for g in range(5)]
    tables = [Table([True] * 7, [1.0] * 7, cost, [0.7 * c for c in cost], cost) for cost in costs]
    space = Space(tables, [], list(range(5)))
    core = space.build()
    archive = _core.Archive(core)
    claims = _core.Claims(core, archive)
    made = _core.Swept(claims, _core.FrontierSettings.of(1, 0, 5, 4, True).but(rows_per_line=0, first_rows=0))
    parents = np.array([[0, 0, 0, 0, 0], [1, 0, 3, 0, 2], [0, 6, 5, 4, 3]], np.int32)
    archive.claim(core, parents)
    archive.score(core, parents, np.array([0.1, 0.2, 0.3]), np.zeros(3))
    round = _core.Round()
    made.begin(FIRST, round)
    for index in range(len(parents)):
        made.expand(_core.Parent(index), FIRST, round)
    rows = round.arrays(5)[4]
    outcome = np.linspace(0.2, 0.4, len(rows))
    made.tell(round, outcome, outcome, math.inf)
    kept = archive.fittest(core, 10**6)

    assert len(kept) > 30
    assert [archive.look_up(core, one)[0] for one in kept] == core.distance(kept).tolist()
