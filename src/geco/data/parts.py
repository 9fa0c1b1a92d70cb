"""A folder or a pattern ▶ the files it means, and the values that folders called ``key=value`` give to their rows."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from geco.data.frames import check_names
from geco.data.paths import nothing_there
from geco.errors import DataError

MOST_FILES = 100_000  # and folders, below one that was named: beyond that it is a whole disk
CSV, PARQUET = (".csv", ".csv.gz"), (".parquet",)
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"


@dataclass(frozen=True)
class Part:
    """One of the files of D, and the values that its folders give to all of its rows, as text; "" is missing."""

    path: str
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_csv(self) -> bool:
        return self.path.lower().endswith(CSV)

    @property
    def is_parquet(self) -> bool:
        return self.path.lower().endswith(PARQUET)

    @property
    def is_gzip(self) -> bool:
        return self.path.lower().endswith(".gz")


def find_parts(pattern: str) -> list[Part]:
    """The CSV or Parquet files, sorted by name; other files are left aside.

    Parameters
    ----------
    pattern : a folder, read with all folders in it, or a pattern with ``*``, ``?``, ``[…]`` or ``**``; folders that
        match are read in the same way.
    """
    if os.path.exists(pattern):
        base, found = pattern, [pattern]
    else:
        base, found = _fixed_part(pattern), glob.glob(pattern, recursive=True)
    if not found:
        raise nothing_there(pattern)
    parts = [Part(path, _values(os.path.relpath(path, base))) for path in sorted(set(_files(found)))]
    parts = [part for part in parts if part.is_csv or part.is_parquet]
    if not parts:
        raise DataError(f"{pattern!r} has no file whose name ends in .csv, .csv.gz or .parquet")
    odd = next((part for part in parts if part.is_csv != parts[0].is_csv), None)
    if odd:
        raise DataError(f"{pattern!r} means CSV and Parquet files, {parts[0].path!r} and {odd.path!r}; read one kind")
    return parts


def check_same_columns(files: Sequence[tuple[Part, Sequence[str]]]) -> list[str]:
    """The names of all files, those that folders give last; a column of the file hides a folder's value."""
    (first, columns), *others = files
    names = [*columns, *(name for name in first.values if name not in set(columns))]
    check_names(names)
    known = set(names)
    for part, columns in others:
        if odd := known ^ {*columns, *part.values}:
            both = f"{part.path!r} and {first.path!r}"
            raise DataError(f"{both} differ in the column {min(odd)!r}; all files must have the same columns")
    return names


def _fixed_part(pattern: str) -> str:
    """The folder above the first one with signs of a pattern."""
    fixed = pattern
    while glob.has_magic(fixed):
        fixed = os.path.dirname(fixed)
    return fixed or os.curdir


def _files(found: Iterable[str]) -> Iterator[str]:
    for path in found:
        if not os.path.isdir(path):
            yield path
            continue
        seen = 0
        for folder, inside, names in os.walk(path):
            inside[:] = [name for name in inside if not _is_hidden(name)]
            seen += len(inside) + len(names)
            if seen > MOST_FILES:
                raise DataError(f"{path!r} has more than {MOST_FILES:,} files below it; name the folder of the table")
            yield from (os.path.join(folder, name) for name in names if not _is_hidden(name))


def _is_hidden(name: str) -> bool:
    """Of no concern: what Spark and others put beside the files begins with an underscore."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def _values(path: str) -> dict[str, str]:
    pairs = [folder.partition("=") for folder in path.split(os.sep)[:-1]]
    return {
        unquote(key): "" if value == _NO_VALUE else unquote(value) for key, equals, value in pairs if key and equals
    }
