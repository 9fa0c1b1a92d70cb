"""Along: where a network is sure for whole stretches of rows, ranges end where asking about every row ends them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from spaces import steps

from geco import _core
from geco.models.kinds.link import Link

NAN = math.nan
SIZE = 3000
JUDGES = {
    "threshold": _core.Judge("threshold", 0.5, 0, 0, 1, 0, 1),
    "strict": _core.Judge("threshold", 0.9, 0, 0, 1, 0, 1),
    "decision": _core.Judge("decision", 0, 0, 0, 1, 0, -1),
    "interval": _core.Judge("interval", 0, -0.4, 0.7, 0.5, 0, 1),
}
LINKS = {"threshold": "expit", "strict": "expit", "decision": "identity", "interval": "identity"}


@dataclass
class Case:
    """Two columns of thousands of values, rules that hold on intervals, and a network."""

    deployment: _core.Deployment
    space: _core.Space
    x: list[float]
    numbers: list[npt.NDArray[np.float64]]
    offered: list[npt.NDArray[np.bool_]]
    scoring: _core.Scoring
    asked: int = 0

    def good(self, candidates: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        nothing = np.zeros(0, np.int32)
        lines = np.zeros((0, 2), np.int32), nothing, np.zeros(1, np.int64), nothing
        return np.asarray(self.scoring.score(candidates, *lines)[0] > 0.5)

    def along(self, answer: npt.NDArray[np.int32], group: int) -> npt.NDArray[np.int32]:
        candidates = np.repeat(answer[None], len(self.numbers[group]), axis=0)
        candidates[:, group] = np.arange(len(candidates))
        return candidates

    def answers(self, rng: np.random.Generator) -> npt.NDArray[np.int32]:
        """Some that are good and keep every rule."""
        drawn = rng.integers(1, SIZE, (400, 2)).astype(np.int32)
        drawn[::3, rng.integers(0, 2)] = 0
        fine = (self.space.first_broken(drawn) == -1) & self.good(drawn)
        return np.ascontiguousarray(drawn[fine][:5])

    def ranges(self, answers: npt.NDArray[np.int32], sure: bool) -> list[Any]:
        """What is asked about, question by question; ``asked`` counts the rows."""
        scoring = self.scoring if sure else None
        near = _core.Around(self.deployment, self.space, self.x, bytes([2, 2]), answers, False, True, scoring)
        while len((lines := near.ask())[3]):
            self.asked += len(lines[3])
            near.tell(self.scoring.score(lines[0][:0], *lines)[0])
        return near.ranges()

    def by_definition(self, answer: npt.NDArray[np.int32], group: int) -> tuple[int, int]:
        """The ends of the run around the answer's row, every row asked about by itself."""
        candidates, numbers, chosen = self.along(answer, group), self.numbers[group], int(answer[group])
        side = np.sign(numbers - self.x[group]) == np.sign(numbers[chosen] - self.x[group])
        on_line = np.flatnonzero(self.offered[group] & side)
        does = (self.space.first_broken(candidates) == -1) & self.good(candidates)
        low = high = int(np.searchsorted(on_line, chosen))
        while low > 0 and does[on_line[low - 1]]:
            low -= 1
        while high + 1 < len(on_line) and does[on_line[high + 1]]:
            high += 1
        return int(on_line[low]), int(on_line[high])


def column(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Even, crowded in one place, or with a value far away; the last row is missing."""
    values = rng.choice([rng.normal(size=SIZE), rng.random(SIZE), rng.standard_cauchy(SIZE).clip(-1e4, 1e4)])
    return np.array([NAN, *np.unique(values), NAN])


def encoded(rng: np.random.Generator, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """As a pipeline may have it: scaled, turned around, bent, in steps, or folded, which is not sorted at all."""
    turn = rng.choice(["scaled", "turned", "bent", "steps", "folded"])
    bent = {"scaled": numbers * 0.7, "turned": 1 - 2 * numbers, "bent": np.arctan(numbers),
            "steps": np.floor(numbers * 4) / 4, "folded": np.abs(numbers)}[turn]  # fmt: skip
    return np.nan_to_num(bent, nan=0.1)[:, None]


def random_case(seed: int, judge: str = "threshold", hidden: int = 12, size: float = 1.0) -> Case:
    rng = np.random.default_rng(seed)
    numbers = [column(rng) for _ in range(2)]
    counts = [np.where(rng.random(len(n)) < 0.1, 1.0, 3.0) for n in numbers]
    support, step = rng.choice([1.0, 2.0]), rng.choice([0.0, 0.0, 0.3])
    forms = [[(1.0, 1.0, 1.0, 1.0, step if g else 0.0, False, False)] for g in range(2)]
    tables = [(n[None], c, f, None, True) for n, c, f in zip(numbers, counts, forms, strict=True)]
    low, high = np.sort(rng.choice(numbers[0][1:-1], 2))
    most, hole = rng.choice(numbers[1][1:-1], 2)
    local = ("and", (">=", ("column", 0), ("constant", low)), ("<=", ("column", 0), ("constant", high)))
    across = ("or", ("<=", ("column", 1), ("constant", most)), (">=", ("column", 1), ("constant", hole)))
    rules = [([], steps(local), 0, 0), ([steps((">", ("column", 0), ("constant", low)))], steps(across), 1, -1)]
    rules = [rule for rule in rules if rng.random() < 0.5]
    norm = (0.0, 1.0, 0.0, 2.0, support)
    deployment = _core.Deployment.build(tables, rules, [0, 1], norm, held=0)
    x = [float(rng.choice(numbers[0][1:-1])), float(rng.normal())]
    written = bytes([_core.Kept.WRITTEN]) * sum(len(rule[0]) + 1 for rule in rules)
    space = deployment.space(x, list(range(len(rules))), written, [], 1000)[0]
    away = [np.abs(n - v) for n, v in zip(numbers, x, strict=True)]
    offered = [~np.isnan(n) & (c >= support) for n, c in zip(numbers, counts, strict=True)]
    offered[1] &= ~((away[1] > 0) & (away[1] < step))
    columns = [encoded(rng, n) for n in numbers]
    return Case(deployment, space, x, numbers, offered, scoring(rng, columns, judge, hidden, size))


def scoring(
    rng: np.random.Generator, columns: list[npt.NDArray[np.float64]], judge: str, hidden: int, size: float
) -> _core.Scoring:
    """By a network, or a linear model if nothing is hidden; some candidate of the table is just good, or just not."""
    widths = [2, hidden, 1] if hidden else [2, 1]
    weights = [rng.normal(size=pair) for pair in pairwise(widths)]
    biases = [rng.normal(size=width) for width in widths[1:]]
    weights[-1] *= size
    just = np.array([[c[rng.integers(1, len(c) - 1), 0] for c in columns]])
    inner = np.maximum(just @ weights[0] + biases[0], 0) if hidden else just
    border = {"threshold": 0.0, "strict": math.log(9), "decision": 0.0, "interval": 0.7}[judge]
    biases[-1][:] = border - (inner @ weights[-1])[0] + rng.choice([0.0, 1e-9, -1e-9, 3e-6, -3e-6])
    tables = [(np.array([g], np.int32), values) for g, values in enumerate(columns)]
    relu = [[("relu", 0.0, np.zeros(0), np.zeros(0))]] * (len(widths) - 2)
    network = _core.Network.build(weights, biases, relu, tables, np.full(2, NAN))
    verdict = _core.Verdict(Link(LINKS[judge]).core, False, [], False, JUDGES[judge])
    return _core.Scoring(network, network.anchor(np.zeros(2)), verdict)


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("hidden", [0, 3, 40])
@given(seed=st.integers(0, 10**6), size=st.sampled_from([1.0, 1e-3, 1e-6, 1e-8]))
@example(seed=218443, size=1.0)  # a linear model that says 0.7 of a row, where 0.7 is the most that is good
@settings(max_examples=40, deadline=None)
def test_ranges_end_where_asking_about_every_row_ends_them(judge, hidden, seed, size):
    case = random_case(seed, judge, hidden, size)
    answers = case.answers(np.random.default_rng(seed))
    found = case.ranges(answers, sure=True)

    assert found == case.ranges(answers, sure=False)
    for answer, group, _, low, high, *_ in found:
        assert (low, high) == case.by_definition(answers[answer], group)


def test_of_a_sure_stretch_few_rows_are_asked_about():
    asked = [0, 0]
    for seed in range(30):
        case = random_case(seed)
        answers = case.answers(np.random.default_rng(seed))
        for sure in (False, True):
            case.asked = 0
            case.ranges(answers, sure)
            asked[sure] += case.asked

    assert asked[True] < asked[False] / 4


def test_a_model_of_another_domain_is_refused():
    case = random_case(1)
    other = scoring(np.random.default_rng(1), [np.zeros((4, 1))] * 2, "threshold", 3, 1.0)

    with pytest.raises(ValueError, match="another domain"):
        _core.Around(case.deployment, case.space, case.x, bytes([2, 2]), np.ones((1, 2), np.int32), False, True, other)
