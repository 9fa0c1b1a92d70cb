"""Words and signs of other languages between two comparisons, and the same written in PLAF, ready to be copied."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lark import Token

from geco.plaf.place import COMPARATORS, Mistake, Place, gap, touch

_OPPOSITE = {"EQ": "!=", "NE": "=", "LT": ">=", "GE": "<", "GT": "<=", "LE": ">"}
_ARROWS = ("=>", "==>", "->", "-->", "⇒", "→")
_OR = ("OR", "|", "||", "∨")
_NEITHER = ("PLAF", "IF", "THEN", "_AND")


def ask_about_joint(place: Place, token: Token) -> Mistake | None:
    """An arrow, a colon or an OR after a comparison."""
    if place.word != "PLAF":
        return None
    first, last = _sign(place)
    sign = "".join(place.tokens[first : last + 1])
    if sign.upper() in _OR and place.next is not None:
        return Mistake("or", "PLAF has no OR", place.tokens[first], place.tokens[last], _without_or(place, first, last))
    colon = token.type == "COLON" and place.in_condition
    if sign not in _ARROWS and not colon:
        return None
    begin = place.types.index("IF") if "IF" in place.types else 0
    condition, rest = written(place.tokens[begin + 1 : first]), written(place.tokens[last + 1 :])
    if not any(t in (*COMPARATORS, "IN", "BETWEEN") for t in place.types[:first]) or not rest:
        return None
    help_line = f"write PLAF IF {condition} THEN {rest}"
    return Mistake("arrow", f"PLAF has no {sign}", place.tokens[first], place.tokens[last], help_line)


def _sign(place: Place) -> tuple[int, int]:
    """Where the sign around the refused token begins and ends: ``=>`` is two tokens."""
    first = last = place.position
    tokens = place.tokens
    while first > 0 and tokens[first - 1].type in ("EQ", "MINUS") and touch(tokens[first - 1], tokens[first]):
        first -= 1
    while last + 1 < len(tokens) and str(tokens[last + 1]) in "=>|" and touch(tokens[last], tokens[last + 1]):
        last += 1
    return first, last


def _without_or(place: Place, first: int, last: int) -> str:
    """The opposite of the left side as a condition for the right one; IN for two values of one feature."""
    if place.in_condition:
        return "write two rules with the same THEN: PLAF IF a THEN c and PLAF IF b THEN c"
    begin = max(i for i, t in enumerate(place.types[:first]) if t in _NEITHER) + 1
    left, right = place.tokens[begin:first], place.tokens[last + 1 :]
    signs = [i for i, t in enumerate(left) if t.type in COMPARATORS]
    if len(signs) != 1 or any(t.type in ("STRAY", "NAME") and t.upper() in _OR for t in right):
        return "for one of several values use IN; for 'a or b' write PLAF IF (the opposite of a) THEN b"
    [at] = signs
    if left[at].type == "EQ" and written(left[:at]) == written(right[:at]) and len(right) == len(left):
        return f"write {written(left[:at])} IN ({left[-1]}, {right[-1]})"
    condition = f"{written(left[:at])} {_OPPOSITE[left[at].type]} {written(left[at + 1 :])}"
    before = f"{written(place.tokens[place.types.index('IF') + 1 : begin - 1])} and " if "IF" in place.types else ""
    return f"for 'a or b' say what must be if not a: PLAF IF {before}{condition} THEN {written(right)}"


def written(tokens: Sequence[Token]) -> str:
    """Tokens as they stand in the source."""
    if not tokens:
        return ""
    pairs = pairwise(tokens)
    return str(tokens[0]) + "".join(" " * min(1, gap(a, b)) + b for a, b in pairs)
