"""Lark's parse tree to the tree of syntax.py, every node with its span."""

from __future__ import annotations

from typing import Any, Literal

from lark import Token, Transformer, v_args
from lark.tree import Meta

from geco.plaf.syntax import (
    Arithmetic,
    Between,
    Comparator,
    Comparison,
    Expression,
    FeatureList,
    Group,
    Member,
    Negate,
    Number,
    Order,
    Predicate,
    Ref,
    Rule,
    Span,
    Statement,
    Text,
)

_COMPARATORS: dict[str, Comparator] = {"EQ": "=", "NE": "!=", "LE": "<=", "GE": ">=", "LT": "<", "GT": ">"}
_ARITHMETIC: dict[str, Literal["+", "-", "*", "/"]] = {"PLUS": "+", "MINUS": "-", "TIMES": "*", "DIVIDE": "/"}

Names = tuple[tuple[str, Span], ...]


@v_args(meta=True)
class TreeBuilder(Transformer[Token, Any]):
    """One method for each rule of the grammar, under the rule's name."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self._file = file

    def program(self, meta: Meta, statements: list[Statement]) -> tuple[Statement, ...]:
        return tuple(statements)

    def rule(self, meta: Meta, parts: list[Any]) -> Rule:
        conditions, consequent = parts
        return Rule(conditions or (), consequent, self._span(meta))

    def conditions(self, meta: Meta, predicates: list[Predicate]) -> tuple[Predicate, ...]:
        return tuple(predicates)

    def comparison(self, meta: Meta, parts: list[Any]) -> Comparison:
        left, op, right = parts
        return Comparison(op, left, right, self._span(meta))

    def comparator(self, meta: Meta, parts: list[Token]) -> Comparator:
        return _COMPARATORS[parts[0].type]

    def member(self, meta: Meta, parts: list[Any]) -> Member:
        operand, *values = parts
        return Member(operand, tuple(values), self._span(meta))

    def between(self, meta: Meta, parts: list[Expression]) -> Between:
        operand, low, high = parts
        return Between(operand, low, high, self._span(meta))

    def arithmetic(self, meta: Meta, parts: list[Any]) -> Arithmetic:
        left, op, right = parts
        return Arithmetic(_ARITHMETIC[op.type], left, right, self._span(meta))

    def negate(self, meta: Meta, parts: list[Any]) -> Number | Negate:
        operand = parts[1]
        # -4 is a number, not an operation on one: programs print it and read it back as they mean it.
        if isinstance(operand, Number):
            return Number(-operand.value, self._span(meta))
        return Negate(operand, self._span(meta))

    def number(self, meta: Meta, parts: list[Token]) -> Number:
        text = str(parts[0])
        return Number(int(text) if text.isdecimal() else float(text), self._span(meta))

    def negative(self, meta: Meta, parts: list[Token]) -> Number:
        return Number(-self.number(meta, parts[1:]).value, self._span(meta))

    def text(self, meta: Meta, parts: list[Token]) -> Text:
        return Text(_unquote(parts[0]), self._span(meta))

    def true(self, meta: Meta, parts: list[Token]) -> Number:
        return Number(1, self._span(meta))

    def false(self, meta: Meta, parts: list[Token]) -> Number:
        return Number(0, self._span(meta))

    def literal(self, meta: Meta, parts: list[Number]) -> Number:
        return parts[0]

    def reference(self, meta: Meta, parts: list[Any]) -> Ref:
        owner, (feature, _) = parts
        return Ref("x" if owner.lower() == "x" else "x_cf", feature, self._span(meta))

    def feature(self, meta: Meta, parts: list[Token]) -> tuple[str, Span]:
        token = parts[0]
        return (_unquote(token) if token.type == "QUOTED_NAME" else str(token)), self._span(meta)

    def features(self, meta: Meta, parts: list[tuple[str, Span]]) -> Names:
        return tuple(parts)

    def group(self, meta: Meta, parts: list[Names]) -> Group:
        names, spans = zip(*parts[0], strict=True)
        return Group(names, None, self._span(meta), spans)

    def onehot(self, meta: Meta, parts: list[Any]) -> Group:
        (name, _), features = parts
        names, spans = zip(*features, strict=True)
        return Group(names, name, self._span(meta), spans)

    def fixed(self, meta: Meta, parts: list[Names]) -> FeatureList:
        return self._feature_list("FIXED", meta, parts)

    def increase(self, meta: Meta, parts: list[Names]) -> FeatureList:
        return self._feature_list("INCREASE", meta, parts)

    def decrease(self, meta: Meta, parts: list[Names]) -> FeatureList:
        return self._feature_list("DECREASE", meta, parts)

    def allow_missing(self, meta: Meta, parts: list[Names]) -> FeatureList:
        return self._feature_list("ALLOW MISSING", meta, parts)

    def order(self, meta: Meta, parts: list[Any]) -> Order:
        (feature, feature_span), *rest = parts
        values = tuple(_unquote(t) for t in rest if t.type == "TEXT")
        return Order(feature, values, self._span(meta), feature_span)

    def _feature_list(
        self, word: Literal["FIXED", "INCREASE", "DECREASE", "ALLOW MISSING"], meta: Meta, parts: list[Names]
    ) -> FeatureList:
        names, spans = zip(*parts[0], strict=True)
        return FeatureList(word, names, self._span(meta), spans)

    def _span(self, meta: Meta) -> Span:
        return Span(self._file, meta.line, meta.column, meta.end_line, meta.end_column)


def _unquote(token: Token) -> str:
    quote = token[0]
    return token[1:-1].replace(quote * 2, quote)
