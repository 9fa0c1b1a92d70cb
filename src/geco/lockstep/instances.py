"""instances: the rows of a frame, or of any iterable, one at a time and each as ``explain`` takes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from geco.errors import InstanceError

ARROW_ROWS = 1024  # turned into Python objects at a time


def instances(rows: Any) -> Iterator[Any]:
    """Row by row, nothing read ahead; values of a frame keep their column's type.

    Examples
    --------
    >>> list(instances([{"age": 22}, {"age": 31}]))
    [{'age': 22}, {'age': 31}]
    """
    match _library(rows), getattr(rows, "ndim", 2):
        case "pandas", 2 if hasattr(rows, "columns"):
            names = [*rows.columns]
            twice = [name for name in names if names.count(name) > 1]
            if twice:
                raise InstanceError(f"rows has two columns of the name {twice[0]!r}; keep one of them")
            # Column by column: a row of a frame with integers and fractions would be a Series of fractions.
            return (dict(zip(names, values, strict=True)) for values in zip(*(rows[n] for n in names), strict=True))
        case "polars", 2 if hasattr(rows, "iter_rows"):
            return iter(rows.iter_rows(named=True))
        case "pyarrow", _ if hasattr(rows, "to_batches"):
            return (x for part in rows.to_batches(max_chunksize=ARROW_ROWS) for x in part.to_pylist())
        case "", _ if isinstance(rows, Iterable) and not isinstance(rows, Mapping | str | bytes):
            return _Each(rows)
    raise InstanceError(
        f"rows must be a pandas or polars DataFrame, a pyarrow Table or an iterable of dicts, "
        f"got {type(rows).__name__}; for one row use explain"
    )


class _Each(Iterator[Any]):
    """Any iterable of the user's; after an error it can be asked for the next row, where it has one."""

    def __init__(self, rows: Iterable[Any]) -> None:
        self._rows = _read(lambda: iter(rows))

    def __next__(self) -> Any:
        return _read(lambda: next(self._rows))


def _read(step: Callable[[], Any]) -> Any:
    try:
        return step()
    except StopIteration:
        raise
    except Exception as error:
        raise InstanceError(f"rows cannot be read: {type(error).__name__}: {error}") from error


def count(rows: Any) -> int | None:
    """How many rows there are, where that is known in advance."""
    try:
        return len(rows)
    except Exception:  # a generator has no length, and an object of the user's may raise
        return None


def is_frame(rows: Any) -> bool:
    """Whether its columns have names: pandas, polars or pyarrow."""
    return _library(rows) in ("pandas", "polars", "pyarrow") and getattr(rows, "ndim", 2) == 2


def _library(rows: Any) -> str:
    """The frame library or NumPy, whose arrays have no names; empty for plain Python."""
    modules = (cls.__module__.partition(".")[0] for cls in type(rows).__mro__)
    return next((m for m in modules if m in ("pandas", "polars", "pyarrow", "numpy")), "")
