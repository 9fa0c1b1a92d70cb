"""PLAF text to its tree (Sec. 3); the grammar is plaf.lark.

The text is cut into statements before it is parsed, so that one wrong statement does not hide the next:
every error of a file is reported at once. What an error means is said in mistakes.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

from lark import Lark, Token, UnexpectedToken

from geco.errors import PlafError, SettingsError
from geco.given import path_of
from geco.plaf.diagnostics import Diagnostic, Report
from geco.plaf.mistakes import explain_mistake
from geco.plaf.place import Mistake, span_of
from geco.plaf.statements import split_statements
from geco.plaf.syntax import Program, Span, Statement
from geco.plaf.tree import TreeBuilder

_MAX_OPERATORS = 100  # in one expression; later steps recurse over it


def parse_plaf(text: str, file: str = "<plaf>") -> Program:
    """Parse PLAF text.

    Parameters
    ----------
    text : the program.
    file : the name shown in error messages.

    Raises
    ------
    PlafError : with every syntax error of the text, in source order.

    Examples
    --------
    >>> print(parse_plaf("group education, income  plaf x_cf.age >= x.age"))
    GROUP education, income
    PLAF x_cf.age >= x.age
    """
    if not isinstance(text, str):
        raise SettingsError(f"parse_plaf takes text, not {type(text).__name__}; read a file with read_plaf(path)")
    source = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    statements: list[Statement] = []
    report = Report(source)
    for tokens in split_statements(_grammar().lex(source)):
        try:
            statements.extend(_parse_statement(tokens, file))
        except _SyntaxMistake as error:
            _tell(report, error.mistake, file)
    if errors := report.errors:
        raise PlafError(errors)
    return Program(tuple(statements), source)


def read_plaf(path: str | PathLike[str]) -> Program:
    """Read a PLAF file (UTF-8).

    Raises
    ------
    PlafError : the file cannot be read, or it has syntax errors.
    """
    file = path_of(path)
    try:
        data = Path(file).read_bytes()
    except IsADirectoryError:
        raise _unreadable(file, "this is a directory, not a PLAF file", "name a file in it") from None
    except FileNotFoundError:
        raise _unreadable(file, "no such file", "check the path, and the directory you are in") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _unreadable(file, f"the file cannot be read: {reason}", "check the path and its permissions") from None
    if b"\0" in data:
        raise _unreadable(file, "this is not a text file in UTF-8", "give a PLAF program, saved as UTF-8 text")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        where = data.count(b"\n", 0, error.start) + 1
        raise _unreadable(file, f"line {where} is not UTF-8 text", "save the file as UTF-8 text") from None
    return parse_plaf(text, file)


class _WordsAfterDot:
    """Makes ``order`` in ``x.order`` a name: after a dot no word of PLAF can stand."""

    # The lexer drops terminals no rule uses, unless they are named here.
    always_accept = ("UNCLOSED", "STRAY")

    def process(self, stream: Iterable[Token]) -> Iterator[Token]:
        before: Token | None = None
        for token in stream:
            after_dot = before is not None and before.type == "DOT" and before.end_pos == token.start_pos
            yield Token.new_borrow_pos("NAME", token, token) if after_dot and token.isidentifier() else token
            before = token


@cache
def _grammar() -> Lark:
    text = files("geco.plaf").joinpath("plaf.lark").read_text(encoding="utf-8")
    options: dict[str, Any] = {"parser": "lalr", "lexer": "basic", "postlex": _WordsAfterDot()}
    grammar = Lark(text, start="program", propagate_positions=True, **options)
    grammar.lexer = grammar._build_lexer()  # otherwise `lex` makes one for every text, which takes longer than a rule
    return grammar


class _SyntaxMistake(Exception):
    def __init__(self, mistake: Mistake) -> None:
        self.mistake = mistake


def _parse_statement(tokens: list[Token], file: str) -> tuple[Statement, ...]:
    _guard_size(tokens)
    parser: Any = _grammar().parse_interactive("")
    for position, token in enumerate(tokens):
        try:
            parser.feed_token(token)
        except UnexpectedToken:
            raise _SyntaxMistake(explain_mistake(tokens, position, parser.accepts())) from None
    try:
        tree = parser.feed_eof(tokens[-1])
    except UnexpectedToken:
        raise _SyntaxMistake(explain_mistake(tokens, len(tokens), parser.accepts())) from None
    statements: tuple[Statement, ...] = TreeBuilder(file).transform(tree)
    return statements


def _guard_size(tokens: list[Token]) -> None:
    operators = 0
    for token in tokens:
        if token.type in ("LPAR", "PLUS", "MINUS", "TIMES", "DIVIDE"):
            operators += 1
        elif token.type in ("_AND", "THEN", "EQ", "NE", "LE", "GE", "LT", "GT"):
            operators = 0
        elif token.type == "NUMBER" and not math.isfinite(float(token)):
            raise _SyntaxMistake(
                Mistake("number-range", "this number is too large", token, token, "numbers go up to 1.7e308")
            )
        if operators > _MAX_OPERATORS:
            message = f"this expression has more than {_MAX_OPERATORS} signs and parentheses"
            raise _SyntaxMistake(Mistake("too-long", message, token, token, "write a shorter one"))


def _tell(report: Report, mistake: Mistake, file: str) -> None:
    span = span_of(mistake.first, mistake.last, file)
    if mistake.after:
        span = Span(file, span.end_line, span.end_col, span.end_line, span.end_col + 1)
    report.error(mistake.code, mistake.message, span, mistake.help)


def _unreadable(file: str, message: str, help_line: str) -> PlafError:
    return PlafError([Diagnostic("unreadable", message, Span(file, 0, 0, 0, 0), "", help_line)])
