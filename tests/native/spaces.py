"""Small spaces in plain Python beside the native ones: what the kernels of ``geco._core`` must agree with."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from geco import _core

Op = _core.Op
OPERATIONS = {
    "constant": Op.CONSTANT, "column": Op.COLUMN, "+": Op.ADD, "-": Op.SUBTRACT, "*": Op.MULTIPLY, "/": Op.DIVIDE,
    "negate": Op.NEGATE, "=": Op.EQ, "!=": Op.NE, "<=": Op.LE, "<": Op.LT, ">=": Op.GE, ">": Op.GT,
    "and": Op.BOTH, "or": Op.EITHER,
}  # fmt: skip
ARITHMETIC, COMPARISONS, JUNCTIONS = ["+", "-", "*", "/"], ["=", "!=", "<=", "<", ">=", ">"], ["and", "or"]
COSTS = [0.0, 0.125, 0.25, 0.5, 1.0]  # sums of these are exact, so distances compare without a tolerance
Expression = tuple[Any, ...]
Rows = tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """One group: per row (slot 0 first) whether it is allowed, its weight, its terms of the distance and a number."""

    allowed: list[bool]
    weight: list[float]
    additive: list[float]
    largest: list[float]
    numbers: list[float]
    free: bool = True
    features: int = 1

    def native(self) -> tuple[Any, ...]:
        columns = [np.array(column, float) for column in (self.weight, self.additive, self.largest)]
        return np.array(self.allowed, np.uint8), *columns, np.zeros(0, np.int8), self.free, self.features

    def cost(self, row: int) -> float:
        return self.additive[row] + self.largest[row] if row else 0.0

    def order(self) -> list[int]:
        return sorted((r for r in range(1, len(self.allowed)) if self.allowed[r]), key=self.cost)


@dataclass(frozen=True)
class Rule:
    """IF all antecedents THEN consequent; ``defines`` is the group it repairs, -1 for a filter."""

    antecedents: list[Expression]
    consequent: Expression
    defines: int


@dataclass(frozen=True)
class Space:
    """The same space twice: tables and rules to reason about, and ``build()`` for the kernels."""

    tables: list[Table]
    rules: list[Rule]
    topological: list[int]

    def build(self, start: Rows | None = None) -> _core.Space:
        columns = [(g, np.array(table.numbers, float)) for g, table in enumerate(self.tables)]
        rules = [([steps(a) for a in r.antecedents], steps(r.consequent), r.defines) for r in self.rules]
        return _core.Space.build([table.native() for table in self.tables], rules, columns, self.topological, start)

    def distance(self, rows: Rows) -> float:
        changed = [(table, row) for table, row in zip(self.tables, rows, strict=True) if row]
        return sum(t.additive[r] for t, r in changed) + max((t.largest[r] for t, r in changed), default=0.0)

    def holds(self, rule: Rule, rows: Rows) -> bool:
        fires = all(self.value(a, rows) for a in rule.antecedents)
        return not fires or bool(self.value(rule.consequent, rows))

    def obeys(self, rows: Rows) -> bool:
        allowed = all(table.allowed[row] for table, row in zip(self.tables, rows, strict=True))
        return allowed and all(self.holds(rule, rows) for rule in self.rules)

    def candidates(self) -> list[Rows]:
        """Every combination of rows, x itself first."""
        return list(itertools.product(*(range(len(table.allowed)) for table in self.tables)))

    def value(self, expression: Expression, rows: Rows) -> float:
        """What an expression says of a candidate; a comparison with a missing operand is false."""
        operation, *operands = expression
        if operation == "constant":
            return float(operands[0])
        if operation == "column":
            return self.tables[operands[0]].numbers[rows[operands[0]]]
        if operation == "negate":
            return -self.value(operands[0], rows)
        a, b = (np.float64(self.value(operand, rows)) for operand in operands)
        with np.errstate(all="ignore"):
            return float(_apply(operation, a, b))


def _apply(operation: str, a: np.float64, b: np.float64) -> Any:
    if operation in COMPARISONS and (math.isnan(a) or math.isnan(b)):
        return False
    compute = {
        "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b if b else math.nan,
        "=": lambda: a == b, "!=": lambda: a != b, "<=": lambda: a <= b, "<": lambda: a < b, ">=": lambda: a >= b,
        ">": lambda: a > b, "and": lambda: bool(a) and bool(b), "or": lambda: bool(a) or bool(b),
    }  # fmt: skip
    return compute[operation]()


def steps(expression: Expression) -> tuple[Any, ...]:
    """An expression as the kernels take it: operations, constants and columns in postfix order."""
    parts = list(_postfix(expression))
    return (
        np.array([p[0] for p in parts], np.int32),
        np.array([p[1] for p in parts], float),
        np.array([p[2] for p in parts], np.int32),
    )


def _postfix(expression: Expression) -> Any:
    operation, *operands = expression
    code = OPERATIONS[operation]
    if operation == "constant":
        yield code, operands[0], 0
    elif operation == "column":
        yield code, 0.0, operands[0]
    else:
        for operand in operands:
            yield from _postfix(operand)
        yield code, 0.0, 0


def random_number(rng: random.Random, groups: list[int], depth: int = 2) -> Expression:
    """A number made of constants and the columns of these groups."""
    kind = rng.choice(["constant", "column", "column", "negate", "arithmetic"] if depth else ["constant", "column"])
    if kind == "negate":
        return "negate", random_number(rng, groups, depth - 1)
    if kind == "arithmetic":
        return rng.choice(ARITHMETIC), *(random_number(rng, groups, depth - 1) for _ in range(2))
    if kind == "column" and groups:
        return "column", rng.choice(groups)
    return "constant", rng.choice([-1.0, 0.0, 1.0, 2.0])


def random_predicate(rng: random.Random, groups: list[int]) -> Expression:
    """A comparison of two such numbers, or two of them joined by ``and`` or ``or``."""
    if rng.random() < 0.3:
        return rng.choice(JUNCTIONS), random_predicate(rng, groups), random_predicate(rng, groups)
    return rng.choice(COMPARISONS), random_number(rng, groups), random_number(rng, groups)


def random_table(rng: random.Random, slot_0: bool | None) -> Table:
    n = rng.randint(2, 5)
    allowed = rng.choices([True, False], [3, 1], k=n)
    return Table(
        allowed=[allowed[0] if slot_0 is None else slot_0, *allowed[1:]],
        weight=rng.choices([1.0, 2.0, 50.0], k=n),
        additive=[0.0, *rng.choices(COSTS, k=n - 1)],
        largest=[0.0, *rng.choices([0.0, 0.0, 0.25], k=n - 1)],
        numbers=rng.choices([-1.0, 0.0, 1.0, 2.0, math.nan], k=n),
        features=rng.randint(1, 3),
    )


def random_space(seed: int, rules: bool = True, slot_0: bool | None = None) -> Space:
    """Two to four groups of one to four rows, with rules that read earlier groups and define a later one."""
    rng = random.Random(seed)
    groups = [random_table(rng, slot_0) for _ in range(rng.randint(2, 4))]
    topological = rng.sample(range(len(groups)), len(groups))
    made = []
    for _ in range(rng.randint(0, 3) if rules else 0):
        place = rng.randint(-1, len(groups) - 1)  # -1: a filter
        readable = topological if place < 0 else topological[:place]
        antecedents = [random_predicate(rng, readable) for _ in range(rng.randint(0, 2))]
        defines = -1 if place < 0 else topological[place]
        consequent = random_predicate(rng, readable if place < 0 else [*readable, defines])
        made.append(Rule(antecedents, consequent, defines))
    return Space(groups, made, topological)


def seeds() -> st.SearchStrategy[int]:
    return st.integers(0, 2**31 - 1)


def spaces(rules: bool = True, slot_0: bool | None = None) -> st.SearchStrategy[Space]:
    """Spaces for hypothesis; drawn by seed, because drawing them part by part takes longer than the tests."""
    return seeds().map(lambda seed: random_space(seed, rules, slot_0))


def array(candidates: list[Rows], width: int) -> np.ndarray:
    return np.array(candidates, np.int32).reshape(len(candidates), width)
