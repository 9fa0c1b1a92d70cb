"""Syntax errors about names: a feature without x. or x_cf., a name that needs quotes, a list that is none."""

from __future__ import annotations

from lark import Token

from geco.plaf.diagnostics import closest
from geco.plaf.place import OPERATORS, Mistake, Place, gap, show, touch
from geco.plaf.printer import KEYWORDS, print_name, print_text
from geco.plaf.statements import OWNERS

_INNER = {"THEN": "THEN", "AND": "_AND", "IN": "IN", "BETWEEN": "BETWEEN"}


def ask_about_name(place: Place, token: Token) -> Mistake | None:
    """A name where a value or a word of PLAF is due."""
    before = place.before
    value_due = "NUMBER" in place.accepts
    if token.type == "QUOTED_NAME" and value_due:
        text = print_text(token[1:-1].replace('""', '"'))
        return place.here(
            "double-quotes",
            "double quotes are for names of features",
            f"write {text} for text, x_cf.{token} for a feature",
        )
    if token.type != "NAME" or place.word != "PLAF":
        return None
    if value_due:
        return _bare_name(place, token)
    match = closest(token, [word for word, terminal in _INNER.items() if terminal in place.accepts])
    if match:
        return place.here("unknown-word", f"PLAF has no word {str(token)!r}", f"did you mean {match}?")
    if before is not None and before.type == "NUMBER":
        return place.here("unit", f"numbers have no unit in PLAF: {token}", f"write {before} alone")
    if before is not None and before.type == "NAME" and before.end_line == token.line:
        name = _with_owner(place, quoted_run(place, 1))
        help_line = f"remove it, or, if it is part of the name, write {name}"
        return place.here("bare-name", f"{show(token)} does not belong here", help_line)
    return None


def _bare_name(place: Place, token: Token) -> Mistake:
    following, name = place.next, str(token)
    if token.lower() in OWNERS:
        if following is not None and following.type in ("NAME", "QUOTED_NAME"):
            message = f"a dot is missing after {name}"
            return Mistake("missing-dot", message, token, following, f"write {name}.{following}")
        if following is None or following.type != "STRAY":
            return place.here("missing-feature", f"{name} needs a feature", f"for example: {name}.age")
        return Mistake(
            "missing-dot", f"{name} is followed by {following}", token, following, f"write {name}.age, with a dot"
        )
    if following is not None and following.type == "DOT":
        help_line = "write x.… for the current value or x_cf.… for the counterfactual's"
        return place.here("unknown-owner", f"there is no {name!r} to take a feature of", help_line)
    if following is not None and following.type == "LPAR":
        return place.here("function", "PLAF has no functions", "use + - * / and comparisons")
    if place.before is not None and place.before.type == "MINUS" and touch(place.before, token):
        help_line = f"if this is one name, put it in double quotes: {_with_owner(place, quoted_run(place, 2))}"
        return place.here("bare-name", f"{name!r} stands alone", help_line)
    if "OWNER" not in place.accepts:
        return place.here("bare-name", f"{name!r} stands alone", f"write text in single quotes: {print_text(name)}")
    help_line = f"write x_cf.{name} for the counterfactual's value, x.{name} for the current one"
    return place.here("bare-name", f"{name!r} stands alone", f"{help_line}, {print_text(name)} for text")


def ask_about_list(place: Place, token: Token) -> Mistake | None:
    """Anything wrong in a statement that lists features or values."""
    if place.word == "PLAF":
        return None
    if "MISSING" in place.accepts:
        return place.here("missing-word", "the word MISSING is missing after ALLOW", place.example())
    if "NAME" in place.accepts:
        return _name_due(place, token)
    if "COLON" in place.accepts:
        return place.here("missing-colon", f"a colon is missing after {place.before}", place.example())
    if place.word == "ORDER":
        if "TEXT" in place.accepts and token.type in ("QUOTED_NAME", "NAME", "NUMBER"):
            text = print_text(str(token).strip('"'))
            return place.here("order-value", "the values of ORDER are texts in single quotes", f"write {text}")
        return place.here("order-sign", "the values of ORDER are joined by <, lowest first", place.example())
    if token.type == "_AND":
        return place.here("missing-comma", "features are separated by commas", f"write a comma instead of {token}")
    if token.type in ("NAME", "QUOTED_NAME"):
        help_line = (
            f"features are separated by commas; a name of several words needs double quotes: {quoted_run(place, 1)}"
        )
        return place.here("missing-comma", f"a comma is missing before {show(token)}", help_line)
    if token.type in (*OPERATORS, "DOT"):
        help_line = f"{place.word} takes a list of features; a comparison is a rule: PLAF x_cf.age >= x.age"
        if touch(place.before, token) and touch(token, place.next):
            help_line = f"if this is one name, put it in double quotes: {quoted_run(place, 1)}"
        return place.here("unexpected", f"{show(token)} does not belong here", help_line)
    return None


def _name_due(place: Place, token: Token) -> Mistake:
    if token.type in ("COLON", "LPAR"):
        return place.here("sign", f"{place.word} takes names alone, without {token}", place.example())
    if token.type == "TIMES":
        return place.here("sign", f"{place.word} takes names; there is no sign for all of them", place.example())
    if token.upper() in KEYWORDS:
        return place.here(
            "keyword", f"{token} is a word of PLAF", f'a feature of that name needs double quotes: "{token}"'
        )
    if token.type == "TEXT":
        name = print_name(token[1:-1].replace("''", "'"))
        return place.here("single-quotes", "single quotes are for text, not for names", f"write {name}")
    if token.type == "OWNER":
        return place.here("owner", f"{place.word} takes names without x. or x_cf.", place.example())
    return place.here("missing-feature", f"a feature is missing before {show(token)}", place.example())


def quoted_run(place: Place, back: int) -> str:
    """The words around the token as one quoted name, from ``back`` tokens before it: ``"hours-per-week"``."""
    tokens = place.tokens
    first = last = place.position
    first -= back
    while last + 1 < len(tokens) and _goes_on(tokens[last], tokens[last + 1]):
        last += 1
    name = str(tokens[first]).removeprefix(".")
    for left, right in zip(tokens[first:last], tokens[first + 1 : last + 1], strict=True):
        name += " " * gap(left, right) + right
    return f'"{name}"'


def _goes_on(here: Token, following: Token) -> bool:
    if here.type == following.type == "NAME":
        return here.end_line == following.line
    return touch(here, following) and following.type in ("NAME", "MINUS", "NUMBER", "DIVIDE")


def _with_owner(place: Place, name: str) -> str:
    owner = next((t for t in reversed(place.tokens[: place.position]) if t.type == "OWNER"), None)
    return f"{owner}.{name}" if owner is not None else name
