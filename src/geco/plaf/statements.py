"""Where one statement ends and the next begins, also in a text with mistakes.

In a correct program a statement ends at the next statement's first word or at ``;``. In a wrong one, a line that cannot
go on with the line before it is taken as a statement of its own, so each gets its own message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lark import Token

from geco.plaf.diagnostics import closest

STATEMENT_WORDS = ("PLAF", "GROUP", "FIXED", "INCREASE", "DECREASE", "ORDER", "ONEHOT", "ALLOW")
LIST_WORDS = ("GROUP", "FIXED", "INCREASE", "DECREASE", "ORDER", "ONEHOT", "MISSING")
OWNERS = ("x", "x_cf", "cf")

_INNER_WORDS = ("THEN", "AND", "IN", "BETWEEN", "OR", "ELSE", "NOT", "IS", "MISSING")
_ENDS = ("NAME", "QUOTED_NAME", "NUMBER", "TEXT", "TRUE", "FALSE", "RPAR", "UNCLOSED", "STRAY")


def split_statements(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """The tokens of one statement after the other, without the semicolons."""
    statement: list[Token] = []
    types: set[str] = set()  # of its tokens
    for token in tokens:
        if statement and (token.type == "SEMICOLON" or _begins_statement(token, statement[-1], types)):
            yield statement
            statement, types = [], set()
        if token.type != "SEMICOLON":
            statement.append(token)
            types.add(token.type)
    if statement:
        yield statement


def _begins_statement(token: Token, before: Token, types: set[str]) -> bool:
    same_line = before.end_line == token.line
    if token.type in STATEMENT_WORDS:
        # GROUP order, age: a feature whose name is a word of PLAF, to be put in quotes.
        return not (same_line and before.type in (*LIST_WORDS, "COMMA"))
    if same_line or before.type not in _ENDS or token.type not in ("NAME", "OWNER"):
        return False
    if token.type == "OWNER" or token.lower() in OWNERS:
        return "IF" not in types or "THEN" in types
    return closest(token, _INNER_WORDS, cutoff=0.75) is None
