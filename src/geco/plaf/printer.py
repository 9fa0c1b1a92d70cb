"""The canonical text of a program: parsing it gives the same program again.

One statement a line, words of PLAF in capitals (``and`` as the paper has it), ``=`` for ``==``, names quoted only
where they must be, and no parenthesis that could be left out.
"""

from __future__ import annotations

import re

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
    Program,
    Ref,
    Rule,
    Statement,
    Text,
)

KEYWORDS = (
    *("PLAF", "IF", "THEN", "AND", "IN", "BETWEEN", "TRUE", "FALSE"),
    *("GROUP", "ONEHOT", "FIXED", "INCREASE", "DECREASE", "ORDER", "ALLOW", "MISSING"),
)
_KEYWORD = re.compile("|".join(KEYWORDS), re.IGNORECASE)
_NAME = re.compile(r"[^\W\d]\w*")

_SUM, _PRODUCT, _SIGN = 1, 2, 3
_BINDING = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT}
_OPPOSITE: dict[Comparator, Comparator] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def print_program(program: Program) -> str:
    """Canonical PLAF, one statement a line.

    Examples
    --------
    >>> from geco.plaf.parser import parse_plaf
    >>> print(print_program(parse_plaf("plaf if cf.age == 3 && x.pay > (1 + 2) then cf.job in ('a', 'b')")))
    PLAF IF x_cf.age = 3 and x.pay > 1 + 2 THEN x_cf.job IN ('a', 'b')
    """
    return "\n".join(print_statement(s) for s in program.statements)


def print_statement(statement: Statement) -> str:
    """One statement in canonical PLAF."""
    match statement:
        case Rule():
            return print_rule(statement)
        case Group(features, onehot):
            head = "GROUP" if onehot is None else f"ONEHOT {print_name(onehot)}:"
            return f"{head} {_print_names(features)}"
        case FeatureList(word, features):
            return f"{word} {_print_names(features)}"
        case Order(feature, values):
            return f"ORDER {print_name(feature)}: {' < '.join(print_text(v) for v in values)}"


def print_rule(rule: Rule) -> str:
    """``PLAF IF … THEN …`` on one line; what was written in a list, such as ``FIXED sex``, as it was written."""
    if rule.word and rule.defines is not None:
        return f"{rule.word} {print_name(rule.defines)}"
    condition = " and ".join(print_predicate(p) for p in rule.antecedents)
    consequent = print_predicate(rule.consequent)
    return f"PLAF IF {condition} THEN {consequent}" if condition else f"PLAF {consequent}"


def print_predicate(predicate: Predicate) -> str:
    """One comparison, ``IN`` or ``BETWEEN``."""
    match predicate:
        case Comparison(op, left, right):
            return f"{print_expression(left)} {op} {print_expression(right)}"
        case Member(operand, values):
            return f"{print_expression(operand)} IN ({', '.join(print_expression(v) for v in values)})"
        case Between(operand, low, high):
            return f"{print_expression(operand)} BETWEEN {print_expression(low)} AND {print_expression(high)}"


def print_filters(rule: Rule) -> str:
    """The rule written as filters (``… THEN 1 = 2``): its consequent negated and moved into IF (Sec. 3)."""
    negated: list[tuple[Predicate, ...]]
    match rule.consequent:
        case Comparison(op, left, right):
            negated = [(Comparison(_OPPOSITE[op], left, right),)]
        case Member(operand, values):
            negated = [tuple(Comparison("!=", operand, v) for v in values)]
        case Between(operand, low, high):
            negated = [(Comparison("<", operand, low),), (Comparison(">", operand, high),)]
    never = Comparison("=", Number(1), Number(2))
    return "; ".join(print_rule(Rule((*rule.antecedents, *broken), never)) for broken in negated)


def print_expression(expression: Expression, binding: int = _SUM) -> str:
    """An expression; in parentheses if it binds less tightly than ``binding`` asks."""
    match expression:
        case Number(value):
            return repr(value)
        case Text(value):
            return print_text(value)
        case Ref(owner, feature):
            return f"{owner}.{print_name(feature)}"
        case Negate(operand):
            return f"-{print_expression(operand, _SIGN)}"
        case Arithmetic(op, left, right):
            strength = _BINDING[op]
            # One more on the right: a - (b - c) is not a - b - c, and floats do not add the same way in every order.
            text = f"{print_expression(left, strength)} {op} {print_expression(right, strength + 1)}"
            return f"({text})" if strength < binding else text


def print_name(name: str) -> str:
    """A feature's name, in double quotes unless it is an identifier and no word of PLAF."""
    if _NAME.fullmatch(name) and not _KEYWORD.fullmatch(name):
        return name
    return '"' + name.replace('"', '""') + '"'


def print_text(value: str) -> str:
    """A text in single quotes."""
    return "'" + value.replace("'", "''") + "'"


def _print_names(names: tuple[str, ...]) -> str:
    return ", ".join(print_name(n) for n in names)
