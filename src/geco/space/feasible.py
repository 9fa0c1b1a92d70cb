"""feasible_space: per group the rows that may be chosen for this x (Sec. 4.2), as columns over row numbers.

In: the Domain, C_x and x. Out: FeasibleSpace, whose native ``core`` all searches work on. Rules local to a group are
folded into its mask; rules across groups go to the core and are kept by action_cascade.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from geco import _core
from geco._core import Feasible, Kept, Nature
from geco.data.columns import Array
from geco.data.domain import Domain, GroupTable
from geco.data.schema import Feature
from geco.errors import InternalError
from geco.plaf.checker import CheckedProgram
from geco.space.check import Checker
from geco.space.distance import Distance
from geco.space.exact import column_parts, x_parts
from geco.space.forms import RuleForm
from geco.space.ground import GroundedRule, GroundedRules, KnownText
from geco.space.truth import Key, truth_steps

Rows = npt.NDArray[np.int32]
BACKTRACKING_STEPS = 200_000


@dataclass(frozen=True)
class Deployment:
    """What feasible_space needs that is the same for every x."""

    domain: Domain
    program: CheckedProgram
    distance: Distance
    used: frozenset[str]  # features the model reads; groups without any move only by cascade
    rules: tuple[RuleForm, ...] = field(init=False)  # C, ready to be grounded
    features: tuple[str, ...] = field(init=False)  # group by group, as the core numbers them
    exact: tuple[tuple[str, bool], ...] = field(init=False)  # those compared exactly, and whether in days; by group
    columns: Mapping[Key, int] = field(init=False)  # all that rules read, as the core numbers it
    local: tuple[int, ...] = field(init=False)  # per rule the only group it is about, or -1
    free: tuple[bool, ...] = field(init=False)  # per group: does the model read it?
    core: _core.Deployment = field(init=False)
    like: tuple[Deployment, Sequence[int]] | None = field(default=None, repr=False)  # see ``asked_with``

    def __post_init__(self) -> None:
        like, kept = self.like or (None, ())
        known = [] if like is None else [like.rules[number] for number in kept]
        forms = (*known, *(RuleForm(rule, self.domain) for rule in self.program.rules[len(known) :]))
        local = () if like is None else (like.local[number] for number in kept)
        self._set("rules", forms)
        self._set("local", (*local, *map(self._only_group, forms[len(known) :])))
        exact = self._exact(forms[len(known) :], () if like is None else like.exact)
        self._set("exact", exact)
        if like is None or exact != like.exact:
            self._set("features", tuple(f for table in self.domain.tables for f in table.features))
            keys = (*self.features, *((f, days, part) for f, days in exact for part in (0, 1)))
            self._set("columns", {key: i for i, key in enumerate(keys)})
        else:
            self._set("features", like.features)
            self._set("columns", like.columns)
        self._set("free", tuple(not self.used.isdisjoint(table.features) for table in self.domain.tables))
        self._set("core", self._core_like(like, kept) if like and exact == like.exact else self._core())

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def asked_with(
        self,
        program: CheckedProgram,
        kept: Sequence[int],
        distance: Distance | None = None,
        used: frozenset[str] | None = None,
    ) -> Deployment:
        """The same tables with another program and distance; nothing that has a row per row of D is made again.

        Parameters
        ----------
        kept : the numbers of the present rules that the program begins with; its others are new. (Only where they
            compare datetimes, or integers beyond 2**53, with a feature that no rule compared with them yet, all is.)
        used : features whose groups may be chosen freely; the others move only by cascade.
        """
        used = self.used if used is None else used
        return Deployment(self.domain, program, distance or self.distance, used, (self, kept))

    @cached_property
    def by_place(self) -> frozenset[int]:
        """Groups of one ordered feature that no rule across groups looks at: of these an x holds no row."""
        rules = zip(self.rules, self.local, strict=True)
        crossed = {self.domain.group_of[f] for form, local in rules if local < 0 for f in form.features}
        one = ((g, table.features[0]) for g, table in enumerate(self.domain.tables) if len(table.features) == 1)
        return frozenset(g for g, f in one if self.domain.features[f].kind != "categorical" and g not in crossed)

    @cached_property
    def check(self) -> Checker:
        """Which rules an x_cf breaks."""
        known = [] if self.like is None else [self.like[0].check.rules[number] for number in self.like[1]]
        return Checker(self.program, self.domain, known)

    @cached_property
    def natures(self) -> bytes:
        """Per feature what its neighbours mean, group by group: as `_core.Around` takes them."""
        return bytes(_nature(self.domain.features[f]) for f in self.features)

    def _only_group(self, form: RuleForm) -> int:
        touched = {self.domain.group_of[f] for f in form.features}
        return touched.pop() if len(touched) == 1 else -1

    def _exact(self, forms: Sequence[RuleForm], before: Sequence[tuple[str, bool]]) -> tuple[tuple[str, bool], ...]:
        """Every feature that numbers round, and what exact predicates compare them with; ``before`` those known."""
        found = {*before, *((f, self.domain.features[f].type == "datetime") for f in self.domain.exact)}
        predicates = (p.exact for form in forms for p in (*form.antecedents, form.consequent))
        found |= {(f, p.days) for p in predicates if p is not None for s in p.sums for _, f in s.terms}
        return tuple(sorted(found, key=lambda key: (self.domain.group_of[key[0]], key)))

    def numbers(self, x: Mapping[str, Any]) -> list[float]:
        """What the core takes for x: a number per feature, two for those compared exactly."""
        number = self.domain.number
        numbers = [number(f, x[f]) for f in self.features]
        return numbers + [part for f, days in self.exact for part in x_parts(x[f], days)] if self.exact else numbers

    def _core_like(self, like: Deployment, kept: Sequence[int]) -> _core.Deployment:
        new = self._rules(len(kept))
        settings = [] if self.distance is like.distance else [self._settings(table) for table in self.domain.tables]
        return like.core.asked_with(
            list(kept), new, list(self.program.topological), self.distance.norm, settings, list(self.free)
        )

    def _core(self) -> _core.Deployment:
        tables: list[object] = [self._table(table) for table in self.domain.tables]
        exact = [self._exact_column(f, days) for f, days in self.exact]
        topological = list(self.program.topological)
        return _core.Deployment.build(tables, self._rules(), topological, self.distance.norm, exact)

    def _exact_column(self, feature: str, days: bool) -> tuple[int, int, bool, Array, Array]:
        group = self.domain.group_of[feature]
        table = self.domain.tables[group]
        parts = column_parts(self.domain.features[feature], table, days)
        return group, table.features.index(feature), feature in self.domain.exact, *parts

    def _rules(self, begin: int = 0) -> list[object]:
        """Those from this number on, as the core has them."""
        rules: list[object] = []
        for form, local in zip(self.rules[begin:], self.local[begin:], strict=True):
            *antecedents, consequent = (
                truth_steps(p, self.columns, self.domain) for p in (*form.antecedents, form.consequent)
            )
            defined = form.rule.defines
            rules.append((antecedents, consequent, -1 if defined is None else self.domain.group_of[defined], local))
        return rules

    def _settings(self, table: GroupTable) -> tuple[list[tuple[float, float, float, float, float, bool, bool]], Any]:
        """What the distance says of each feature, and of a ONEHOT set."""
        allowed, weights = self.program.allow_missing, self.distance.params.weights
        settings = [(*self.distance.settings(f, f in self.domain.exact), f in allowed) for f in table.features]
        return settings, float(weights.get(table.onehot, 1.0)) if table.onehot else None

    def _table(self, table: GroupTable) -> tuple[Any, ...]:
        settings, onehot = self._settings(table)
        numbers = np.stack([table.numbers[f] for f in table.features])
        return numbers, table.counts.astype(np.float64), settings, onehot, not self.used.isdisjoint(table.features)


@dataclass(frozen=True)
class FeasibleSpace:
    """DG for one x: row numbers into the Domain's tables, slot 0 being x itself."""

    core: _core.Space
    domain: Domain
    x: Mapping[str, Any]
    rules: tuple[GroundedRule, ...]  # across groups, in the core's numbering
    broken: Mapping[int, GroundedRule]  # per group whose slot 0 is not allowed: a local rule that x breaks
    feasible: Feasible  # is there an allowed start?
    notes: tuple[str, ...]
    rows_like_x: Sequence[int]  # per group the row of its table that equals x, 0 if D has none
    free: Sequence[bool]  # per group: does the model read it?
    check: Checker
    deployment: Deployment
    numbers: Sequence[float]  # of x, as the core takes them

    @cached_property
    def x_obeys(self) -> bool:
        """True if x itself breaks no rule."""
        return self.core.x_obeys

    @property
    def x_rows(self) -> Rows:
        return np.zeros((1, len(self.rows_like_x)), np.int32)

    def thinned(self, core: _core.Space) -> FeasibleSpace:
        """The same with fewer rows to choose from; as quick as can be, for every x of a batch is thinned."""
        made = object.__new__(FeasibleSpace)
        made.__dict__.update(self.__dict__, core=core)
        return made

    def values(self, rows: Rows) -> dict[str, Any]:
        """The raw features of one candidate."""
        values = dict(self.x)
        numbers = rows.tolist()
        for group in rows.nonzero()[0].tolist():
            table, row = self.domain.tables[group], numbers[group]
            for f in table.features:
                values[f] = table.values[f][row]
        return values

    def checked(self, values: Mapping[str, Any]) -> None:
        """Nothing that breaks a rule is ever returned: the independent check must agree with the search."""
        broken = self.check(self.x, values, self._broken_by_x)
        if broken:
            raise InternalError(
                f"the search and the check disagree, so no answer is given: {broken[0]}; this is a fault of geco and "
                "not yours, please report it with the rules and the columns that they name"
            )

    @cached_property
    def _broken_by_x(self) -> frozenset[int]:
        return self.check.broken_by(self.x)


def feasible_space(
    deployment: Deployment, grounded: GroundedRules, x: Mapping[str, Any], seconds: float = math.inf
) -> FeasibleSpace:
    """Compute DG for x.

    Parameters
    ----------
    deployment : Domain, checked program and distance.
    grounded : C_x, from all rules of that program.
    x : plain raw values of every feature, in the order of the schema.
    seconds : how long to look for a start where x itself is none and the nearest repairs fail.
    """
    domain = deployment.domain
    constants = [
        domain.number(c.feature, c.value) if isinstance(c, KnownText) else float(c)
        for rule in grounded.rules
        for c in rule.constants
    ]
    numbers = deployment.numbers(x)
    core, rows_like_x, broken, empty, feasible = deployment.core.space(
        numbers,
        [rule.number for rule in grounded.rules],
        b"".join([rule.kept for rule in grounded.rules]),
        constants,
        BACKTRACKING_STEPS,
        seconds,
    )
    by_number = {rule.number: rule for rule in grounded.rules} if broken else {}
    return FeasibleSpace(
        core,
        domain,
        x,
        tuple([rule for rule in grounded.rules if deployment.local[rule.number] < 0]),
        {group: by_number[number] for group, number in broken},
        feasible,
        (*deployment.distance.notes, *grounded.notes, *_without_choice(deployment, grounded, empty)),
        rows_like_x,
        deployment.free,
        deployment.check,
        deployment,
        numbers,
    )


def _nature(feature: Feature) -> Nature:
    if not feature.ordered or feature.kind == "categorical":
        return Nature.CATEGORY
    if feature.type == "text":
        return Nature.NAMES
    return Nature.QUANTITY if feature.type in ("integer", "number") else Nature.ORDERED


def _without_choice(deployment: Deployment, grounded: GroundedRules, empty: Sequence[int]) -> Iterator[str]:
    """A note for every group left with no row, unless a rule of one direction says so: then it is expected."""
    local = deployment.local
    meant = {local[r.number] for r in grounded if r.form.one_way or r.kept[-1] == Kept.MISSING} if empty else ()
    for group in empty:
        table = deployment.domain.tables[group]
        if table.rows > 1 and group not in meant:
            why = "its rules, steps, min_support and missing values leave none"
            yield f"no value of {table.name!r} may be chosen for this x: {why}"
