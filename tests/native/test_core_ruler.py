"""Tables worked out by place must say of every row what tables held row by row say, to the last bit."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from spaces import ARITHMETIC, COMPARISONS, array, random_predicate, seeds, steps

from geco import _core
from geco.models.kinds.forest import Forest, Tree
from geco.models.kinds.link import Link

WRITTEN = bytes([_core.Kept.WRITTEN])
NAN = math.nan
BOUND = 1000
NORMS = [(0.0, 1.0, 0.0), (0.5, 0.5, 0.0), (0.2, 0.3, 0.5), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)]
CLOSE = [1000.0, math.nextafter(1000.0, 2000.0), 1000.0 + 1e-12]  # too close to be told apart from afar


@dataclass
class Case:
    """A deployment of ordered features, twice: row by row and by place."""

    sizes: list[int]
    arguments: tuple[Any, ...]
    x: list[float]
    asked: tuple[Any, ...]
    like: list[Any] | None = None

    def made(self, held: int) -> tuple[Any, ...]:
        core = _core.Deployment.build(*self.arguments, held=held)
        if self.like is not None:
            core = core.asked_with([], *self.like)
        return core.space(self.x, *self.asked)  # type: ignore[no-any-return]

    def both(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        return self.made(10**9), self.made(0)

    def candidates(self) -> np.ndarray:
        return array(list(itertools.product(*(range(n + 1) for n in self.sizes))), len(self.sizes))


def random_case(seed: int, groups: int = 2, most: int = 9) -> Case:
    rng = random.Random(seed)
    tables, x, sizes = [], [], []
    for _ in range(groups):
        numbers = sorted({*rng.sample([-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 2.5, 7.0, *CLOSE], rng.randint(1, most))})
        gaps = [NAN] * rng.randint(0, 1)
        counts = [0.0, *rng.choices([1.0, 2.0, 5.0], k=len(numbers) + len(gaps))]
        of_feature = (
            rng.choice([0.0, 1.0, 7.0]),
            rng.choice([0.0, 1.0, 1.0, 3.0]),
            *rng.choice([(1.0, 1.0), (0.0, 2.0), (3.0, 0.5)]),
            rng.choice([0.0, 0.0, 0.6, 2.0]),
            False,
            rng.random() < 0.2,
        )
        tables.append((np.array([[NAN, *numbers, *gaps]]), np.array(counts), [of_feature], None, True))
        x.append(rng.choice([NAN, -5.0, 0.25, 1.0, 1000.0, *numbers]))
        sizes.append(len(numbers) + len(gaps))
    local = [([steps(_predicate(rng, [g]))], steps(_predicate(rng, [g])), g, g) for g in range(groups)]
    across = [([steps(_predicate(rng, [0]))], steps(random_predicate(rng, [0, groups - 1])), groups - 1, -1)]
    rules = [rule for rule in (*local, *across) if rng.random() < 0.6] if groups > 1 else []
    norm = (*rng.choice(NORMS), 1.0, rng.choice([1.0, 1.0, 2.0, 9.0]))
    arguments = (tables, rules, list(range(groups)), norm)
    return Case(sizes, arguments, x, (list(range(len(rules))), WRITTEN * 2 * len(rules), [], BOUND))


def _predicate(rng: random.Random, groups: list[int]) -> Any:
    """Mostly a comparison of a constant with what rises or falls along the column; sometimes any other."""
    if rng.random() < 0.3:
        return random_predicate(rng, groups)
    moving: Any = ("column", groups[0])
    for _ in range(rng.randint(0, 2)):
        sides = [moving, ("constant", rng.choice([-2.0, 0.0, 0.5, 3.0]))]
        moving = ("negate", moving) if rng.random() < 0.2 else (rng.choice(ARITHMETIC), *rng.sample(sides, 2))
    compared = [moving, ("constant", rng.choice([-1.0, 0.0, 0.5, 2.0, 1000.0, NAN]))]
    return (rng.choice(COMPARISONS), *rng.sample(compared, 2))


@given(seeds())
@settings(max_examples=300)
def test_every_row_costs_the_same_and_may_be_chosen_by_the_same_rules(seed):
    case = random_case(seed)
    (by_row, *of_rows), (by_place, *of_places) = case.both()
    candidates = case.candidates()

    assert of_places == of_rows  # the rows like x, what x breaks, groups without a choice, is it feasible?
    assert by_place.start == by_row.start
    assert [by_place.choices(g).tolist() for g in (0, 1)] == [by_row.choices(g).tolist() for g in (0, 1)]
    assert by_place.distance(candidates).tolist() == by_row.distance(candidates).tolist()
    assert by_place.first_broken(candidates).tolist() == by_row.first_broken(candidates).tolist()


@given(seeds(), st.integers(1, 5))
@settings(max_examples=300)
def test_swept_lines_have_the_same_rows(seed, rows_per_line):
    case, rng = random_case(seed, 3, 12), random.Random(seed)
    effects = [rng.choices([-0.5, 0.0, 0.1, 0.3], k=n + 1) for n in case.sizes]

    def outcome(rows: np.ndarray) -> float:
        total = sum(effect[row] for effect, row in zip(effects, rows, strict=True))
        return min(1.0, max(0.0, total))

    def asked(space: _core.Space) -> list[Any]:
        stage = _core.FrontierSettings.of(2, seed, 3, 1, swept=True, rows_per_line=rows_per_line, max_rounds=9)
        claims = _core.Claims(space, _core.Archive(space))
        frontier = _core.Frontier(claims, _core.Swept(claims, stage), [stage], not any(space.start), possible=True)
        rounds = []
        while not frontier.converged and len(rounds) < 9:
            points, parents, groups, offsets, rows = frontier.ask()
            along = np.repeat(parents, np.diff(offsets), axis=0)
            along[np.arange(len(rows)), np.repeat(groups, np.diff(offsets))] = rows
            said = [np.array([outcome(rows) for rows in of], float) for of in (points, along)]
            frontier.tell(0.2, 0.2, said[0], said[0], said[1], said[1])
            rounds.append((points.tolist(), along.tolist()))
        return rounds

    (by_row, *_, feasible), (by_place, *_) = case.both()
    assume(feasible is _core.Feasible.YES)

    assert asked(by_place) == asked(by_row)


@given(seeds())
def test_trades_exchange_the_same_rows(seed):
    case = random_case(seed, 3, 12)
    (by_row, *_), (by_place, *_) = case.both()
    stage = _core.FrontierSettings.of(1, seed, 3, 1, swept=True)
    good = next((rows for rows in case.candidates()[::-1] if by_row.first_broken(rows[None])[0] == -1), None)

    def trades(space: _core.Space) -> list[list[int]]:
        return [] if good is None else _core.Effects(space, stage).trades(good.tolist(), 0, 1)

    assert trades(by_place) == trades(by_row)


@given(seeds())
def test_rules_are_repaired_by_the_same_rows(seed):
    case = random_case(seed)
    (by_row, *_), (by_place, *_) = case.both()

    def repaired(space: _core.Space) -> list[Any]:
        counts = _core.CascadeCounts(space)
        made = [space.action_cascade(rows, counts) for rows in case.candidates()]
        return [(ok, rows.tolist()) for ok, rows in made] + [counts.dropped, counts.repaired]

    assert repaired(by_place) == repaired(by_row)
    assert by_place.any_allowed(True, BOUND)[0] == by_row.any_allowed(True, BOUND)[0]


@given(seeds())
def test_other_settings_and_another_support_are_taken_over(seed):
    case, other = random_case(seed, groups=1), random_case(seed + 1, groups=1)
    norm = (0.3, 0.7, 0.0, 2.0, 2.0)
    case.like = [[], [0], norm, [(other.arguments[0][0][2], None)], [True]]
    (by_row, *of_rows), (by_place, *of_places) = case.both()

    assert of_places == of_rows
    assert by_place.choices(0).tolist() == by_row.choices(0).tolist()
    assert by_place.distance(case.candidates()).tolist() == by_row.distance(case.candidates()).tolist()


def _forest(rng: random.Random, encoded: list[np.ndarray]) -> _core.Forest:
    """Stumps on two columns of one group each, so that few of many rows can be told apart."""
    trees = []
    for column in [rng.randrange(len(encoded)) for _ in range(rng.randint(1, 5))]:
        threshold = float(rng.choice(encoded[column][1:, 0].tolist()))
        trees.append(
            Tree(
                column=np.array([column, -1, -1], np.int32),
                threshold=np.array([0.0 if math.isnan(threshold) else threshold, 0.0, 0.0]),
                left=np.array([1, -1, -1], np.int32),
                right=np.array([2, -1, -1], np.int32),
                value=np.array([[0.0], [rng.random()], [rng.random()]]),
                missing_left=np.array([rng.random() < 0.5, False, False]),
            )
        )
    forest = Forest.from_trees(trees, np.zeros(1), Link("identity"), divisor=1.0)
    tables = [(np.array([g], np.int32), table) for g, table in enumerate(encoded)]
    return _core.Forest.build(forest, tables, np.full(len(encoded), NAN))


@given(seeds())
@settings(max_examples=200)
def test_the_same_rows_are_left_of_each_cell(seed):
    case, rng = random_case(seed, most=12), random.Random(seed)
    case.arguments[1].clear()
    case.asked = ([], b"", [], BOUND)
    # Scaled, turned around, or folded, so that cells are no stretches of rows.
    turn = rng.choice([lambda z: z, lambda z: -2 * z, lambda z: np.abs(z - 1.0)])
    forest = _forest(rng, [turn(table[0].T.copy()) for table in case.arguments[0]])
    (by_row, own, *_), (by_place, *_) = case.both()
    row, place = forest.thin(by_row, own), forest.thin(by_place, own)

    assert [place.choices(g).tolist() for g in (0, 1)] == [row.choices(g).tolist() for g in (0, 1)]


@given(seeds())
def test_values_that_no_double_holds_are_told_apart_by_place_as_well(seed):
    rng = random.Random(seed)
    values = sorted(rng.sample(range(2**60, 2**60 + 40), rng.randint(2, 12)))
    grain = 2**22
    high = np.array([NAN, *(float(v // grain * grain) for v in values)])
    low = np.array([NAN, *(float(v % grain) for v in values)])
    own = rng.choice([*values, 2**60 + 50])
    of_feature = (
        rng.choice([1.0, 7.0]),
        1.0,
        *rng.choice([(1.0, 1.0), (3.0, 0.5)]),
        rng.choice([0.0, 3.0]),
        False,
        False,
    )
    numbers = np.array([[NAN, *map(float, values)]])
    tables = [(numbers, np.array([0.0, *[1.0] * len(values)]), [of_feature], None, True)]
    case = Case(
        [len(values)],
        (tables, [], [0], (0.0, 1.0, 0.0, 1.0, 1.0), [(0, 0, True, high, low)]),
        [float(own), float(own // grain * grain), float(own % grain)],
        ([], b"", [], BOUND),
    )
    (by_row, *of_rows), (by_place, *of_places) = case.both()

    assert of_places == of_rows
    assert by_place.choices(0).tolist() == by_row.choices(0).tolist()
    assert by_place.distance(case.candidates()).tolist() == by_row.distance(case.candidates()).tolist()


@given(seeds())
@settings(max_examples=40)
def test_rows_stay_apart_where_rules_across_groups_tell_them_apart(seed):
    """Of 700 rows the nearest of each cell and each pattern of truth is left; by place and row by row alike."""
    rng = random.Random(seed)
    numbers = [float(n) for n in range(700)]
    of_feature = (7.0, 1.0, *rng.choice([(1.0, 1.0), (3.0, 0.5)]), 0.0, False, False)
    tables = [(np.array([[NAN, *numbers]]), np.array([0.0, *[1.0] * 700]), [of_feature], None, True)] * 2
    high, low = rng.randint(0, 699) + 0.0, rng.randint(0, 699) + 0.5
    rule = (
        [steps((">", ("column", 0), ("constant", high)))],
        steps(("or", ("<", ("column", 1), ("constant", low)), ("=", ("column", 1), ("constant", 5.0)))),
        1,
        -1,
    )
    x = [rng.choice([rng.uniform(0, 699), float(rng.randint(0, 699))]) for _ in range(2)]
    case = Case([700, 700], (tables, [rule], [0, 1], (0.0, 1.0, 0.0, 1.0, 1.0)), x, ([0], WRITTEN * 2, [], BOUND))
    forest = _forest(rng, [table[0].T.copy() for table in tables])
    truths = [[z > high for z in [x[0], *numbers]], [z < low or z == 5.0 for z in [x[1], *numbers]]]

    for space, own, *_ in case.both():
        thinned = forest.thin(space, own)
        for g in (0, 1):
            cells = forest.cells(g).tolist()
            met, kept = {(cells[own[g]], truths[g][0])} if own[g] else set(), []
            for row in space.choices(g).tolist():
                kind = cells[row], truths[g][row]
                if kind not in met:
                    kept.append(row)
                met.add(kind)
            assert thinned.choices(g).tolist() == kept
