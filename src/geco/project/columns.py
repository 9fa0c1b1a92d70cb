"""Columns that a model names against columns of the table, with all differences listed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from geco.errors import DataError
from geco.models.asking.called import Called
from geco.models.asking.wrap import opened
from geco.plaf.diagnostics import closest

MOST = 12  # names that are listed


def check_columns(model: Any, names: Sequence[str], left_out: Sequence[str]) -> None:
    """Raise DataError if the model reads columns that the table does not have.

    Parameters
    ----------
    names : of the features.
    left_out : columns that the table has and the project leaves out.
    """
    read = model_columns(model)
    respelled = {re.sub(r"\s", "_", name) for name in names}  # LightGBM writes an underscore for every space
    lacking = [name for name in read if name not in names and name not in respelled]
    if not lacking:
        return
    unread = [name for name in names if name not in read]
    listed = ", ".join(f"{name!r}{_hint(name, unread, left_out)}" for name in lacking[:MOST])
    count = f"{len(lacking)} of the {len(read)} columns that the model reads are"
    message = f"{count} not in the table: {listed}{_more(lacking)}"
    if unread:
        message += f"; columns of the table that the model does not read: {', '.join(unread[:MOST])}{_more(unread)}"
    raise DataError(message + "; give the table the names that the model was trained with")


def model_columns(model: Any) -> list[str]:
    """The columns a model names, in its order; empty if it names none."""
    inner = Called.of(opened(model)).model
    names = getattr(inner, "feature_names_in_", getattr(inner, "feature_name_", None))
    if names is None or [str(n) for n in names] == [f"Column_{i}" for i in range(len(names))]:  # LightGBM on an array
        return []
    return [str(name) for name in names]


def _hint(name: str, unread: Sequence[str], left_out: Sequence[str]) -> str:
    if name in left_out:
        return " (the project leaves it out)"
    match = closest(name, unread)
    return f" (did you mean {match!r}?)" if match else ""


def _more(names: Sequence[str]) -> str:
    return f" and {len(names) - MOST} more" if len(names) > MOST else ""
