"""Parquet files ▶ one relation in DuckDB; they stay where they are and are scanned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from geco.data.csvtypes import cast_sql, check_type, column_type, shapes_of, sql_string
from geco.data.parts import Part, check_same_columns
from geco.data.paths import literal_path
from geco.data.relation import common_type, exact_cast, types_of
from geco.errors import DataError


@dataclass(frozen=True)
class _Family:
    """Files of one schema; ``literals`` are their paths in SQL, ``types`` those of DuckDB, None for no value at all."""

    parts: list[Part]
    literals: list[str]
    names: list[str]
    types: list[str | None]

    @cached_property
    def positions(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def scan(self, filename: str = "") -> str:
        """Folders are not read by DuckDB, whose own rules differ: they would hide a column of the same name."""
        option = f", filename = {sql_string(filename)}" if filename else ""
        return f"read_parquet([{', '.join(self.literals)}], hive_partitioning = false{option})"


def parquet_relation(
    connection: Any, parts: Sequence[Part], keep: Callable[[list[str]], list[str]]
) -> tuple[str, list[str]]:
    """The SQL text of all rows, and the names of its columns; what ``keep`` leaves out may have any type."""
    families = _families(connection, parts)
    names = check_same_columns([(part, family.names) for family in families for part in family.parts])
    if len(families) == 1 and names == families[0].names:
        return families[0].scan(), names
    kept = set(keep(names))
    types = {name: _type_of(name, families, parts) if name in kept else None for name in names}
    return f"({' UNION ALL '.join(_select(family, types) for family in families)})", names


def _families(connection: Any, parts: Sequence[Part]) -> list[_Family]:
    literals = {sql_string(literal_path(part.path, connection)): part for part in parts}
    facts = "file_name, name, coalesce(num_children, 0), type, converted_type, scale, precision, logical_type"
    schemas: dict[str, list[tuple[Any, ...]]] = {}
    for file, *column in connection.execute(f"SELECT {facts} FROM parquet_schema([{', '.join(literals)}])").fetchall():
        schemas.setdefault(sql_string(file), []).append(tuple(column))
    alike: dict[tuple[Any, ...], list[str]] = {}
    for literal in literals:
        alike.setdefault(tuple(schemas[literal][1:]), []).append(literal)
    return [
        _Family([literals[one] for one in same], same, *_columns(connection, same[0], schema))
        for schema, same in alike.items()
    ]


def _columns(connection: Any, literal: str, schema: Sequence[tuple[Any, ...]]) -> tuple[list[str], list[str | None]]:
    """The top-level names as they are written (DuckDB renames one of two that differ in case only), and the types."""
    names, empty = [], []
    inside = 0
    for name, children, *_, logical in schema:
        if inside == 0:
            names.append(name)
            empty.append(logical == "NullType()")
        else:
            inside -= 1
        inside += children
    types = types_of(connection, f"read_parquet({literal}, hive_partitioning = false)")
    return names, [None if nothing else cls for cls, nothing in zip(types, empty, strict=True)]


def _type_of(name: str, families: Sequence[_Family], parts: Sequence[Part]) -> str:
    """One type for a column, which may have several; a folder's values are those of a column of a CSV."""
    if name not in families[0].positions:
        cls = column_type(shapes_of(part.values[name] for part in parts))
        check_type(name, cls)
        return cls
    seen = {family.types[family.positions[name]]: family for family in families}
    seen.pop(None, None)
    known = [cls for cls in seen if cls is not None]
    if len(known) < 2:
        return known[0] if known else "DOUBLE"
    common = common_type(known)
    if common is None:
        first, second = (f"{cls} in {seen[cls].parts[0].path!r}" for cls in known[:2])
        raise DataError(f"column {name!r} is {first} and {second}; convert it to one type, or exclude it")
    return common


def _select(family: _Family, types: Mapping[str, str | None]) -> str:
    aliases = ", ".join([*(f"r{i}" for i in range(len(family.names))), "file"])
    # Longer than any name that a column of the file has.
    filename = "file" + "_" * max((len(name) for name in family.names), default=0)
    columns = ", ".join("NULL" if cls is None else _column(family, name, cls) for name, cls in types.items())
    return f"SELECT {columns} FROM {family.scan(filename)} AS t({aliases})"


def _column(family: _Family, name: str, cls: str) -> str:
    if name not in family.positions:
        # DuckDB looks it up once for thousands of rows, because all of them are of one file.
        texts = ", ".join(sql_string(part.values[name]) if part.values[name] else "NULL" for part in family.parts)
        value = f"list_extract([{texts}], list_position([{', '.join(family.literals)}], file))"
        return cast_sql(value, cls, sure=True)
    position = family.positions[name]
    given = family.types[position]
    if given is None:
        return f"CAST(NULL AS {cls})"
    return f"r{position}" if given == cls else exact_cast(f"r{position}", given, cls)
