"""Which group of people an explanation belongs to: a value of a feature, a quarter of its numbers, or as given."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from geco.answers.explanation import Explanation
from geco.answers.values import is_missing, show
from geco.errors import SettingsError, did_you_mean, shown
from geco.parts import Parts

MOST_GROUPS = 12  # of a feature of numbers or dates; if there are more, its quarters are the groups


def groups_of(parts: Parts, given: Sequence[Explanation], by: Any) -> tuple[list[str], str | None, list[str]]:
    """The name of the group of each explanation, what makes the groups, and the groups in order.

    Numbers, dates and ordered text have an order of their own; others stand by size.
    """
    if by is None:
        return [], None, []
    if not isinstance(by, str):
        if not isinstance(by, Iterable):
            raise SettingsError(f"by must be a feature, or a group for each explanation, got {shown(by)}")
        names = [show(name) for name in by]
        if len(names) != len(given):
            raise SettingsError(f"by has {len(names):,} groups for {len(given):,} explanations; give one for each")
        return names, "group", _by_size(names)
    if by not in parts.domain.names:
        raise SettingsError(f"by: D has no feature {shown(by)}{did_you_mean(by, parts.domain.names)}")
    values = [explanation.x.get(by) for explanation in given]
    many = len({v for v in values if not is_missing(v) and _is_quantity(v)}) > MOST_GROUPS
    names = _quarters(values) if many else [show(value) for value in values]
    if parts.domain.features[by].kind == "categorical" and not many:
        return names, by, _by_size(names)
    return names, by, _in_order(parts, by, values, names)


def _is_quantity(value: Any) -> bool:
    return isinstance(value, int | float | date) and not isinstance(value, bool)


def _by_size(names: Sequence[str]) -> list[str]:
    counts = Counter(names)
    return sorted(counts, key=lambda name: (-counts[name], name))


def _in_order(parts: Parts, feature: str, values: Sequence[Any], names: Sequence[str]) -> list[str]:
    """By the value that each begins with; what is missing comes last."""
    first: dict[str, float] = {}
    for value, name in zip(values, names, strict=True):
        at = math.inf if is_missing(value) else parts.domain.number(feature, value)
        first[name] = min(at, first.get(name, math.inf))
    return sorted(first, key=lambda name: (first[name], name))


def _quarters(values: Sequence[Any]) -> list[str]:
    """Four groups of about as many people each."""
    known = sorted(v for v in values if not is_missing(v))
    ends = sorted({known[min(len(known) - 1, len(known) * q // 4)] for q in (1, 2, 3)} | {known[-1]})
    names = []
    for value in values:
        if is_missing(value):
            names.append("missing")
            continue
        at = next(i for i, end in enumerate(ends) if value <= end)
        low = f"up to {show(ends[0])}" if at == 0 else f"above {show(ends[at - 1])}"
        names.append(low if at in (0, len(ends) - 1) else f"{low}, to {show(ends[at])}")
    return names
