"""What the fields of a CSV column look like ▶ the type of the column.

Every field has one shape, the first of `SHAPES` whose pattern it matches; a column has the first type of `TYPES` whose
shapes include all of its own. The patterns are understood by Python and by DuckDB alike: one of them looks at the
beginning of the file, the other at all of it. Where pandas.read_csv gives numbers and booleans, so do these; ISO dates
become dates, which pandas leaves as text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from geco.data.columns import infinite, wide_integers

MISSING_MARKS = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"),
    *("N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)


def _at_most(limit: int) -> str:
    """Numbers of as many digits as the limit has, up to it."""
    digits = str(limit)
    lower = [f"{digits[:i]}[0-{int(d) - 1}][0-9]{{{len(digits) - i - 1}}}" for i, d in enumerate(digits) if d != "0"]
    return "|".join([digits, *lower])


_DAY31 = "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
_DAY30 = "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
_FOURTH = "(?:0[48]|[2468][048]|[13579][26])"
_YEAR = "(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
_LEAP = f"(?:[0-9]{{2}}{_FOURTH}|{_FOURTH}00)"
_DATE = f"(?:{_YEAR}-(?:{_DAY31}|{_DAY30}|02-(?:0[1-9]|1[0-9]|2[0-8]))|{_LEAP}-02-29)"
_TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,6}0*)?)?"
_EXPONENT = "[eE][+-]?[0-9]+"

SHAPES = {
    "whole": f"[+]?0*(?:[0-9]{{1,18}}|{_at_most(2**63 - 1)})",
    "decimal": f"[+-]?(?:[0-9]+[.][0-9]*|[.][0-9]+)(?:{_EXPONENT})?|[+-]?[0-9]+{_EXPONENT}",
    "negative": f"-0*(?:[0-9]{{1,18}}|{_at_most(2**63)})",
    "unsigned": f"[+]?0*(?:[0-9]{{19}}|{_at_most(2**64 - 1)})",
    "wide": "[+-]?[0-9]+",
    "boolean": "(?i:true|false)",
    "date": _DATE,
    "datetime": f"{_DATE}[ T]{_TIME}",
    "infinite": "[+-]?(?i:inf|infinity)",
}
TEXT, MISSING = 1 << len(SHAPES), 2 << len(SHAPES)
_BITS = {shape: 1 << i for i, shape in enumerate(SHAPES)}
# Spaces around a number or a date mean nothing, around a word they do.
_PATTERNS = {shape: p if shape == "boolean" else rf"[ \t]*(?:{p})[ \t]*" for shape, p in SHAPES.items()}
_COMPILED = [(_BITS[shape], re.compile(pattern)) for shape, pattern in _PATTERNS.items()]
_MISSING = frozenset(MISSING_MARKS)

_INTEGERS = ("whole", "negative", "unsigned", "wide")
TYPES = {
    "NULL": (),  # no value at all: numbers, as in pandas
    "BIGINT": ("whole", "negative"),
    "UBIGINT": ("whole", "unsigned"),
    "beyond 64 bits": _INTEGERS,
    "DOUBLE": (*_INTEGERS, "decimal"),
    "infinite": (*_INTEGERS, "decimal", "infinite"),
    "BOOLEAN": ("boolean",),
    "DATE": ("date",),
    "TIMESTAMP": ("date", "datetime"),
}
_ALLOWED = {cls: MISSING | sum(_BITS[shape] for shape in shapes) for cls, shapes in TYPES.items()}
NO_TYPE = ("infinite", "beyond 64 bits")
# Patterns that let nearly all fields of a type pass and no others. In a file of 20,000 columns it matters that the full
# ones take a millisecond each to prepare.
_QUICK = {"BIGINT": r"[ \t]*[+-]?[0-9]{1,18}[ \t]*", "DOUBLE": rf"[+-]?[0-9]+(?:[.][0-9]*)?(?:{_EXPONENT})?"}


def shapes_of(fields: Iterable[str]) -> int:
    """The shapes of some fields as the bits of a number; nothing is looked for once there is text."""
    known = set(fields)
    found = 0 if known.isdisjoint(_MISSING) else MISSING
    for field in known - _MISSING:
        found |= _shape(field)
        if found & TEXT:
            break
    return found


def _shape(field: str) -> int:
    bit = next((bit for bit, pattern in _COMPILED if pattern.fullmatch(field)), TEXT)
    if bit & (_BITS["decimal"] | _BITS["wide"]) and math.isinf(float(field)):
        return _BITS["infinite"]  # 1e400
    return bit


def shapes_sql(column: str) -> str:
    """The same of a whole column of texts, as an aggregate in SQL; nothing about missing or too large numbers."""
    cases = " ".join(f"WHEN {_matches(column, _PATTERNS[shape])} THEN {bit}" for shape, bit in _BITS.items())
    return f"coalesce(bit_or(CASE WHEN {column} IS NULL THEN 0 {cases} ELSE {TEXT} END), 0)"


def column_type(shapes: int) -> str:
    """The type of a column of these shapes."""
    return next((cls for cls, allowed in _ALLOWED.items() if not shapes & ~allowed), "VARCHAR")


def check_type(name: str, cls: str) -> None:
    """Refuse a column that has no type of DuckDB."""
    if cls == "infinite":
        raise infinite(name)
    if cls == "beyond 64 bits":
        raise wide_integers(name)


def cast_sql(column: str, cls: str, sure: bool) -> str:
    """The column of texts as a type; unless that is sure, an error where a text does not look like it."""
    if cls == "VARCHAR":
        return column
    name = "DOUBLE" if cls == "NULL" else cls
    if sure:
        return f"CAST({column} AS {name})"
    pattern = _QUICK.get(cls) or "|".join(_PATTERNS[shape] for shape in TYPES[cls])
    known = f"WHEN {_matches(column, pattern)} THEN CAST({column} AS {name}) " if TYPES[cls] else ""
    return f"CASE WHEN {column} IS NULL THEN NULL {known}ELSE error('another type') END"


def sql_string(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _matches(column: str, pattern: str) -> str:
    return f"regexp_full_match({column}, {sql_string(pattern)})"
