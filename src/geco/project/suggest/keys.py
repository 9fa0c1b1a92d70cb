"""Columns that tell rows apart and say nothing else: to be left out, not to be changed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from geco.project.suggest.names import KEY, words_of
from geco.project.suggest.sheet import Sheet
from geco.project.suggest.suggestion import Suggestion

FEWEST = 20  # rows: in a shorter table anything is different everywhere


def key_columns(sheet: Sheet) -> Iterator[Suggestion]:
    """Different in every row, and counted, named as keys are, or text."""
    for name in sheet.names:
        why = why_key(sheet, name)
        if why is not None:
            evidence = f"different in all {sheet.rows:,} rows; {why}"
            yield Suggestion("exclude", name, evidence, 0.97, (name,))


def why_key(sheet: Sheet, name: str) -> str | None:
    """In words, why a column is a key; None if it is not."""
    feature = sheet.feature(name)
    if sheet.rows < FEWEST or sheet.distinct(name) < sheet.rows or sheet.missing(name).any():
        return None
    if feature.type == "text":
        return "text that nobody shares"
    if feature.type != "integer":
        return None
    if any(word in KEY for word in words_of(name)[-1:]):
        return "named like a key"
    counted = bool((np.diff(sheet.numbers(name)) == 1).all())
    return "it counts the rows" if counted else None
