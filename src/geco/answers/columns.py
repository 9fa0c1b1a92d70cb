"""Columns of the data frames that explanations are turned into."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from geco.answers.values import is_missing

if TYPE_CHECKING:
    from geco.answers.explanation import Counterfactual


def free_name(name: str, taken: Container[str]) -> str:
    """The name, with underscores at its end until it is free."""
    while name in taken:
        name += "_"
    return name


def range_columns(answers: Sequence[Counterfactual | None], taken: Iterable[str]) -> dict[str, list[Any]]:
    """Per changed feature what else would do: ``income_low`` and ``income_high``, or ``job_others``.

    None stands for a row without an answer, such as that of x.
    """
    known = {f: run for cf in answers if cf is not None for f, run in cf.ranges.items()}
    columns: dict[str, list[Any]] = {}
    names = set(taken)
    for feature in known:
        runs = [None if cf is None else cf.ranges.get(feature) for cf in answers]
        listed = any(run is not None and run.others for run in runs)
        for part in ("others",) if listed else ("low", "high"):
            name = free_name(f"{feature}_{part}", names)
            names.add(name)
            columns[name] = [None if run is None else getattr(run, part) for run in runs]
    return columns


def column_dtype(values: list[Any]) -> type[object] | None:
    """Left to pandas, except that an integer beside a missing value would become a float, and half a sign an error."""
    mixed = any(is_missing(v) for v in values) and any(isinstance(v, int | np.integer) for v in values)
    tuples = any(isinstance(v, tuple) for v in values)
    return object if mixed or tuples or any(isinstance(v, str) and not _is_unicode(v) for v in values) else None


def _is_unicode(text: str) -> bool:
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:  # a lone surrogate
        return False
