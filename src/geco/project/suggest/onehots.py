"""ONEHOT: sets of 0/1 columns of which exactly one is 1 in every row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from geco.plaf.printer import print_name
from geco.project.suggest.sheet import Floats, Sheet
from geco.project.suggest.suggestion import Suggestion, count

_CUT = re.compile(r"[_=.:\s-]+")


def onehot_sets(sheet: Sheet) -> Iterator[Suggestion]:
    """By the beginning of their names first, then by standing side by side."""
    taken: set[str] = set()
    for prefix, names in [*_by_name(sheet), *_side_by_side(sheet)]:
        if taken.isdisjoint(names):
            taken.update(names)
            listed = ", ".join(map(print_name, names))
            title = prefix if prefix and prefix not in sheet.names else f"{prefix or names[0]}_set"
            evidence = f"exactly one of {len(names)} is 1: {count(sheet.rows, sheet.rows)}"
            yield Suggestion("onehot", f"ONEHOT {print_name(title)}: {listed}", evidence, 0.98, tuple(names))


def _by_name(sheet: Sheet) -> Iterator[tuple[str, list[str]]]:
    """Largest sets first, so that marital_status is one set and not one per word."""
    beginnings: dict[str, list[str]] = {}
    for name in sheet.flags:
        for cut in _CUT.finditer(name):
            if cut.start():
                beginnings.setdefault(name[: cut.start()], []).append(name)
    for prefix, names in sorted(beginnings.items(), key=lambda item: (-len(item[1]), -len(item[0]))):
        if len(names) > 1 and _is_onehot(sheet.matrix(names)):
            yield prefix, names


def _side_by_side(sheet: Sheet) -> Iterator[tuple[str, list[str]]]:
    flags = set(sheet.flags)
    first = 0
    while first < len(sheet.names):
        run = _run(sheet, first, flags)
        if len(run) > 2:  # two that exclude each other may do so by accident
            yield "", run
        first += max(1, len(run))


def _run(sheet: Sheet, first: int, flags: set[str]) -> list[str]:
    """The columns from here on of which exactly one is 1, none if there are no such."""
    total = np.zeros(sheet.rows)
    for last in range(first, len(sheet.names)):
        if sheet.names[last] not in flags:
            return []
        total = total + sheet.numbers(sheet.names[last])
        if not (total <= 1).all():
            return []
        if (total == 1).all():
            return sheet.names[first : last + 1]
    return []


def _is_onehot(columns: Floats | Sequence[Floats]) -> bool:
    return bool((np.sum(columns, axis=0) == 1).all())
