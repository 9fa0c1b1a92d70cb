"""Limits that keep answers away from values which are no values: codes such as 96, and texts such as '?'."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from geco.plaf.printer import print_name, print_text
from geco.project.suggest.sheet import Sheet
from geco.project.suggest.suggestion import Suggestion

UNKNOWN = ("?", "unknown", "n/a", "na", "not available", "not known", "missing", "not stated", "unspecified", "-")
FAR = 3.0  # times the span of all other values
FEWEST_OTHERS = 5


def ranges(sheet: Sheet) -> Iterator[Suggestion]:
    """Rules for changed values only: whoever has such a value may keep it."""
    for name in sheet.names:
        if sheet.feature(name).type == "text":
            yield from _not_unknown(sheet, name)
        elif name in sheet.numeric and sheet.feature(name).type in ("integer", "number"):
            yield from _not_a_code(sheet, name)


def _not_unknown(sheet: Sheet, name: str) -> Iterator[Suggestion]:
    texts = sheet.column(name).values()
    quoted = print_name(name)
    for text in sheet.texts(name):
        if _is_unknown(text):
            rows = int((texts == text).sum())
            rule = f"PLAF IF x.{quoted} != {print_text(text)} THEN x_cf.{quoted} != {print_text(text)}"
            evidence = (
                f"{text!r} stands for not known in {rows:,} of {sheet.rows:,} rows; nobody should be told to go there"
            )
            yield Suggestion("range", rule, evidence, 0.82, (name,))


def _is_unknown(text: str) -> bool:
    """Also of 'unknown / no savings account', which says that nobody knows, or that there is nothing."""
    said = text.strip().lower().replace("_", " ")
    return said in UNKNOWN or re.split(r"\s*[/,(;]\s*", said)[0] in UNKNOWN[1:]


def _not_a_code(sheet: Sheet, name: str) -> Iterator[Suggestion]:
    """A few values far beyond all others, such as 96 and 98 among counts up to 17."""
    values = sheet.numbers(name)
    distinct = np.unique(values[~np.isnan(values)])
    if len(distinct) < FEWEST_OTHERS + 1:
        return
    gaps = np.diff(distinct)
    at = int(np.argmax(gaps))
    codes, others = distinct[at + 1 :], distinct[: at + 1]
    if len(codes) > 3 or len(others) < FEWEST_OTHERS or gaps[at] < FAR * max(others[-1] - others[0], 1e-12):
        return
    quoted, last = print_name(name), f"{others[-1]:.15g}"
    rows = int((values > others[-1]).sum())
    told = " and ".join(f"{code:,.12g}" for code in codes)
    rule = f"PLAF IF x.{quoted} <= {last} THEN x_cf.{quoted} <= {last}"
    looks = "looks like a code" if len(codes) == 1 else "look like codes"
    evidence = f"{told} (in {rows:,} of {sheet.rows:,} rows) {looks}: no other value is above {last}"
    yield Suggestion("range", rule, evidence, 0.8, (name,))
