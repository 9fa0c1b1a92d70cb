"""The model as a formula, for MACE: trees by their tests, linear models by their sum, over encoded columns.

In: the compiled model, the encoded x and the unknowns. Out: "the outcome is good". A value next to a threshold of
float32 trees keeps a whole float32 away from it, so that the solver's real numbers and the model's agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from geco.baselines.unknowns import Position, Value, among, chosen, exact
from geco.errors import SettingsError
from geco.models.compiling.compiled import Compiled
from geco.models.compiling.encode import Encoding
from geco.models.kinds.forest import Forest
from geco.models.kinds.linear import Linear
from geco.population.base import Floats
from geco.search.base import Ticking
from geco.space.feasible import FeasibleSpace

FAR = 1e30  # a sum beyond all doubt


@dataclass(frozen=True)
class Affine:
    """An encoded column as a multiple of the group's number, plus a constant."""

    factor: float
    constant: float


@np.errstate(over="ignore", invalid="ignore")
def affine(space: FeasibleSpace, encoding: Encoding, group: int) -> dict[int, Affine] | None:
    """Per encoded column of a group of one number how it follows from it; None if one of them does otherwise."""
    table = space.domain.tables[group]
    numbers = table.numbers[table.features[0]][1:]
    known = ~np.isnan(numbers)
    low, high = np.nanargmin(numbers), np.nanargmax(numbers)
    if numbers[low] == numbers[high]:
        return None
    found = {}
    for position, column in enumerate(encoding.columns[group]):
        values = encoding.encoded[group][1:, position]
        factor = (values[high] - values[low]) / (numbers[high] - numbers[low])
        line = Affine(float(factor), float(values[low] - factor * numbers[low]))
        near = 1e-9 * max(1.0, float(np.abs(values[known]).max()))
        if factor == 0 or not np.abs(line.factor * numbers[known] + line.constant - values[known]).max() <= near:
            return None  # also where the factor is beyond all floats
        found[int(column)] = Affine(1.0, 0.0) if np.array_equal(values[known], numbers[known]) else line
    return found


class OutOfTime(Exception):
    """The deadline came before the formula was complete."""


def check_suitable(compiled: Compiled) -> None:
    """Raise SettingsError for a model or a target of which MACE can make no formula, whatever x is."""
    kind = compiled.kind
    if isinstance(kind, Linear):
        if kind.coefficient.shape[1] > 1:
            raise SettingsError("MACE reads a linear model of one output, and this one has several")
    elif not isinstance(kind, Forest):
        raise SettingsError("MACE reads trees, forests and linear models, and this model is a network")
    elif len(kind.roots) == 1:
        return  # every leaf is judged by itself
    elif kind.outputs > 1:
        raise SettingsError("MACE reads a forest of one output, and this one has several; name one target class")
    if _judged(compiled, -FAR) == _judged(compiled, FAR):
        raise SettingsError("MACE needs a target that a larger or a smaller sum reaches, such as a label")


class Structure:
    """What the formula says of the model, for one x; the model is a suitable one."""

    def __init__(
        self,
        z3: Any,
        compiled: Compiled,
        encoded: Floats,
        unknowns: list[Value | Position],
        lines: list[dict[int, Affine] | None],
        clock: Ticking,
    ) -> None:
        self.clock = clock
        self.z3, self.compiled, self.encoded, self.unknowns, self.lines = z3, compiled, encoded, unknowns, lines
        self.owner = {int(c): g for g, columns in enumerate(compiled.encoding.columns) for c in columns}

    def good(self) -> list[Any]:
        """Conditions under which the model says yes."""
        kind = self.compiled.kind
        if isinstance(kind, Linear):
            return [self._beyond(self._weighted(kind))]
        assert isinstance(kind, Forest)
        if len(kind.roots) == 1:
            return [self._good_leaf(kind, self._good_leaves(kind), int(kind.roots[0]))]
        total = self.z3.Sum([self._leaf_value(kind, int(root)) for root in kind.roots])
        scaled = (total + exact(self.z3, float(kind.base[0]))) / exact(self.z3, kind.divisor)
        return [self._beyond(scaled), *self._kept_apart(kind)]

    def _good_leaf(self, kind: Forest, good: set[int], node: int) -> Any:
        """One of the good leaves below the node is reached."""
        if kind.column[node] < 0:
            return self.z3.BoolVal(node in good)
        sides = zip(self._sides(kind, node), (int(kind.left[node]), int(kind.right[node])), strict=True)
        ways = [(side, self._good_leaf(kind, good, child)) for side, child in sides if not self.z3.is_false(side)]
        below = [
            way if self.z3.is_true(side) else self.z3.And(side, way) for side, way in ways if not self.z3.is_false(way)
        ]
        return self.z3.BoolVal(False) if not below else below[0] if len(below) == 1 else self.z3.Or(*below)

    def _good_leaves(self, kind: Forest) -> set[int]:
        leaves = np.flatnonzero(kind.column < 0)
        sums = np.tile(kind.base, (len(leaves), 1))
        if kind.output[0] < 0:
            sums += kind.value[leaves]
        else:
            sums[:, kind.output[0]] += kind.value[leaves, 0]
        outcome, _ = self.compiled.judged(sums / kind.divisor)
        return set(leaves[outcome > 0.5].tolist())

    def _leaf_value(self, kind: Forest, node: int) -> Any:
        """What the tree below the node adds."""
        if kind.column[node] < 0:
            return exact(self.z3, float(kind.value[node, 0]))
        left, _ = self._sides(kind, node)
        if self.z3.is_true(left) or self.z3.is_false(left):
            return self._leaf_value(kind, int((kind.left if self.z3.is_true(left) else kind.right)[node]))
        return self.z3.If(
            left, self._leaf_value(kind, int(kind.left[node])), self._leaf_value(kind, int(kind.right[node]))
        )

    def _kept_apart(self, kind: Forest) -> list[Any]:
        """Reals stay out of the gaps around thresholds: a test of a forest is either passed or failed."""
        tested = (n for n in np.flatnonzero(kind.column >= 0) if self._is_value(int(kind.column[n])))
        return [self.z3.Or(*self._sides(kind, int(node))) for node in tested]

    def _is_value(self, column: int) -> bool:
        return column in self.owner and isinstance(self.unknowns[self.owner[column]], Value)

    def _sides(self, kind: Forest, node: int) -> tuple[Any, Any]:
        """The candidate goes left, it goes right."""
        if self.clock.left <= 0:
            raise OutOfTime
        column = int(kind.column[node])
        if column not in self.owner:
            left = bool(_lefts(kind, node, self.encoded[[column]])[0])
            return self.z3.BoolVal(left), self.z3.BoolVal(not left)
        group = self.owner[column]
        unknown = self.unknowns[group]
        if isinstance(unknown, Position):
            lefts = _lefts(kind, node, self._at_positions(unknown, column))
            if lefts.all() or not lefts.any():
                return self.z3.BoolVal(bool(lefts.all())), self.z3.BoolVal(not lefts.all())
            return (
                among(self.z3, unknown.unknown, np.flatnonzero(lefts)),
                among(self.z3, unknown.unknown, np.flatnonzero(~lefts)),
            )
        lines = self.lines[group]
        assert lines is not None
        return _value_sides(self.z3, kind, node, unknown, lines[column])

    def _at_positions(self, unknown: Position, column: int) -> Floats:
        """The encoded column, position by position."""
        at = int(np.searchsorted(self.compiled.encoding.columns[unknown.group], column))
        values = self.compiled.encoding.encoded[unknown.group][unknown.rows, at]
        return np.asarray(np.where(unknown.rows == 0, self.encoded[column], values))

    def _weighted(self, kind: Linear) -> Any:
        terms = [exact(self.z3, float(kind.intercept[0]))]
        for column, weight in enumerate(kind.coefficient[:, 0].tolist()):
            if weight == 0:
                continue
            if column not in self.owner:
                terms.append(exact(self.z3, float(weight * self.encoded[column])))
                continue
            unknown, lines = self.unknowns[self.owner[column]], self.lines[self.owner[column]]
            if isinstance(unknown, Position):
                terms.append(chosen(self.z3, unknown.unknown, weight * self._at_positions(unknown, column)))
                continue
            assert lines is not None
            line = lines[column]
            terms.append(
                exact(self.z3, weight * line.factor) * unknown.unknown + exact(self.z3, weight * line.constant)
            )
        return self.z3.Sum(terms)

    def _beyond(self, total: Any) -> Any:
        """The sum lies where the model's decision is good; where that begins is found by halving."""
        above = _judged(self.compiled, FAR)
        bad_end, good_end = (-FAR, FAR) if above else (FAR, -FAR)
        while (middle := _between(bad_end, good_end)) not in (bad_end, good_end):
            bad_end, good_end = (bad_end, middle) if _judged(self.compiled, middle) else (middle, good_end)
        return total >= exact(self.z3, good_end) if above else total <= exact(self.z3, good_end)


def _judged(compiled: Compiled, total: float) -> bool:
    return bool(compiled.judged(np.array([[total]]))[0][0] > 0.5)


def value_columns(kind: Any, columns: list[int]) -> bool:
    """True if no test of these columns is about categories or zeros that stand for missing."""
    if not isinstance(kind, Forest):
        return True
    tests = np.isin(kind.column, columns)
    return not ((kind.categories[tests] >= 0).any() or kind.zero_missing[tests].any())


def _value_sides(z3: Any, kind: Forest, node: int, unknown: Value, line: Affine) -> tuple[Any, Any]:
    last, first = _next_to(float(kind.threshold[node]), kind.strict, kind.single)
    ends = [(Fraction(end) - Fraction(line.constant)) / Fraction(line.factor) for end in (last, first)]
    rising = line.factor > 0
    return _side(z3, unknown, ends[0], below=rising), _side(z3, unknown, ends[1], below=not rising)


def _side(z3: Any, unknown: Value, end: Fraction, below: bool) -> Any:
    """The value is not beyond this end; no question where its bounds decide it."""
    if (unknown.high <= end) if below else (unknown.low >= end):
        return z3.BoolVal(True)
    if (unknown.low > end) if below else (unknown.high < end):
        return z3.BoolVal(False)
    return unknown.at_most(z3, end) if below else unknown.at_least(z3, end)


def _next_to(threshold: float, strict: bool, single: bool) -> tuple[float, float]:
    """The last number that goes left and the first that goes right, in the precision that is compared."""
    kind = np.float32 if single else np.float64
    nearest = kind(threshold)
    goes_left = float(nearest) < threshold if strict else float(nearest) <= threshold
    other = np.nextafter(nearest, kind(np.inf if goes_left else -np.inf))
    return (float(nearest), float(other)) if goes_left else (float(other), float(nearest))


def _lefts(kind: Forest, node: int, values: Floats) -> Any:
    with np.errstate(over="ignore"):
        compared = values.astype(np.float32).astype(np.float64) if kind.single else values
    return kind.goes_left(np.full(len(values), node, np.int32), compared)


def _between(a: float, b: float) -> float:
    """Half-way: by size while the ends are far apart, so that halving ends soon."""
    if a * b < 0:
        return 0.0
    if min(abs(a), abs(b)) > 1e-300 and max(abs(a), abs(b)) > 4 * min(abs(a), abs(b)):
        return float(np.sign(a) * np.sqrt(abs(a)) * np.sqrt(abs(b)))
    return a + (b - a) / 2
