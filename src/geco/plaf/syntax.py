"""The tree of a PLAF program (Sec. 3): what the parser makes and every later step reads.

Spans never count in comparisons, so a program equals its own reprint.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Literal


@dataclass(frozen=True)
class Span:
    """A stretch of source, lines and columns from 1, ``end_col`` exclusive."""

    file: str
    line: int
    col: int
    end_line: int
    end_col: int


NOWHERE = Span("<plaf>", 0, 0, 0, 0)


@dataclass(frozen=True)
class Number:
    value: int | float
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class Text:
    value: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class Ref:
    """``x.F`` or ``x_cf.F``."""

    owner: Literal["x", "x_cf"]
    feature: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class Negate:
    operand: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class Arithmetic:
    op: Literal["+", "-", "*", "/"]
    left: Expression
    right: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Expression = Number | Text | Ref | Negate | Arithmetic
Comparator = Literal["=", "!=", "<=", "<", ">=", ">"]


@dataclass(frozen=True)
class Comparison:
    """``e op e``."""

    op: Comparator
    left: Expression
    right: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class Member:
    """``e IN (v, v, …)``; values are literals."""

    operand: Expression
    values: tuple[Number | Text, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class Between:
    """``e BETWEEN low AND high``, both ends included."""

    operand: Expression
    low: Expression
    high: Expression
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Predicate = Comparison | Member | Between


@dataclass(frozen=True)
class Rule:
    """``PLAF [IF p and p … THEN] p``; ``word`` is that of the list it was written in, such as FIXED."""

    antecedents: tuple[Predicate, ...]
    consequent: Predicate
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    word: str = field(default="", compare=False, repr=False)

    @property
    def defines(self) -> str | None:
        """The feature of ``x_cf.F`` in the consequent (the left one of two), or None: the rule is a filter."""
        for ref in refs_of(self.consequent):
            if ref.owner == "x_cf":
                return ref.feature
        return None

    @property
    def fixes(self) -> str | None:
        """The feature that it leaves as it is: ``x_cf.F = x.F`` without a condition."""
        match self.consequent:
            case Comparison("=", Ref("x_cf", f), Ref("x", g)) if f == g and not self.antecedents:
                return f
        return None


@dataclass(frozen=True)
class Group:
    """``GROUP f, g``, or ``ONEHOT name: f, g`` when ``onehot`` is the name it is printed under."""

    features: tuple[str, ...]
    onehot: str | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    feature_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class FeatureList:
    """``FIXED f, g``, ``INCREASE f``, ``DECREASE f`` or ``ALLOW MISSING f``."""

    word: Literal["FIXED", "INCREASE", "DECREASE", "ALLOW MISSING"]
    features: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    feature_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Order:
    """``ORDER f: 'low' < 'high'``."""

    feature: str
    values: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    feature_span: Span = field(default=NOWHERE, compare=False, repr=False)


Statement = Rule | Group | FeatureList | Order

_AS_RULE: dict[str, Comparator] = {"FIXED": "=", "INCREASE": ">=", "DECREASE": "<="}


@dataclass(frozen=True)
class Program:
    """All statements in source order; the views below are what the rest of geco reads."""

    statements: tuple[Statement, ...] = ()
    source: str = field(default="", compare=False, repr=False)

    @property
    def groups(self) -> tuple[Group, ...]:
        """Γ as far as it is written down; features named nowhere are groups of their own."""
        return tuple(s for s in self.statements if isinstance(s, Group))

    @property
    def orders(self) -> tuple[Order, ...]:
        return tuple(s for s in self.statements if isinstance(s, Order))

    @property
    def allow_missing(self) -> frozenset[str]:
        return frozenset(
            f for s in self.statements if isinstance(s, FeatureList) and s.word == "ALLOW MISSING" for f in s.features
        )

    @property
    def rules(self) -> tuple[Rule, ...]:
        """C: the rules as written, and FIXED, INCREASE and DECREASE as the rules they stand for."""
        return tuple(rule for s in self.statements for rule in _rules_of(s))

    def __add__(self, other: Program) -> Program:
        """The statements of both, those of the other last. Lines of the other are counted on from those of this one.

        Examples
        --------
        >>> from geco.plaf.parser import parse_plaf
        >>> print(parse_plaf("FIXED sex") + parse_plaf("INCREASE age"))
        FIXED sex
        INCREASE age
        """
        if not isinstance(other, Program):
            return NotImplemented
        below = self.source.count("\n") + 1 if self.source else 0
        source = f"{self.source}\n{other.source}" if below else other.source
        return Program((*self.statements, *(_moved_down(s, below) for s in other.statements)), source)

    def __str__(self) -> str:
        from geco.plaf.printer import print_program

        return print_program(self)


def _moved_down(node: Any, lines: int) -> Any:
    """The same statement where its text stands so many lines farther down."""
    if isinstance(node, Span):
        return replace(node, line=node.line + lines, end_line=node.end_line + lines) if node.line else node
    if isinstance(node, tuple):
        return tuple(_moved_down(part, lines) for part in node)
    if is_dataclass(node) and not isinstance(node, type) and lines:
        return replace(node, **{f.name: _moved_down(getattr(node, f.name), lines) for f in fields(node)})
    return node


def _rules_of(statement: Statement) -> Iterator[Rule]:
    if isinstance(statement, Rule):
        yield statement
    elif isinstance(statement, FeatureList) and statement.word in _AS_RULE:
        spans = statement.feature_spans or (statement.span,) * len(statement.features)
        for name, span in zip(statement.features, spans, strict=True):
            x_cf, x = Ref("x_cf", name, span), Ref("x", name, span)
            stands_for = Comparison(_AS_RULE[statement.word], x_cf, x, statement.span)
            yield Rule((), stands_for, statement.span, statement.word)


def refs_of(node: Predicate | Expression) -> Iterator[Ref]:
    """All references in a predicate or expression, left to right."""
    match node:
        case Ref():
            yield node
        case Comparison() | Arithmetic():
            yield from refs_of(node.left)
            yield from refs_of(node.right)
        case Member() | Negate():
            yield from refs_of(node.operand)
        case Between():
            for part in (node.operand, node.low, node.high):
                yield from refs_of(part)
        case _:
            return
