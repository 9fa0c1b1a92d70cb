"""A program against the schema of D: names, kinds, disjoint groups, acyclic rules (Sec. 3).

In: a Program and a Schema. Out: a CheckedProgram, which every later step takes as correct, or one PlafError with all
errors in source order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from geco.data.schema import Schema
from geco.errors import PlafError
from geco.plaf.dependencies import describe_cycle, edges_between, find_cycles, topological_order
from geco.plaf.diagnostics import Diagnostic, Report
from geco.plaf.features import FeatureChecker, some
from geco.plaf.predicates import PredicateChecker
from geco.plaf.syntax import Group, Program, Rule


@dataclass(frozen=True)
class CheckedProgram:
    """A program that fits D.

    Attributes
    ----------
    program : as parsed.
    schema : of D, with every ORDER applied.
    groups : Γ, a group for every feature, in schema order of each group's first feature.
    topological : numbers of groups, each after the groups its rules read.
    warnings : what is allowed but probably not meant.
    """

    program: Program
    schema: Schema
    groups: tuple[Group, ...]
    topological: tuple[int, ...]
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """C, with FIXED, INCREASE and DECREASE as the rules they stand for."""
        return self._rules

    @property
    def allow_missing(self) -> frozenset[str]:
        return self.program.allow_missing

    def group_of(self, feature: str) -> int:
        """The number of G(F), the group of a feature."""
        if feature not in self._group_of:
            self.schema[feature]  # raises, with the feature's name
        return self._group_of[feature]

    @cached_property
    def _rules(self) -> tuple[Rule, ...]:
        return self.program.rules

    @cached_property
    def _group_of(self) -> dict[str, int]:
        return _index(self.groups)


def check_program(program: Program, schema: Schema, excluded: Sequence[str] = ()) -> CheckedProgram:
    """Check a program against the schema of D; ``excluded`` are columns of its source that it does not have.

    Raises
    ------
    PlafError : with every error of the program, in source order.

    Examples
    --------
    >>> from geco.data.schema import Feature
    >>> from geco.plaf.parser import parse_plaf
    >>> schema = Schema((Feature("age", "integer", "continuous"), Feature("pay", "integer", "continuous")))
    >>> check_program(parse_plaf("PLAF IF x_cf.pay > x.pay THEN x_cf.age > x.age"), schema).topological
    (1, 0)
    """
    report = Report(program.source)
    features = FeatureChecker(program, schema, report, excluded)
    features.check_orders()
    features.check_groups()
    features.check_lists()
    predicates = PredicateChecker(features, report)
    for statement in program.statements:
        if isinstance(statement, Rule):
            predicates.check_rule(statement)
    groups = all_groups(program, features.schema)
    topological = _check_cycles(program, groups, report)
    if errors := report.errors:
        raise PlafError(errors)
    return CheckedProgram(program, features.schema, groups, topological, report.warnings)


def all_groups(program: Program, schema: Schema) -> tuple[Group, ...]:
    """Γ: the groups written down, and a group of its own for every other feature."""
    position = {name: i for i, name in enumerate(schema.names)}
    written = [g for g in program.groups if any(f in position for f in g.features)]
    grouped = {f for g in written for f in g.features}
    singles = [Group((name,)) for name in schema.names if name not in grouped]
    return tuple(sorted((*written, *singles), key=lambda g: min(position[f] for f in g.features if f in position)))


def _check_cycles(program: Program, groups: tuple[Group, ...], report: Report) -> tuple[int, ...]:
    edges = edges_between(program.rules, _index(groups), len(groups))
    order = topological_order(edges)
    if len(order) < len(groups):
        titles = [g.onehot or some(g.features) for g in groups]
        for cycle in find_cycles(edges):
            rule, message, help_line = describe_cycle(cycle, edges, titles)
            report.error("cycle", message, rule.span, help_line)
    return order


def _index(groups: tuple[Group, ...]) -> dict[str, int]:
    index: dict[str, int] = {}
    for number, group in enumerate(groups):
        for name in group.features:
            index.setdefault(name, number)
    return index
