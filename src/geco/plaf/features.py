"""Are the features a program names in D, and are its groups, one-hot sets and orders possible for them?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from geco.data.schema import Schema
from geco.plaf.diagnostics import Report, closest
from geco.plaf.printer import print_name
from geco.plaf.syntax import FeatureList, Group, Order, Program, Span

_SHOWN = 12


class FeatureChecker:
    """Looks names up in the schema; what it finds wrong goes to the report."""

    def __init__(self, program: Program, schema: Schema, report: Report, excluded: Sequence[str] = ()) -> None:
        self._program, self._report, self._excluded = program, report, frozenset(excluded)
        self._onehots = {g.onehot: g.features for g in program.groups if g.onehot}
        self.schema = schema

    def known(self, name: str, span: Span) -> bool:
        """True if D has the feature; reports it otherwise."""
        if name not in self.schema:
            self.report_unknown(name, span)
        return name in self.schema

    def report_unknown(self, name: str, span: Span) -> None:
        if name in self._excluded:
            message, help_line = (
                f"{name!r} is excluded from the database",
                "take it out of this rule, or out of exclude",
            )
            self._report.error("excluded-feature", message, span, help_line)
        else:
            self._report.error("unknown-feature", f"unknown feature {name!r}", span, partial(self._meant, name))

    def _meant(self, name: str) -> str:
        """What to write instead of a name that D does not have."""
        if name in self._onehots:
            return f"{name!r} is the name of a ONEHOT; rules use its columns: {some(self._onehots[name])}"
        match = closest(name, self.schema.names)
        if not match:
            return f"the database has {some(self.schema.names)}"
        quoted = f" Write it in double quotes: {print_name(match)}" if print_name(match) != match else ""
        return f"did you mean {match!r}?{quoted}"

    def check_orders(self) -> None:
        """Apply every ORDER to the schema."""
        seen: dict[str, Order] = {}
        for order in self._program.orders:
            name, span = order.feature, order.feature_span
            if not self.known(name, span):
                continue
            repeated = sorted(value for value, times in Counter(order.values).items() if times > 1)
            if self.schema[name].type != "text":
                what = self.schema[name].type
                help_line = "remove this ORDER: numbers, booleans and dates have an order already"
                self._report.error("order-type", f"{name!r} is not text but {what}", span, help_line)
            elif name in seen:
                message = f"{name!r} has an ORDER already, on line {seen[name].span.line}"
                self._report.error("order-twice", message, span, "keep one of the two")
            elif repeated:
                message = f"the value {repeated[0]!r} is twice in this ORDER"
                self._report.error("order-repeats", message, order.span, "name each value once, lowest first")
            else:
                seen[name] = order
        self.schema = self.schema.with_orders({name: order.values for name, order in seen.items()})

    def check_groups(self) -> None:
        names: set[str] = set()
        first: dict[str, Group] = {}  # per feature the first group that has it
        for group in self._program.groups:
            self._check_members(group)
            self._check_overlap(group, first)
            if group.onehot is not None:
                self._check_onehot(group, names)
                names.add(group.onehot)
            elif len(set(group.features)) == 1:
                message = f"a group of one feature changes nothing: {group.features[0]}"
                self._report.warning("group-of-one", message, group.span, "name two or more features, or remove it")

    def check_lists(self) -> None:
        lists = [s for s in self._program.statements if isinstance(s, FeatureList)]
        fixed = {f for s in lists if s.word == "FIXED" for f in s.features}
        said: dict[tuple[str, str], FeatureList] = {}
        for statement in lists:
            for name, span in _spans(statement):
                if not self.known(name, span):
                    continue
                if statement.word in ("INCREASE", "DECREASE") and not self.schema[name].ordered:
                    message = f"{name!r} is text without an order, so it cannot {statement.word.lower()}"
                    self._report.error("no-order", message, span, order_help(name))
                if statement.word == "ALLOW MISSING" and name in fixed:
                    message = f"{name!r} is FIXED, so it cannot become missing"
                    self._report.warning("fixed-missing", message, span, "remove it from one of the two")
                self._check_said(said, statement, name, span)
                said.setdefault((statement.word, name), statement)

    def _check_said(
        self, said: Mapping[tuple[str, str], FeatureList], statement: FeatureList, name: str, span: Span
    ) -> None:
        """A feature in two lists of which one takes all from the other."""
        if first := said.get((statement.word, name)):
            where = f" on line {first.span.line}" if first.span.line != statement.span.line else ""
            self._report.warning("list-twice", f"{name!r} is {statement.word}{where} already", span, "name it once")
        for other in ("FIXED", "INCREASE", "DECREASE"):
            if other == statement.word or (other, name) not in said or statement.word == "ALLOW MISSING":
                continue
            fixed = "FIXED" in (other, statement.word)
            message = f"{name!r} is {other} and {statement.word}, so it {'may not change at all' if fixed else 'stays'}"
            keep = "keep the one that you mean" if fixed else "if that is meant, write FIXED"
            self._report.warning("list-conflict", message, span, keep)

    def _check_members(self, group: Group) -> None:
        seen: set[str] = set()
        for name, span in _spans(group):
            self.known(name, span)
            if name in seen:
                self._report.error("group-repeats", f"{name!r} is twice in this group", span, "name it once")
            seen.add(name)

    def _check_overlap(self, group: Group, first: dict[str, Group]) -> None:
        """Each other group that it overlaps is named once; many that share a feature, with the first of them only."""
        told: set[int] = set()
        for name, span in _spans(group):
            other = first.setdefault(name, group)
            if other is group or id(other) in told:
                continue
            told.add(id(other))
            message = f"{name!r} is in two groups: {_title(other)} and {_title(group)}"
            many = len(group.features) + len(other.features) > 2 * _SHOWN
            if group.onehot or other.onehot or many:
                help_line = f"groups must not overlap; take {name!r} out of one of them"
            else:
                union = dict.fromkeys((*other.features, *group.features))
                help_line = f"groups must not overlap; write one: GROUP {', '.join(print_name(n) for n in union)}"
            self._report.error("overlapping-groups", message, span, help_line)

    def _check_onehot(self, group: Group, names: set[str]) -> None:
        assert group.onehot is not None
        if group.onehot in self.schema:
            message = f"the ONEHOT {group.onehot!r} has the name of a feature"
            self._report.error("onehot-name", message, group.span, "give it a name that is not in the database")
        if group.onehot in names:
            message = f"there are two ONEHOT {group.onehot!r}"
            self._report.error("onehot-name", message, group.span, "give each its own name")
        if len(group.features) < 2:
            message = f"the ONEHOT {group.onehot!r} has only one column"
            self._report.error("onehot-size", message, group.span, "name all its columns")
        for name, span in _spans(group):
            if name in self.schema and self.schema[name].type not in ("integer", "number", "boolean"):
                message = f"{name!r} is {self.schema[name].type}; the columns of a ONEHOT hold 0 and 1"
                self._report.error("onehot-type", message, span, f"take {name!r} out; use GROUP for other features")


def some(names: Sequence[str], between: str = ", ") -> str:
    """As many of them as a message takes."""
    return between.join(names[:_SHOWN]) + (f"{between}…" if len(names) > _SHOWN else "")


def order_help(name: str) -> str:
    """How to make a text feature ordinal."""
    return f"give it an order, all its values from lowest to highest: ORDER {print_name(name)}: 'low' < 'high'"


def _title(group: Group) -> str:
    kind = f"ONEHOT {group.onehot}" if group.onehot else "GROUP"
    where = f" (line {group.span.line})" if group.span.line else ""
    return f"{kind} {some(group.features)}{where}"


def _spans(statement: Group | FeatureList) -> list[tuple[str, Span]]:
    spans = statement.feature_spans or (statement.span,) * len(statement.features)
    return list(zip(statement.features, spans, strict=True))
