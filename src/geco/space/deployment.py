"""Deployment: all of DG that is the same for every x, made once; and the native core's own of it.

In: the Domain, the checked program and the distance. Out: a Deployment, of which `feasible_space` makes the
FeasibleSpace of an x.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from geco import _core
from geco._core import Nature
from geco.data.columns import Array
from geco.data.domain import Domain, GroupTable
from geco.data.schema import Feature
from geco.plaf.checker import CheckedProgram
from geco.space.check import Checker
from geco.space.distance import Distance
from geco.space.exact import column_parts, x_parts
from geco.space.forms import RuleForm
from geco.space.ground import feature_kept
from geco.space.truth import Key, slot_steps, truth_steps


@dataclass(frozen=True)
class Deployment:
    """What is the same for every x: the group tables, the rules, the distance."""

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
    def grounds(self) -> _core.Grounds | None:
        """Grounds the rules in the core; None where one of them has to be compared exactly."""
        rules: list[object] = []
        for form in self.rules:
            slots = [slot_steps(p, self.columns, self.domain) for p in (*form.antecedents, form.consequent)]
            if None in slots:
                return None
            rules.append((slots[:-1], slots[-1], feature_kept(form.rule.consequent) is not None))
        return None if self.exact else _core.Grounds(rules, len(self.features))

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
        return [self.domain.number(f, x[f]) for f in self.features] + self.parts(x)

    def parts(self, x: Mapping[str, Any]) -> list[float]:
        """Of the features that are compared exactly."""
        return [part for f, days in self.exact for part in x_parts(x[f], days)]

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


def _nature(feature: Feature) -> Nature:
    if not feature.ordered or feature.kind == "categorical":
        return Nature.CATEGORY
    if feature.type == "text":
        return Nature.NAMES
    return Nature.QUANTITY if feature.type in ("integer", "number") else Nature.ORDERED
