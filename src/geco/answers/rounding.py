"""rounding: the same answers in rounder numbers, where rules and model agree and no change grows by more than a tenth.

Feature by feature in the order of the schema: of the values of D inside the range that are at most a tenth farther from
x, the one with the fewest significant digits, the nearest of those. Values still come from D.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from geco import _core
from geco.answers.lines import Line, judge
from geco.models.scoring.base import Evaluator
from geco.population.base import Floats, Rows
from geco.space.feasible import FeasibleSpace

FARTHER = 1.1
NARROW = 1.2e-7  # how far a float32 may be from the number that it stands for
EXACT = 1e-12


def rounded(space: FeasibleSpace, evaluate: Evaluator, answers: Rows, lines: Sequence[Line]) -> Rows | None:
    """The answers in rounder numbers, as far as that goes; None where nothing becomes rounder."""
    made = answers.copy()
    waiting = _roundable(space, answers, lines)
    while waiting:
        turn = [lines.pop(0) for lines in waiting]  # one feature of each answer at a time
        waiting = [lines for lines in waiting if lines]
        windows = [(line, _window(space, line)) for line in turn]
        tried = [line.cut(*window) for line, window in windows if window is not None]
        judged = judge(space, evaluate, made, tried) if tried else []
        if judged is None:
            break
        for line, each in zip(tried, judged, strict=True):
            first, last = each.run(line.chosen)
            best = roundest(_numbers(space, line), line.chosen, first, last)
            made[line.answer, line.group] = line.rows[best]
    return None if (made == answers).all() else made


def rounded_on_trial(space: FeasibleSpace, answers: Rows, lines: Sequence[Line]) -> Rows | None:
    """All quantities of each answer rounded at once, rules kept, for a model that can only be asked."""
    made = answers.copy()
    for own in _roundable(space, answers, lines):
        for line in own:
            window = _window(space, line)
            if window is not None:
                made[line.answer, line.group] = line.rows[roundest(_numbers(space, line), line.chosen, *window)]
    broken = space.core.first_broken(made) != _core.Space.NONE_BROKEN
    made[broken] = answers[broken]
    return None if (made == answers).all() else made


def _roundable(space: FeasibleSpace, answers: Rows, lines: Sequence[Line]) -> list[list[Line]]:
    """Per answer the lines of quantities that no rule forced."""
    found: dict[int, list[Line]] = {}
    for line in lines:
        if line.feature is None or space.x[line.feature] is None:
            continue
        feature = space.domain.features[line.feature]
        alone = len(space.domain.tables[line.group].features) == 1
        if alone and feature.kind != "categorical" and feature.type in ("integer", "number"):
            found.setdefault(line.answer, []).append(line)  # groups are in the order of the schema
    return [kept for answer, own in found.items() if (kept := _unforced(space, answers[answer], own))]


def _unforced(space: FeasibleSpace, rows: Rows, lines: list[Line]) -> list[Line]:
    if not space.rules and not space.broken:
        return lines
    required = dict(zip(rows.nonzero()[0].tolist(), space.core.required(rows), strict=True))
    return [line for line in lines if required[line.group] == _core.Space.NONE_BROKEN]


def _window(space: FeasibleSpace, line: Line) -> tuple[int, int] | None:
    """From the chosen value to the last that is at most a tenth farther from x; None if none of them is rounder."""
    numbers = _numbers(space, line)
    x = space.domain.number(line.feature or "", space.x[line.feature or ""])
    chosen = float(numbers[line.chosen])  # infinite rather than a warning where it overflows
    limit = x + FARTHER * (chosen - x)
    if chosen > x:
        first, last = line.chosen, int(numbers.searchsorted(limit, side="right")) - 1
    else:
        first, last = int(numbers.searchsorted(limit)), line.chosen
    return (first, last) if first < last and roundest(numbers, line.chosen, first, last) != line.chosen else None


def _numbers(space: FeasibleSpace, line: Line) -> Floats:
    numbers: Floats = space.domain.tables[line.group].numbers[line.feature or ""][line.rows]
    return numbers


def roundest(numbers: Floats, chosen: int, first: int, last: int) -> int:
    """Of the numbers from first to last the place of the roundest, the chosen one if it is as round as any.

    Examples
    --------
    >>> numbers = np.array([2087.0, 2091.0, 2100.0, 2150.0, 2200.0])
    >>> roundest(numbers, 0, 0, 4), roundest(numbers, 0, 0, 1), roundest(numbers, 2, 2, 3)
    (2, 0, 2)
    """
    low, high, own = float(numbers[first]), float(numbers[last]), float(numbers[chosen])
    largest = max(abs(low), abs(high))
    if not 1e-9 < largest < 1e15:
        return chosen
    for exponent in range(math.floor(math.log10(largest)), -10, -1):
        unit = 10.0**exponent
        if _is_multiple(own, exponent):
            return chosen
        if math.ceil(low / unit - 1e-6) > math.floor(high / unit + 1e-6):
            continue  # no multiple lies between them
        round_ones = np.flatnonzero(_multiples(numbers[first : last + 1], exponent)) + first
        if len(round_ones):
            return int(round_ones[np.abs(round_ones - chosen).argmin()])
    return chosen


def _is_multiple(number: float, exponent: int) -> bool:
    if exponent >= 0:
        return math.fmod(number, 10.0**exponent) == 0
    return bool(_multiples(np.array([number]), exponent)[0])


def _multiples(numbers: Floats, exponent: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which are whole multiples of this power of ten, as far as their digits go."""
    if exponent >= 0:
        return np.asarray(np.fmod(numbers, 10.0**exponent) == 0)
    scaled = numbers * 10.0**-exponent
    apart = np.abs(scaled - np.round(scaled))
    single = numbers.astype(np.float32).astype(np.float64) == numbers
    return np.asarray(apart <= np.where(single, NARROW, EXACT) * np.maximum(np.abs(scaled), 1.0))
