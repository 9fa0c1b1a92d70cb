"""Candidates of a search as Counterfactuals: raw values, and the Actions that they are made of.

The core knows a candidate by row numbers (native/core/around/facts.hpp); here they become the user's own values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from geco import _core
from geco.answers.asked import asks
from geco.answers.explanation import Action, Counterfactual
from geco.answers.onehot import category
from geco.data.domain import Domain
from geco.population.base import Rows
from geco.search.base import Archive
from geco.space.feasible import FeasibleSpace
from geco.space.ground import GroundedRule


def known(space: FeasibleSpace, archive: Archive, rows: Rows) -> list[_core.Facts]:
    """What the core says of each of these candidates."""
    return space.core.facts(archive.core, rows)


class Teller(NamedTuple):
    """What turns rows into words, for one x; the tables of its space are no part of it."""

    domain: Domain
    x: Mapping[str, Any]
    rules: tuple[GroundedRule, ...]  # across groups, in the core's numbering
    broken: Mapping[int, GroundedRule]  # per group whose slot 0 is not allowed: a local rule that x breaks

    @classmethod
    def of(cls, space: FeasibleSpace) -> Teller:
        return cls(space.domain, space.x, space.rules, space.broken)

    def values(self, facts: _core.Facts) -> dict[str, Any]:
        """The raw features of a candidate."""
        values, tables = dict(self.x), self.domain.tables
        for group, row in zip(facts.changed, facts.rows, strict=True):
            table = tables[group]
            for f in table.features:
                values[f] = table.values[f][row]
        return values

    def changes(self, facts: _core.Facts, values: Mapping[str, Any]) -> tuple[Action, ...]:
        """What makes the candidate of these values of x."""
        return tuple([
            action
            for group, required in zip(facts.changed, facts.required, strict=True)
            for action in self.actions(group, values, self.rule(group, required))
        ])  # fmt: skip

    def groups(self, facts: _core.Facts) -> tuple[str, ...]:
        """The names of the changed groups."""
        return tuple([self.domain.tables[g].name for g in facts.changed])

    def rule(self, group: int, required: int) -> GroundedRule | None:
        """The rule that x_cf would break if the change of this group were undone, if there is one."""
        if required == _core.Space.NONE_BROKEN:
            return None
        return self.broken[group] if required == _core.Space.NOT_ALLOWED else self.rules[required]

    def actions(self, group: int, values: Mapping[str, Any], rule: GroundedRule | None = None) -> list[Action]:
        """What changed in one group, and the rule that asks for it; a one-hot set is one change of its category."""
        table, features, x = self.domain.tables[group], self.domain.features, self.x
        required = None if rule is None else rule.text
        if table.onehot:
            before, after = (category(table.features, source) for source in (x, values))
            asked = None if rule is None else asks(rule.rule, x, values)
            return [Action(table.onehot, before, after, required, True, asked)]
        return [
            Action(
                f,
                x[f],
                values[f],
                required,
                features[f].kind == "categorical",
                None if rule is None else asks(rule.rule, x, values, f),
            )
            for f in table.features
            if values[f] != x[f]
        ]

    def counterfactual(self, facts: _core.Facts, confirmed: bool = False) -> Counterfactual:
        """The candidate in the user's raw values."""
        values = self.values(facts)
        changes, groups = self.changes(facts, values), self.groups(facts)
        return Counterfactual(values, changes, facts.distance, facts.number, confirmed, groups)
