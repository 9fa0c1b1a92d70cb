"""[data] ▶ the Database: a file, a folder or a query, without label, key and what else is no feature."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from geco.data.columns import Column
from geco.data.onerow import number_of_key, row_of_csv
from geco.data.parts import Part
from geco.data.schema import Schema
from geco.errors import DataError, InstanceError, shown
from geco.plaf.diagnostics import closest
from geco.project.settings import Settings

if TYPE_CHECKING:
    from geco.data.database import Database


def open_database(settings: Settings) -> Database:
    """D without the columns that are no features; a column that is not there is named with its line."""
    kinds = {name: words["kind"] for name, words in settings.table("features").items() if "kind" in words}
    exclude = left_out(settings)
    try:
        return _read(settings, exclude, kinds)
    except DataError:
        _check_names(settings, exclude, kinds)
        raise


def left_out(settings: Settings) -> list[str]:
    """Label, key and what else is no feature."""
    said = [settings.get("data", "label"), settings.get("data", "key"), *settings.get("data", "exclude", ())]
    return list(dict.fromkeys(name for name in said if name is not None))


def row_of_key(settings: Settings, key: object) -> int:
    """The number of the row with this key; a number in quotes is the number."""
    column = settings.get("data", "key")
    if column is None:
        raise settings.wrong(
            'the project names no key column; add key = "COLUMN" to [data], or give the number of the row (--row)',
            "data",
        )
    keys = _one_column(settings, column).values()
    found = np.flatnonzero([str(value) == str(key) for value in keys])
    if len(found) != 1:
        count = "no row" if not len(found) else f"{len(found):,} rows"
        raise InstanceError(f"{count} of the table with {column} = {shown(key)}; its first keys are {_some(keys)}")
    return int(found[0])


def known_row(settings: Settings, schema: Schema, number: int | None, key: object) -> dict[str, Any] | None:
    """One row of a CSV file with features of known types, read alone; None where that cannot be done."""
    source, column = settings.path("data", "source"), settings.get("data", "key")
    if source is None or not source.is_file() or not Part(str(source)).is_csv or settings.get("data", "connection"):
        return None
    if number is None and column is not None:
        number = number_of_key(str(source), column, key)
    return None if number is None else row_of_csv(str(source), number, schema)


def check_there(settings: Settings, path: Path, table: str, key: str) -> None:
    """A file that is not there is named with its line, and with one that may be meant."""
    if path.exists():
        return
    beside = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
    match = closest(path.name, beside)
    hint = f"; did you mean {match!r}?" if match else ""
    if settings.file is None:
        raise DataError(f"there is no file {str(path)!r}{hint}")
    raise settings.wrong(f"{key} in [{table}] names {str(path)!r}, and there is no such file{hint}", table, key)


def _read(settings: Settings, exclude: Sequence[str], kinds: dict[str, Any]) -> Database:
    from geco.data.database import Database  # with it comes DuckDB, which one row does without

    connection, source = settings.path("data", "connection"), settings.path("data", "source")
    if connection is not None:
        check_there(settings, connection, "data", "connection")
        return Database.from_sql(settings.get("data", "query"), connection, exclude, kinds)
    if source is None:
        raise settings.wrong('[data] names no table; add source = "table.csv"', "data")
    if source.is_file():
        return Database.from_file(source, exclude, kinds)
    if not any(sign in str(source) for sign in "*?["):
        check_there(settings, source, "data", "source")
    return Database.from_files(source, exclude, kinds)


def _check_names(settings: Settings, exclude: Sequence[str], kinds: dict[str, Any]) -> None:
    """Whether an error is about a name; then it is told as the project has it."""
    names = _read(settings, [], {}).schema.names
    places = {"label": [settings.get("data", "label")], "key": [settings.get("data", "key")]}
    places["exclude"] = settings.get("data", "exclude", [])
    for key, columns in places.items():
        for column in columns:
            if column is not None and column not in names and settings.file is not None:
                raise settings.wrong(
                    f"{key} in [data]: the table has no column {column!r}{_meant(column, names)}", "data", key
                )
    for column in kinds:
        if column not in names and settings.file is not None:
            raise settings.wrong(f"the table has no column {column!r}{_meant(column, names)}", "features", column)


def _meant(name: str, names: Sequence[str]) -> str:
    match = closest(name, names)
    if match:
        return f"; did you mean {match!r}?"
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return f"; its columns are {', '.join(names[:12])}{more}"


def _some(values: Any) -> str:
    return ", ".join(map(str, values[:3]))


def label_column(settings: Settings) -> Column | None:
    """The known outcomes, row by row; None if the project names no label."""
    label = settings.get("data", "label")
    return None if label is None else _one_column(settings, label)


def _one_column(settings: Settings, name: str) -> Column:
    names = _read(settings, [], {}).schema.names
    return _read(settings, [other for other in names if other != name], {}).column(name)
