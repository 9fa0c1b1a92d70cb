"""feasible_space: per group the rows that may be chosen for this x (Sec. 4.2), as columns over row numbers.

In: the Domain, C_x and x. Out: FeasibleSpace, whose native ``core`` all searches work on. Rules local to a group are
folded into its mask; rules across groups go to the core and are kept by action_cascade.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from geco import _core
from geco.data.domain import Domain, GroupTable
from geco.plaf.checker import CheckedProgram
from geco.space.distance import Distance
from geco.space.ground import GroundedRule, GroundedRules, GroundPredicate, IsMissing, mentioned
from geco.space.truth import truth_column, truth_steps

Rows = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
A = TypeVar("A", Floats, Mask)
BACKTRACKING_BOUND = 200_000


@dataclass(frozen=True)
class Deployment:
    """What feasible_space needs that is the same for every x."""

    domain: Domain
    program: CheckedProgram
    distance: Distance
    used: frozenset[str]  # features the model reads; groups without any move only by cascade
    weights: tuple[Floats, ...] = field(init=False)
    supported: tuple[Mask, ...] = field(init=False)  # per group: rows of D with enough support, and slot 0
    missing: Mapping[str, Mask] = field(init=False)  # features that may not become missing: rows where they are

    def __post_init__(self) -> None:
        tables, least = self.domain.tables, self.distance.params.min_support
        object.__setattr__(self, "weights", tuple(t.counts.astype(np.float64) for t in tables))
        object.__setattr__(self, "supported", tuple(_with_x(t.counts >= least, True) for t in tables))
        kept = {f: np.isnan(t.numbers[f]) for t in tables for f in t.features if f not in self.program.allow_missing}
        object.__setattr__(self, "missing", {f: mask for f, mask in kept.items() if mask[1:].any()})


@dataclass(frozen=True)
class FeasibleSpace:
    """DG for one x: row numbers into the Domain's tables, slot 0 being x itself."""

    core: _core.Space
    domain: Domain
    x: Mapping[str, Any]
    rules: tuple[GroundedRule, ...]  # across groups, in the core's numbering
    broken: Mapping[int, GroundedRule]  # per group whose slot 0 is not allowed: a local rule that x breaks
    feasible: int  # 1: an allowed start exists, 0: proved that none does, -1: not found within the bound
    notes: tuple[str, ...]

    @property
    def x_obeys(self) -> bool:
        """True if x itself breaks no rule."""
        return int(self.core.first_broken(self.x_rows)[0]) == -1

    @property
    def x_rows(self) -> Rows:
        return np.zeros((1, self.core.width), np.int32)

    def values(self, rows: Rows) -> dict[str, Any]:
        """The raw features of one candidate."""
        by_feature = {
            f: self.x[f] if row == 0 else table.values[f][row]
            for table, row in zip(self.domain.tables, rows, strict=True)
            for f in table.features
        }
        return {name: by_feature[name] for name in self.domain.schema.names}

    def required_by(self, rows: Rows, group: int) -> str | None:
        """The rule that x_cf would break if this group's change were undone, if there is one."""
        undone = rows.copy()
        undone[group] = 0
        rule = int(self.core.first_broken(undone[None, :])[0])
        if rule == -1:
            return None
        return (self.broken[group] if rule == -2 else self.rules[rule]).text


def feasible_space(deployment: Deployment, grounded: GroundedRules, x: Mapping[str, Any]) -> FeasibleSpace:
    """Compute DG for x.

    Parameters
    ----------
    deployment : Domain, checked program and distance.
    grounded : C_x.
    x : plain raw values of every feature.
    """
    domain = deployment.domain
    x_numbers = {f: domain.number(f, x[f]) for f in domain.schema.names}
    numbers = [{f: _with_x(table.numbers[f], x_numbers[f]) for f in table.features} for table in domain.tables]

    def column(feature: str) -> Floats:
        return numbers[domain.group_of[feature]][feature]

    local: dict[int, list[GroundedRule]] = {}
    across: list[GroundedRule] = []
    for rule in grounded:
        touched = {domain.group_of[f] for f in rule.features}
        if len(touched) == 1:
            local.setdefault(touched.pop(), []).append(rule)
        else:
            across.append(rule)

    groups: list[Any] = []
    broken: dict[int, GroundedRule] = {}
    notes = list(grounded.notes)
    for g, table in enumerate(domain.tables):
        allowed = _offered(deployment, table, g, numbers[g], x_numbers)
        for rule in local.get(g, ()):
            holds = _rule_column(rule, column, domain)
            allowed &= holds
            if not holds[0]:
                broken.setdefault(g, rule)
        if not allowed[1:].any() and not _meant_to_stay(local.get(g, ())) and table.rows > 1:
            notes.append(f"no value of {table.name!r} may be chosen for this x: its rules leave none")
        additive, largest = deployment.distance.columns(table, numbers[g])
        free = any(f in deployment.used for f in table.features)
        side = _side(deployment, table, numbers[g])
        groups.append(
            (allowed.view(np.uint8), deployment.weights[g], additive, largest, side, free, len(table.features))
        )

    core = _core.Space.build(*_native_rules(groups, across, column, domain), list(deployment.program.topological))
    start, feasible = _start(core)
    core.start = start.tolist()
    return FeasibleSpace(core, domain, x, tuple(across), broken, feasible, tuple(notes))


def _with_x(column: A, x: float) -> A:
    filled = column.copy()
    filled[0] = x
    return filled


def _offered(
    deployment: Deployment, table: GroupTable, g: int, numbers: Mapping[str, Floats], x_numbers: Mapping[str, float]
) -> Mask:
    """The mask before any rule: enough support, not x itself, no new missing values, no step too small to count."""
    steps = deployment.distance.params.steps
    allowed = deployment.supported[g].copy()
    own = deployment.domain.find(g, [x_numbers[f] for f in table.features])
    if own:
        allowed[own] = False
    for f in table.features:
        if math.isnan(x_numbers[f]):
            continue
        if f in deployment.missing:
            allowed[1:] &= ~deployment.missing[f][1:]
        if f in steps:
            step = np.abs(numbers[f] - x_numbers[f])
            allowed &= ~((step > 0) & (step < steps[f] * (1 - 1e-9)))  # from 0.3 to 0.2 is a step of 0.1
    return allowed


def _side(deployment: Deployment, table: GroupTable, numbers: Mapping[str, Floats]) -> npt.NDArray[np.int8]:
    """For one ordered feature: is the row below (-1) or above (1) x? Empty for everything else."""
    column = numbers[table.features[0]]
    if len(table.features) > 1 or deployment.distance.categorical[table.features[0]] or math.isnan(column[0]):
        return np.zeros(0, np.int8)
    return np.where(column > column[0], np.int8(1), np.int8(-1))


def _rule_column(rule: GroundedRule, column: Any, domain: Domain) -> Mask:
    holds = truth_column(rule.consequent, column, domain)
    for predicate in rule.antecedents:
        holds = holds | ~truth_column(predicate, column, domain)
    return np.atleast_1d(holds)


def _meant_to_stay(rules: Collection[GroundedRule]) -> bool:
    """True if FIXED or an equality says so: then an empty choice is no surprise."""
    return any(isinstance(r.consequent, IsMissing) or getattr(r.consequent, "op", None) == "=" for r in rules)


def _native_rules(
    groups: list[Any], across: list[GroundedRule], column: Any, domain: Domain
) -> tuple[list[Any], list[Any], list[Any]]:
    columns: list[Any] = []
    positions: dict[str, int] = {}

    def index(feature: str) -> int:
        if feature not in positions:
            positions[feature] = len(columns)
            columns.append((domain.group_of[feature], column(feature)))
        return positions[feature]

    def predicate(p: GroundPredicate) -> Any:
        touched = {domain.group_of[f] for f in mentioned(p)}
        if len(touched) == 1:
            return touched.pop(), np.ascontiguousarray(truth_column(p, column, domain)).view(np.uint8)
        return truth_steps(p, index, domain)

    rules = []
    for rule in across:
        defined = rule.rule.defines
        rules.append(
            (
                [predicate(p) for p in rule.antecedents],
                predicate(rule.consequent),
                -1 if defined is None else domain.group_of[defined],
            )
        )
    return groups, rules, columns


def _start(core: _core.Space) -> tuple[Rows, int]:
    """action_cascade(x); where the nearest repairs fail, any allowed candidate that backtracking finds."""
    ok, rows = core.action_cascade(np.zeros(core.width, np.int32), _core.CascadeCounts(core))
    if ok:
        return rows, 1
    found, rows = core.any_allowed(False, BACKTRACKING_BOUND)
    return (rows if found == 1 else np.zeros(core.width, np.int32)), found
