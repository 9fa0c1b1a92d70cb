"""Parquet files ▶ rows; any range of them is read without what comes before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from geco.data.parts import Part
from geco.data.schema import Schema
from geco.engines.csvrows import field_reader
from geco.engines.rows import Row, key_type_of
from geco.engines.schema import arrow
from geco.errors import DataError

CHUNK = 4096  # rows that are turned into Python objects at a time


class ParquetPart(NamedTuple):
    """A Parquet file with so many rows, and the values that its folders give to each."""

    path: str
    rows: int
    given: dict[str, Any]


def parquet_names(part: Part) -> list[str]:
    return list(_opened(part.path).schema_arrow.names)


def parquet_part(part: Part, features: Schema, wanted: Sequence[str]) -> ParquetPart:
    file = _opened(part.path)
    inside = set(file.schema_arrow.names)
    given = {name: field_reader(features, name)(part.values[name]) for name in wanted if name not in inside}
    return ParquetPart(part.path, file.metadata.num_rows, given)


def parquet_key(files: Iterable[ParquetPart], key: str | None) -> str:
    """The type of the keys."""
    types = {_key_type(file, key) for file in files} if key is not None else set()
    return "int64" if types == {"int64"} else "string"


def parquet_range(
    files: Sequence[ParquetPart], features: Schema, key: str | None, first: int, rows: int
) -> Iterator[Row]:
    """Some rows of all files together."""
    wanted = [*features.names, *([key] if key is not None and key not in features else [])]
    for part in files:
        inside = min(rows, part.rows - first)
        if inside > 0:
            file = _opened(part.path)
            groups, skip = _groups(file.metadata, first, inside)
            names = [name for name in wanted if name not in part.given]
            read = file.iter_batches(CHUNK, row_groups=groups, columns=names)
            for number, row in enumerate(arrow_rows(read, features.names, key, part.given)):
                if number >= skip + inside:
                    break
                if number >= skip:
                    yield row
            rows -= inside
        first = max(0, first - part.rows)


def arrow_rows(
    batches: Iterable[Any], features: Sequence[str], key: str | None, given: dict[str, Any] | None = None
) -> Iterator[Row]:
    """The rows of record batches; ``given`` are values that all of them have."""
    for batch in batches:
        rows = batch.num_rows
        columns = {name: batch.column(name).to_pylist() for name in batch.schema.names}
        columns |= {name: [value] * rows for name, value in (given or {}).items()}
        keys = [None] * rows if key is None else columns[key]
        values = zip(*(columns[name] for name in features), strict=True)
        for of_row, each in zip(keys, values, strict=True):
            yield Row(of_row, dict(zip(features, each, strict=True)))


def _opened(path: str) -> Any:
    pa = arrow()
    from pyarrow import parquet

    try:
        return parquet.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"cannot read {path!r}: {error}") from error


def _key_type(file: ParquetPart, key: str | None) -> str:
    return "string" if key in file.given else key_type_of(_opened(file.path).schema_arrow.field(key).type)


def _groups(metadata: Any, first: int, rows: int) -> tuple[list[int], int]:
    """The row groups that these rows lie in, and how many rows of the first of them come before."""
    groups: list[int] = []
    start = skip = 0
    for number in range(metadata.num_row_groups):
        end = start + metadata.row_group(number).num_rows
        if start < first + rows and end > first:
            skip = skip if groups else first - start
            groups.append(number)
        start = end
    return groups, skip
