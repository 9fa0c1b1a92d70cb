"""Says what a syntax error means, in the words of someone who writes rules, and how to write it instead.

In: the tokens of one statement, where the parser stopped, and what it would have taken. The questions are asked from
the most telling (a stray character, a word PLAF does not have) to the most general (this does not belong here).
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from lark import Token

from geco.plaf.diagnostics import closest
from geco.plaf.instead import ask_about_joint
from geco.plaf.misnamed import ask_about_list, ask_about_name, quoted_run
from geco.plaf.place import COMPARATORS, COMPARISON_EXAMPLE, OPERATORS, RULE_EXAMPLE, Mistake, Place, show, touch
from geco.plaf.printer import print_text
from geco.plaf.statements import OWNERS, STATEMENT_WORDS

_STRAY_HELP = {
    **dict.fromkeys("‘’‚‛´`", "write text in straight single quotes: 'text'"),
    **dict.fromkeys("“”„«»", "write text in straight single quotes, 'text', and names in straight double quotes"),
    **dict.fromkeys("[]", 'write x_cf.age, or x_cf."hours-per-week" for a name that is not one word'),
    **dict.fromkeys("×·", "write * to multiply"),
    **dict.fromkeys("–—", "write - to subtract"),
    **dict.fromkeys("&∧", "write and"),
    **dict.fromkeys("{}", "write lists in parentheses: x_cf.job IN ('clerk', 'nurse')"),
    **dict.fromkeys("|∨", "PLAF has no OR; for one of several values use IN"),
    **dict.fromkeys("⇒→", "write PLAF IF … THEN …"),
    **dict.fromkeys("€$£", "write the number alone, without its unit"),
    "÷": "write / to divide",
    "!": "write != for not equal; PLAF has no other NOT",
    "%": "write a share as a number: 0.1 for 10 percent",
    "^": "PLAF has + - * / only",
}
_MEANT = {"=<": "<=", "=>": ">=", "><": "!=", "===": "=", "!==": "!="}


def explain_mistake(tokens: list[Token], position: int, accepts: AbstractSet[str]) -> Mistake:
    """The mistake in a statement whose token at ``position`` (or whose end) the parser refused."""
    place = Place(tokens, position, accepts)
    if place.token is None:
        return _unfinished(place)
    for ask in (
        ask_about_joint,
        _ask_about_character,
        _ask_about_start,
        _ask_about_foreign_word,
        ask_about_name,
        ask_about_list,
        _ask_about_rule,
    ):
        if mistake := ask(place, place.token):
            return mistake
    return place.here("unexpected", f"{show(place.token)} does not belong here", _expected(place))


def _unfinished(place: Place) -> Mistake:
    last = place.tokens[-1]
    if last.type == "DOT":
        owner = place.tokens[-2]
        return place.here("missing-feature", f"a feature is missing after {owner}.", f"for example: {owner}.age")
    if last.type in ("GROUP", "FIXED", "INCREASE", "DECREASE", "ORDER", "ONEHOT", "MISSING"):
        return place.here("missing-feature", f"a feature is missing after {last}", place.example())
    if last.type == "ALLOW":
        return place.here("missing-word", "MISSING and a feature are missing after ALLOW", place.example())
    if "RPAR" in place.accepts:
        return place.here("missing-parenthesis", "a closing parenthesis ) is missing", "write ) after the last value")
    if place.word in ("ORDER", "ONEHOT"):
        return place.here("unfinished", f"this {place.word} is not complete", place.example())
    if last.type == "COMMA" and place.word != "PLAF":
        return place.here("missing-feature", "a feature is missing after the comma", "write it, or remove the comma")
    if last.type in ("PLAF", "IF", "THEN") or (last.type == "_AND" and "BETWEEN" not in place.types[-4:]):
        return place.here("missing-comparison", f"a comparison is missing after {last}", RULE_EXAMPLE)
    if last.type in (*OPERATORS, "BETWEEN", "_AND", "IN", "LPAR", "COMMA"):
        return place.here("missing-operand", f"a value is missing after {last}", COMPARISON_EXAMPLE)
    if place.in_between:
        return _no_upper_end(place)
    if place.in_condition and "THEN" in place.accepts:
        return place.here("missing-then", "THEN is missing: this rule has only a condition", RULE_EXAMPLE)
    return _no_comparison(place)


def _no_upper_end(place: Place) -> Mistake:
    return place.here("between", "BETWEEN needs two ends, joined by AND", "for example: x_cf.age BETWEEN 18 AND 30")


def _no_comparison(place: Place) -> Mistake:
    """An operand without a comparison, as in ``PLAF x.age``."""
    start = max(i for i, t in enumerate(place.types) if t in ("PLAF", "IF", "THEN", "_AND")) + 1
    first, last = place.tokens[start], place.tokens[place.position - 1]
    shown = "".join(place.tokens[start : place.position])
    name = last if first.type == "OWNER" and last.type in ("NAME", "QUOTED_NAME") else "age"
    help_line = f"compare it with something, for example: x_cf.{name} >= x.{name}"
    return Mistake("missing-comparison", f"{shown} alone says nothing", first, last, help_line)


def _ask_about_character(place: Place, token: Token) -> Mistake | None:
    before, following = place.before, place.next
    if token.type == "UNCLOSED":
        what, example = ("text", "'it''s'") if token[0] == "'" else ("name", '"so ""called"""')
        help_line = f"end it with {token[0]} on the same line; a quote inside is doubled: {example}"
        return place.here("unclosed", f"this {what} has no closing quote", help_line)
    if token.type == "STRAY":
        if before is not None and before.type == "IN":
            message = "IN takes a list in parentheses"
            return place.here("in-list", message, f"write IN ({_listed(place)})")
        return place.here("character", f"the character {token} has no meaning in PLAF", _STRAY_HELP.get(token))
    if token.type == "NUMBER" and before is not None and before.type == "OWNER":
        help_line = f"put it in double quotes: {before}.{quoted_run(place, 0)}"
        return place.here("bare-name", "this name begins with a digit", help_line)
    if following is not None and touch(token, following) and f"{token}{following}" in ("--", "//", "/*"):
        message = f"{token}{following} has no meaning in PLAF"
        return Mistake("comment", message, token, following, "a comment begins with #")
    if before is not None and touch(before, token) and token == before == "/":
        return Mistake("comment", "// has no meaning in PLAF", before, token, "a comment begins with #")
    return None


def _listed(place: Place, skip: int = 1) -> str:
    """What stands after IN, or in the wrong brackets after it."""
    inside = [t for t in place.tokens[place.position + skip :] if t.type in ("TEXT", "NUMBER", "TRUE", "FALSE")]
    return ", ".join(inside) or "'clerk', 'nurse'"


def _ask_about_start(place: Place, token: Token) -> Mistake | None:
    if place.position:
        return None
    following = place.next
    if len(place.tokens) >= 3 and place.tokens[-2].type == "DOT" and place.tokens[-1].lower() == "plaf":
        help_line = "read a file with read_plaf(path)"
        return Mistake("file-name", "this is the name of a file, not a program", token, place.tokens[-1], help_line)
    if token.type == "OWNER" or token.lower() in OWNERS or (following is not None and following.type == "DOT"):
        return place.here("no-statement", "a rule begins with PLAF", "write PLAF before it")
    if token.type == "IF":
        return place.here("no-statement", "a rule begins with PLAF", "write PLAF IF … THEN …")
    words = f"begin with {', '.join(STATEMENT_WORDS[:-1])} or ALLOW MISSING"
    if token.type == "NAME":
        match = closest(token, STATEMENT_WORDS)
        help_line = f"did you mean {match}?" if match else words
        return place.here("unknown-statement", f"PLAF has no statement {str(token)!r}", help_line)
    return place.here("no-statement", f"a statement cannot begin with {show(token)}", words)


def _ask_about_foreign_word(place: Place, token: Token) -> Mistake | None:
    word = token.upper()
    if token.type != "NAME" or place.word != "PLAF" or (place.next is not None and place.next.type == "DOT"):
        return None
    if word in ("ELSE", "ELSEIF", "ELIF", "OTHERWISE"):
        return place.here("else", f"PLAF has no {word}", "write a second rule with the opposite condition")
    if word == "NOT":
        help_line = "write the opposite comparison: != for =, >= for <, > for <="
        if place.next is not None and place.next.type == "IN":
            help_line = "write != for each value; in a condition: x_cf.job != 'clerk' and x_cf.job != 'nurse'"
        return place.here("not", "PLAF has no NOT", help_line)
    if word == "IS" and place.next is not None and place.next.type in ("TEXT", "NUMBER", "TRUE", "FALSE", "OWNER"):
        return place.here("is", "PLAF has no IS", "write =")
    if word in ("YES", "NO", "Y", "N") and "TRUE" in place.accepts:
        help_line = (
            f"write {'true' if word in ('YES', 'Y') else 'false'}, or text in single quotes: {print_text(token)}"
        )
        return place.here("truth", f"PLAF has no {token}", help_line)
    if word in ("NULL", "NONE", "NAN", "NA", "IS"):
        help_line = "a known value never becomes missing unless you write ALLOW MISSING and the feature"
        return place.here("missing-value", "a rule cannot ask whether a value is missing", help_line)
    return None


def _ask_about_rule(place: Place, token: Token) -> Mistake | None:
    return _ask_about_sign(place, token) or _ask_about_word(place, token) if place.word == "PLAF" else None


def _ask_about_sign(place: Place, token: Token) -> Mistake | None:
    before, following = place.before, place.next
    assert before is not None
    if before.type == "DOT":
        owner = place.tokens[place.position - 2]
        return place.here("missing-feature", f"a feature is missing after {owner}.", f"for example: {owner}.age")
    if token.type in COMPARATORS:
        return _comparator(place, token, before)
    if token.type == "COMMA" and before.type == "NUMBER" and following is not None and touch(token, following):
        if len(following) == 3:
            return place.here("comma", "a number is written without commas", f"write {before}{following}")
        return place.here("comma", "a comma does not belong here", f"a decimal is written {before}.{following}")
    if token.type == "RPAR" and "OWNER" not in place.accepts:
        return place.here("parenthesis", "there is no open parenthesis to close", "remove it")
    if (
        token.type == "COMMA"
        and place.after_comparison
        and not place.in_between
        and following
        and "RPAR" not in place.accepts
    ):
        help_line = "join conditions by and" if place.in_condition else "write one rule for each, PLAF before each"
        return place.here("comma", "comparisons are not joined by a comma", help_line)
    if token.type == "TEXT" and before.type == "TEXT" and "COMMA" in place.accepts:
        return place.here("missing-comma", f"a comma is missing before {token}", f"write {before}, {token}")
    if before.type == "IN":
        return place.here("in-list", "IN takes a list in parentheses", f"write IN ({_listed(place, 0)})")
    return None


def _comparator(place: Place, token: Token, before: Token) -> Mistake:
    if before.type in COMPARATORS:
        space = "" if touch(before, token) else " "
        meant = _MEANT.get(f"{before}{token}")
        help_line = f"write {meant}" if meant else "write one of = != < <= > >=, without a space inside"
        return Mistake("comparison", f"{before}{space}{token} is not a comparison", before, token, help_line)
    if "RPAR" in place.accepts:
        help_line = "parentheses are for arithmetic; write comparisons without them, joined by and"
        return place.here("parenthesis", "a comparison cannot stand in parentheses", help_line)
    if place.after_comparison:
        help_line = "write x_cf.age BETWEEN 18 AND 30, or two rules"
        return place.here("chain", "a comparison has two sides only", help_line)
    return place.here("missing-operand", f"a value is missing before {token}", COMPARISON_EXAMPLE)


def _ask_about_word(place: Place, token: Token) -> Mistake | None:
    before = place.before
    assert before is not None
    if token.type in ("_AND", "THEN", "IF", "RPAR"):
        if before.type in (*OPERATORS, "BETWEEN", "LPAR", "COMMA"):
            return place.here("missing-operand", f"a value is missing before {token}", COMPARISON_EXAMPLE)
        if before.type in ("_AND", "THEN", "IF") or (before.type == "PLAF" and token.type != "IF"):
            return place.here("missing-comparison", f"a comparison is missing before {token}", RULE_EXAMPLE)
    if token.type in ("_AND", "THEN", "IF") and "RPAR" in place.accepts:
        return place.here("missing-parenthesis", f"a closing parenthesis ) is missing before {token}", "write it")
    if place.in_between:
        return _no_upper_end(place)
    if token.type in ("_AND", "THEN") and not place.after_comparison:
        return _no_comparison(place)
    if token.type == "THEN":
        if "IF" not in place.types:
            return place.here("then-without-if", "THEN without IF", "write PLAF IF … THEN …")
        return place.here("two-consequents", "a rule has only one THEN", "write one rule for each consequent")
    if token.type == "_AND" and not place.in_condition:
        help_line = "write one rule for each, with the same IF" if "IF" in place.types else "write PLAF before each"
        return place.here("two-consequents", "a rule has only one consequent", help_line)
    if token.type == "IF":
        return place.here("if-place", "IF comes right after PLAF", RULE_EXAMPLE)
    if token.type == "OWNER" and place.in_condition and "THEN" in place.accepts:
        return place.here("missing-then", f"AND or THEN is missing before {token}", RULE_EXAMPLE)
    return None


def _expected(place: Place) -> str:
    words = {"OWNER": "x.… or x_cf.…", "NAME": "the name of a feature", "NUMBER": "a number", "TEXT": "a 'text'"}
    words |= {"EQ": "a comparison such as = or >=", "_AND": "and", "THEN": "THEN", "COMMA": "a comma", "RPAR": ")"}
    expected = [text for terminal, text in words.items() if terminal in place.accepts]
    return f"expected {' or '.join(expected)}" if expected else "remove it, or begin a new statement"
