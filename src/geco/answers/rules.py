"""The rules that every plan keeps, as a person reads them; what has no plain words stays as it was written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from geco.answers.asked import FLIPPED
from geco.answers.speech import Speech
from geco.answers.texts.sheet import SheetTexts
from geco.errors import PlafError
from geco.plaf.syntax import (
    Arithmetic,
    Between,
    Comparison,
    Expression,
    FeatureList,
    Member,
    Number,
    Predicate,
    Program,
    Ref,
    Rule,
    Statement,
    Text,
)

ONE_WAY = {"=": "fixed", ">=": "up", "<=": "down"}
LISTS = {"FIXED": "fixed", "INCREASE": "up", "DECREASE": "down"}


def rules_in_words(written: Iterable[str], texts: SheetTexts, speech: Speech) -> list[str]:
    """One line for all that is never changed, never lowered, never raised, then one for every other rule.

    Examples
    --------
    >>> from geco.answers.labels import Wording
    >>> from geco.answers.texts.sheet import ENGLISH_SHEET
    >>> rules = ["FIXED sex", "PLAF x_cf.age >= x.age", "PLAF IF x_cf.job > x.job THEN x_cf.age >= x.age + 2"]
    >>> for line in rules_in_words(rules, ENGLISH_SHEET, Speech(Wording())):
    ...     print(line)
    Never changed: sex.
    Never lowered: age.
    If job goes up, then age goes up by at least 2.
    """
    together: dict[str, list[str]] = {kind: [] for kind in ONE_WAY.values()}
    others: list[str] = []
    for text in written:
        statement = _read(text)
        kind, features = _one_way(statement)
        if kind:
            together[kind] += [speech.name(feature) for feature in features]
        else:
            others.append(_sentence(statement, texts, speech) or text.removeprefix("PLAF "))
    clauses = texts.clauses
    lines = [clauses[kind].format(names=", ".join(dict.fromkeys(names))) for kind, names in together.items() if names]
    return lines + others


def _read(text: str) -> Statement | None:
    from geco.plaf.parser import parse_plaf  # with it comes the grammar, which few answers need

    try:
        program: Program = parse_plaf(text)
    except PlafError:  # a text of another version
        return None
    return program.statements[0] if program.statements else None


def _one_way(statement: Statement | None) -> tuple[str, tuple[str, ...]]:
    match statement:
        case FeatureList(word, features) if word in LISTS:
            return LISTS[word], features
        case Rule(antecedents=(), consequent=Comparison(op, Ref(a, f), Ref(b, g))) if f == g and a != b:
            return ONE_WAY.get(op if a == "x_cf" else FLIPPED[op], ""), (f,)
        case _:
            return "", ()


def _sentence(statement: Statement | None, texts: SheetTexts, speech: Speech) -> str | None:
    if not isinstance(statement, Rule):
        return None
    said = [_clause(p, texts, speech) for p in (*statement.antecedents, statement.consequent)]
    if None in said:
        return None
    *conditions, clause = [each for each in said if each is not None]
    if not conditions:
        return f"{clause[0].upper()}{clause[1:]}."
    return texts.clauses["if"].format(conditions=texts.clauses["and"].join(conditions), clause=clause)


def _clause(predicate: Predicate, texts: SheetTexts, speech: Speech) -> str | None:
    clauses = texts.clauses
    match predicate:
        case Comparison(op, Ref() as ref, other):
            return _compared(ref, op, other, texts, speech)
        case Comparison(op, other, Ref() as ref):
            return _compared(ref, FLIPPED[op], other, texts, speech)
        case Member(Ref() as ref, members):
            listed = list(_literals(ref, members, speech))
            name = _name(ref, texts, speech)
            return clauses["in"].format(name=name, value=", ".join(listed)) if len(listed) == len(members) else None
        case Between(Ref() as ref, low, high):
            ends = list(_literals(ref, (low, high), speech))
            name = _name(ref, texts, speech)
            return clauses["between"].format(name=name, low=ends[0], high=ends[1]) if len(ends) == 2 else None
        case _:
            return None


def _compared(ref: Ref, op: str, other: Expression, texts: SheetTexts, speech: Speech) -> str | None:
    """``x_cf.age >= x.age + 2``: by how much; ``x_cf.age >= 18``: than what."""
    name, feature = _name(ref, texts, speech), ref.feature
    match other:
        case Ref("x", same) if same == feature and ref.owner == "x_cf":
            return texts.clauses[f"now {op}"].format(name=speech.name(feature))
        case Arithmetic("+" | "-" as sign, Ref("x", same), Number(value)) if same == feature and ref.owner == "x_cf":
            form = texts.clauses.get(f"{'up' if sign == '+' else 'down'} {op}")
            return form and form.format(name=speech.name(feature), value=speech.value(feature, value))
        case Arithmetic("*", Number(value), Ref("x", same)) if same == feature and ref.owner == "x_cf":
            times = texts.clauses["times"].format(value=speech.value("", value))
            return texts.clauses[op].format(name=name, value=times)
        case Ref():
            return texts.clauses[op].format(name=name, value=_name(other, texts, speech))
        case Number() | Text():
            return texts.clauses[op].format(name=name, value=_literal(ref, other, speech))
        case _:
            return None


def _name(ref: Ref, texts: SheetTexts, speech: Speech) -> str:
    name = speech.name(ref.feature)
    return name if ref.owner == "x_cf" else texts.clauses["today"].format(name=name)


def _literals(ref: Ref, values: Iterable[Expression], speech: Speech) -> Iterator[str]:
    for value in values:
        if isinstance(value, Number | Text):
            yield _literal(ref, value, speech)


def _literal(ref: Ref, value: Number | Text, speech: Speech) -> str:
    """Texts in quotes: a value may read like a part of the sentence."""
    said = speech.value(ref.feature, value.value)
    return speech.quoted(said) if isinstance(value, Text) else said
