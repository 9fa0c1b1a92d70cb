"""The place in a statement where the parser stopped, and what to say about it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from lark import Token

from geco.plaf.syntax import Span

COMPARATORS = ("EQ", "NE", "LE", "GE", "LT", "GT")
OPERATORS = (*COMPARATORS, "PLUS", "MINUS", "TIMES", "DIVIDE")
RULE_EXAMPLE = "for example: PLAF IF x_cf.education > x.education THEN x_cf.age >= x.age + 4"
COMPARISON_EXAMPLE = "for example: x_cf.age >= x.age"
_EXAMPLES = {
    "PLAF": "PLAF x_cf.age >= x.age",
    "GROUP": "GROUP education, income",
    "FIXED": "FIXED gender, race",
    "INCREASE": "INCREASE age",
    "DECREASE": "DECREASE debt",
    "ORDER": "ORDER education: 'School' < 'HS' < 'Bachelors'",
    "ONEHOT": "ONEHOT color: color_red, color_green",
    "ALLOW": "ALLOW MISSING income",
}


@dataclass(frozen=True)
class Mistake:
    """A message for the stretch from token ``first`` to ``last``, or for the place just ``after`` it."""

    code: str
    message: str
    first: Token
    last: Token
    help: str | None = None
    after: bool = False


class Place:
    """The refused token with its neighbours; ``token`` is None where the statement ends too early."""

    def __init__(self, tokens: list[Token], position: int, accepts: AbstractSet[str]) -> None:
        self.tokens, self.position, self.accepts = tokens, position, accepts
        self.token = tokens[position] if position < len(tokens) else None
        self.before = tokens[position - 1] if position else None
        self.next = tokens[position + 1] if position + 1 < len(tokens) else None
        self.types = [t.type for t in tokens[:position]]

    @property
    def word(self) -> str:
        """The statement's first word."""
        return self.tokens[0].type

    @property
    def in_condition(self) -> bool:
        """Between IF and THEN."""
        return "IF" in self.types and "THEN" not in self.types

    @property
    def in_between(self) -> bool:
        """True after the lower end of BETWEEN."""
        return "BETWEEN" in self._predicate and "OWNER" not in self.accepts

    @property
    def after_comparison(self) -> bool:
        """True if the predicate begun last has both its sides."""
        return any(t in (*COMPARATORS, "IN", "BETWEEN") for t in self._predicate) and "OWNER" not in self.accepts

    @property
    def _predicate(self) -> list[str]:
        """The types of what stands after the last AND, THEN, IF or PLAF."""
        marks = [i for i, t in enumerate(self.types) if t in ("_AND", "THEN", "IF", "PLAF")]
        return self.types[marks[-1] + 1 if marks else 0 :]

    def example(self) -> str:
        return f"for example: {_EXAMPLES[self.word]}"

    def here(self, code: str, message: str, help_line: str | None) -> Mistake:
        """A mistake that is the refused token, or the place after the last one."""
        if self.token is None:
            return Mistake(code, message, self.tokens[-1], self.tokens[-1], help_line, after=True)
        return Mistake(code, message, self.token, self.token, help_line)


def show(token: Token) -> str:
    """A token as it is named in a message."""
    return str(token) if token.type in ("TEXT", "QUOTED_NAME") else repr(str(token))


def span_of(first: Token, last: Token, file: str) -> Span:
    """From one token to another; every token of a parsed text has a place."""
    assert first.line and first.column and last.end_line and last.end_column
    return Span(file, first.line, first.column, last.end_line, last.end_column)


def gap(left: Token, right: Token) -> int:
    """How many characters stand between two tokens."""
    assert left.end_pos is not None and right.start_pos is not None
    return right.start_pos - left.end_pos


def touch(left: Token | None, right: Token | None) -> bool:
    """True if nothing stands between two tokens, not even a space."""
    return left is not None and right is not None and gap(left, right) == 0
