"""Row: one x of the input, with its key."""

from __future__ import annotations

from typing import Any, NamedTuple


class Row(NamedTuple):
    """One x as ``explain`` takes it, and its key."""

    key: Any
    x: Any


def key_type_of(dtype: object) -> str:
    """``int64`` for all integers of pandas, polars and Arrow that fit into it; all other keys are text.

    Examples
    --------
    >>> key_type_of("Int32"), key_type_of("uint64"), key_type_of("object")
    ('int64', 'string', 'string')
    """
    name = str(dtype).lower()
    return "int64" if name.startswith(("int", "uint8", "uint16", "uint32")) else "string"
